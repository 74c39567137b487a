import type { Kysely } from 'kysely'
import { readAgent } from '../agents/agent.ts'
import { inConversation } from '../agents/in-conversation.ts'
import type { ToolCall } from '../model/model.ts'
import type { Tables } from '../storage/tables.ts'
import { readAttachments } from '../transcripts/attachments.ts'
import { selectCompletionById } from '../transcripts/completions/store.ts'
import { readOccasion } from '../transcripts/conversations/occasion.ts'
import { selectPauseOf } from '../transcripts/conversations/pause-state.ts'
import { readPromptOrigin } from '../transcripts/conversations/prompt-origin.ts'
import { selectCompletionMessages } from '../transcripts/messages/store.ts'
import type { MessageRow } from '../transcripts/tables.ts'
import { isBlocked } from '../users/known-users.ts'
import { selectCalls } from './calls/call-store.ts'
import type { EarlierRounds } from './calls/turn-tools.ts'
import { asModelMessage } from './history/as-model-message.ts'
import { readHistory } from './history/read-history.ts'
import type { StartedTurn } from './turn.ts'

/**
 * Takes up a turn whose process died after its prompt was stored.
 * @returns null when the completion has ended meanwhile, or nothing is left of its prompt
 */
export async function resumeTurn(
  db: Kysely<Tables>,
  agentId: number,
  completionId: string,
): Promise<StartedTurn | null> {
  const [completion] = await selectCompletionById(db, { agent_id: agentId, id: completionId })
  if (!completion || completion.answered_at !== null) return null
  const agent = await readAgent(db, agentId)
  const rows = await selectCompletionMessages(db, { completion_id: completionId })
  if (rows.length > 0 && rows.every(({ redacted }) => redacted === 'scrub')) return null
  const asked = rows.filter(({ round }) => round === null)
  const conversationId = completion.conversation_id
  const origin = await readPromptOrigin(db, completion)
  const [state] = await selectPauseOf(db, { conversation_id: conversationId })
  const blocked = await isBlocked(db, agentId, completion.user_id)
  const occasion = await readOccasion(db, agentId, origin, completion, Date.parse(completion.created_at))
  return {
    completionId,
    number: completion.number,
    conversationId,
    createdAt: completion.created_at,
    takenUpAt: completion.taken_up_at,
    agent: inConversation(agent, occasion),
    occasion,
    writer: { user_id: completion.user_id, proven_id: completion.proven_id },
    history: await readHistory(db, conversationId, agent.settings.history_limit, rows[0]?.id),
    messages: asked.map(asModelMessage),
    messageIds: asked.map(({ id }) => id),
    attachments: asked.map(({ attachments }) => readAttachments(attachments)),
    ...(asked.length < rows.length ? { earlier: await readEarlier(db, completionId, rows) } : {}),
    paused: blocked || agent.isPaused || state?.agent_paused === 1,
    blocked,
    origin: { ...origin, pageUrl: completion.page_url, userIsNew: null },
  }
}

/** The tool calls that were made for the prompt before the process died. */
async function readEarlier(
  db: Kysely<Tables>,
  completion_id: string,
  rows: readonly MessageRow[],
): Promise<EarlierRounds> {
  const ofRounds = rows.filter(({ round }) => round !== null)
  const open = (await selectCalls(db, { completion_id })).filter(({ state }) => state === 'sending')
  return {
    count: Math.max(...ofRounds.map(({ round }) => round ?? 0)),
    messages: ofRounds.map(asModelMessage),
    open: open.flatMap(({ id, message_id, position, idempotent }) => {
      const calls = ofRounds.find((row) => row.id === message_id)?.tool_calls
      const call = calls && (JSON.parse(calls) as ToolCall[])[position]
      return call ? [{ id, call, idempotent: idempotent === 1 }] : []
    }),
  }
}
