import type { Kysely } from 'kysely'
import { lastAddressOf } from '../../mailboxes/continuations.ts'
import type { Tables } from '../../storage/tables.ts'
import type { PersonKeys } from '../../users/person-store.ts'
import type { UserKey } from '../../users/user-key.ts'
import type { CompletionRow, ConversationRow } from '../tables.ts'

type Db = Kysely<Tables>

/**
 * The tables of the record that are exported with conversations, and the column that orders the rows of each within a
 * conversation.
 */
export const exportedOfRecord = {
  completions: 'number',
  messages: 'id',
  ratings: 'id',
  conversation_summaries: 'id',
} as const

/** A conversation with the address to which its unseen answers go or went. */
export type ExportedConversation = ConversationRow & { mail_address: string | null }

/** Reads conversations of an agent by number: those above one number and up to another, in order. */
export async function conversationsBetween(
  db: Db,
  agentId: number,
  above: number,
  upTo: number,
  limit: number,
): Promise<ExportedConversation[]> {
  return conversationsAbove(db, agentId, above, limit).where('sequence', '<=', upTo).execute()
}

/** Reads conversations of an end user above a number, in order. */
export async function conversationsOfUserAbove(
  db: Db,
  agentId: number,
  key: UserKey,
  above: number,
  limit: number,
): Promise<ExportedConversation[]> {
  return conversationsAbove(db, agentId, above, limit).where('user_id', '=', key).execute()
}

function conversationsAbove(db: Db, agentId: number, above: number, limit: number) {
  return db
    .selectFrom('conversations')
    .selectAll()
    .select(lastAddressOf(db, 'conversations.id').as('mail_address'))
    .where('agent_id', '=', agentId)
    .where('sequence', '>', above)
    .orderBy('sequence')
    .limit(limit)
}

/**
 * Counts an agent's conversations that started before a time; null: all. Numbers follow times, so that few rows are
 * read.
 */
export async function countStartedBefore(db: Db, agentId: number, time: string | null): Promise<number> {
  const counter = await db
    .selectFrom('agent_counters')
    .select('conversations')
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  const all = counter?.conversations ?? 0
  if (time === null) return all
  let least = 0
  let most = all
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    const row = await db
      .selectFrom('conversations')
      .select('started_at')
      .where('agent_id', '=', agentId)
      .where('sequence', '=', middle)
      .executeTakeFirst()
    if (row && row.started_at < time) least = middle
    else most = middle - 1
  }
  return least
}

/** Reads completions of one key of a person in conversations of others, above a number, in order. */
export async function completionsElsewhere(
  db: Db,
  agentId: number,
  key: UserKey,
  keys: PersonKeys,
  above: number,
  limit: number,
): Promise<CompletionRow[]> {
  return db
    .selectFrom('completions')
    .innerJoin('conversations', 'conversations.id', 'completions.conversation_id')
    .selectAll('completions')
    .where('completions.agent_id', '=', agentId)
    .where('completions.user_id', '=', key)
    .where('completions.number', '>', above)
    .where((where) =>
      where.or([where('conversations.user_id', 'is', null), where('conversations.user_id', 'not in', keys)]),
    )
    .orderBy('completions.number')
    .limit(limit)
    .execute()
}
