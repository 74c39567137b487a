import type { Agent } from '../agents/agent.ts'
import type { NamedModel } from '../agents/model-of-agent.ts'
import { ApiError } from '../errors.ts'
import type { Idempotency } from '../idempotency/repeats.ts'
import { timestamp } from '../lib/clock.ts'
import { ModelError, type ModelPiece } from '../model/model.ts'
import { withRefusal } from '../model/refusal-part.ts'
import { textOfContent } from '../model/text-of-content.ts'
import { maskingTurn } from '../privacy/mask/masking-conversation.ts'
import type { TurnRules } from '../rules/turn-rules.ts'
import { keepTrying } from '../storage/keep-trying.ts'
import { takingAlong } from '../storage/written-along.ts'
import type { Owner } from '../transcripts/conversations/find-conversation.ts'
import { announceStart } from './announce-start.ts'
import { type AnswerStream, answerStream } from './answer/answer-stream.ts'
import type { Answering, Made } from './answer/answering.ts'
import { collectAnswer } from './answer/collect-answer.ts'
import { refuseTakenNames } from './calls/refuse-taken-names.ts'
import { toolsForTurn } from './calls/tools-for-turn.ts'
import { endPausedTurn, endTurn } from './end-turn.ts'
import { failureInWords } from './failure-in-words.ts'
import { keepParts } from './files/keep-parts.ts'
import { writeDownVoice } from './files/write-down-voice.ts'
import { guardPrompt } from './guard-prompt.ts'
import { makeAnswer } from './make-answer.ts'
import type { Prompt } from './prompt.ts'
import { asksInTurn, questionOf } from './prompt-text.ts'
import { startTurn } from './start-turn.ts'
import { type ReportedTakeover, stopWhenPaused } from './stop-when-paused.ts'
import { takeUpTurn } from './take-up-turn.ts'
import type { EndedTurn, StartedTurn } from './turn.ts'
import type { TurnDependencies } from './turn-dependencies.ts'
import type { TurnEnd } from './turn-end.ts'
import { type Repeated, type TurnStore, transcriptOnly } from './turn-store.ts'

