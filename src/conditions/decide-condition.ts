import type { Condition, Facts } from './condition.ts'
import { settleCondition } from './evaluate-condition.ts'
import { evaluatorsOf } from './evaluators-of.ts'
import { evaluationFacts, withFacts } from './facts.ts'

/** Runs an evaluator and returns the parts of its result that a condition needs; null: there is no such evaluator. */
type AskEvaluator = (id: number) => Promise<{ score: number | null; passed: boolean | null } | null>

/** Decides whether a condition holds. Runs evaluators one by one, and only those that can still change the outcome. */
export async function decideCondition(
  condition: Condition,
  facts: Facts,
  ask: AskEvaluator,
): Promise<boolean> {
  let known = facts
  for (;;) {
    const settled = settleCondition(condition, known)
    if (settled !== null) return settled
    const [id] = openEvaluators(condition, known) as [number]
    known = withFacts(known, evaluationFacts(id, await ask(id)))
  }
}

/** Lists the evaluators of the parts that are not settled yet. */
function openEvaluators(condition: Condition, facts: Facts): number[] {
  if (settleCondition(condition, facts) !== null) return []
  if ('all' in condition) return condition.all.flatMap((part) => openEvaluators(part, facts))
  if ('any' in condition) return condition.any.flatMap((part) => openEvaluators(part, facts))
  return 'not' in condition ? openEvaluators(condition.not, facts) : evaluatorsOf(condition)
}
