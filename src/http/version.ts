import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ApiError } from '../errors.ts'

/** The version of what a caller read, as a change sends it back. */
export const sentVersion = z
  .string()
  .max(64)
  .optional()
  .describe(
    'The `version` that was read. When something has changed since, the answer is 409 `version_outdated`.',
  )

/** The version of the fields of a record that people change: another once one of them is another. */
export function versionOf(fields: object): string {
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url').slice(0, 22)
}

/**
 * Refuses a change of a record that is no longer as its caller read it. Call it in the transaction that has locked the
 * record.
 * @param sent undefined: the caller did not say what it read
 * @throws ApiError version_outdated
 */
export function refuseOutdated(sent: string | undefined, fields: object): void {
  if (sent !== undefined && sent !== versionOf(fields)) throw new ApiError('version_outdated')
}
