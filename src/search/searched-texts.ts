import { notesBetween, selectNotes } from '../desk/notes/store.ts'
import type { MessageContent } from '../model/model.ts'
import { textOfContent } from '../model/text-of-content.ts'
import { SCRUBBED } from '../redaction/scrubbed.ts'
import { messagesToIndex, selectConversations, spokenBetween } from '../transcripts/doors/found-messages.ts'
import { MESSAGES, NOTES, type SearchedTexts } from './index/searched-texts.ts'

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
export const searchedTexts: SearchedTexts = {
  async read(db, agentId, kind, ids) {
    if (ids.length === 0) return []
    if (kind === MESSAGES) {
      const rows = await messagesToIndex(db, agentId, ids)
      return rows.map((row) => ({
        id: row.id,
        at: row.created_at,
        text: textOfMessage(row),
        channelId: row.channel_id,
      }))
    }
    const notes = [...(await selectNotes(db, agentId, ids)).values()]
    const conversations = await selectConversations(
      db,
      agentId,
      notes.map(({ conversation_id }) => conversation_id),
    )
    const channels = new Map(conversations.map(({ id, channel_id }) => [id, channel_id]))
    return notes.map(({ id, created_at, text, conversation_id }) => ({
      id,
      at: created_at,
      text: textOfNote(text),
      channelId: channels.get(conversation_id) ?? null,
    }))
  },

  list(db, kind, above, upTo) {
    return kind === NOTES ? notesBetween(db, above, upTo) : spokenBetween(db, above, upTo)
  },
}
