import type { Kysely } from 'kysely'
import type { Agent } from '../agents/agent.ts'
import { bySystem } from '../audit/record.ts'
import { raise } from '../events/raise.ts'
import { isSubscribed } from '../events/subscriptions.ts'
import type { ModelAnswer, Usage } from '../model/model.ts'
import { withRefusal } from '../model/refusal-part.ts'
import { checkRedactions, type KeptAnswer, storeAnswer } from '../privacy/late-answer.ts'
import type { RedactorFor } from '../privacy/redactors.ts'
import type { RuledTurn } from '../rules/ruled-turn.ts'
import type { Tables } from '../storage/tables.ts'
import type { Cta } from '../transcripts/completions/cta.ts'
import { lockTurn } from '../transcripts/completions/lock-turn.ts'
import { endCompletion, flag, updateCompletion } from '../transcripts/completions/store.ts'
import { tell } from '../transcripts/conversations/happenings.ts'
import { hasPersonAnswered } from '../transcripts/conversations/pause-state.ts'
import { waitForPerson } from '../transcripts/conversations/wait-for-person.ts'
import { appendMessage } from '../transcripts/messages/append-message.ts'
import { wantSummary } from '../transcripts/summaries/summary-store.ts'
import type { WaitingReason } from '../transcripts/tables.ts'
import type { EndedTurn, StartedTurn } from './turn.ts'
import type { TurnHooks } from './turn-hooks.ts'

/** The end of a turn in which a model was asked. */
interface TurnEnd {
  /** The answer as it was made. */
  answer: ModelAnswer
  /** The time of the first piece; null when `response_start` was raised already. */
  startedAt: string | null
  /** The agent's rules in this turn; null: it has none. */
  ruled: RuledTurn | null
  lateRedactorFor: RedactorFor
  hooks: TurnHooks
  now: string
}

/** The end of a turn that has an answer. */
interface AnsweredTurn extends TurnEnd {
  /** True if a part of the answer was sent while it was made. */
  hasLeft: boolean
  ctas: Cta[]
  /** True if the agent had an answer. */
  answered: boolean
  /** The score of the best passage of the agent's knowledge for the question, 0 to 1. */
  retrievalScore: number
  /** Counts the question as unanswered, in the transaction that stores the answer; null: the agent had an answer. */
  noteUnanswered: ((db: Kysely<Tables>) => Promise<void>) | null
  /** True if the model was not told all of the conversation, whose oldest turns are to be summarized. */
  isTooLong?: boolean
  /** True if a pause stopped the turn: then `answer` is what was made by then. */
  isStopped?: boolean
}

/** The end of a turn that has no answer, or only a part of one. */
interface BrokenTurn extends TurnEnd {
  /** Null: the client went away. */
  failure: { code: string; reason: string } | null
}

/**
 * Stores an answer. Reads the pause flags again in the same transaction: if the agent was paused while the answer was
 * made, the answer is stored, but the pause message is returned in its place.
 */
export async function endTurn(db: Kysely<Tables>, turn: StartedTurn, end: AnsweredTurn): Promise<EndedTurn> {
  const { answer, startedAt, hasLeft, ruled, ctas, answered, retrievalScore, isStopped, hooks, now } = end
  return storeAnswer(db, turn, answer, ctas, end.lateRedactorFor, async (db, kept) => {
    await hooks.ending(db)
    const state = await lockTurn(db, turn)
    const paused = isStopped || state.isPaused
    const waitsFor = reasonToWait(
      ruled,
      paused ? await waitsForPerson(db, turn) : answered ? null : 'unanswered',
    )
    const outcome = paused
      ? ended(turn, pauseAnswer(turn.agent, answer.model, answer.usage), true)
      : ended(turn, answer, false, ctas)
    // The completion has been ended meanwhile. It keeps that end, and this answer is not stored.
    if (!state.isOpen) return outcome
    checkRedactions(kept, state)
    await endCompletion(db, {
      ...columns(turn, kept.answer.model, now),
      finish_reason: kept.answer.finish_reason,
      error_code: null,
      agent_paused: flag(paused),
      citations: listOrNull(kept.answer.citations),
      ctas: listOrNull(kept.ctas),
      usage: kept.answer.usage && JSON.stringify(kept.answer.usage),
    })
    const messageId =
      isStopped && saysNothing(answer) ? null : await appendAnswer(db, turn, kept, now, paused && !hasLeft)
    if (waitsFor) await waitForPerson(db, turn.conversationId, waitsFor, now)
    if (!paused && kept.redacted === null) await end.noteUnanswered?.(db)
    if (end.isTooLong) await wantSummary(db, turn.agent.id, turn.conversationId, now)
    if (!paused) outcome.messageId = messageId
    const data = isStopped ? {} : { data: { ms: Date.parse(now) - Date.parse(turn.createdAt), answered } }
    const jobFacts = { answered, retrieval_score: retrievalScore, user_is_new: turn.place.userIsNew }
    const ofRules = await ruled?.store(
      db,
      context(turn, now),
      kept.redacted !== null,
      isStopped ? null : jobFacts,
    )
    if (ofRules && ofRules.ctas.length < ctas.length) {
      const attached = new Set(ofRules.ctas.map(({ id }) => id))
      const shown = kept.ctas.filter(({ id }) => attached.has(id))
      await updateCompletion(db, turn.completionId, { ctas: listOrNull(shown) })
      if (!paused) outcome.ctas = ofRules.ctas
    }
    await raise(
      db,
      ...(ofRules?.ofPrompt ?? []),
      ...(startedAt ? [{ ...context(turn, startedAt), key: 'response_start' as const }] : []),
      ...(ofRules?.since ?? []),
      { ...context(turn, now), key: 'response_end', ...data },
      ...(ofRules?.behind ?? []),
    )
    await hooks.ended(db, turn, outcome)
    return outcome
  })
}

