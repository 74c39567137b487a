import type { Kysely } from 'kysely'
import { changed } from '../../events/changes.ts'
import type { ContentPart, MessageContent } from '../../model/model.ts'
import type { Tables } from '../../storage/tables.ts'
import type { WrittenRow } from '../../texts/written-row.ts'
import { type Attachment, readAttachments } from '../attachments.ts'

/** The outcome for a sound that was to be written down. */
export type Transcription = { transcript: string } | { reason: string }

/**
 * Stores what was said in a file of a message, or the reason for which that is not known. What was said takes the place of
 * the word for the file in the message.
 * @returns the message as it is now; null: the file is not there any more
 */
export async function writeTranscript(
  db: Kysely<Tables>,
  messageId: number,
  fileId: string,
  done: Transcription,
): Promise<WrittenRow | null> {
  const before = await db
    .selectFrom('messages')
    .select(['agent_id', 'conversation_id', 'content', 'author', 'attachments', 'redacted'])
    .where('id', '=', messageId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const files = readAttachments(before?.attachments ?? null) ?? []
  const file = files.find(({ id, state }) => id === fileId && state === 'stored')
  if (!before || !file || before.redacted !== null) return null
  const { agent_id, conversation_id, content, author } = before
  const after = {
    attachments: JSON.stringify(files.map((one) => (one === file ? { ...one, reason: null, ...done } : one))),
    content:
      'transcript' in done
        ? JSON.stringify(withTranscript(JSON.parse(content) as MessageContent, file.kind, done.transcript))
        : content,
  }
  await db.updateTable('messages').set(after).where('id', '=', messageId).execute()
  changed(db, { type: 'message_changed', agent_id, conversation_id, message_id: messageId })
  return { table: 'messages', id: messageId, before: { content, author }, after: { ...after, author } }
}

/** Puts what was said in a file into the place of the word for it, such as `[voice]`, or behind the text. */
export function withTranscript(
  content: MessageContent,
  kind: Attachment['kind'],
  transcript: string,
): MessageContent {
  const word = `[${kind}]`
  if (!Array.isArray(content)) {
    const text = content ?? ''
    if (text.includes(word)) return text.replace(word, () => transcript)
    return text === '' ? transcript : `${text}\n${transcript}`
  }
  const at = content.findIndex(({ text }) => text?.includes(word))
  if (at < 0) return [...content, { type: 'text', text: transcript }]
  return content.map(
    (part, index): ContentPart =>
      index === at ? { ...part, text: part.text?.replace(word, () => transcript) ?? '' } : part,
  )
}
