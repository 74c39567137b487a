import type { Kysely } from 'kysely'
import { bySystem } from '../audit/record.ts'
import { raise } from '../events/raise.ts'
import type { ModelAnswer } from '../model/model.ts'
import { withRefusal } from '../model/refusal-part.ts'
import { checkRedactions, type KeptAnswer, storeAnswer } from '../privacy/late-answer.ts'
import type { RuleEvents } from '../rules/turn-rules.ts'
import type { Tables } from '../storage/tables.ts'
import type { Cta } from '../transcripts/citations-and-ctas.ts'
import { lockTurn } from '../transcripts/completions/lock-turn.ts'
import { endCompletion, flag, updateCompletion } from '../transcripts/completions/store.ts'
import { addHappening } from '../transcripts/conversations/happenings.ts'
import type { Lessons } from '../transcripts/conversations/lessons.ts'
import { expectSilence } from '../transcripts/conversations/silence-store.ts'
import { waitForPerson } from '../transcripts/conversations/wait-for-person.ts'
import { appendMessage } from '../transcripts/messages/append-message.ts'
import { eventsOf } from './events-of-end.ts'
import { wantSummary } from './history/summary-store.ts'
import { pauseAnswer } from './pause-answer.ts'
import { reasonToWait, waitsForPerson } from './reason-to-wait.ts'
import { type EndedTurn, endedTurn, type StartedTurn, turnContext } from './turn.ts'
import type { TurnDependencies } from './turn-dependencies.ts'
import type { AnsweredEnd, TurnEnd } from './turn-end.ts'
import type { StoredEnd, TurnStore } from './turn-store.ts'

/**
 * Stores the end of a turn in which a model was asked. Reads the pause flags again in the same transaction: if the
 * agent was paused while the answer was made, the answer is stored, but the pause message is returned in its place.
 * @returns null if the turn was broken
 * @throws ApiError unavailable as `lockTurn`
 */
export async function endTurn(
  { db, lateRedactorFor, lessons }: Pick<TurnDependencies, 'db' | 'lateRedactorFor' | 'lessons'>,
  store: TurnStore,
  turn: StartedTurn,
  end: TurnEnd,
): Promise<EndedTurn | null> {
  const ctas = end.kind === 'answered' ? end.ctas : []
  const { ended } = await storeAnswer(db, turn, end.answer, ctas, lateRedactorFor, async (db, kept) => {
    const stored = await store.end(db, turn, () => storeEnd(db, turn, end, kept))
    // Comes last: `store` may lock messages, which come before these rows in the lock order.
    if (stored.isStored) await learn(db, lessons, turn, end, kept, stored)
    return stored
  })
  return ended
}

async function storeEnd(
  db: Kysely<Tables>,
  turn: StartedTurn,
  end: TurnEnd,
  kept: KeptAnswer,
): Promise<StoredEnd> {
  const state = await lockTurn(db, turn)
  const isPaused = end.kind === 'stopped' || (end.kind === 'answered' && state.isPaused)
  const waitsFor = await reasonToWait(db, turn, end, isPaused)
  // An earlier attempt was committed unnoticed.
  if (!state.isOpen) return { ended: outcome(turn, end, isPaused, null), isStored: false, waitsFor }
  checkRedactions(kept, state)
  await storeCompletion(db, turn, end, kept, isPaused)
  const messageId = await storeWords(db, turn, end, kept, isPaused)
  if (end.kind === 'broken' && end.failure) await addFailureHappening(db, turn, end.failure, end.now)
  if (waitsFor) await waitForPerson(db, turn.conversationId, waitsFor, end.now)
  const ofRules = await storeRules(db, turn, end, kept)
  await raise(db, ...eventsOf(turn, end, ofRules))
  return { ended: outcome(turn, end, isPaused, messageId, ofRules?.ctas), isStored: true, waitsFor }
}

/** Notes what the end of a turn shows: questions without a good answer, and a conversation that is too long. */
async function learn(
  db: Kysely<Tables>,
  { handedOff }: Pick<Lessons, 'handedOff'>,
  { agent, conversationId }: StartedTurn,
  end: TurnEnd,
  { redacted }: KeptAnswer,
  { ended, waitsFor }: StoredEnd,
): Promise<void> {
  if (waitsFor === 'asked') await handedOff(db, { id: conversationId, agent_id: agent.id })
  if (end.kind !== 'answered') return
  if (!ended?.agentPaused && redacted === null) await end.noteGaps(db)
  if (!ended?.agentPaused && !waitsFor)
    await expectSilence(db, conversationId, agent.id, agent.settings.inactivity, end.now)
  if (end.isTooLong) await wantSummary(db, agent.id, conversationId, end.now)
}

/**
 * Answers a prompt to a paused agent with the pause message. No model is asked.
 * @param model the name of the one that would have been asked
 */
export async function endPausedTurn(
  db: Kysely<Tables>,
  store: TurnStore,
  turn: StartedTurn,
  model: string,
  now: string,
): Promise<EndedTurn | null> {
  const { ended } = await db
    .transaction()
    .execute((db) => store.end(db, turn, () => storePaused(db, store, turn, model, now)))
  return ended
}

