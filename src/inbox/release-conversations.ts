import { type Kysely, type SqlBool, sql } from 'kysely'
import { bySystem } from '../audit/record.ts'
import { setAssignment } from '../desk/assign.ts'
import { deletedGroups, deleteGroup } from '../groups/store.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { lockConversation } from '../transcripts/conversations/store.ts'

const BATCH = 100
/** The time for which the row of a deleted group is kept: longer than any transaction takes. */
const KEPT_MS = 3_600_000

/**
 * Takes the conversations that have not ended from operators who were removed.
 * @param remaining returns those of some operators who still exist
 */
export async function releaseConversations(
  { db, clock }: { db: Kysely<Tables>; clock: Clock },
  remaining: (db: Kysely<Tables>, ids: readonly number[]) => Promise<ReadonlyMap<number, unknown>>,
  signal: AbortSignal,
): Promise<void> {
  const assigned = await db
    .selectFrom('inbox_counters')
    .select('assignee_id')
    .distinct()
    .where('assignee_id', '!=', 0)
    .execute()
  const ids = assigned.map(({ assignee_id }) => assignee_id)
  const present = await remaining(db, ids)
  for (const id of ids.filter((id) => !present.has(id))) await release(db, clock, id, signal)
}

async function release(
  db: Kysely<Tables>,
  clock: Clock,
  operatorId: number,
  signal: AbortSignal,
): Promise<void> {
  const agents = await db
    .selectFrom('inbox_counters')
    .select('agent_id')
    .distinct()
    .where('assignee_id', '=', operatorId)
    .execute()
  for (const { agent_id } of agents) {
    for (const state of [1, 3])
      while (!signal.aborted) {
        const rows = await db
          .selectFrom('inbox_rows')
          .select('conversation_id')
          .where('agent_id', '=', agent_id)
          .where('assignee_id', '=', operatorId)
          .where(sql<SqlBool>`state = ${sql.lit(state)}`)
          .limit(BATCH)
          .execute()
        if (rows.length === 0) break
        for (const { conversation_id } of rows)
          await db.transaction().execute(async (db) => {
            const conversation = await lockConversation(db, conversation_id)
            if (conversation.assignee_id !== operatorId) return
            await setAssignment(db, conversation, { assignee: null }, timestamp(clock()), bySystem)
          })
      }
    // Without its counter, the operator is not looked for again.
    if (!signal.aborted)
      await db
        .deleteFrom('inbox_counters')
        .where('agent_id', '=', agent_id)
        .where('assignee_id', '=', operatorId)
        .where('open_count', '=', 0)
        .where('waiting_count', '=', 0)
        .where('snoozed_count', '=', 0)
        .execute()
  }
}

/** Takes all conversations, also those that have ended, out of groups that were deleted, and forgets the groups. */
export async function releaseGroups(
  { db, clock }: { db: Kysely<Tables>; clock: Clock },
  agentsOf: (db: Kysely<Tables>, teamId: number) => Promise<readonly number[]>,
  signal: AbortSignal,
): Promise<void> {
  for (const group of await deletedGroups(db)) {
    for (const agentId of await agentsOf(db, group.team_id))
      await releaseGroup(db, clock, agentId, group.id, signal)
    // A transaction that has read the group before may still put a conversation into it.
    const isLongAgo = group.deleted_at !== null && group.deleted_at < timestamp(clock() - KEPT_MS)
    if (!signal.aborted && isLongAgo) await deleteGroup(db, group.id)
  }
}

async function releaseGroup(
  db: Kysely<Tables>,
  clock: Clock,
  agentId: number,
  groupId: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const rows = await db
      .selectFrom('inbox_rows')
      .select('conversation_id')
      .where('agent_id', '=', agentId)
      .where('group_id', '=', groupId)
      .where(sql<SqlBool>`group_id > 0`)
      .limit(BATCH)
      .execute()
    if (rows.length === 0) return
    for (const { conversation_id } of rows)
      await db.transaction().execute(async (db) => {
        const conversation = await lockConversation(db, conversation_id)
        if (conversation.group_id !== groupId) return
        await setAssignment(db, conversation, { group: null }, timestamp(clock()), bySystem)
      })
  }
}
