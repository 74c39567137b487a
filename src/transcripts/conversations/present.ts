import { readAttachments } from '../attachments.ts'
import type { MessageRow } from '../tables.ts'
import type { ConversationAnswer, MessageAnswer } from './schemas.ts'
import type { ListedConversation } from './store.ts'

/** Presents a conversation as the API returns it. */
export function presentConversation(row: ListedConversation): ConversationAnswer {
  return {
    id: row.id,
    external_id: row.external_id,
    agent_id: row.agent_id,
    team_id: row.team_id,
    tags: row.tags === null ? null : (JSON.parse(row.tags) as Record<string, unknown>),
    started_at: row.started_at,
    ended_at: row.ended_at,
    agent_paused: row.agent_paused === 1,
    agent_paused_at: row.agent_paused_at,
    agent_resumed_at: row.agent_resumed_at,
  }
}

/**
 * Presents a conversation as JSON text, for lists. It makes no object of a row, which is faster: tags are JSON already,
 * and of the other values only the external id needs escaping.
 */
export function conversationJson(row: ListedConversation): string {
  const text = (value: string | null) => (value === null ? 'null' : `"${value}"`)
  const externalId = row.external_id === null ? 'null' : JSON.stringify(row.external_id)
  return (
    `{"id":"${row.id}","external_id":${externalId},"agent_id":${row.agent_id},"team_id":${row.team_id},` +
    `"tags":${row.tags ?? 'null'},"started_at":"${row.started_at}","ended_at":${text(row.ended_at)},` +
    `"agent_paused":${row.agent_paused === 1},"agent_paused_at":${text(row.agent_paused_at)},` +
    `"agent_resumed_at":${text(row.agent_resumed_at)}}`
  )
}

/** Presents a message as the API returns it. */
export function presentMessage(row: MessageRow): MessageAnswer {
  return {
    id: row.id,
    completion_id: row.completion_id,
    role: row.role,
    content: JSON.parse(row.content) as MessageAnswer['content'],
    kind: row.kind ?? 'text',
    ...(row.quoted === null ? {} : { quoted: row.quoted }),
    attachments: readAttachments(row.attachments),
    author: row.author,
    created_at: row.created_at,
    redacted: row.redacted,
    delivery: row.delivery,
    delivery_reason: row.delivery_reason,
    ...(row.mailed_at === null ? {} : { mailed: { to: row.mailed_to, at: row.mailed_at } }),
    ...(row.tool_calls === null
      ? {}
      : { tool_calls: JSON.parse(row.tool_calls) as MessageAnswer['tool_calls'] }),
    ...(row.tool_call_id === null ? {} : { tool_call_id: row.tool_call_id }),
  } as MessageAnswer
}
