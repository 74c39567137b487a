import type { Kysely } from 'kysely'
import { type ComparisonOutcome, compareEach } from '../conditions/compare-each.ts'
import type { Condition, Facts } from '../conditions/condition.ts'
import { evaluationFacts, withFacts } from '../conditions/facts.ts'
import { preparedInsert } from '../storage/prepared-insert.ts'
import type { Tables } from '../storage/tables.ts'
import { type Evaluated, evaluationParts, type StoredEvaluation } from './evaluated.ts'
import type { RuleLogRow } from './tables.ts'

/** The entry of a rule that fired or failed, for its log. */
interface RuleOutcome {
  rule_id: number
  outcome: RuleLogRow['outcome']
  reason: RuleLogRow['reason']
  conditions: ComparisonOutcome[]
  /** The result of the evaluator that decided; empty: none did. */
  evaluation: ReturnType<typeof evaluationParts>
  at: string
}

const insert = preparedInsert<Omit<RuleLogRow, 'id'>>('rule_log', [
  'agent_id',
  'rule_id',
  'conversation_id',
  'completion_id',
  'at',
  'outcome',
  'reason',
  'conditions',
  'evaluation',
])

/** Logs the rules that fired or failed, in the transaction that stores what they did. */
export async function logRules(
  db: Kysely<Tables>,
  {
    agent_id,
    conversation_id,
    completion_id,
  }: Pick<RuleLogRow, 'agent_id' | 'conversation_id' | 'completion_id'>,
  outcomes: readonly RuleOutcome[],
): Promise<void> {
  const rows = outcomes.map(({ rule_id, outcome, reason, conditions, evaluation, at }) => ({
    agent_id,
    rule_id,
    conversation_id,
    completion_id,
    at,
    outcome,
    reason,
    conditions: conditions.length > 0 ? JSON.stringify(conditions) : null,
    evaluation: Object.keys(evaluation).length > 0 ? JSON.stringify(evaluation) : null,
  }))
  await insert(db, rows)
}

/** The entry of a rule that fired. @param evaluated the evaluation that decided; null: none did */
export function firedRule(
  rule_id: number,
  at: string,
  evaluated: Evaluated | null,
  conditions: ComparisonOutcome[] = [],
): RuleOutcome {
  const reason = evaluated?.evaluation.error ? 'evaluator_failed' : null
  return { rule_id, outcome: 'fired', reason, conditions, evaluation: evaluationParts(evaluated), at }
}

/** The entries of rules that did not fire and for which an evaluator failed. */
export function failedRules(
  evaluations: readonly StoredEvaluation[],
  fired: readonly { rule_id: number }[],
): RuleOutcome[] {
  const ids = new Set(fired.map(({ rule_id }) => rule_id))
  return evaluations.flatMap((one) => {
    if (!one.evaluation.error || one.ruleId === null || ids.has(one.ruleId)) return []
    const reason = 'evaluator_failed' as const
    const evaluation = evaluationParts(one)
    return [
      { rule_id: one.ruleId, outcome: 'failed' as const, reason, conditions: [], evaluation, at: one.at },
    ]
  })
}

/** Tells how each comparison of a rule's condition came out, with the results of evaluators. */
export function explained(
  condition: Condition | null | undefined,
  facts: Facts,
  evaluations: readonly StoredEvaluation[],
): ComparisonOutcome[] {
  if (!condition) return []
  const said = evaluations.map(({ evaluator, evaluation }) => evaluationFacts(evaluator.id, evaluation))
  return compareEach(condition, withFacts(facts, Object.assign({}, ...said)))
}
