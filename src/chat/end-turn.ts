import type { Kysely } from 'kysely'
import type { Agent } from '../agents/agent.ts'
import { isSubscribed, raise } from '../events/raise.ts'
import type { ModelAnswer, Usage } from '../model/model.ts'
import { withRefusal } from '../model/refusal-part.ts'
import type { RuledTurn } from '../rules/ruled-turn.ts'
import type { Tables } from '../storage/tables.ts'
import type { Cta } from '../transcripts/completions/cta.ts'
import { endCompletion, flag, updateCompletion } from '../transcripts/completions/store.ts'
import { selectPauseState } from '../transcripts/conversations/pause-state.ts'
import { appendMessage } from '../transcripts/messages/append-message.ts'
import { checkRedactions, type KeptAnswer, storeAnswer } from '../transcripts/redaction/late-answer.ts'
import type { RedactorFor } from '../transcripts/redaction/redactors.ts'
import type { EndedTurn, StartedTurn } from './turn.ts'
import type { TurnHooks } from './turn-hooks.ts'

/** What every turn ends with that a model was asked in. */
interface TurnEnd {
  /** As it was made. */
  answer: ModelAnswer
  /** When the first piece was there; null when that has been told. */
  startedAt: string | null
  /** What the agent's rules made of the turn; null: it has none. */
  ruled: RuledTurn | null
  lateRedactorFor: RedactorFor
  hooks: TurnHooks
  now: string
}

/** How a turn ended that has an answer. */
interface AnsweredTurn extends TurnEnd {
  /** Whether some of the answer has left while it was made. */
  hasLeft: boolean
  ctas: Cta[]
  /** Whether the agent had an answer. */
  answered: boolean
  /** How well the best passage of its knowledge fits the question, 0 to 1. */
  retrievalScore: number
}

/** How a turn ended that has none, or a part of one. */
interface BrokenTurn extends TurnEnd {
  /** Null: the client went away. */
  failure: { code: string; reason: string } | null
}

/**
 * Stores an answer, and reads the pause flags again in the same transaction: an answer that was being made when the
 * pause came is stored, and the pause message takes its place in what is answered.
 */
export async function endTurn(db: Kysely<Tables>, turn: StartedTurn, end: AnsweredTurn): Promise<EndedTurn> {
  const { answer, startedAt, hasLeft, ruled, ctas, answered, retrievalScore, hooks, now } = end
  return storeAnswer(db, turn, answer, ctas, end.lateRedactorFor, async (db, kept) => {
    await hooks.ending(db)
    const [state] = await selectPauseState(db, { conversation_id: turn.conversationId })
    const paused = state?.is_paused === 1 || state?.agent_paused === 1
    const [completion] = await endCompletion(db, {
      ...columns(turn, kept.answer.model, now),
      finish_reason: kept.answer.finish_reason,
      error_code: null,
      agent_paused: flag(paused),
      citations: listOrNull(kept.answer.citations),
      ctas: listOrNull(kept.ctas),
      usage: kept.answer.usage && JSON.stringify(kept.answer.usage),
    })
    const outcome = paused
      ? ended(turn, pauseAnswer(turn.agent, answer.model, answer.usage), true)
      : ended(turn, answer, false, ctas)
    // Something else has ended the completion meanwhile: it keeps that end, and this answer is not stored twice.
    if (!completion) return outcome
    checkRedactions(kept, completion)
    const messageId = await appendAnswer(db, turn, kept, now, paused && !hasLeft)
    if (!paused) outcome.messageId = messageId
    const data = { ms: Date.parse(now) - Date.parse(turn.createdAt), answered }
    const ofRules = await ruled?.store(db, context(turn, now), kept.redacted !== null, {
      answered,
      retrieval_score: retrievalScore,
      user_is_new: turn.place.userIsNew,
    })
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
      { ...context(turn, now), key: 'response_end', data },
      ...(ofRules?.behind ?? []),
    )
    await hooks.ended(db, turn, outcome)
    return outcome
  })
}

/** Answers a prompt that came while the agent was paused: with its pause message, and no model is asked. */
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
    const [completion] = await endCompletion(db, {
      ...columns(turn, model, now),
      finish_reason: answer.finish_reason,
      error_code: null,
      agent_paused: 1,
      citations: null,
      ctas: null,
      usage: null,
    })
    if (!completion) return
    if (await hooks.announcesPause(db, turn)) {
      const message = { ...answerRow(turn, now), role: 'transition' as const, content: answer.content }
      outcome.messageId = await appendMessage(db, message)
    }
    await hooks.ended(db, turn, outcome)
  })
  return outcome
}

/**
 * Tells who listens that a response has begun while it is still being made, behind what happened before; false when
 * nobody does, or it could not be stored.
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
    // It is raised with the end then.
    return false
  }
}

/** Keeps what a failed or abandoned turn has produced so far. */
export async function endBrokenTurn(
  db: Kysely<Tables>,
  turn: StartedTurn,
  { answer, startedAt, ruled, failure, lateRedactorFor, hooks, now }: BrokenTurn,
): Promise<void> {
  await storeAnswer(db, turn, answer, [], lateRedactorFor, async (db, kept) => {
    await hooks.ending(db)
    const [completion] = await endCompletion(db, {
      ...columns(turn, kept.answer.model, now),
      finish_reason: failure ? 'error' : 'cancelled',
      error_code: failure?.code ?? null,
      agent_paused: 0,
      citations: listOrNull(kept.answer.citations),
      ctas: null,
      usage: kept.answer.usage && JSON.stringify(kept.answer.usage),
    })
    if (!completion) return
    checkRedactions(kept, completion)
    if (answer.content !== null || answer.refusal !== null || answer.tool_calls.length > 0) {
      await appendAnswer(db, turn, kept, now)
    }
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

/** What a paused agent answers with, in place of all that a model may have said. */
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
  // An anonymized one waits for the next call, which may ask a hosted service too.
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
