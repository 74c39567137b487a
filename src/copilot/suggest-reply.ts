import type { Agent } from '../agents/agent.ts'
import { inConversation } from '../agents/in-conversation.ts'
import type { NamedModel } from '../agents/model-of-agent.ts'
import { ApiError } from '../errors.ts'
import { bestTag } from '../language/best-tag.ts'
import { timestamp } from '../lib/clock.ts'
import { uuidv7 } from '../lib/ids.ts'
import { withoutMarkers } from '../model/cite-marked.ts'
import type { Citation, ModelAnswer, ModelMessage, ModelPiece } from '../model/model.ts'
import { textOfContent } from '../model/text-of-content.ts'
import { readOccasion } from '../transcripts/conversations/occasion.ts'
import { promptOrigin } from '../transcripts/conversations/prompt-origin.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import { answerStream } from '../turns/answer/answer-stream.ts'
import { readHistory } from '../turns/history/read-history.ts'
import { makeAnswer } from '../turns/make-answer.ts'
import { triedTools } from '../turns/try/tried-tools.ts'
import type { StartedTurn } from '../turns/turn.ts'
import { type CopilotDependencies, noWholeText, requireModel, withModel } from './copilot.ts'
import { replyTask } from './wording.ts'

/** The wishes of the person who asks for a reply. */
interface ReplyWish {
  instruction: string | null
  /** The text that they have written so far. */
  draft: string | null
}

/** A reply that a model suggests. It is stored nowhere. */
interface SuggestedReply {
  /** With the numbers of its citations; empty: the built-in answerer found no answer. */
  content: string
  /** The same without the numbers, as it can be sent. */
  draft: string
  citations: Citation[]
  model: string
}

/** The fewest messages that a model is told, also of an agent that remembers none. */
const LEAST_HISTORY = 20

/**
 * Has the agent's model draft a reply from the conversation and the knowledge, as a turn would answer. Tools of the
 * agent are not called, its rules are not asked, and nothing is stored: a person decides about each word.
 * @param onText gets each piece
 * @throws ApiError nothing_to_say, model_needed, budget_reached, model_failed, masking_failed
 */
export function suggestReply(
  dependencies: CopilotDependencies,
  conversation: ConversationRow,
  wish: ReplyWish,
  signal: AbortSignal,
  onText: (text: string) => Promise<void>,
): Promise<SuggestedReply> {
  return withModel(dependencies, conversation, 'suggestion', async (agent, named) => {
    if (wish.instruction !== null || wish.draft !== null) requireModel(named)
    const turn = await draftingTurn(dependencies, agent, conversation, wish)
    const answer = await draft(dependencies, turn, named, signal, onText)
    const content = textOfContent(answer.content)
    const { citations, model, retrieval } = answer
    if (retrieval?.answered === false || content.trim() === '') {
      if (!named.isBuiltIn) throw noWholeText()
      return { content: '', draft: '', citations: [], model }
    }
    return { content, draft: withoutMarkers(content, citations.length).trim(), citations, model }
  })
}

async function draft(
  dependencies: CopilotDependencies,
  turn: StartedTurn,
  named: NamedModel,
  signal: AbortSignal,
  onText: (text: string) => Promise<void>,
): Promise<ModelAnswer> {
  const { clock } = dependencies
  const tell = async (pieces: ModelPiece[]) => {
    // The stand-in text for an unknown answer is not suggested.
    const told = pieces.filter(({ retrieval }) => retrieval?.answered !== false)
    const text = told.map(({ delta }) => delta.content ?? '').join('')
    if (text !== '') await onText(text)
  }
  // Not streamed from the built-in answerer: whether it knows the answer is known only at the end.
  const stream = named.isBuiltIn ? null : answerStream(clock, named.name, null, async () => true, tell)
  const { toolsFor } = triedTools(null, turn.agent, false, signal)
  const answering = { turn, named, rules: null, stream, signal, asksForPerson: false }
  const { answer } = await makeAnswer(
    dependencies,
    { ...answering, toolsFor: async (search) => toolsFor(search) },
    null,
    {},
  )
  if (!stream) await tell([{ ...answer, delta: { content: textOfContent(answer.content) } }])
  return answer
}

/** Builds a turn as if the user's last message had just come. */
async function draftingTurn(
  { db, clock }: CopilotDependencies,
  agent: Agent,
  conversation: ConversationRow,
  wish: ReplyWish,
): Promise<StartedTurn> {
  const nowMs = clock()
  const writer = { user_id: conversation.user_id, proven_id: null }
  const origin = promptOrigin(conversation, conversation.channel_id, writer.user_id)
  const occasion = await readOccasion(db, agent.id, origin, writer, nowMs)
  const limit = Math.max(agent.settings.history_limit, LEAST_HISTORY)
  const history = await readHistory(db, conversation.id, limit)
  const { before, asked, since } = aroundLastPrompt(history.messages)
  const prompt = asked.length > 0 ? asked : inPlaceOfPrompt(wish)
  const task = replyTask({ ...wish, since: saidIn(since) })
  return {
    completionId: uuidv7(nowMs),
    number: 0,
    conversationId: conversation.id,
    createdAt: timestamp(nowMs),
    takenUpAt: null,
    agent: asWriter(inConversation(agent, occasion), task, occasion.language ?? 'en'),
    occasion,
    writer,
    history: { ...history, messages: before, interrupted: false },
    messages: prompt,
    messageIds: [],
    paused: false,
    blocked: false,
    origin: { ...origin, pageUrl: null, userIsNew: null },
  }
}

/** Returns the agent with a task behind its own rules, and without the wish to hand over to people. */
function asWriter(agent: Agent, task: string, language: string): Agent {
  const { answer_rules, texts } = agent.settings
  const said = { ...texts[bestTag(Object.keys(texts), language) ?? ''], offer: '' }
  const settings = {
    answer_rules: [answer_rules, task].filter((text) => text.trim() !== '').join('\n\n'),
    texts: { ...texts, [language]: said },
    handoff: false,
  }
  return { ...agent, settings: { ...agent.settings, ...settings } }
}

/** Splits a conversation at what the user wrote last. */
function aroundLastPrompt(messages: ModelMessage[]) {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const before = messages.slice(0, last + 1).findLastIndex(({ role }) => role !== 'user') + 1
  return {
    before: messages.slice(0, before),
    asked: messages.slice(before, last + 1),
    since: messages.slice(last + 1),
  }
}

function saidIn(messages: readonly ModelMessage[]): string {
  const said = messages
    .filter(({ role }) => role === 'assistant')
    .map(({ content }) => textOfContent(content))
  return said.filter((text) => text !== '').join('\n\n')
}

/** Returns a stand-in for the prompt when the user has written nothing yet. @throws ApiError nothing_to_say */
function inPlaceOfPrompt({ instruction, draft }: ReplyWish): ModelMessage[] {
  const content = instruction ?? draft
  if (content === null) throw new ApiError('nothing_to_say')
  return [{ role: 'user', content }]
}
