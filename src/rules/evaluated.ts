import type { Kysely } from 'kysely'
import type { Evaluation } from '../evaluators/evaluator.ts'
import type { EvaluatorRow } from '../evaluators/tables.ts'
import type { EventContext } from '../events/raise.ts'
import { storableText } from '../lib/storable-text.ts'
import { SCRUBBED } from '../redaction/scrubbed.ts'
import type { Tables } from '../storage/tables.ts'
import { insertEvaluations } from '../transcripts/completions/evaluations.ts'
import type { EvaluationRow } from '../transcripts/tables.ts'

/** An evaluator and its result. */
export interface Evaluated {
  evaluator: EvaluatorRow
  evaluation: Evaluation
}

/** The rule for which an evaluator was asked first, and the text that it was asked about. */
export interface AskedFor {
  ruleId: number | null
  subject: EvaluationRow['subject']
}

/** An evaluation as it is stored. */
export interface StoredEvaluation extends Evaluated, AskedFor {
  at: string
}

/** Returns the evaluation that decided, for the event of a rule. No text, because events are not redacted. */
export function evaluationParts(evaluated: Evaluated | null) {
  if (!evaluated) return {}
  const { evaluator, evaluation } = evaluated
  return {
    evaluator: named(evaluator),
    evaluation: { score: evaluation.score, passed: evaluation.passed },
  }
}

/** The data of the `error` event of an evaluation; null when it did not fail. */
export function failurePart({ evaluation: { error }, evaluator }: Evaluated) {
  return error ? { ...error, evaluator: named(evaluator) } : null
}

/**
 * Stores the evaluations of a completion, within a transaction.
 * @param redacted whether the completion was redacted meanwhile. An evaluator's words may quote it.
 */
export async function storeEvaluations(
  db: Kysely<Tables>,
  context: Required<Pick<EventContext, 'agent_id' | 'completion_id'>>,
  redacted: boolean,
  all: readonly StoredEvaluation[],
): Promise<void> {
  const rows = all.map(({ evaluator, evaluation: { score, passed, content }, ruleId, subject, at }) => ({
    agent_id: context.agent_id,
    completion_id: context.completion_id,
    evaluator_id: evaluator.id,
    evaluator_name: evaluator.name,
    rule_id: ruleId,
    subject,
    score,
    passed: passed === null ? null : passed ? (1 as const) : (0 as const),
    content: content && (redacted ? SCRUBBED : storableText(content)),
    created_at: at,
  }))
  await insertEvaluations(db, rows)
}

/** A rule or an evaluator in the data of events. */
export function named({ id, name }: { id: number; name: string }): { id: number; name: string } {
  return { id, name }
}
