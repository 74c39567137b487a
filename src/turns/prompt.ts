import type { ModelMessage } from '../model/model.ts'
import type { Attachment } from '../transcripts/attachments.ts'
import type { Writer } from '../users/writer.ts'

/** A prompt in the form that a turn uses. */
export interface Prompt {
  conversationId: string | null
  externalId: string | null
  /** The completion whose conversation the prompt goes on with, by any of its ids; absent: none is named. */
  follows?: string | null
  /** The channel that the prompt came through; null: the API. */
  channelId: number | null
  /** The widget that the prompt came through. */
  widgetId: number | null
  /** The language of the writer, for texts whose language is not detected; null: not known. */
  language: string | null
  tags: Record<string, unknown> | null
  user: Writer | null
  deviceId: string | null
  sessionId: string | null
  pageUrl: string | null
  /** Instructions for the answer to this prompt only, which are not stored; absent: there are none. */
  instructions?: string | null
  messages: ModelMessage[]
  /** The files of its messages; absent: they have none. */
  files?: ReadonlyMap<ModelMessage, readonly Attachment[]>
  /** Request fields that go through to the model server. */
  parameters: Record<string, unknown>
}

/**
 * The prompt among the messages that a client sent: those after the last assistant message. Clients repeat the history
 * of a conversation with every request, but the stored history is used.
 */
export function newMessages(messages: ModelMessage[]): ModelMessage[] {
  return messages.slice(messages.findLastIndex((message) => message.role === 'assistant') + 1)
}