/** Ends a turn that a pause stopped. Stores what was produced so far, and returns the pause message in its place. */
export async function endStoppedTurn(
  db: Kysely<Tables>,
  turn: StartedTurn,
  { answer, ...end }: TurnEnd & Pick<AnsweredTurn, 'hasLeft'>,
): Promise<EndedTurn> {
  const produced = { ...answer, finish_reason: 'cancelled' }
  const nothing = { ctas: [], answered: false, retrievalScore: 0, noteUnanswered: null }
  return endTurn(db, turn, { ...end, ...nothing, answer: produced, isStopped: true })
}

/** Answers a prompt to a paused agent with the pause message. No model is asked. */
export async function endPausedTurn(
  db: Kysely<Tables>,
  turn: StartedTurn,
  model: string,
  hooks: TurnHooks,
  now: string,
): Promise<EndedTurn> {
  const answer = pauseAnswer(turn.agent, model, null)
  const outcome = ended(turn, answer, true)
  await db.transaction().execute(async (db) => {
    await hooks.ending(db)
    const { isOpen } = await lockTurn(db, turn)
    const waitsFor = await waitsForPerson(db, turn)
    if (waitsFor) await waitForPerson(db, turn.conversationId, waitsFor, now)
    if (!isOpen) return
    await endCompletion(db, {
      ...columns(turn, model, now),
      finish_reason: answer.finish_reason,
      error_code: null,
      agent_paused: 1,
      citations: null,
      ctas: null,
      usage: null,
    })
    if (await hooks.announcesPause(db, turn)) {
      const message = { ...answerRow(turn, now), role: 'transition' as const, content: answer.content }
      outcome.messageId = await appendMessage(db, message)
    }
    await hooks.ended(db, turn, outcome)
  })
  return outcome
}

/**
 * Raises `response_start`, after the events from before it, while the response is still being made.
 * @returns false when nobody listens for it, or when it could not be stored
 */
export async function announceStart(
  db: Kysely<Tables>,
  turn: StartedTurn,
  ruled: RuledTurn | null,
  startedAt: string,
): Promise<boolean> {
  try {
    if (!(await isSubscribed(db, turn.agent.id, 'response_start'))) return false
    const start = context(turn, startedAt)
    const before = ruled?.promptEvents(start) ?? []
    await db.transaction().execute((db) => raise(db, ...before, { ...start, key: 'response_start' }))
    ruled?.promptEventsRaised()
    return true
  } catch {
    // It will be raised with the end of the turn.
    return false
  }
}

