import type { Kysely } from 'kysely'
import type { Agent } from '../agents/agent.ts'
import type { Owner } from '../conversations/find-conversation.ts'
import { ApiError } from '../errors.ts'
import type { RetrievedContext } from '../knowledge/retrieve-context.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { inSpan } from '../lib/tracing.ts'
import { genAiRequest, genAiResponse } from '../model/gen-ai-attributes.ts'
import {
  type Citation,
  type Model,
  type ModelAnswer,
  ModelError,
  type ModelMessage,
  type ModelPiece,
} from '../model/model.ts'
import { textOfContent } from '../model/text-of-content.ts'
import { guardStream, guardWhole } from '../rules/guard-stream.ts'
import type { RuledTurn } from '../rules/ruled-turn.ts'
import type { Engine } from '../storage/engine.ts'
import { keepTrying } from '../storage/keep-trying.ts'
import type { Tables } from '../storage/tables.ts'
import { type AnswerCollector, collectAnswer } from './collect-answer.ts'
import {
  announceStart,
  type EndedTurn,
  endBrokenTurn,
  endPausedTurn,
  endTurn,
  type RedactLate,
} from './end-turn.ts'
import type { Prompt } from './request.ts'
import type { RulesForTurn } from './rules-for-turn.ts'
import { type Idempotency, type StartedTurn, startTurn } from './start-turn.ts'
import { noHooks, type TurnHooks } from './turn-hooks.ts'

/** What turns need from the rest of the house. */
export interface TurnDependencies {
  db: Kysely<Tables>
  engine: Pick<Engine, 'isUnavailable'>
  clock: Clock
  /** The model that answers for an agent, and its name. */
  modelFor: (agent: Agent) => { model: Model; name: string; isBuiltIn: boolean }
  /** What the agent's documents say to a question, for a language model to answer from. */
  retrieve: (agentId: number, question: string) => Promise<RetrievedContext | null>
  /** What the agent's rules do in a turn. */
  rulesFor: RulesForTurn
  redactLate: RedactLate
  /** Told of each finished model call. */
  modelCalled: (outcome: string, seconds: number) => void
  /** Told whenever events of a turn are stored, so that whoever sends them need not wait to look. */
  eventsRaised: () => void
  /** Given where the operator wants message text in the log: told of each prompt that was answered. */
  logText?: (turn: { completion_id: string; prompt: string; response: string }) => void
}

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
  const { db, clock, modelFor } = dependencies
  const nameOf = (agent: Agent) => modelFor(agent).name
  const turn = await startTurn(db, owner, prompt, idempotency, nameOf, hooks, clock())
  if ('repeated' in turn) return turn
  dependencies.eventsRaised()
  try {
    return await answerTurn(dependencies, turn, prompt.parameters, observer, hooks)
  } finally {
    dependencies.eventsRaised()
  }
}

/**
 * The part of a turn's life that begins when its prompt is stored; also for a turn whose process died there.
 * @param parameters request fields that go through to the model server
 */
