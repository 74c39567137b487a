import { invalidField } from '../../errors.ts'
import type { FilesOfTurns } from '../../files/files-of-turns.ts'
import { dataOfPart } from '../../model/file-parts.ts'
import type { ContentPart, ModelMessage } from '../../model/model.ts'
import type { Attachment } from '../../transcripts/attachments.ts'
import { newMessages, type Prompt } from '../prompt.ts'

/** The most files of a prompt. */
export const MOST_FILES = 500

/** A prompt whose files are kept apart. */
interface KeptPrompt {
  prompt: Prompt
  /** Removes the files that no stored message has taken. */
  end(): Promise<void>
}

/**
 * Keeps the pictures, sounds and files of a prompt apart: each part then has the id of an attachment in place of its data.
 * Nothing is kept of messages that are known not to be stored, because they only repeat a conversation.
 */
export async function keepParts(
  files: Pick<FilesOfTurns, 'keep' | 'giveUpUnsent'>,
  agentId: number,
  prompt: Prompt,
): Promise<KeptPrompt> {
  const isKnown = prompt.conversationId !== null || typeof prompt.follows === 'string'
  const stored = new Set(isKnown ? newMessages(prompt.messages) : prompt.messages)
  const filesOf = new Map<ModelMessage, readonly Attachment[]>(prompt.files?.entries())
  const ids: string[] = []
  const end = async () => {
    // If this fails, they are removed within an hour, and the prompt is answered all the same.
    if (ids.length > 0) await files.giveUpUnsent(ids).catch(() => {})
  }

  async function keptPart(part: ContentPart, kept: Attachment[]): Promise<ContentPart> {
    const data = dataOfPart(part)
    if (!data) return part
    if (ids.length === MOST_FILES)
      throw invalidField('messages', `hold more than ${MOST_FILES} pictures, sounds and files`)
    const attachment = await files.keep(agentId, data)
    ids.push(attachment.id)
    kept.push(attachment)
    return { type: part.type, attachment_id: attachment.id }
  }

  async function keptMessage(message: ModelMessage): Promise<ModelMessage> {
    const { content } = message
    if (!Array.isArray(content) || !stored.has(message)) return message
    const kept: Attachment[] = []
    const parts: ContentPart[] = []
    for (const part of content) parts.push(await keptPart(part, kept))
    if (kept.length === 0) return message
    const changed = { ...message, content: parts }
    filesOf.set(changed, [...(prompt.files?.get(message) ?? []), ...kept])
    return changed
  }

  try {
    const messages: ModelMessage[] = []
    for (const message of prompt.messages) messages.push(await keptMessage(message))
    return { prompt: { ...prompt, messages, files: filesOf }, end }
  } catch (error) {
    await end()
    throw error
  }
}
