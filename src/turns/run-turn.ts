import type { Kysely } from 'kysely'
import type { Agent } from '../agents/agent.ts'
import { ApiError } from '../errors.ts'
import { timestamp } from '../lib/clock.ts'
import { ModelError, type ModelPiece } from '../model/model.ts'
import { withRefusal } from '../model/refusal-part.ts'
import { textOfContent } from '../model/text-of-content.ts'
import { keepTrying } from '../storage/keep-trying.ts'
import type { Tables } from '../storage/tables.ts'
import { takingAlong } from '../storage/written-along.ts'
import type { Owner } from '../transcripts/conversations/find-conversation.ts'
import type { Idempotency } from '../transcripts/repeats/repeats.ts'
import { answerStream } from './answer-stream.ts'
import { collectAnswer } from './collect-answer.ts'
import { announceStart, endBrokenTurn, endPausedTurn, endStoppedTurn, endTurn } from './end-turn.ts'
import { makeAnswer } from './make-answer.ts'
import { questionOf } from './prompt-text.ts'
import { refuseTakenNames } from './refuse-taken-names.ts'
import type { Prompt } from './request.ts'
import { startTurn } from './start-turn.ts'
import { type ReportedTakeover, stopWhenPaused } from './stop-when-paused.ts'
import { takeUpTurn } from './take-up-turn.ts'
import { toolsForTurn } from './tools-for-turn.ts'
import type { EndedTurn, StartedTurn } from './turn.ts'
import type { TurnDependencies } from './turn-dependencies.ts'
import { noHooks, type TurnHooks } from './turn-hooks.ts'

/** Lets a caller follow a turn while it runs. */
export interface TurnObserver {
  /** Called when the prompt is stored. After this an error must not make a client send it again. */
  onStarted?: (turn: StartedTurn, model: string) => void
  /** Called with each batch of pieces, once the batch before is done. If given, the answer is streamed. */
  onPieces?: (pieces: ModelPiece[]) => Promise<void> | void
  /** Fires when the client goes away. */
  signal: AbortSignal
  /** Another place where a takeover by people is reported. */
  reported?: ReportedTakeover
}

/**
 * Stores a prompt, asks the model, and stores the answer before it returns.
 * @returns how the turn ended; the id of an earlier completion when the request is a repeat; null when the client went
 * away: what was produced is stored then
 * @throws ApiError model_failed, with the prompt kept; or the error that refused the prompt before it was stored
 */
export async function runTurn(
  dependencies: TurnDependencies,
  owner: Owner,
  prompt: Prompt,
  idempotency: Idempotency | null,
  observer: TurnObserver,
  hooks: TurnHooks = noHooks,
): Promise<EndedTurn | { repeated: string } | null> {
  const { db, engine, clock, modelFor, holder } = dependencies
  const modelOf = (agent: Agent) => modelFor(agent).name
  await refuseTakenNames(dependencies, owner.agentId, prompt.parameters)
  const nowMs = clock()
  const start = { owner, prompt, idempotency, modelOf, hooks, holder, nowMs }
  const started = await engine.inTurnOf(owner, () => startTurn(db, start))
  let turn: StartedTurn | null
  if ('repeated' in started) {
    turn = await takeUpTurn(db, owner.agentId, started.repeated, prompt, holder, clock())
    if (!turn) return started
  } else turn = started
  return answerTurn(dependencies, turn, prompt.parameters, observer, hooks)
}

/**
 * Runs the rest of a turn whose prompt is stored. A turn whose process died is taken up here. The usage of its model
 * calls is stored together with what the models said.
 * @param promptParameters request fields that go through to the model server
 */
export const answerTurn: typeof runRest = (...turn) => takingAlong(() => runRest(...turn))

