import type { FastifyReply } from 'fastify'
import { readAgent } from '../../agents/agent.ts'
import { inConversation } from '../../agents/in-conversation.ts'
import { ApiError, type ErrorCode, errorTable } from '../../errors.ts'
import type { Citation, MessageContent, ToolCall, Usage } from '../../model/model.ts'
import { splitRefusal } from '../../model/refusal-part.ts'
import type { Cta } from '../../transcripts/citations-and-ctas.ts'
import { selectCompletionById } from '../../transcripts/completions/store.ts'
import { readOccasion } from '../../transcripts/conversations/occasion.ts'
import { readPromptOrigin } from '../../transcripts/conversations/prompt-origin.ts'
import { selectCompletionMessages } from '../../transcripts/messages/store.ts'
import { responseRow } from '../../transcripts/prompt-and-response.ts'
import type { CompletionRow } from '../../transcripts/tables.ts'
import { isBlocked } from '../../users/known-users.ts'
import { pauseAnswer } from '../pause-answer.ts'
import type { EndedTurn } from '../turn.ts'
import type { TurnDependencies } from '../turn-dependencies.ts'

/**
 * Answers a repeated request, recognized by its Idempotency-Key, with the first answer. The answer is built from the
 * stored rows, so that no copy outlives a redaction.
 * @param streamed whether the request wants a stream, as the first did
 * @throws ApiError idempotency_in_progress while the first request is being answered; the first error if it failed
 */
export async function repeatAnswer(
  { db }: TurnDependencies,
  agentId: number,
  completionId: string,
  streamed: boolean,
  reply: FastifyReply,
): Promise<EndedTurn> {
  const [completion] = await selectCompletionById(db, { agent_id: agentId, id: completionId })
  if (!completion) throw new Error('an idempotency key names a completion that does not exist')
  reply.header('x-conversation-id', completion.conversation_id)
  if (completion.answered_at === null) {
    throw new ApiError('idempotency_in_progress', { headers: { 'retry-after': '1' } })
  }
  reply.header('idempotent-replayed', 'true')
  const failure = failureOf(completion)
  if (failure) throw new ApiError(failure, { headers: { 'x-should-retry': 'false' } })
  return answerOf(db, completion, streamed)
}

/**
 * Reads the answer of a completion as its client got it. What was made of an answer by the time its client went away
 * counts as the answer.
 * @param streamed as for `repeatAnswer`
 */
export async function answerOf(
  db: TurnDependencies['db'],
  completion: CompletionRow,
  streamed: boolean,
): Promise<EndedTurn> {
  const rows = await selectCompletionMessages(db, { completion_id: completion.id })
  const said = responseRow(rows)
  const { content, refusal } = splitRefusal(said ? (JSON.parse(said.content) as MessageContent) : null)
  const tool_calls = said?.tool_calls ? (JSON.parse(said.tool_calls) as ToolCall[]) : []
  const usage = completion.usage === null ? null : (JSON.parse(completion.usage) as Usage)
  const paused = completion.agent_paused === 1
  const first = {
    completionId: completion.id,
    number: completion.number,
    conversationId: completion.conversation_id,
    createdAt: completion.created_at,
    messageId: said?.id ?? null,
    agentPaused: paused,
  }
  if (paused) {
    const origin = await readPromptOrigin(db, completion)
    const { agent_id: agentId, created_at } = completion
    const occasion = await readOccasion(db, agentId, origin, completion, Date.parse(created_at))
    const agent = inConversation(await readAgent(db, agentId), occasion)
    const answer = pauseAnswer(
      agent,
      completion.model,
      usage,
      await isBlocked(db, agentId, completion.user_id),
    )
    // If the pause came while the answer was made, no row holds the pause message. A streamed answer was sent already.
    const wasSaid = said?.role === 'transition' || (said?.withheld === 0 && streamed)
    return { ...first, ...answer, ctas: [], ...(wasSaid ? { content, tool_calls, refusal } : {}) }
  }
  return {
    ...first,
    model: completion.model,
    ctas: completion.ctas === null ? [] : (JSON.parse(completion.ctas) as Cta[]),
    content,
    tool_calls,
    refusal,
    finish_reason: completion.finish_reason === 'cancelled' ? 'stop' : (completion.finish_reason ?? 'stop'),
    usage,
    citations: completion.citations === null ? [] : (JSON.parse(completion.citations) as Citation[]),
  }
}

/** Returns the error with which a completion was answered; null: there was none. */
export function failureOf({ error_code }: CompletionRow): ErrorCode | null {
  if (error_code === null) return null
  return error_code in errorTable ? (error_code as ErrorCode) : 'internal_error'
}
