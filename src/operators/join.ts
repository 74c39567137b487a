import type { Kysely } from 'kysely'
import { record } from '../audit/record.ts'
import { ApiError } from '../errors.ts'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { readLink, useLink } from './links.ts'
import { actorOf } from './operator.ts'
import { checkPassword, hashPassword } from './password.ts'
import { openSession, type Visitor } from './sessions.ts'
import { deleteSessionsOf, lockOperator, selectOperatorById, updateOperator } from './store.ts'
import type { OperatorRow } from './tables.ts'

/** Finds the person whom a link lets in, and leaves the link as it is. @throws ApiError invalid_invitation */
export async function personOfLink(db: Kysely<Tables>, token: string, nowMs: number): Promise<OperatorRow> {
  const id = await readLink(db, token, nowMs)
  const operator = id === null ? undefined : await selectOperatorById(db, id)
  if (operator?.active !== 1) throw new ApiError('invalid_invitation')
  return operator
}

/**
 * Uses up a link: sets the password and signs the person in. For a person who has joined before, this is a reset, which
 * ends all sessions and removes the second factor.
 * @throws ApiError invalid_invitation for a link that is used, expired or unknown; invalid_request for an unacceptable
 * password, which does not use up the link
 */
export async function join(
  db: Kysely<Tables>,
  { token, password, name }: { token: string; password: string; name?: string | undefined },
  visitor: Visitor,
  nowMs: number,
): Promise<{ operator: OperatorRow; sessionId: number; token: string }> {
  // Checked before the password is hashed, which costs as much as a thousand queries.
  const { id } = await personOfLink(db, token, nowMs)
  await checkPassword(password)
  const password_hash = await hashPassword(password)
  return db.transaction().execute(async (db) => {
    const found = await selectOperatorById(db, id)
    const invited = found && (await lockOperator(db, found.team_id, id))
    if (!invited || invited.active === 0 || !(await useLink(db, token, nowMs)))
      throw new ApiError('invalid_invitation')
    const isReset = invited.joined_at !== null
    const operator = await updateOperator(db, invited.id, {
      password_hash,
      joined_at: invited.joined_at ?? timestamp(nowMs),
      ...(name === undefined ? {} : { name }),
      ...(isReset ? { totp_secret: null, totp_pending: null, totp_step: null, recovery_codes: null } : {}),
    })
    await deleteSessionsOf(db, operator.id, null)
    const session = await openSession(db, operator, visitor, nowMs)
    await record(db, {
      teamId: operator.team_id,
      at: timestamp(nowMs),
      actor: actorOf(operator),
      action: isReset ? 'password.reset' : 'operator.joined',
      target: `operator ${operator.id}`,
      address: visitor.address,
    })
    return { operator, ...session }
  })
}
