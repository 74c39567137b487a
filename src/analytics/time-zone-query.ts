import { boundedText } from '../http/schemas.ts'
import { isTimeZone } from '../lib/time-zone.ts'

/** The query parameter of reports by day that says whose days they are. */
export const timeZoneQuery = boundedText(64)
  .refine(isTimeZone, 'must be the name of a time zone, such as Europe/Berlin')
  .default('UTC')
  .describe('Whose days they are, by its name in the IANA database.')
