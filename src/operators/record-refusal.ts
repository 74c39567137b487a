import type { Kysely } from 'kysely'
import { lastRefusal, record } from '../audit/record.ts'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { actorOf } from './operator.ts'
import type { Visitor } from './sessions.ts'
import { countFailures } from './sign-in-failures.ts'
import { lockOperator } from './store.ts'
import type { OperatorRow } from './tables.ts'

const ONE_ROW_MS = 60_000

/**
 * Records in the audit that a sign-in to an account failed: at most one row per minute, with the number of failures
 * since the previous row.
 */
export async function recordRefusal(
  db: Kysely<Tables>,
  { id, team_id }: Pick<OperatorRow, 'id' | 'team_id'>,
  visitor: Visitor,
  nowMs: number,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    const operator = await lockOperator(db, team_id, id)
    if (!operator) return
    const target = `operator ${id}`
    const last = await lastRefusal(db, target)
    if (last > timestamp(nowMs - ONE_ROW_MS)) return
    await record(db, {
      teamId: team_id,
      at: timestamp(nowMs),
      actor: actorOf(operator),
      action: 'session.refused',
      target,
      details: { count: Math.max(1, await countFailures(db, operator.email, last)) },
      address: visitor.address,
    })
  })
}
