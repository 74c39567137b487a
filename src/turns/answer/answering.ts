import type { NamedModel } from '../../agents/model-of-agent.ts'
import type { GapReason } from '../../knowledge/unanswered/gap-reasons.ts'
import type { MarkedCitations } from '../../model/cite-marked.ts'
import type { ContextParts } from '../../model/fit-context.ts'
import type { ModelAnswer } from '../../model/model.ts'
import type { TurnRules } from '../../rules/turn-rules.ts'
import type { Tool } from '../../tools/tool.ts'
import type { TurnTools } from '../calls/turn-tools.ts'
import type { StartedTurn } from '../turn.ts'
import type { TurnDependencies } from '../turn-dependencies.ts'
import type { AnswerStream } from './answer-stream.ts'

/** The dependencies of making an answer, which may be one that is only tried out. */
export type AnswerDependencies = Pick<
  TurnDependencies,
  | 'clock'
  | 'files'
  | 'retrieve'
  | 'rewrite'
  | 'searchFurther'
  | 'borderOf'
  | 'isSpent'
  | 'rooms'
  | 'modelFailed'
>

/** A turn while its answer is made. */
export interface Answering {
  turn: StartedTurn
  named: NamedModel
  /** The agent's rules in this turn; null: it has none. */
  rules: TurnRules | null
  /** Sends the answer while it is made; null: it is wanted in one piece. */
  stream: AnswerStream | null
  /** Fires when nobody wants the answer any more. */
  signal: AbortSignal
  /** True if the user asks for a person. */
  asksForPerson: boolean
  /**
   * Returns the tools that the model may call in this turn; null: it has no tools of the agent.
   * @param search searches the agent's documents; null: the model may not
   */
  toolsFor: (search: Tool | null) => Promise<TurnTools | null>
}

/** A request to a model, before it is known how much of it fits. */
export interface Asked {
  prompt: ContextParts
  /** The request's fields beside the messages. */
  parameters: Record<string, unknown>
  /** The passages that the answer marks as used; null: it marks none. */
  marked: MarkedCitations | null
}

/** The answer of a model. */
export interface Said {
  said: ModelAnswer
  /** True if turns of the conversation did not fit. */
  isCut: boolean
}

/** An answer that was made. */
export interface Made {
  answer: ModelAnswer
  /** The score of the best passage of the agent's knowledge for the question, 0 to 1. */
  retrievalScore: number
  /** The reasons for which the question counts as unanswered; empty when it is answered. */
  gaps: GapReason[]
  /** The time at which the model had answered; null: it was not asked. */
  saidAt: string | null
  /** True if the model was not told all of the conversation. */
  isCut: boolean
  /** True if the model was not asked because the agent has used up its budget. */
  isSpent: boolean
}
