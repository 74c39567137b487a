import type { Kysely } from 'kysely'
import { changed } from '../../events/changes.ts'
import { takeTurns } from '../../lib/pacing/take-turns.ts'
import type { MessageContent, ToolCall } from '../../model/model.ts'
import type { TemplateUse } from '../../platforms/template.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Attachment } from '../attachments.ts'
import type { MessageRow } from '../tables.ts'
import { insertMessage, insertRoundMessage } from './store.ts'

/** A message to be stored; the content keeps its shape. */
interface NewMessage {
  agentId: number
  conversationId: string
  completionId: string | null
  role: MessageRow['role']
  content: MessageContent
  toolCalls?: ToolCall[] | undefined
  toolCallId?: string | undefined
  author?: string | null | undefined
  /** The signed-in person who wrote it. */
  operatorId?: number | null | undefined
  /** A MessageKind, if the message is not text. */
  kind?: string | null | undefined
  /** Its files. */
  attachments?: readonly Attachment[] | undefined
  /** The template that it is sent as. */
  template?: TemplateUse | undefined
  /** The way in which the content was redacted before it was stored. */
  redacted?: MessageRow['redacted']
  /** True if it is hidden from the end user. */
  withheld?: boolean
  /** The round of the turn, for a call of the agent's own tools and for its result. */
  round?: number
  createdAt: string
}

function flag(value = false): MessageRow['withheld'] {
  return value ? 1 : 0
}

/** Appends a message to its conversation, announces it, and returns its id. */
export async function appendMessage(db: Kysely<Tables>, message: NewMessage): Promise<number> {
  const values = {
    agent_id: message.agentId,
    conversation_id: message.conversationId,
    completion_id: message.completionId,
    role: message.role,
    content: JSON.stringify(message.content),
    tool_calls: message.toolCalls?.length ? JSON.stringify(message.toolCalls) : null,
    tool_call_id: message.toolCallId ?? null,
    author: message.author ?? null,
    operator_id: message.operatorId ?? null,
    redacted: message.redacted ?? null,
    kind: message.kind ?? null,
    attachments: message.attachments?.length ? JSON.stringify(message.attachments) : null,
    template: message.template ? JSON.stringify(message.template) : null,
    withheld: flag(message.withheld),
    created_at: message.createdAt,
  }
  const { round } = message
  const [row] = await (round === undefined
    ? insertMessage(db, values)
    : insertRoundMessage(db, { ...values, round }))
  if (!row) throw new Error('a new message was not returned')
  changed(db, {
    type: 'message',
    agent_id: message.agentId,
    conversation_id: message.conversationId,
    message_id: row.id,
  })
  return row.id
}

/** The number of messages that are sent to the database together. */
const BATCH = 32

/** Appends messages in their order, and returns their ids. */
export async function appendMessages(db: Kysely<Tables>, messages: readonly NewMessage[]): Promise<number[]> {
  const pause = takeTurns()
  const ids: number[] = []
  for (let from = 0; from < messages.length; from += BATCH) {
    const some = messages.slice(from, from + BATCH)
    ids.push(...(await Promise.all(some.map((message) => appendMessage(db, message)))))
    await pause()
  }
  return ids
}
