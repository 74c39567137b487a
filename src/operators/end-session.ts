import type { Kysely } from 'kysely'
import { record } from '../audit/record.ts'
import { ApiError } from '../errors.ts'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import type { Self } from './own-account.ts'
import { deleteSession, updateOperator } from './store.ts'

/**
 * Ends a session of the caller, the current one or another.
 * @throws ApiError session_not_found
 */
export async function endSession(
  db: Kysely<Tables>,
  { signedIn: { operatorId, teamId, name, sessionId: signedInto }, address }: Self,
  sessionId: number,
  nowMs: number,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    if (!(await deleteSession(db, operatorId, sessionId))) throw new ApiError('session_not_found')
    // Somebody who signs out has left, and is assigned nothing more.
    if (sessionId === signedInto) await updateOperator(db, operatorId, { available_until: null })
    await record(db, {
      teamId,
      at: timestamp(nowMs),
      actor: { kind: 'operator', id: operatorId, name },
      action: 'session.ended',
      target: `session ${sessionId}`,
      address,
    })
  })
}
