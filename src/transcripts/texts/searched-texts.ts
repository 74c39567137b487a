import type { Kysely } from 'kysely'
import type { MessageContent } from '../../model/model.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import { SCRUBBED } from '../../redaction/scrubbed.ts'
import type { Tables } from '../../storage/tables.ts'
import type { MessageRow } from '../tables.ts'

/** The messages a search covers: what people and the agent said, not instructions or the service's announcements. */
export const SEARCHED_ROLES = [
  'user',
  'assistant',
  'operator',
] as const satisfies readonly MessageRow['role'][]

export const MESSAGES = 1
export const NOTES = 2

/** The kinds of texts that a search covers. */
export type SearchKind = typeof MESSAGES | typeof NOTES

/** Returns the text by which a message is found: its author's name and its text. A scrubbed message is never found. */
export function textOfMessage({
  content,
  author,
}: {
  content: string | null
  author: string | null
}): string {
  const text = textOfContent(JSON.parse(content ?? 'null') as MessageContent)
  return textOfNote(author === null ? text : `${author}\n${text}`)
}

export function textOfNote(text: string | null): string {
  return text?.replaceAll(SCRUBBED, '') ?? ''
}

/** Gives the index the texts of messages and notes. */
export const searchedTexts = {
  async read(db: Kysely<Tables>, agentId: number, kind: SearchKind, ids: readonly number[]) {
    if (ids.length === 0) return []
    if (kind === MESSAGES) {
      const rows = await db
        .selectFrom('messages')
        .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
        .select(['messages.id', 'created_at', 'content', 'author', 'channel_id'])
        .where('messages.id', 'in', ids)
        .where('messages.agent_id', '=', agentId)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        at: row.created_at,
        text: textOfMessage(row),
        channelId: row.channel_id,
      }))
    }
    const rows = await db
      .selectFrom('conversation_notes')
      .innerJoin('conversations', 'conversations.id', 'conversation_notes.conversation_id')
      .select(['conversation_notes.id', 'created_at', 'text', 'channel_id'])
      .where('conversation_notes.id', 'in', ids)
      .where('conversation_notes.agent_id', '=', agentId)
      .execute()
    return rows.map(({ id, created_at, text, channel_id }) => ({
      id,
      at: created_at,
      text: textOfNote(text),
      channelId: channel_id,
    }))
  },

  async list(db: Kysely<Tables>, kind: SearchKind, above: number, upTo: number) {
    if (kind === NOTES)
      return db
        .selectFrom('conversation_notes')
        .select(['agent_id', 'id'])
        .where('id', '>', above)
        .where('id', '<=', upTo)
        .execute()
    return db
      .selectFrom('messages')
      .select(['agent_id', 'id'])
      .where('id', '>', above)
      .where('id', '<=', upTo)
      .where('role', 'in', SEARCHED_ROLES)
      .execute()
  },
}
