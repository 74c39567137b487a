import type { Agent } from '../agents/agent.ts'
import type { Occasion } from '../agents/occasion.ts'
import type { ModelAnswer, ModelMessage } from '../model/model.ts'
import type { Attachment } from '../transcripts/attachments.ts'
import type { Cta } from '../transcripts/citations-and-ctas.ts'
import type { PromptOrigin } from '../transcripts/conversations/prompt-origin.ts'
import type { CompletionRow } from '../transcripts/tables.ts'
import type { EarlierRounds } from './calls/turn-tools.ts'
import type { History } from './history/read-history.ts'

/** A prompt that is stored and waits for its answer. */
export interface StartedTurn {
  completionId: string
  number: number
  conversationId: string
  createdAt: string
  /** The time when this process took the turn up from another one; null: it began the turn itself. */
  takenUpAt: string | null
  /** The agent, with its texts as they are said in this conversation. */
  agent: Agent
  occasion: Occasion
  /** The end user who wrote the prompt. */
  writer: Pick<CompletionRow, 'user_id' | 'proven_id'>
  /** The earlier messages; empty when the request itself brought them. */
  history: History
  /** The messages of this prompt. */
  messages: ModelMessage[]
  /** The ids of `messages`. */
  messageIds: number[]
  /** The files of each of `messages`; absent: there are none. */
  attachments?: readonly (readonly Attachment[] | null)[]
  /** True if the agent was paused when the prompt came, everywhere or in this conversation, or the writer is blocked. */
  paused: boolean
  /** True if people have blocked the writer: nobody answers, and nobody says why. */
  blocked: boolean
  /** The rounds of tool calls that were made before the process that first answered died; absent: there were none. */
  earlier?: EarlierRounds
  origin: TurnOrigin
}

/** The origin of a prompt, for rules that ask about it. */
interface TurnOrigin extends PromptOrigin {
  pageUrl: string | null
  userIsNew: boolean | null
}

/** The end of a turn as it is answered. */
export interface EndedTurn extends ModelAnswer {
  completionId: string
  number: number
  conversationId: string
  createdAt: string
  /** Id of the stored message that is answered; null when the pause message is answered in place of a stored one. */
  messageId: number | null
  /** True if the agent was paused when the prompt came, or when the answer was ready. */
  agentPaused: boolean
  ctas: Cta[]
}

/** Returns the context of the events of a turn. */
export function turnContext({ agent, conversationId, completionId }: StartedTurn, occurred_at: string) {
  return { agent_id: agent.id, occurred_at, conversation_id: conversationId, completion_id: completionId }
}

/** Builds the end of a turn. @param how what differs from an answer that is not stored and shows no call to action */
export function endedTurn(
  { completionId, number, conversationId, createdAt }: StartedTurn,
  answer: ModelAnswer,
  how: Partial<Pick<EndedTurn, 'messageId' | 'agentPaused' | 'ctas'>>,
): EndedTurn {
  const turn = { completionId, number, conversationId, createdAt }
  return { ...turn, messageId: null, agentPaused: false, ctas: [], ...answer, ...how }
}
