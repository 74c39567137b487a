import { type Kysely, type SqlBool, sql } from 'kysely'
import { bySystem } from '../audit/record.ts'
import { setAssignment } from '../desk/assign.ts'
import { deletedGroups, deleteGroup } from '../groups/store.ts'
import { type Clock, HOUR_MS, timestamp } from '../lib/clock.ts'
import { workAll, workEach } from '../lib/pacing/work-each.ts'
import type { Tables } from '../storage/tables.ts'
import { lockConversation } from '../transcripts/conversations/store.ts'
import type { ConversationRow } from '../transcripts/tables.ts'

/** The time for which the row of a deleted group is kept: longer than any transaction takes. */
const KEPT_MS = HOUR_MS

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
    .select(['agent_id', 'assignee_id'])
    .distinct()
    .where('assignee_id', '!=', 0)
    .execute()
  const present = await remaining(db, [...new Set(assigned.map(({ assignee_id }) => assignee_id))])
  const gone = assigned.filter(({ assignee_id }) => !present.has(assignee_id))
  await workEach(gone, (one) => release(db, clock, one, signal), { signal })
}

async function release(
  db: Kysely<Tables>,
  clock: Clock,
  { agent_id, assignee_id }: { agent_id: number; assignee_id: number },
  signal: AbortSignal,
): Promise<void> {
  const releaseIn = (state: number) => {
    const select = (limit: number) =>
      db
        .selectFrom('inbox_rows')
        .select('conversation_id')
        .where('agent_id', '=', agent_id)
        .where('assignee_id', '=', assignee_id)
        .where(sql<SqlBool>`state = ${sql.lit(state)}`)
        .limit(limit)
        .execute()
    return releaseAll(db, select, signal, async (db, conversation) => {
      if (conversation.assignee_id !== assignee_id) return
      await setAssignment(db, conversation, { assignee: null }, timestamp(clock()), bySystem)
    })
  }
  await workEach([1, 3], releaseIn, { signal })
  // Without its counter, the operator is not looked for again.
  if (!signal.aborted)
    await db
      .deleteFrom('inbox_counters')
      .where('agent_id', '=', agent_id)
      .where('assignee_id', '=', assignee_id)
      .where('open_count', '=', 0)
      .where('waiting_count', '=', 0)
      .where('snoozed_count', '=', 0)
      .execute()
}

/** Takes all conversations, also those that have ended, out of groups that were deleted, and forgets the groups. */
export async function releaseGroups(
  { db, clock }: { db: Kysely<Tables>; clock: Clock },
  agentsOf: (db: Kysely<Tables>, teamId: number) => Promise<readonly number[]>,
  signal: AbortSignal,
): Promise<void> {
  await workEach(
    await deletedGroups(db),
    async (group) => {
      const agents = await agentsOf(db, group.team_id)
      await workEach(agents, (agentId) => releaseGroup(db, clock, agentId, group.id, signal), { signal })
      // A transaction that has read the group before may still put a conversation into it.
      const isLongAgo = group.deleted_at !== null && group.deleted_at < timestamp(clock() - KEPT_MS)
      if (!signal.aborted && isLongAgo) await deleteGroup(db, group.id)
    },
    { signal },
  )
}

async function releaseGroup(
  db: Kysely<Tables>,
  clock: Clock,
  agentId: number,
  groupId: number,
  signal: AbortSignal,
): Promise<void> {
  const select = (limit: number) =>
    db
      .selectFrom('inbox_rows')
      .select('conversation_id')
      .where('agent_id', '=', agentId)
      .where('group_id', '=', groupId)
      .where(sql<SqlBool>`group_id > 0`)
      .limit(limit)
      .execute()
  await releaseAll(db, select, signal, async (db, conversation) => {
    if (conversation.group_id !== groupId) return
    await setAssignment(db, conversation, { group: null }, timestamp(clock()), bySystem)
  })
}

/** Releases all selected conversations, each in a transaction of its own. */
async function releaseAll(
  db: Kysely<Tables>,
  select: (limit: number) => Promise<{ conversation_id: string }[]>,
  signal: AbortSignal,
  releaseOne: (db: Kysely<Tables>, conversation: ConversationRow) => Promise<void>,
): Promise<void> {
  const work = ({ conversation_id }: { conversation_id: string }) =>
    db.transaction().execute(async (db) => releaseOne(db, await lockConversation(db, conversation_id)))
  await workAll(select, ({ conversation_id }) => conversation_id, work, signal)
}
