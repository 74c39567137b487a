import type { Agent } from '../agents/agent.ts'
import type { NamedModel } from '../agents/model-of-agent.ts'
import { withWholeToolCalls } from '../conversations/read-history.ts'
import type { RetrievedContext } from '../knowledge/retrieve-context.ts'
import { inSpan } from '../lib/tracing.ts'
import { genAiRequest, genAiResponse } from '../model/gen-ai-attributes.ts'
import type { ModelAnswer, ModelMessage, ModelRequest } from '../model/model.ts'
import { withRefusal } from '../model/refusal-part.ts'
import { textOfContent } from '../model/text-of-content.ts'
import { guardWhole } from '../rules/guard-stream.ts'
import type { RuledTurn } from '../rules/ruled-turn.ts'
import type { AnswerStream } from './answer-stream.ts'
import { questionOf } from './prompt-text.ts'
import type { StartedTurn } from './start-turn.ts'

interface Making {
  named: NamedModel
  /** What the agent's documents say to a question. */
  retrieve: (agentId: number, question: string) => Promise<RetrievedContext | null>
  ruled: RuledTurn | null
  /** Through which the answer leaves while it is made; null: it is wanted in one piece. */
  stream: AnswerStream | null
  /** Fires when nobody wants the answer any more. */
  signal: AbortSignal
  /** Told when the model has answered. */
  called: (outcome: 'ok') => void
}

/**
 * Makes the answer to a prompt, outside of any transaction: guardrails look at the prompt, the agent's documents are
 * searched, the model is asked, and guardrails look at what it says.
 * @param promptParameters request fields that go through to the model server
 * @returns the answer, and how well the best passage of the agent's knowledge fits the question, 0 to 1
 */
export async function makeAnswer(
  { named: { model, name, isBuiltIn }, retrieve, ruled, stream, signal, called }: Making,
  turn: StartedTurn,
  promptParameters: Record<string, unknown>,
): Promise<{ answer: ModelAnswer; retrievalScore: number }> {
  const guarded = await ruled?.guardPrompt()
  if (guarded && 'reply' in guarded) return { answer: refusal(name, guarded.reply), retrievalScore: 0 }
  // The built-in answerer searches by itself.
  const context = isBuiltIn ? null : await retrieve(turn.agent.id, questionOf(turn.messages))
  const request: ModelRequest = {
    model: name,
    messages: modelMessages(turn, context?.message, guarded?.replacement),
    parameters: parameters(turn.agent, promptParameters),
  }
  const ask = () => (stream ? stream.follow(model.stream(request, signal)) : model.complete(request, signal))
  const asked = genAiRequest({ model: name, isBuiltIn, conversationId: turn.conversationId })
  const said = await inSpan(`chat ${name}`, 'client', asked, ask, genAiResponse)
  called('ok')
  const answer = ruled?.guardsResponse && !stream ? await guardAnswer(ruled, said) : said
  const isCited = answer.citations.length > 0 || answer.finish_reason === 'content_filter'
  return {
    answer: isCited ? answer : { ...answer, citations: context?.citations ?? [] },
    retrievalScore: context?.score ?? said.retrieval?.score ?? 0,
  }
}

/** What is answered in place of asking a model. */
function refusal(model: string, content: string): ModelAnswer {
  const nothing = { tool_calls: [], refusal: null, usage: null, citations: [] }
  return { ...nothing, content, finish_reason: 'content_filter', model }
}

/** Lets nothing but what was looked at leave of a message: no thoughts, nor what else stands in its parts. */
async function guardAnswer(ruled: RuledTurn, answer: ModelAnswer): Promise<ModelAnswer> {
  const { content } = answer
  const judged = { ...answer, content: Array.isArray(content) ? textOfContent(content) || null : content }
  const said = textOfContent(withRefusal(judged))
  if (said === '') return judged
  const { text, isBlocked } = await guardWhole(ruled, said)
  if (isBlocked) return { ...refusal(answer.model, text), usage: answer.usage }
  if (text === said) return judged
  // Where a text and a refusal are there, the sentences of both are one text then.
  return judged.content ? { ...judged, content: text, refusal: null } : { ...judged, refusal: text }
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
  const sent =
    replacement === undefined
      ? messages
      : [...messages.filter(({ role }) => role !== 'user'), { role: 'user' as const, content: replacement }]
  return [
    ...instructions.map((content) => ({ role: 'system' as const, content })),
    ...withWholeToolCalls(history.messages, sent),
    ...sent,
  ]
}

function parameters(agent: Agent, ofPrompt: Record<string, unknown>): Record<string, unknown> {
  return { ...agent.settings.model.parameters, ...ofPrompt }
}
