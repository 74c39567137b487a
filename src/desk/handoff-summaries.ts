import type { Kysely, SelectQueryBuilder } from 'kysely'
import { changed } from '../events/changes.ts'
import type { Tables } from '../storage/tables.ts'
import { forgotten } from '../texts/text-columns.ts'
import { inConversations } from '../transcripts/conversations/of-completions.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import type { HandoffSummaryRow } from './tables.ts'

type Db = Kysely<Tables>
type Conversation = Pick<ConversationRow, 'id' | 'agent_id'>

/** Reads the summary of a conversation for people; undefined: none was ever written. */
export async function readHandoffSummary(
  db: Db,
  { id }: Conversation,
): Promise<HandoffSummaryRow | undefined> {
  return db.selectFrom('handoff_summaries').selectAll().where('conversation_id', '=', id).executeTakeFirst()
}

/** Reads the summary of a conversation for people. Makes an empty one where there is none. */
export async function beginHandoffSummary(db: Db, conversation: Conversation): Promise<HandoffSummaryRow> {
  const { id: conversation_id, agent_id } = conversation
  await db
    .insertInto('handoff_summaries')
    .values({ conversation_id, agent_id, content: null, written_at: null })
    .onConflict((conflict) => conflict.column('conversation_id').doNothing())
    .execute()
  const row = await readHandoffSummary(db, conversation)
  if (!row) throw new Error('the conversation of a summary was erased')
  return row
}

/**
 * Keeps a summary.
 * @param begun the row from before it was written
 * @returns false if a text of the conversation was redacted since: it is not kept then
 */
export async function keepHandoffSummary(
  db: Db,
  { id, agent_id, conversation_id, version }: HandoffSummaryRow,
  summary: Pick<HandoffSummaryRow, 'content' | 'covered_id' | 'written_at'>,
): Promise<boolean> {
  return db.transaction().execute(async (db) => {
    const kept = await db
      .updateTable('handoff_summaries')
      .set(summary)
      .where('id', '=', id)
      .where('version', '=', version)
      .returning('id')
      .executeTakeFirst()
    if (kept) changed(db, { type: 'conversation', agent_id, conversation_id, fields: ['summary'] })
    return kept !== undefined
  })
}

/**
 * Empties the summaries of the conversations of redacted completions, and of other given conversations. Returns the
 * number of those that had a text.
 */
export async function forgetHandoffSummaries(
  db: Db,
  completions: SelectQueryBuilder<Tables, 'completions', { id: string }>,
  conversationIds: readonly string[],
): Promise<number> {
  const forget = db.updateTable('handoff_summaries').set((row) => ({
    ...forgotten('handoff_summaries'),
    covered_id: 0,
    version: row('version', '+', 1),
  }))
  return inConversations(db, completions, conversationIds, async (conversations) => {
    const withText = await db
      .selectFrom('handoff_summaries')
      .select('id')
      .where('conversation_id', 'in', conversations)
      .where('content', 'is not', null)
      .execute()
    await forget.where('conversation_id', 'in', conversations).execute()
    return withText.length
  })
}
