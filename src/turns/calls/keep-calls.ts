import type { Kysely } from 'kysely'
import type { MessageContent, ToolCall } from '../../model/model.ts'
import { checkRedactions, type KeptMessage, storeMessage } from '../../privacy/late-answer.ts'
import type { RedactorFor } from '../../privacy/redactors.ts'
import type { Tables } from '../../storage/tables.ts'
import { lockTurn } from '../../transcripts/completions/lock-turn.ts'
import { updateCompletion } from '../../transcripts/completions/store.ts'
import { appendMessage } from '../../transcripts/messages/append-message.ts'
import { selectCompletionMessages } from '../../transcripts/messages/store.ts'
import type { MessageRow } from '../../transcripts/tables.ts'
import type { StartedTurn } from '../turn.ts'
import { insertCalls, selectCalls, settleCalls } from './call-store.ts'

/** The turn in which tools are called. */
type CallingTurn = Pick<StartedTurn, 'agent' | 'conversationId' | 'completionId' | 'takenUpAt'>

/** A call that the model makes, and whether it can be made again. */
interface NewCall {
  call: ToolCall
  idempotent: boolean
}

/**
 * Stores calls as `sending`, before they are sent.
 * @returns their ids, in order; null when nothing may be called any more, because the turn has ended or the agent was
 * paused
 * @throws ApiError unavailable as `lockTurn`
 */
export async function beginCalls(
  db: Kysely<Tables>,
  turn: CallingTurn,
  round: number,
  calls: readonly NewCall[],
  redactorFor: RedactorFor,
  now: string,
): Promise<number[] | null> {
  const tool_calls = JSON.stringify(calls.map(({ call }) => call))
  const texts = { content: 'null', tool_calls, tool_call_id: null }
  return storeMessage(db, turn, texts, redactorFor, async (db, kept) => {
    const state = await lockTurn(db, turn)
    if (state.isPaused || !state.isOpen) return null
    checkRedactions(kept, state)
    const message_id = await appendToRound(db, turn, 'assistant', round, kept, now)
    const { id: agent_id } = turn.agent
    return insertCalls(
      db,
      calls.map(({ idempotent }, position) => ({
        agent_id,
        completion_id: turn.completionId,
        message_id,
        position,
        idempotent: idempotent ? 1 : 0,
      })),
    )
  })
}

/**
 * Stores the result of a call that is still under way.
 * @returns false when another process has settled the call
 * @throws ApiError unavailable as `lockTurn`
 */
export async function endCall(
  db: Kysely<Tables>,
  turn: CallingTurn,
  round: number,
  { id, call }: { id: number; call: ToolCall },
  { status, result }: { status: 'ok' | 'failed' | 'unknown'; result: string },
  redactorFor: RedactorFor,
  now: string,
): Promise<boolean> {
  const texts = { content: JSON.stringify(result), tool_calls: null, tool_call_id: call.id }
  return storeMessage(db, turn, texts, redactorFor, async (db, kept) => {
    const state = await lockTurn(db, turn)
    const settled = await settleCalls(db, [id], status === 'unknown' ? 'unknown' : 'done')
    // After the end of its turn, a result would stand between messages that it has nothing to do with.
    if (!state.isOpen || settled.length === 0) return settled.length > 0
    checkRedactions(kept, state)
    await appendToRound(db, turn, 'tool', round, kept, now)
    return true
  })
}

/**
 * Ends the calls of a turn that no process answers any more, within the transaction that ends it. Their result says
 * that nobody knows the outcome, so that the model does not blindly repeat them when the user asks on.
 * @param results the result that the model reads of a call that can be made again, and of one that cannot
 */
export async function giveUpCalls(
  db: Kysely<Tables>,
  {
    agentId,
    conversationId,
    completionId,
  }: { agentId: number; conversationId: string; completionId: string },
  results: { again: string; unknown: string },
  now: string,
): Promise<void> {
  const open = (await selectCalls(db, { completion_id: completionId })).filter(
    ({ state }) => state === 'sending',
  )
  const settled = await settleCalls(
    db,
    open.map(({ id }) => id),
    'unknown',
  )
  if (settled.length === 0) return
  const rows = await selectCompletionMessages(db, { completion_id: completionId })
  for (const { id, message_id, position, idempotent } of open) {
    const row = rows.find((row) => row.id === message_id)
    const call = row?.tool_calls && (JSON.parse(row.tool_calls) as ToolCall[])[position]
    // A scrubbed message has no calls any more.
    if (!row || !call || !settled.includes(id)) continue
    await appendMessage(db, {
      agentId,
      conversationId,
      completionId,
      role: 'tool',
      content: idempotent === 1 ? results.again : results.unknown,
      toolCallId: call.id,
      redacted: row.redacted,
      round: row.round ?? 1,
      createdAt: now,
    })
  }
}

async function appendToRound(
  db: Kysely<Tables>,
  { agent, conversationId, completionId }: CallingTurn,
  role: MessageRow['role'],
  round: number,
  { texts: { content, tool_calls, tool_call_id }, redacted }: KeptMessage,
  createdAt: string,
): Promise<number> {
  // The next call redacts an anonymized completion again, and may also ask a hosted service.
  if (redacted === 'anonymize') await updateCompletion(db, completionId, { redacted: null })
  return appendMessage(db, {
    agentId: agent.id,
    conversationId,
    completionId,
    role,
    content: JSON.parse(content) as MessageContent,
    toolCalls: tool_calls === null ? undefined : (JSON.parse(tool_calls) as ToolCall[]),
    toolCallId: tool_call_id ?? undefined,
    redacted: redacted === 'scrub' ? redacted : null,
    round,
    createdAt,
  })
}
