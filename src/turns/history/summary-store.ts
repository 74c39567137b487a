import type { Kysely, SelectQueryBuilder } from 'kysely'
import { byAgent } from '../../agents/team-of-agent.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import { forgotten } from '../../texts/text-columns.ts'
import { inConversations } from '../../transcripts/conversations/of-completions.ts'
import { queueOf } from '../../work/queue.ts'
import { begunAnew, wantedAt } from '../../work/work-columns.ts'

type Db = Kysely<Tables>

/** The topic of wake-ups for conversations that have become too long. */
export const SUMMARIES = 'summaries'

export const summaryQueue = queueOf('conversation_summaries', byAgent)

/** A text that replaces the oldest messages of a conversation. */
interface Summary {
  text: string
  /** The id of the newest message that it covers. */
  coveredId: number
}

const selectRow = prepared((db, param: ParamOf<{ conversation_id: string }>) =>
  db
    .selectFrom('conversation_summaries')
    .select(['content', 'covered_id'])
    .where('conversation_id', '=', param('conversation_id'))
    .where('content', 'is not', null),
)

export async function readSummary(db: Db, conversationId: string): Promise<Summary | null> {
  const [row] = await selectRow(db, { conversation_id: conversationId })
  return row?.content ? { text: row.content, coveredId: row.covered_id } : null
}

/** Queues a conversation, so that its oldest turns are summarized in the background. */
export async function wantSummary(
  db: Db,
  agentId: number,
  conversationId: string,
  now: string,
): Promise<void> {
  await db
    .insertInto('conversation_summaries')
    .values({ agent_id: agentId, conversation_id: conversationId, due_at: now })
    .onConflict((conflict) =>
      conflict.column('conversation_id').doUpdateSet(wantedAt('conversation_summaries', now)),
    )
    .execute()
  wake(db, SUMMARIES, 'here')
}

/** Stores a summary. The caller must hold the row. */
export async function keepSummary(db: Db, id: number, { text, coveredId }: Summary): Promise<void> {
  await db
    .updateTable('conversation_summaries')
    .set({ content: text, covered_id: coveredId })
    .where('id', '=', id)
    .execute()
}

/** Records that a conversation is short enough. The caller must hold the row. */
export async function settleSummary(db: Db, id: number): Promise<void> {
  await db.updateTable('conversation_summaries').set({ due_at: null }).where('id', '=', id).execute()
}

/**
 * Deletes the summaries of the conversations of redacted completions, and of other given conversations. A summary that
 * is being made of them is discarded. Returns the number of those that had a text.
 */
export async function forgetSummaries(
  db: Db,
  completions: SelectQueryBuilder<Tables, 'completions', { id: string }>,
  conversationIds: readonly string[],
): Promise<number> {
  const forget = db.updateTable('conversation_summaries').set({
    ...forgotten('conversation_summaries'),
    covered_id: 0,
    ...begunAnew('conversation_summaries', null),
  })
  return inConversations(db, completions, conversationIds, async (conversations) => {
    const withText = await db
      .selectFrom('conversation_summaries')
      .select('id')
      .where('conversation_id', 'in', conversations)
      .where('content', 'is not', null)
      .execute()
    await forget.where('conversation_id', 'in', conversations).execute()
    return withText.length
  })
}