async function runRest(
  dependencies: TurnDependencies,
  turn: StartedTurn,
  promptParameters: Record<string, unknown>,
  observer: TurnObserver,
  hooks: TurnHooks = noHooks,
): Promise<EndedTurn | null> {
  const { db, engine, clock, lateRedactorFor } = dependencies
  const { onPieces } = observer
  const named = dependencies.modelFor(turn.agent)
  observer.onStarted?.(turn, named.name)
  // Otherwise the answer would be lost, and would seem to be still coming.
  const insist = <T>(work: () => Promise<T>) => keepTrying(engine, work)
  if (turn.paused) return insist(() => endPausedTurn(db, turn, named.name, hooks, timestamp(clock())))

  const place = { conversationId: turn.conversationId, agentId: turn.agent.id }
  using stop = stopWhenPaused(dependencies, place, observer.signal, observer.reported)
  const { signal } = stop
  const ruled = await insist(() => dependencies.rulesFor(turn, signal))
  const { watchers } = dependencies
  const { agent, conversationId, completionId } = turn
  const underWay = { agentId: agent.id, conversationId, completionId }
  const stream =
    onPieces === undefined
      ? null
      : answerStream(
          clock,
          named.name,
          ruled,
          (startedAt) => announceStart(db, turn, ruled, startedAt),
          (pieces) => {
            for (const { delta } of pieces) if (delta.content) watchers.add(underWay, delta.content)
            return onPieces(pieces)
          },
        )
  const toolsFor = () => toolsForTurn(dependencies, turn, signal)
  let made: Awaited<ReturnType<typeof makeAnswer>>
  try {
    made = await makeAnswer(
      { ...dependencies, named, ruled, stream, signal, toolsFor },
      turn,
      promptParameters,
    )
  } catch (error) {
    const answer = stream?.answer() ?? collectAnswer(named.name).answer()
    const startedAt = (await stream?.unannouncedStart(null)) ?? null
    const now = timestamp(clock())
    const end = { answer, startedAt, ruled, lateRedactorFor, hooks, now }
    if (signal.aborted && !observer.signal.aborted) {
      const hasLeft = stream?.hasLeft() ?? false
      return insist(() => endStoppedTurn(db, turn, { ...end, hasLeft }))
    }
    const isLeft = observer.signal.aborted
    const reason = isLeft ? 'aborted' : error instanceof ModelError ? error.reason : 'internal'
    const failure = isLeft ? null : { code: 'model_failed', reason }
    await insist(() => endBrokenTurn(db, turn, { ...end, failure }))
    if (!failure) return null
    if (!(error instanceof ModelError)) throw error
    throw new ApiError('model_failed', { message: publicWords(error), cause: error })
  } finally {
    watchers.end(underWay)
  }

  const { answer, retrievalScore, saidAt, isSpent = false, isCut = false } = made
  const answered = !isSpent && (answer.retrieval?.answered ?? true)
  const text = textOfContent(withRefusal(answer))
  const response = { text, finishReason: answer.finish_reason, answered, retrievalScore }
  const ctas = (isSpent ? null : await ruled?.judgeResponse(response)) ?? []
  const now = timestamp(clock())
  const startedAt = stream ? await stream.unannouncedStart(now) : (saidAt ?? now)
  const prompt = questionOf(turn.messages)
  dependencies.logText?.({ completion_id: turn.completionId, prompt, response: text })
  const hasLeft = stream?.hasLeft() ?? false
  const question = { ...underWay, question: prompt, at: now }
  const noteUnanswered =
    answered || isSpent ? null : (db: Kysely<Tables>) => dependencies.noteUnanswered(db, question)
  const isTooLong = isCut && agent.settings.summaries
  const rules = { ruled, ctas, answered, retrievalScore, noteUnanswered, isTooLong }
  return insist(() =>
    endTurn(db, turn, { answer, startedAt, hasLeft, ...rules, lateRedactorFor, hooks, now }),
  )
}

/** Describes a model's failure to a caller: its kind and status, but not the server's own words. */
function publicWords({ reason, status, isContextExceeded }: ModelError): string {
  if (isContextExceeded) return 'The prompt is longer than the model can read. The prompt is kept.'
  const words = {
    unreachable: 'The model server cannot be reached.',
    timeout: 'The model server was too slow.',
    status: `The model server answered with status ${status}.`,
    protocol: 'The model server answered with something that is no chat completion.',
    interrupted: 'The model server broke off in the middle of its answer.',
    blocked: "The address of the agent's model server is not allowed.",
  }
  return `${words[reason]} The prompt is kept.`
}
