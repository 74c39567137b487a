import type { Agent } from '../agents/agent.ts'
import type { Facts } from '../conditions/condition.ts'
import type { Evaluators } from '../evaluators/create-evaluators.ts'
import type { Evaluation } from '../evaluators/evaluator.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { AskedFor, Evaluated, StoredEvaluation } from './evaluated.ts'
import type { AgentRules } from './rules-of-agent.ts'

/** What a rule asks an evaluator. */
interface Question extends AskedFor {
  evaluatorId: number
  text: string
  facts: Facts
}

/** The evaluators of an agent in one turn. */
export interface TurnEvaluations {
  /** Asks an evaluator about a text, once however many rules want to know. Null: there is no such evaluator. */
  ask(question: Question): Promise<Evaluated | null>
  /** What was said, as it is stored. */
  readonly all: readonly StoredEvaluation[]
}

/** @param failed told of each evaluation that is stored as failed, when it fails */
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

  /** Of an evaluator that is asked about one part of a response after the other, what it passed or failed by is kept. */
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
      // What a condition says depends on what is known by now.
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
