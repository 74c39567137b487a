import type { Kysely } from 'kysely'
import { record } from '../audit/record.ts'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { actorOf } from './operator.ts'
import { openSession, type Visitor } from './sessions.ts'
import type { OperatorRow } from './tables.ts'

/** Opens the session of a person who signs in, and records it, in the transaction of the sign-in. */
export async function beginSession(
  db: Kysely<Tables>,
  operator: OperatorRow,
  visitor: Visitor,
  nowMs: number,
  details?: { by: string },
): Promise<{ sessionId: number; token: string }> {
  const session = await openSession(db, operator, visitor, nowMs)
  await record(db, {
    teamId: operator.team_id,
    at: timestamp(nowMs),
    actor: actorOf(operator),
    action: 'session.created',
    target: `session ${session.sessionId}`,
    ...(details ? { details } : {}),
    address: visitor.address,
  })
  return session
}
