import type { Agent } from '../agents/agent.ts'
import { ApiError } from '../errors.ts'
import { timestamp } from '../lib/clock.ts'
import { ModelError, type ModelPiece } from '../model/model.ts'
import { withRefusal } from '../model/refusal-part.ts'
import { textOfContent } from '../model/text-of-content.ts'
import { keepTrying } from '../storage/keep-trying.ts'
import type { Owner } from '../transcripts/conversations/find-conversation.ts'
import { answerStream } from './answer-stream.ts'
import { collectAnswer } from './collect-answer.ts'
import { endBrokenTurn, endPausedTurn, endTurn } from './end-turn.ts'
import { makeAnswer } from './make-answer.ts'
import { questionOf } from './prompt-text.ts'
import type { Prompt } from './request.ts'
import { type Idempotency, startTurn } from './start-turn.ts'
import { takeUpTurn } from './take-up-turn.ts'
import type { EndedTurn, StartedTurn } from './turn.ts'
import type { TurnDependencies } from './turn-dependencies.ts'
import { noHooks, type TurnHooks } from './turn-hooks.ts'

/** Who follows a turn while it runs. */
export interface TurnObserver {
  /** The prompt is stored: from here on an error must not make a client send it again. */
  onStarted?: (turn: StartedTurn, model: string) => void
  /** Given: the answer is streamed, and each batch of pieces is waited for. */
  onPieces?: (pieces: ModelPiece[]) => Promise<void> | void
  /** Fires when the client goes away. */
  signal: AbortSignal
}

/**
 * One prompt's life: it is stored, the model answers, the answer is stored; only then does this return.
 * @returns how the turn ended; the id of an earlier completion when the request is a repeat; null when the client
 *   went away, with what was produced stored
 * @throws ApiError model_failed with the prompt kept, or what refused the prompt before it was stored
 */
export async function runTurn(
  dependencies: TurnDependencies,
  owner: Owner,
  prompt: Prompt,
  idempotency: Idempotency | null,
  observer: TurnObserver,
  hooks: TurnHooks = noHooks,
): Promise<EndedTurn | { repeated: string } | null> {
  const { db, clock, modelFor, holder } = dependencies
  const modelOf = (agent: Agent) => modelFor(agent).name
  const now = clock()
  const started = await startTurn(db, { owner, prompt, idempotency, modelOf, hooks, holder, now })
  let turn: StartedTurn | null
  if ('repeated' in started) {
    turn = await takeUpTurn(db, owner.agentId, started.repeated, prompt, holder, clock())
    if (!turn) return started
  } else turn = started
  return answerTurn(dependencies, turn, prompt.parameters, observer, hooks)
}

/**
 * The part of a turn's life that begins when its prompt is stored; also for a turn whose process died there.
 * @param promptParameters request fields that go through to the model server
 */
export async function answerTurn(
  dependencies: TurnDependencies,
  turn: StartedTurn,
  promptParameters: Record<string, unknown>,
  observer: TurnObserver,
  hooks: TurnHooks = noHooks,
): Promise<EndedTurn | null> {
  const { db, engine, clock, lateRedactorFor } = dependencies
  const { signal, onPieces } = observer
  const named = dependencies.modelFor(turn.agent)
  observer.onStarted?.(turn, named.name)
  // Else what was answered would be lost, and the prompt look as if its answer were still coming.
  const insist = <T>(work: () => Promise<T>) => keepTrying(engine, work)
  if (turn.paused) return insist(() => endPausedTurn(db, turn, named.name, hooks, timestamp(clock())))

  const ruled = await insist(() => dependencies.rulesFor(turn, signal))
  const stream = onPieces ? answerStream(dependencies, turn, named.name, ruled, onPieces) : null
  let made: Awaited<ReturnType<typeof makeAnswer>>
  try {
    made = await makeAnswer({ ...dependencies, named, ruled, stream, signal }, turn, promptParameters)
  } catch (error) {
    const answer = stream?.answer() ?? collectAnswer(named.name).answer()
    const startedAt = (await stream?.unannouncedStart(null)) ?? null
    const reason = signal.aborted ? 'aborted' : error instanceof ModelError ? error.reason : 'internal'
    const failure = signal.aborted ? null : { code: 'model_failed', reason }
    const now = timestamp(clock())
    await insist(() =>
      endBrokenTurn(db, turn, { answer, startedAt, ruled, failure, lateRedactorFor, hooks, now }),
    )
    if (!failure) return null
    if (!(error instanceof ModelError)) throw error
    throw new ApiError('model_failed', { message: publicWords(error), cause: error })
  }

  const { answer, retrievalScore, saidAt } = made
  const answered = answer.retrieval?.answered ?? true
  const text = textOfContent(withRefusal(answer))
  const response = { text, finishReason: answer.finish_reason, answered, retrievalScore }
  const ctas = (await ruled?.judgeResponse(response)) ?? []
  const now = timestamp(clock())
  const startedAt = stream ? await stream.unannouncedStart(now) : (saidAt ?? now)
  const prompt = questionOf(turn.messages)
  dependencies.logText?.({ completion_id: turn.completionId, prompt, response: text })
  const hasLeft = stream?.hasLeft() ?? false
  const rules = { ruled, ctas, answered, retrievalScore }
  return insist(() =>
    endTurn(db, turn, { answer, startedAt, hasLeft, ...rules, lateRedactorFor, hooks, now }),
  )
}

/** What a caller may know of a model's failure: the kind and the status, nothing of the server's own words. */
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