export async function answerTurn(
  dependencies: TurnDependencies,
  turn: StartedTurn,
  promptParameters: Record<string, unknown>,
  observer: TurnObserver,
  hooks: TurnHooks = noHooks,
): Promise<EndedTurn | null> {
  const { db, clock, modelFor, redactLate } = dependencies
  const { model, name, isBuiltIn } = modelFor(turn.agent)
  observer.onStarted?.(turn, name)
  // What was answered would be lost, and the prompt look as if its answer were still coming.
  const store = <T>(end: () => Promise<T>) => keepTrying(dependencies.engine, end)
  if (turn.paused) return store(() => endPausedTurn(db, turn, name, hooks, timestamp(clock())))

  const ruled = await dependencies.rulesFor(turn, observer.signal)
  const guard = ruled?.guardsResponse ? guardStream(ruled) : null
  const collected = collectAnswer(name)
  const started = performance.now()
  const called = (outcome: string) => dependencies.modelCalled(outcome, (performance.now() - started) / 1000)
  let startedAt: string | null = null
  let announced: Promise<boolean> | undefined
  const onPieces = async (pieces: ModelPiece[]) => {
    if (startedAt === null) {
      startedAt = timestamp(clock())
      // The piece does not wait for it.
      announced = announceStart(db, turn, startedAt)
    }
    const released = guard ? await guard.feed(pieces) : pieces
    for (const piece of released) collected.add(piece)
    if (released.length > 0) await observer.onPieces?.(released)
  }
  let answer: ModelAnswer
  let cited: Citation[] = []
  let retrievalScore = 0
  try {
    const guarded = await ruled?.guardPrompt()
    if (guarded && 'reply' in guarded) answer = refusal(name, guarded.reply)
    else {
      // The built-in answerer searches by itself.
      const context = isBuiltIn ? null : await dependencies.retrieve(turn.agent.id, questionOf(turn))
      cited = context?.citations ?? []
      const request = {
        model: name,
        messages: modelMessages(turn, context?.message, guarded?.replacement),
        parameters: parameters(turn.agent, promptParameters),
      }
      const ask = () =>
        observer.onPieces
          ? followStream(model.stream(request, observer.signal), collected, onPieces, () =>
              guard?.isBlocked(),
            )
          : model.complete(request, observer.signal)
      const asked = genAiRequest({ model: name, isBuiltIn, conversationId: turn.conversationId })
      answer = await inSpan(`chat ${name}`, 'client', asked, ask, genAiResponse)
      called('ok')
      retrievalScore = context?.score ?? answer.retrieval?.score ?? 0
      if (ruled?.guardsResponse && !observer.onPieces) answer = await guardAnswer(ruled, answer)
    }
  } catch (error) {
    const broken = { answer: collected.answer(), startedAt: (await announced) ? null : startedAt, ruled }
    const now = timestamp(clock())
    if (observer.signal.aborted) {
      called('aborted')
      await store(() => endBrokenTurn(db, turn, broken, null, redactLate, hooks, now))
      return null
    }
    const reason = error instanceof ModelError ? error.reason : 'internal'
    called(reason)
    const failure = { code: 'model_failed', reason }
    await store(() => endBrokenTurn(db, turn, broken, failure, redactLate, hooks, now))
    if (!(error instanceof ModelError)) throw error
    throw new ApiError('model_failed', { message: publicWords(error), cause: error })
  }
  if (answer.citations.length === 0 && answer.finish_reason !== 'content_filter')
    answer = { ...answer, citations: cited }
  const answered = answer.retrieval?.answered ?? true
  const response = { ...responseOf(answer), answered, retrievalScore }
  const ctas = (await ruled?.judgeResponse(db, turn.conversationId, response)) ?? []
  const now = timestamp(clock())
  const unannounced = (await announced) ? null : (startedAt ?? now)
  const rules = { ruled, ctas, answered, retrievalScore }
  dependencies.logText?.({
    completion_id: turn.completionId,
    prompt: questionOf(turn),
    response: response.text,
  })
  return store(() => endTurn(db, turn, answer, unannounced, redactLate, hooks, now, rules))
}

/** The last thing that the user wrote. */
function questionOf({ messages }: StartedTurn): string {
  return textOfContent(messages.findLast(({ role }) => role === 'user')?.content ?? null)
}

/** What is answered in place of asking a model. */
function refusal(model: string, content: string): ModelAnswer {
  const nothing = { tool_calls: [], refusal: null, usage: null, citations: [] }
  return { ...nothing, content, finish_reason: 'content_filter', model }
}

async function guardAnswer(ruled: RuledTurn, answer: ModelAnswer): Promise<ModelAnswer> {
  const { content, refusal: refused } = answer
  const said = textOfContent(content) || (refused ?? '')
  if (said === '') return answer
  const { text, isBlocked } = await guardWhole(ruled, said)
  if (isBlocked) return { ...refusal(answer.model, text), usage: answer.usage }
  if (text === said) return answer
  return textOfContent(content) ? { ...answer, content: text } : { ...answer, refusal: text }
}

function responseOf({ content, finish_reason }: ModelAnswer) {
  return { text: textOfContent(content), finishReason: finish_reason }
}

async function followStream(
  stream: AsyncIterable<ModelPiece[]>,
  collected: AnswerCollector,
  onPieces: (pieces: ModelPiece[]) => Promise<void>,
  isOver: () => boolean | undefined,
): Promise<ModelAnswer> {
  for await (const pieces of stream) {
    await onPieces(pieces)
    if (isOver()) break
  }
  return collected.answer()
}

const BACK_AGAIN =
  'A person took part in this conversation or the assistant was paused. You are active again: go on and answer, ' +
  'whatever was said before about a pause or a person taking over.'

/**
 * @param context what the agent's documents say
 * @param replacement what the model sees in place of what the user wrote
 */
function modelMessages(
  { agent, history, messages }: StartedTurn,
  context?: string,
  replacement?: string,
): ModelMessage[] {
  const instructions = [agent.settings.instructions, context, history.interrupted ? BACK_AGAIN : ''].filter(
    (text) => text !== undefined && text !== '',
  ) as string[]
  return [
    ...instructions.map((content) => ({ role: 'system' as const, content })),
    ...history.messages,
    ...(replacement === undefined
      ? messages
      : [...messages.filter(({ role }) => role !== 'user'), { role: 'user' as const, content: replacement }]),
  ]
}

function parameters(agent: Agent, ofPrompt: Record<string, unknown>): Record<string, unknown> {
  return { ...agent.settings.model.parameters, ...ofPrompt }
}

/** What a caller may know of a model's failure: the kind and the status, nothing of the server's own words. */
function publicWords({ reason, status }: ModelError): string {
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
