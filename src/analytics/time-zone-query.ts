import { timeZoneName } from '../http/schemas.ts'

/** The query parameter of reports by day that says whose days they are. */
export const timeZoneQuery = timeZoneName
  .default('UTC')
  .describe('Whose days they are, by its name in the IANA database.')
