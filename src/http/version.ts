import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ApiError } from '../errors.ts'
import { bodyErrors } from './schemas.ts'

/** The version in the answer of a record that people edit. */
export const recordVersion = z.string().describe('Of what people change in it: a change may send it back.')

/** The version of what a caller read, as a change sends it back. */
export const sentVersion = z
  .string()
  .max(64)
  .optional()
  .describe(
    'The `version` that was read. When something has changed since, the answer is 409 `version_outdated`.',
  )

/** The errors that a change of such a record may return because of its body. */
export const changeErrors = [...bodyErrors, 'version_outdated'] as const

/** The version of a record, made of the fields that people change. Secrets count as they are stored: sealed. */
export function versionOf(...fields: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url').slice(0, 22)
}

/**
 * Refuses a change of a record that is no longer as its caller read it. Call it in the transaction that has locked the
 * record.
 * @param sent undefined: the caller did not say what it read
 * @throws ApiError version_outdated
 */
export function refuseOutdated(sent: string | undefined, present: string): void {
  if (sent !== undefined && sent !== present) throw new ApiError('version_outdated')
}