async function storePaused(
  db: Kysely<Tables>,
  store: TurnStore,
  turn: StartedTurn,
  model: string,
  now: string,
): Promise<StoredEnd> {
  const answer = pauseAnswer(turn.agent, model, null, turn.blocked)
  const { isOpen } = await lockTurn(db, turn)
  const waitsFor = await waitsForPerson(db, turn)
  if (waitsFor) await waitForPerson(db, turn.conversationId, waitsFor, now)
  if (!isOpen) return { ended: endedTurn(turn, answer, { agentPaused: true }), isStored: false, waitsFor }
  await endCompletion(db, {
    ...columns(turn, model, now),
    finish_reason: answer.finish_reason,
    error_code: null,
    agent_paused: 1,
    citations: null,
    ctas: null,
    usage: null,
  })
  const messageId =
    !turn.blocked && (await store.announcesPause(db, turn))
      ? await appendMessage(db, { ...answerRow(turn, now), role: 'transition', content: answer.content })
      : null
  return { ended: endedTurn(turn, answer, { agentPaused: true, messageId }), isStored: true, waitsFor }
}

/** Returns what is answered; null when nobody waits for an answer, or the model failed. */
function outcome(
  turn: StartedTurn,
  end: TurnEnd,
  agentPaused: boolean,
  messageId: number | null,
  attached?: Cta[],
): EndedTurn | null {
  const { answer } = end
  if (agentPaused)
    return endedTurn(turn, pauseAnswer(turn.agent, answer.model, answer.usage), { agentPaused })
  if (end.kind !== 'answered') return null
  return endedTurn(turn, answer, { messageId, ctas: attached ?? end.ctas })
}

async function storeCompletion(
  db: Kysely<Tables>,
  turn: StartedTurn,
  end: TurnEnd,
  { answer, ctas }: KeptAnswer,
  isPaused: boolean,
): Promise<void> {
  const failure = end.kind === 'broken' ? end.failure : null
  await endCompletion(db, {
    ...columns(turn, answer.model, end.now),
    finish_reason: end.kind === 'answered' ? answer.finish_reason : failure ? 'error' : 'cancelled',
    error_code: failure?.code ?? null,
    agent_paused: flag(isPaused),
    citations: listOrNull(answer.citations),
    ctas: listOrNull(ctas),
    usage: answer.usage && JSON.stringify(answer.usage),
  })
}

/** Stores what was said. An answer that was not finished and says nothing gets no message. */
async function storeWords(
  db: Kysely<Tables>,
  turn: StartedTurn,
  end: TurnEnd,
  { answer, redacted }: KeptAnswer,
  isPaused: boolean,
): Promise<number | null> {
  if (end.kind !== 'answered' && saysNothing(end.answer)) return null
  // The completion of an anonymized answer is redacted again by the next call, which may also ask a hosted service.
  if (redacted === 'anonymize') await updateCompletion(db, turn.completionId, { redacted: null })
  return appendMessage(db, {
    ...answerRow(turn, end.now),
    role: 'assistant',
    content: withRefusal(answer),
    toolCalls: answer.tool_calls,
    redacted: redacted === 'scrub' ? redacted : null,
    withheld: isPaused && end.kind !== 'broken' && !end.hasLeft,
  })
}

function saysNothing({ content, refusal, tool_calls }: ModelAnswer): boolean {
  return content === null && refusal === null && tool_calls.length === 0
}

/** Adds the failure of a model to the conversation's timeline. */
async function addFailureHappening(
  db: Kysely<Tables>,
  turn: StartedTurn,
  failure: { code: string; reason: string },
  at: string,
): Promise<void> {
  const { agent, conversationId: conversation_id, completionId: completion_id } = turn
  const context = { agent_id: agent.id, conversation_id, completion_id }
  await addHappening(db, { ...context, kind: 'failed', by: bySystem.actor, at, details: failure })
}

/** Stores the results of the agent's rules, and removes the calls to action that are not attached after all. */
async function storeRules(
  db: Kysely<Tables>,
  turn: StartedTurn,
  end: TurnEnd,
  { ctas, redacted }: KeptAnswer,
): Promise<(RuleEvents & { ctas: Cta[] }) | undefined> {
  const jobFacts = end.kind === 'answered' ? jobFactsOf(turn, end) : null
  const ofRules = await end.rules?.store(db, turnContext(turn, end.now), redacted !== null, jobFacts)
  if (ofRules && ofRules.ctas.length < ctas.length) {
    const attached = new Set(ofRules.ctas.map(({ id }) => id))
    const shown = ctas.filter(({ id }) => attached.has(id))
    await updateCompletion(db, turn.completionId, { ctas: listOrNull(shown) })
  }
  return ofRules
}

function jobFactsOf({ origin }: StartedTurn, { answered, retrievalScore }: AnsweredEnd) {
  return { answered, retrieval_score: retrievalScore, user_is_new: origin.userIsNew }
}

function answerRow({ agent, conversationId, completionId }: StartedTurn, createdAt: string) {
  return { agentId: agent.id, conversationId, completionId, createdAt }
}

function columns(turn: StartedTurn, model: string, answered_at: string) {
  return { id: turn.completionId, model, answered_at }
}

function listOrNull(list: unknown[]): string | null {
  return list.length > 0 ? JSON.stringify(list) : null
}