/** Lets a caller follow a turn while it runs. */
interface TurnObserver {
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
 * Runs a turn: its prompt is stored, looked at by guardrails, answered by the model, and its answer is stored before it
 * is returned.
 * @returns how the turn ended; the id of an earlier completion when the request is a repeat; null when the client went
 * away: what was produced is stored then
 * @throws ApiError model_failed, masking_failed, or unavailable as `lockTurn`, with the prompt kept; or the error that refused the prompt before it was stored
 */
export async function runTurn(
  dependencies: TurnDependencies,
  owner: Owner,
  prompt: Prompt,
  observer: TurnObserver,
  {
    idempotency = null,
    store = transcriptOnly,
  }: { idempotency?: Idempotency | null; store?: TurnStore } = {},
): Promise<EndedTurn | Repeated | null> {
  const begun = await begin(dependencies, owner, prompt, idempotency, store)
  if ('repeated' in begun) return begun
  return answerTurn(dependencies, begun, prompt.parameters, observer, store)
}

/**
 * Runs the rest of a turn whose prompt is stored. A turn whose process died is taken up here. The usage of its model
 * calls is stored together with what the models said.
 * @param promptParameters request fields that go through to the model server
 */
export async function answerTurn(
  dependencies: TurnDependencies,
  started: StartedTurn,
  promptParameters: Record<string, unknown>,
  observer: TurnObserver,
  store: TurnStore,
): Promise<EndedTurn | null> {
  const named = dependencies.modelFor(started.agent)
  observer.onStarted?.(started, named.name)
  if (started.paused) return takingAlong(() => storePauseMessage(dependencies, started, named.name, store))
  const place = { conversationId: started.conversationId, agentId: started.agent.id }
  // A pause also ends the wait for files.
  using stop = stopWhenPaused(dependencies, place, observer.signal, observer.reported)
  const turn = await withAllFiles(dependencies, started, stop.signal, store)
  const answer = async () => {
    let answering = begunAnswer(dependencies, turn, named, promptParameters, stop.signal)
    let made: Made
    try {
      answering = await withRules(dependencies, answering, observer)
      const guarded = await guardPrompt(dependencies, answering)
      made =
        guarded.made ?? (await makeAnswer(dependencies, answering, guarded.replacement, promptParameters))
    } catch (error) {
      return await storeUnanswered(dependencies, answering, observer, store, error)
    } finally {
      dependencies.watchers.end(underWay(turn))
    }
    return await storeAnswered(dependencies, answering, made, store)
  }
  return await takingAlong(() => maskingTurn(dependencies.db, turn, answer))
}

/** Waits for the files of a prompt, and has its sounds written down. */
async function withAllFiles(
  dependencies: TurnDependencies,
  turn: StartedTurn,
  signal: AbortSignal,
  store: TurnStore,
): Promise<StartedTurn> {
  const ready = store.ready ? await store.ready(turn, signal) : turn
  return writeDownVoice(dependencies, ready, signal)
}

/** Stores a prompt. The repeat of a request goes on with its turn, if the process that answered it has died. */
async function begin(
  dependencies: TurnDependencies,
  owner: Owner,
  prompt: Prompt,
  idempotency: Idempotency | null,
  store: TurnStore,
): Promise<StartedTurn | Repeated> {
  const { db, engine, clock, modelFor, holder } = dependencies
  await refuseTakenNames(dependencies, owner.agentId, prompt.parameters)
  const modelOf = (agent: Agent) => modelFor(agent).name
  const kept = await keepParts(dependencies.files, owner.agentId, prompt)
  try {
    const start = { owner, prompt: kept.prompt, idempotency, modelOf, holder, nowMs: clock() }
    const started = await engine.inTurnOf(owner, () => startTurn(db, start, store))
    if (!('repeated' in started)) return started
    const takenUp = await takeUpTurn(db, owner.agentId, started.repeated, prompt, holder, clock())
    return takenUp ?? started
  } finally {
    await kept.end()
  }
}

/** Begins an answer: its tools are there, its rules are not read yet. */
function begunAnswer(
  dependencies: TurnDependencies,
  turn: StartedTurn,
  named: NamedModel,
  promptParameters: Record<string, unknown>,
  signal: AbortSignal,
): Answering {
  return {
    turn,
    named,
    rules: null,
    stream: null,
    signal,
    asksForPerson: asksInTurn(turn, named, promptParameters),
    toolsFor: (search) => toolsForTurn(dependencies, turn, search, signal),
  }
}

/** Reads the agent's rules, and opens the stream to the client, which they watch. */
async function withRules(
  dependencies: TurnDependencies,
  answering: Answering,
  { onPieces }: TurnObserver,
): Promise<Answering> {
  const { turn, named, signal } = answering
  const rules = await keepTrying(dependencies.engine, () => dependencies.rulesFor(turn, signal))
  const stream = onPieces ? streamTo(onPieces, dependencies, turn, named.name, rules) : null
  return { ...answering, rules, stream }
}

/** Returns the stream of an answer to the client, and to those who watch the conversation. */
function streamTo(
  onPieces: (pieces: ModelPiece[]) => Promise<void> | void,
  { db, clock, watchers }: TurnDependencies,
  turn: StartedTurn,
  model: string,
  rules: TurnRules | null,
): AnswerStream {
  const watched = underWay(turn)
  const announce = (startedAt: string) => announceStart(db, turn, rules, startedAt)
  return answerStream(clock, model, rules, announce, (pieces) => {
    for (const { delta } of pieces) if (delta.content) watchers.add(watched, delta.content)
    return onPieces(pieces)
  })
}

/**
 * Stores the pause message as the answer. Like every end of a turn, this is tried again while the database is away for
 * a moment. Otherwise the answer would be lost, and clients would go on waiting for it.
 */
function storePauseMessage(
  { db, engine, clock }: TurnDependencies,
  turn: StartedTurn,
  model: string,
  store: TurnStore,
): Promise<EndedTurn | null> {
  return keepTrying(engine, () => endPausedTurn(db, store, turn, model, timestamp(clock())))
}

/** Lets the agent's rules judge an answer, and stores it. */
async function storeAnswered(
  dependencies: TurnDependencies,
  { turn, rules, stream, asksForPerson }: Answering,
  { answer, retrievalScore, gaps, saidAt, isSpent, isCut }: Made,
  store: TurnStore,
): Promise<EndedTurn | null> {
  const { engine, clock, logText } = dependencies
  const answered = !isSpent && (asksForPerson || (answer.retrieval?.answered ?? true))
  const text = textOfContent(withRefusal(answer))
  const response = { text, finishReason: answer.finish_reason, answered, retrievalScore }
  const ctas = (isSpent ? null : await rules?.judgeResponse(response)) ?? []
  const now = timestamp(clock())
  const startedAt = stream ? await stream.unannouncedStart(now) : (saidAt ?? now)
  const question = questionOf(turn.messages)
  logText?.({ completion_id: turn.completionId, prompt: question, response: text })
  const { noteUnanswered } = dependencies
  return keepTrying(engine, () =>
    endTurn(dependencies, store, turn, {
      kind: 'answered',
      answer,
      startedAt,
      hasLeft: stream?.hasLeft() ?? false,
      rules,
      asksForPerson,
      ctas,
      answered,
      retrievalScore,
      async noteGaps(db) {
        if (gaps.length > 0) await noteUnanswered(db, { ...underWay(turn), question, at: now, reasons: gaps })
      },
      isTooLong: isCut && turn.agent.settings.summaries,
      now,
    }),
  )
}

/**
 * Stores the part of an answer that was made before a pause stopped it, the client went away, or it failed.
 * @throws ApiError model_failed or masking_failed, or the error itself if it is not of the model
 */
async function storeUnanswered(
  dependencies: TurnDependencies,
  { turn, named, rules, stream, signal, asksForPerson }: Answering,
  observer: TurnObserver,
  store: TurnStore,
  error: unknown,
): Promise<EndedTurn | null> {
  const answer = stream?.answer() ?? collectAnswer(named.name).answer()
  const startedAt = (await stream?.unannouncedStart(null)) ?? null
  const end = { answer, startedAt, rules, asksForPerson, now: timestamp(dependencies.clock()) }
  const isGone = observer.signal.aborted
  const insist = (end: TurnEnd) =>
    keepTrying(dependencies.engine, () => endTurn(dependencies, store, turn, end))
  if (signal.aborted && !isGone)
    return insist({ ...end, kind: 'stopped', hasLeft: stream?.hasLeft() ?? false })
  const reason = error instanceof ModelError ? error.reason : 'internal'
  const code = reason === 'masking' ? 'masking_failed' : 'model_failed'
  await insist({ ...end, kind: 'broken', failure: isGone ? null : { code, reason } })
  if (isGone) return null
  if (!(error instanceof ModelError)) throw error
  throw new ApiError(code, { message: `${failureInWords(error)} The prompt is kept.`, cause: error })
}

function underWay({ agent, conversationId, completionId }: StartedTurn) {
  return { agentId: agent.id, conversationId, completionId }
}
