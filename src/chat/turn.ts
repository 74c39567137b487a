import type { Agent } from '../agents/agent.ts'
import type { ModelAnswer, ModelMessage } from '../model/model.ts'
import type { Cta } from '../transcripts/completions/cta.ts'
import type { Place } from '../transcripts/conversations/place.ts'
import type { History } from '../transcripts/messages/read-history.ts'

/** A prompt that is stored and waits for its answer. */
export interface StartedTurn {
  completionId: string
  number: number
  conversationId: string
  createdAt: string
  agent: Agent
  /** What was said before; empty when the request itself brought it. */
  history: History
  /** The messages of this prompt. */
  messages: ModelMessage[]
  /** Ids of their rows. */
  messageIds: number[]
  /** Whether the agent was paused when the prompt came, everywhere or in the conversation. */
  paused: boolean
  place: TurnPlace
}

/** Where a prompt came from, as rules ask about it. */
interface TurnPlace extends Place {
  pageUrl: string | null
  userIsNew: boolean | null
}

/** How a turn ended, as it is answered. */
export interface EndedTurn extends ModelAnswer {
  completionId: string
  number: number
  conversationId: string
  createdAt: string
  /** The stored message that this answers with; null when the pause message takes a stored answer's place. */
  messageId: number | null
  /** Whether the agent was paused when the prompt came or by the time the answer was there. */
  agentPaused: boolean
  ctas: Cta[]
}
