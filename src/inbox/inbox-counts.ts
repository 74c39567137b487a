import type { Kysely } from 'kysely'
import type { Scope } from '../http/scope.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import { isInScope } from '../transcripts/conversations/in-scope.ts'

/** The number of conversations in each view of an agent's inbox. */
export interface InboxCounts {
  waiting: number
  /** Those of the person who asks; null for a program. */
  mine: number | null
  unassigned: number
  open: number
  snoozed: number
}

const selectCounts = prepared((db, param: ParamOf<{ agent_id: number }>) =>
  db
    .selectFrom('inbox_counters')
    .select(['assignee_id', 'open_count', 'waiting_count', 'snoozed_count'])
    .where('agent_id', '=', param('agent_id')),
)

const selectGroupCounts = prepared((db, param: ParamOf<{ agent_id: number }>) =>
  db
    .selectFrom('inbox_group_counters')
    .select(['group_id', 'assignee_id', 'open_count', 'waiting_count', 'snoozed_count'])
    .where('agent_id', '=', param('agent_id')),
)

/**
 * Reads the stored counts of an agent's inbox.
 * @param operatorId the person who asks; null: a program
 * @param scope the conversations that they may see
 */
export async function readInboxCounts(
  db: Kysely<Tables>,
  agentId: number,
  operatorId: number | null,
  scope: Scope | null,
): Promise<InboxCounts> {
  const mine = operatorId === null ? null : 0
  const counts: InboxCounts = { waiting: 0, mine, unassigned: 0, open: 0, snoozed: 0 }
  const add = (row: Awaited<ReturnType<typeof selectCounts>>[number], group_id: number, sign = 1) => {
    const { assignee_id, open_count, waiting_count, snoozed_count } = row
    if (!isInScope({ assignee_id, group_id }, scope)) return
    counts.open += sign * open_count
    counts.waiting += sign * waiting_count
    counts.snoozed += sign * snoozed_count
    if (assignee_id === 0) counts.unassigned += sign * open_count
    else if (assignee_id === operatorId && counts.mine !== null) counts.mine += sign * open_count
  }
  for (const row of await selectCounts(db, { agent_id: agentId })) add(row, 0)
  if (scope === null) return counts
  // The first loop counted conversations in groups as if they were in none.
  for (const row of await selectGroupCounts(db, { agent_id: agentId })) {
    add(row, 0, -1)
    add(row, row.group_id)
  }
  return counts
}

/** Counts the conversations of the whole installation that wait for a person. */
export async function countWaiting(db: Kysely<Tables>): Promise<number> {
  const row = await db
    .selectFrom('inbox_counters')
    .select((select) => select.fn.sum<number | null>('waiting_count').as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Returns the number of seconds that the longest-waiting conversation has waited; 0 when none waits. */
export async function oldestWaiting(db: Kysely<Tables>, nowMs: number): Promise<number> {
  const row = await db
    .selectFrom('inbox_rows')
    .select('waiting_since')
    .where('waiting_since', 'is not', null)
    .orderBy('waiting_since')
    .limit(1)
    .executeTakeFirst()
  return row?.waiting_since ? Math.max(0, nowMs - Date.parse(row.waiting_since)) / 1000 : 0
}
