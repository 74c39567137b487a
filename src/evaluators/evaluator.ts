import type { z } from 'zod'
import type { Agent } from '../agents/agent.ts'
import type { NamedModel } from '../agents/model-of-agent.ts'
import type { Facts } from '../conditions/condition.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { ModelError } from '../model/model.ts'
import type { RedactionWork } from '../redaction/redaction-work.ts'

/** The input of an evaluator. */
export interface EvaluatorInput {
  /** The text that is scored: a prompt or a response. */
  text: string
  /** The facts around the text. `prompt.text` and `response.text` give judges the context. */
  facts: Facts
  agent: Agent
  /** Tells whether the agent's budget is used up, so that no model is asked. Absent: that does not matter. */
  isSpent?: () => Promise<boolean>
}

/** The result of an evaluator. */
export interface Evaluation {
  /** 0 to 1; null when the evaluator failed. */
  score: number | null
  /**
   * True if the score reaches the threshold; with `invert`, if it is below. After a failure null, unless the
   * evaluator's `on_error` says what a failure counts as.
   */
  passed: boolean | null
  /** The reason in words. May quote the text, and is redacted with it. */
  content: string | null
  /** The reason why there is no score. When set, the caller raises an `error` event. */
  error?: EvaluatorFailure
}

/** The failure as the `error` event reports it, without anybody's text. */
interface EvaluatorFailure {
  code: 'evaluator_failed'
  reason: FailureReason
  evaluator_id: number
}

/**
 * - `timeout`, `unreachable`, `blocked`: the call to the model server or the webhook failed
 * - `status`: it answered with an error status
 * - `bad_answer`: its answer contains no score, or several
 * - `no_model`: the agent has no language model to judge with
 * - `budget_reached`: the agent has used up its budget
 * - `internal`: anything else
 */
export const evaluatorFailures = [
  'timeout',
  'unreachable',
  'blocked',
  'status',
  'bad_answer',
  'no_model',
  'budget_reached',
  'internal',
] as const

export type FailureReason = (typeof evaluatorFailures)[number]

/** The error of a judge that cannot give a verdict. */
export class EvaluatorError extends Error {
  readonly reason: FailureReason

  constructor(reason: FailureReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EvaluatorError'
    this.reason = reason
  }
}

export interface Verdict {
  score: number
  content: string | null
  /** True when the text does not tell: then it does not pass, whatever the threshold, with `invert` or without. */
  isUnsure?: true
}

/**
 * Scores a text with settings that have already been read.
 * @throws EvaluatorError, or AbortError when the signal fires
 */
export type Judge = (input: EvaluatorInput, signal: AbortSignal) => Verdict | Promise<Verdict>

/** The dependencies of judges, besides their settings. */
export interface JudgeDependencies {
  modelFor: (agent: Agent) => NamedModel
  /** Called after each failed model call. */
  modelFailed: (agentId: number, error: ModelError) => void
  outbound: Pick<Outbound, 'of'>
  /** Finds personal data. */
  redactionWork: Pick<RedactionWork, 'run'>
  /** Opens a sealed secret of this evaluator's settings for an address; null when it belongs to another origin. */
  openSecret: (sealed: string, url: string) => string | null
  /** The evaluator, for judges that report it elsewhere. */
  evaluator: { id: number; name: string }
}

/** `cheap` evaluators take microseconds of this process; `costly` ones call another server. */
export type EvaluatorCost = 'cheap' | 'costly'

/**
 * The reach of a match. `whole`: only the whole text decides. A function: tells whether a match may begin in a text and
 * end in what follows. Matches that have already ended are found in the text itself.
 */
export type Reach = 'whole' | ((text: string) => boolean)

/** One kind of evaluator: its settings, and how it judges. */
export interface EvaluatorKind<Settings extends z.ZodType> {
  cost: EvaluatorCost
  /** A line for the documentation that says what the kind does with a text. */
  summary: string
  settings: Settings
  /** The threshold of an evaluator that sets none. */
  threshold: number
  /** The facts that the judge uses, when the settings name facts. */
  fields?(settings: z.output<Settings>): string[]
  /** Tells how far a match can reach. @param threshold the score from which the evaluator passes */
  reach(settings: z.output<Settings>, threshold: number): Reach
  judge(settings: z.output<Settings>, dependencies: JudgeDependencies): Judge
}
