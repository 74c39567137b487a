import type { Kysely } from 'kysely'
import type { ModelAnswer } from '../model/model.ts'
import type { TurnRules } from '../rules/turn-rules.ts'
import type { Tables } from '../storage/tables.ts'
import type { Cta } from '../transcripts/citations-and-ctas.ts'

/** The end of a turn in which a model was asked. */
interface AskedEnd {
  /** The answer as it was made, or what was made of it by the end. */
  answer: ModelAnswer
  /** The time of the first piece; null when `response_start` was raised already. */
  startedAt: string | null
  /** The agent's rules in this turn; null: it has none. */
  rules: TurnRules | null
  /** True if the user asked for a person. */
  asksForPerson: boolean
  now: string
}

/** The end of a turn that has an answer. */
export interface AnsweredEnd extends AskedEnd {
  kind: 'answered'
  /** True if a part of the answer was sent while it was made. */
  hasLeft: boolean
  ctas: Cta[]
  /** True if the agent had an answer. */
  answered: boolean
  /** The score of the best passage of the agent's knowledge for the question, 0 to 1. */
  retrievalScore: number
  /** Notes the question if it had no good answer, in the transaction that stores the answer. */
  noteGaps: (db: Kysely<Tables>) => Promise<void>
  /** True if the model was not told all of the conversation, whose oldest turns are to be summarized. */
  isTooLong: boolean
}

/** The end of a turn that a pause stopped. */
interface StoppedEnd extends AskedEnd {
  kind: 'stopped'
  hasLeft: boolean
}

/** The end of a turn whose model failed, or that nobody waits for any more. */
interface BrokenEnd extends AskedEnd {
  kind: 'broken'
  /** Null: the client went away. */
  failure: { code: string; reason: string } | null
}

/** The end of a turn: of one that was answered, stopped, or broken. */
export type TurnEnd = AnsweredEnd | StoppedEnd | BrokenEnd
