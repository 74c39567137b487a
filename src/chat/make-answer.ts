import type { NamedModel } from '../agents/model-of-agent.ts'
import { timestamp } from '../lib/clock.ts'
import { inSpan } from '../lib/tracing/tracing.ts'
import { type ContextParts, type FittedContext, fitContext } from '../model/fit-context.ts'
import { genAiRequest, genAiResponse } from '../model/gen-ai-attributes.ts'
import { type ModelAnswer, ModelError, type ModelMessage, type ModelRequest } from '../model/model.ts'
import { withRefusal } from '../model/refusal-part.ts'
import { textOfContent } from '../model/text-of-content.ts'
import { guardWhole } from '../rules/guard-stream.ts'
import type { RuledTurn } from '../rules/ruled-turn.ts'
import { MARKS } from '../transcripts/messages/as-model-message.ts'
import { withWholeToolCalls } from '../transcripts/messages/read-history.ts'
import type { AnswerStream } from './answer-stream.ts'
import { questionOf } from './prompt-text.ts'
import { newMessages } from './request.ts'
import type { StartedTurn } from './turn.ts'
import type { TurnDependencies } from './turn-dependencies.ts'

interface Making
  extends Pick<TurnDependencies, 'clock' | 'retrieve' | 'rooms' | 'modelCalled' | 'modelFailed'> {
  named: NamedModel
  ruled: RuledTurn | null
  /** Sends the answer while it is made; null: it is wanted in one piece. */
  stream: AnswerStream | null
  /** Fires when nobody wants the answer any more. */
  signal: AbortSignal
}

interface Made {
  answer: ModelAnswer
  /** How well the best passage of the agent's knowledge fits the question, 0 to 1. */
  retrievalScore: number
  /** When the model had answered; null: it was not asked. */
  saidAt: string | null
}

/**
 * Makes the answer to a prompt, outside of any transaction: guardrails look at the prompt, the agent's documents are
 * searched, the model is asked, and guardrails look at what it says.
 * @param promptParameters request fields that go through to the model server
 * @throws ModelError, AbortError
 */
export async function makeAnswer(
  making: Making,
  turn: StartedTurn,
  promptParameters: Record<string, unknown>,
): Promise<Made> {
  const { named, clock, retrieve, ruled, stream } = making
  const guarded = await ruled?.guardPrompt()
  if (guarded && 'reply' in guarded)
    return { answer: refusal(named.name, guarded.reply), retrievalScore: 0, saidAt: null }
  // The built-in answerer searches the documents itself.
  const context = named.isBuiltIn ? null : await retrieve(turn.agent.id, questionOf(turn.messages))
  const parts = contextParts(turn, context?.message, guarded?.replacement)
  const parameters = { ...turn.agent.settings.model.parameters, ...promptParameters }
  const { said, hasPassages } = await askModel(making, turn, parts, parameters)
  const saidAt = timestamp(clock())
  const answer = ruled?.guardsResponse && !stream ? await guardAnswer(ruled, said) : said
  const isCited = answer.citations.length > 0 || answer.finish_reason === 'content_filter' || !hasPassages
  return {
    answer: isCited ? answer : { ...answer, citations: context?.citations ?? [] },
    retrievalScore: context?.score ?? said.retrieval?.score ?? 0,
    saidAt,
  }
}

/** Asks with what fits, and again with half of that if the model can read less than the agent's settings say. */
async function askModel(
  { named: { model, name, isBuiltIn }, rooms, stream, signal, modelCalled, modelFailed }: Making,
  { agent, conversationId }: StartedTurn,
  parts: ContextParts,
  parameters: Record<string, unknown>,
): Promise<{ said: ModelAnswer; hasPassages: boolean }> {
  const room = rooms.of(conversationId, agent, parameters)
  const fitted = fitContext(parts, room.tokens)
  try {
    return await ask(fitted)
  } catch (error) {
    const isTooLong = error instanceof ModelError && error.isContextExceeded && !stream?.hasLeft()
    const half = fitContext(parts, fitted.tokens / 2)
    if (!isTooLong || half.tokens >= fitted.tokens) throw error
    const answered = await ask(half)
    room.shrink(half.tokens)
    return answered
  }

  async function ask({ messages, tokens, hasPassages }: FittedContext) {
    const request: ModelRequest = { model: name, messages, parameters }
    const started = performance.now()
    const ended = (outcome: string) => modelCalled(outcome, (performance.now() - started) / 1000)
    const call = () =>
      stream ? stream.follow(model.stream(request, signal)) : model.complete(request, signal)
    try {
      const asked = genAiRequest({ model: name, isBuiltIn, conversationId })
      const said = await inSpan(`chat ${name}`, 'client', asked, call, genAiResponse)
      ended('ok')
      if (!isBuiltIn) room.correct(tokens, said.usage)
      return { said, hasPassages }
    } catch (error) {
      const isModelError = error instanceof ModelError
      ended(signal.aborted ? 'aborted' : isModelError ? error.reason : 'internal')
      if (isModelError && !signal.aborted) modelFailed(agent.id, error)
      throw error
    }
  }
}

/** A guardrail's reply as an answer. */
function refusal(model: string, content: string): ModelAnswer {
  const nothing = { tool_calls: [], refusal: null, usage: null, citations: [] }
  return { ...nothing, content, finish_reason: 'content_filter', model }
}

/** Lets guardrails look at an answer, and reduces it to what they looked at: no thoughts, and no parts without text. */
async function guardAnswer(ruled: RuledTurn, answer: ModelAnswer): Promise<ModelAnswer> {
  const { content } = answer
  const judged = { ...answer, content: Array.isArray(content) ? textOfContent(content) || null : content }
  const said = textOfContent(withRefusal(judged))
  if (said === '') return judged
  const { text, isBlocked } = await guardWhole(ruled, said)
  if (isBlocked) return { ...refusal(answer.model, text), usage: answer.usage }
  if (text === said) return judged
  // If the answer had both a text and a refusal, they are one text now.
  return judged.content ? { ...judged, content: text, refusal: null } : { ...judged, refusal: text }
}

const BACK_AGAIN =
  'A person took part in this conversation or the assistant was paused. You are active again: go on and answer, ' +
  'whatever was said before about a pause or a person taking over.'

/**
 * @param passages what the agent's documents say
 * @param replacement what the model sees in place of what the user wrote
 */
function contextParts(
  { agent, history, messages }: StartedTurn,
  passages?: string,
  replacement?: string,
): ContextParts {
  const sent =
    replacement === undefined
      ? messages
      : [...messages.filter(({ role }) => role !== 'user'), { role: 'user' as const, content: replacement }]
  const prompt = newMessages(sent)
  const ofPeople = [history.hasMarks ? MARKS : '', history.interrupted ? BACK_AGAIN : ''].filter(Boolean)
  const instructions = [agent.settings.instructions, ofPeople.join(' ')].filter((text) => text !== '')
  return {
    instructions: instructions.map(system),
    passages: passages === undefined ? null : system(passages),
    // A client may send the whole conversation. All of it but the prompt belongs to the history.
    history: [...withWholeToolCalls(history.messages, sent), ...sent.slice(0, sent.length - prompt.length)],
    prompt,
  }
}

function system(content: string): ModelMessage {
  return { role: 'system', content }
}
