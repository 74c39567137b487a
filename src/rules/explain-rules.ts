import type { Condition, Facts } from '../conditions/condition.ts'
import { type ExplainedCondition, explainCondition } from '../conditions/explain-condition.ts'
import { evaluationFacts, withFacts } from '../conditions/facts.ts'
import type { StoredEvaluation } from './evaluated.ts'
import type { AgentRules } from './rules-of-agent.ts'

/** A rule's part in a turn. */
export interface ExplainedRule {
  kind: 'guardrail' | 'cta' | 'automation'
  id: number
  name: string
  /** True if it acted; of an automation, if it would run; null: that depends on an evaluator that was not asked. */
  acted: boolean | null
  /** The condition with a `held` at each part; null: the rule has none. */
  condition: ExplainedCondition | null
  evaluator_id: number | null
}

/** The state of a turn once rules have looked at its response. */
export interface TurnSoFar {
  rules: AgentRules
  facts: Facts
  evaluations: readonly StoredEvaluation[]
  /** Ids of the guardrails that acted, and of the calls to action that were chosen. */
  acted: { guardrails: ReadonlySet<number>; ctas: ReadonlySet<number> }
}

/** Tells for each rule of an agent whether it acted, and why. */
export function explainRules({ rules, facts, evaluations, acted }: TurnSoFar): ExplainedRule[] {
  const known = withFacts(
    facts,
    Object.assign(
      {},
      ...evaluations.map(({ evaluator, evaluation }) => evaluationFacts(evaluator.id, evaluation)),
    ),
  )
  const explained = (condition: Condition | null) => condition && explainCondition(condition, known)
  return [
    ...rules.guardrails.map(({ id, name, evaluator_id }) => {
      const hasActed = acted.guardrails.has(id)
      return { kind: 'guardrail' as const, id, name, acted: hasActed, condition: null, evaluator_id }
    }),
    ...rules.ctas.map(({ id, name, condition, evaluator_id }) => {
      const hasActed = acted.ctas.has(id)
      return {
        kind: 'cta' as const,
        id,
        name,
        acted: hasActed,
        condition: explained(condition),
        evaluator_id,
      }
    }),
    ...rules.automations.map(({ id, name, condition }) => {
      const why = explained(condition)
      return {
        kind: 'automation' as const,
        id,
        name,
        acted: why === null ? true : why.held,
        condition: why,
        evaluator_id: null,
      }
    }),
  ]
}
