import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ApiError } from '../errors.ts'

/** The version of a record that people edit, as answers contain it. */
export const recordVersion = z
  .string()
  .describe('Differs whenever an editable field does. A change that sends an outdated one is refused.')

/** The version that the caller read, as a change sends it back. */
export const sentVersion = z
  .string()
  .max(64)
  .optional()
  .describe(
    'The `version` that was read. When something has changed since, the answer is 409 `version_outdated`.',
  )

/**
 * Returns the version of a record, made from the fields that people change. Secrets count as they are stored: sealed.
 */
export function versionOf(...fields: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url').slice(0, 22)
}

/**
 * Refuses a change of a record that has changed since its caller read it. Call it in the transaction that has locked
 * the record.
 * @param sent undefined when the caller sent no version
 * @throws ApiError version_outdated
 */
export function refuseOutdated(sent: string | undefined, present: string): void {
  if (sent !== undefined && sent !== present) throw new ApiError('version_outdated')
}
