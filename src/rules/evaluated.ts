import type { Kysely } from 'kysely'
import type { Evaluation } from '../evaluators/evaluator.ts'
import type { RaisedEvent } from '../events/raise.ts'
import { storableText } from '../lib/storable-text.ts'
import { SCRUBBED } from '../redaction/scrubbed.ts'
import type { EvaluationRow, EvaluatorRow, Tables } from '../storage/tables.ts'
import { insertEvaluations } from './store.ts'

/** What an evaluator said. */
export interface Evaluated {
  evaluator: EvaluatorRow
  evaluation: Evaluation
}

/** For which rule it was asked first, and about which text. */
export interface AskedFor {
  ruleId: number | null
  subject: EvaluationRow['subject']
}

/** What the event of a rule tells of the evaluation that decided: no text, since events are kept. */
export function evaluationParts(evaluated: Evaluated | null) {
  if (!evaluated) return {}
  const { evaluator, evaluation } = evaluated
  return {
    evaluator: named(evaluator),
    evaluation: { score: evaluation.score, passed: evaluation.passed },
  }
}

/**
 * Stores what evaluators said of a completion, within a transaction.
 * @param redacted whether the completion was redacted meanwhile: what was said may quote it
 * @returns the events to raise with it: an `error` for each that failed
 */
export async function storeEvaluations(
  db: Kysely<Tables>,
  context: Required<Pick<RaisedEvent, 'agent_id' | 'occurred_at' | 'conversation_id' | 'completion_id'>>,
  redacted: boolean,
  all: readonly (Evaluated & AskedFor)[],
): Promise<RaisedEvent[]> {
  const rows = all.map(({ evaluator, evaluation: { score, passed, content }, ruleId, subject }) => ({
    agent_id: context.agent_id,
    completion_id: context.completion_id,
    evaluator_id: evaluator.id,
    evaluator_name: evaluator.name,
    rule_id: ruleId,
    subject,
    score,
    passed: passed ? (1 as const) : (0 as const),
    content: content && (redacted ? SCRUBBED : storableText(content)),
    created_at: context.occurred_at,
  }))
  await insertEvaluations(db, rows)
  return all.flatMap(({ evaluation: { error }, evaluator }): RaisedEvent[] =>
    error ? [{ ...context, key: 'error', data: { ...error, evaluator: named(evaluator) } }] : [],
  )
}

/** A rule or an evaluator as events tell it. */
export function named({ id, name }: { id: number; name: string }): { id: number; name: string } {
  return { id, name }
}