/** Ends a failed or abandoned turn, and stores what it has produced so far. */
export async function endBrokenTurn(
  db: Kysely<Tables>,
  turn: StartedTurn,
  { answer, startedAt, ruled, failure, lateRedactorFor, hooks, now }: BrokenTurn,
): Promise<void> {
  await storeAnswer(db, turn, answer, [], lateRedactorFor, async (db, kept) => {
    await hooks.ending(db)
    const waitsFor = reasonToWait(ruled, failure ? 'failed' : null)
    const state = await lockTurn(db, turn)
    if (!state.isOpen) return
    checkRedactions(kept, state)
    await endCompletion(db, {
      ...columns(turn, kept.answer.model, now),
      finish_reason: failure ? 'error' : 'cancelled',
      error_code: failure?.code ?? null,
      agent_paused: 0,
      citations: listOrNull(kept.answer.citations),
      ctas: null,
      usage: kept.answer.usage && JSON.stringify(kept.answer.usage),
    })
    if (!saysNothing(answer)) await appendAnswer(db, turn, kept, now)
    if (failure) await tellFailure(db, turn, failure, now)
    if (waitsFor) await waitForPerson(db, turn.conversationId, waitsFor, now)
    const ofRules = await ruled?.store(db, context(turn, now), kept.redacted !== null, null)
    await raise(
      db,
      ...(ofRules?.ofPrompt ?? []),
      ...(startedAt ? [{ ...context(turn, startedAt), key: 'response_start' as const }] : []),
      ...(ofRules?.since ?? []),
      failure
        ? { ...context(turn, now), key: 'error', data: failure }
        : { ...context(turn, now), key: 'response_end' },
    )
    await hooks.ended(db, turn, null)
  })
}

/**
 * Returns the reason for which a prompt waits for a person when a pause came after it; null when a person has answered
 * it already. A prompt that came while the agent was paused got its reason when it was stored.
 */
async function waitsForPerson(
  db: Kysely<Tables>,
  { conversationId, messageIds }: StartedTurn,
): Promise<'unanswered' | null> {
  return (await hasPersonAnswered(db, conversationId, messageIds.at(-1) ?? 0)) ? null : 'unanswered'
}

/** Returns the reason for which a conversation waits for a person after a turn. A guardrail that acted goes first. */
function reasonToWait(ruled: RuledTurn | null, otherwise: WaitingReason | null): WaitingReason | null {
  return ruled?.hasGuarded() ? 'flagged' : otherwise
}

/** Adds the failure of a model to the conversation's timeline. */
async function tellFailure(
  db: Kysely<Tables>,
  turn: StartedTurn,
  failure: { code: string; reason: string },
  at: string,
): Promise<void> {
  const { agent, conversationId: conversation_id, completionId: completion_id } = turn
  const by = bySystem.actor
  await tell(db, {
    agent_id: agent.id,
    conversation_id,
    completion_id,
    kind: 'failed',
    by,
    at,
    details: failure,
  })
}

function saysNothing({ content, refusal, tool_calls }: ModelAnswer): boolean {
  return content === null && refusal === null && tool_calls.length === 0
}

/** The answer of a paused agent, in place of anything that a model said. */
export function pauseAnswer({ settings }: Agent, model: string, usage: Usage | null): ModelAnswer {
  const content = settings.pause_message ?? ''
  return { content, tool_calls: [], refusal: null, finish_reason: 'stop', usage, citations: [], model }
}

function ended(turn: StartedTurn, answer: ModelAnswer, agentPaused: boolean, ctas: Cta[] = []): EndedTurn {
  const { completionId, number, conversationId, createdAt } = turn
  return { completionId, number, conversationId, createdAt, messageId: null, agentPaused, ctas, ...answer }
}

async function appendAnswer(
  db: Kysely<Tables>,
  turn: StartedTurn,
  { answer, redacted }: KeptAnswer,
  now: string,
  withheld = false,
): Promise<number> {
  // The completion of an anonymized answer is redacted again by the next call, which may also ask a hosted service.
  if (redacted === 'anonymize') await updateCompletion(db, turn.completionId, { redacted: null })
  return appendMessage(db, {
    ...answerRow(turn, now),
    role: 'assistant',
    content: withRefusal(answer),
    toolCalls: answer.tool_calls,
    redacted: redacted === 'scrub' ? redacted : null,
    withheld,
  })
}

function answerRow({ agent, conversationId, completionId }: StartedTurn, createdAt: string) {
  return { agentId: agent.id, conversationId, completionId, createdAt }
}

function columns(turn: StartedTurn, model: string, answered_at: string) {
  return { id: turn.completionId, model, answered_at }
}

function context({ agent, conversationId, completionId }: StartedTurn, occurred_at: string) {
  return { agent_id: agent.id, occurred_at, conversation_id: conversationId, completion_id: completionId }
}

function listOrNull(list: unknown[]): string | null {
  return list.length > 0 ? JSON.stringify(list) : null
}
