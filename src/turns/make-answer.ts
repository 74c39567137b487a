import { timestamp } from '../lib/clock.ts'
import { citeMarked, type MarkedCitations } from '../model/cite-marked.ts'
import type { ModelAnswer } from '../model/model.ts'
import { withRefusal } from '../model/refusal-part.ts'
import { textOfContent } from '../model/text-of-content.ts'
import { guardWhole } from '../rules/guard-stream.ts'
import type { RuledTurn } from '../rules/ruled-turn.ts'
import { answerInRounds } from './answer-in-rounds.ts'
import type { AnswerStream } from './answer-stream.ts'
import { type Asking, askModel } from './ask-model.ts'
import { pauseAnswer } from './end-turn.ts'
import { modelPrompt } from './model-prompt.ts'
import { questionBefore, questionOf } from './prompt-text.ts'
import type { StartedTurn } from './turn.ts'
import type { TurnDependencies } from './turn-dependencies.ts'
import type { TurnTools } from './turn-tools.ts'

interface Making
  extends Omit<Asking, 'marked' | 'onCut'>,
    Pick<TurnDependencies, 'clock' | 'retrieve' | 'isSpent'> {
  ruled: RuledTurn | null
  stream: AnswerStream | null
  /** Returns the tools that the model may call in this turn; null: it has no tools of the agent. */
  toolsFor: () => Promise<TurnTools | null>
}

interface Made {
  answer: ModelAnswer
  /** The score of the best passage of the agent's knowledge for the question, 0 to 1. */
  retrievalScore: number
  /** The time at which the model had answered; null: it was not asked. */
  saidAt: string | null
  /** True if the model was not told all of the conversation. */
  isCut?: boolean
  /** True if the model was not asked because the agent has used up its budget. */
  isSpent?: true
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
  const { agent, conversationId, completionId } = turn
  if (agent.settings.budget && !named.isBuiltIn) {
    const isSpent = await making.isSpent({ agent, conversationId, completionId })
    if (isSpent)
      return { answer: pauseAnswer(agent, named.name, null), retrievalScore: 0, saidAt: null, isSpent }
  }
  const guarded = await ruled?.guardPrompt()
  if (guarded && 'reply' in guarded)
    return { answer: refusal(named.name, guarded.reply), retrievalScore: 0, saidAt: null }
  // The built-in answerer searches the documents itself.
  const before = questionBefore(turn.history.messages, turn.messages)
  const context = named.isBuiltIn ? null : await retrieve(turn.agent, questionOf(turn.messages), before)
  const tools = named.isBuiltIn ? null : await making.toolsFor()
  const parts = modelPrompt(turn, {
    passages: context?.message ?? null,
    replacement: guarded?.replacement ?? null,
    inRounds: tools !== null,
  })
  const parameters = { ...turn.agent.settings.model.parameters, ...promptParameters }
  // Programs read JSON answers. These stay as the model wrote them, and name no passages.
  const marked = context && isText(parameters) ? citeMarked(context.citations) : null
  if (marked) stream?.cite(marked)
  let { isCut } = turn.history
  const onCut = () => {
    isCut = true
  }
  const asking = { ...making, marked, onCut }
  const said = tools
    ? await answerInRounds(asking, turn, parts, parameters, tools)
    : await askModel(asking, turn, parts, parameters)
  const saidAt = timestamp(clock())
  const answer = ruled?.guardsResponse && !stream ? await guardAnswer(ruled, said) : said
  return {
    answer: marked && !stream ? cited(answer, marked) : answer,
    retrievalScore: context?.score ?? said.retrieval?.score ?? 0,
    saidAt,
    isCut: isCut && !named.isBuiltIn,
  }
}

/** Adds the passages that an answer in one piece marks as used. */
function cited(answer: ModelAnswer, marked: MarkedCitations): ModelAnswer {
  const content = marked.in(answer.content)
  return { ...answer, content, citations: [...marked.used(), ...answer.citations] }
}

/** Tells whether a request asks for a text, and not for JSON. */
function isText({ response_format }: Record<string, unknown>): boolean {
  const type = (response_format as { type?: unknown } | null | undefined)?.type
  return type === undefined || type === 'text'
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
