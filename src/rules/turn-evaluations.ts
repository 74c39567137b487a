import type { Agent } from '../agents/agent.ts'
import type { Facts } from '../conditions/condition.ts'
import type { Evaluators } from '../evaluators/create-evaluators.ts'
import type { Evaluation } from '../evaluators/evaluator.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { AskedFor, Evaluated, StoredEvaluation } from './evaluated.ts'
import type { AgentRules } from './rules-of-agent.ts'

/** A rule's question to an evaluator. */
interface Question extends AskedFor {
  evaluatorId: number
  text: string
  facts: Facts
}

/** Asks the evaluators of an agent during one turn. */
export interface TurnEvaluations {
  /** Asks an evaluator about a text, only once for all rules. Null: the evaluator does not exist. */
  ask(question: Question): Promise<Evaluated | null>
  /** The evaluations to store. */
  readonly all: readonly StoredEvaluation[]
}

/** @param failed called with each evaluation that failed and will be stored */
export function turnEvaluations(
  { evaluators: present }: AgentRules,
  evaluators: Pick<Evaluators, 'evaluate'>,
  agent: Agent,
  clock: Clock,
  signal: AbortSignal,
  failed: (one: StoredEvaluation) => void,
): TurnEvaluations {
  const all: StoredEvaluation[] = []
  const asked = new Map<string, Promise<Evaluation>>()

  /** Keeps one evaluation for each evaluator and subject: the first that passed or failed, or else the last. */
  function keep(one: StoredEvaluation): void {
    const at = all.findIndex(
      ({ evaluator, subject }) => evaluator.id === one.evaluator.id && subject === one.subject,
    )
    const before = all[at]?.evaluation
    if (before?.passed || before?.error) return
    if (before) all[at] = one
    else all.push(one)
    if (one.evaluation.error) failed(one)
  }

  return {
    all,
    async ask({ evaluatorId, subject, text, facts, ruleId }) {
      const evaluator = present.get(evaluatorId)
      if (!evaluator) return null
      const key = `${evaluatorId} ${subject} ${text}`
      // The result of a condition depends on the facts, which change during the turn.
      let answer = evaluator.kind === 'condition' ? undefined : asked.get(key)
      if (!answer) {
        answer = evaluators.evaluate(evaluator, { text, facts, agent }, signal)
        asked.set(key, answer)
        const evaluation = await answer
        keep({ evaluator, evaluation, ruleId, subject, at: timestamp(clock()) })
      }
      return { evaluator, evaluation: await answer }
    },
  }
}
