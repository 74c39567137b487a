import type { z } from 'zod'
import type { Agent } from '../agents/agent.ts'
import type { NamedModel } from '../agents/model-of-agent.ts'
import type { Facts } from '../conditions/condition.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { ModelError } from '../model/model.ts'
import type { RedactionWork } from '../redaction/redaction-work.ts'

/** What an evaluator is given. */
export interface EvaluatorInput {
  /** The text that is scored: a prompt or a response. */
  text: string
  /** What is known around it; `prompt.text` and `response.text` give judges the context. */
  facts: Facts
  agent: Agent
}

/** What an evaluator says. */
export interface Evaluation {
  /** 0 to 1; null when the evaluator failed. */
  score: number | null
  /**
   * Whether the score reaches the threshold (with `invert`: is below it). After a failure null, neither, unless the
   * evaluator's `on_error` says what it counts as.
   */
  passed: boolean | null
  /** Why, in words. May quote the text, so it is redacted with it. */
  content: string | null
  /** Why there is no score: an `error` event is due. */
  error?: EvaluatorFailure
}

/** As the `error` event has it: no text of anybody. */
export interface EvaluatorFailure {
  code: 'evaluator_failed'
  reason: FailureReason
  evaluator_id: number
}

/**
 * - `timeout`, `unreachable`, `blocked`: of the model server or the webhook
 * - `status`: it answered with an error status
 * - `bad_answer`: what it answered holds no score
 * - `no_model`: the agent has no language model to judge with
 * - `internal`: anything else
 */
export type FailureReason =
  | 'timeout'
  | 'unreachable'
  | 'blocked'
  | 'status'
  | 'bad_answer'
  | 'no_model'
  | 'internal'

/** Thrown by a judge that cannot say. */
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
}

/** Scores a text with settings that are already read. @throws EvaluatorError, or AbortError when the signal fires */
export type Judge = (input: EvaluatorInput, signal: AbortSignal) => Verdict | Promise<Verdict>

/** What judges may need beside their settings. */
export interface JudgeDependencies {
  modelFor: (agent: Agent) => NamedModel
  /** Told of each finished model call: its outcome, and how many seconds it took. */
  modelCalled: (outcome: string, seconds: number) => void
  /** Told of each model call that failed. */
  modelFailed: (agentId: number, error: ModelError) => void
  outbound: Outbound
  /** Looks for personal data. */
  redactionWork: Pick<RedactionWork, 'run'>
  /** Opens a sealed secret of this evaluator's settings. */
  openSecret: (sealed: string) => string
  /** Which evaluator this is, for those it is told to. */
  evaluator: { id: number; name: string }
}

/** `cheap` ones take microseconds of this process; `costly` ones call somebody. */
export type EvaluatorCost = 'cheap' | 'costly'

/**
 * How far a match can reach. `whole`: all of a text decides. Else tells whether a match may begin in a text and end in
 * what follows it; what has ended by then is found in the text itself.
 */
export type Reach = 'whole' | ((text: string) => boolean)

/** One kind of evaluator: what it is set to, and how it judges. */
export interface EvaluatorKind<Settings extends z.ZodType> {
  cost: EvaluatorCost
  /** What the kind does with a text, in a line for the documentation. */
  summary: string
  settings: Settings
  /** The threshold of an evaluator that sets none. */
  threshold: number
  /** Which facts its judge asks for by name, where settings name them. */
  fields?(settings: z.output<Settings>): string[]
  /** @param threshold the score from which the evaluator passes */
  reach(settings: z.output<Settings>, threshold: number): Reach
  judge(settings: z.output<Settings>, dependencies: JudgeDependencies): Judge
}
