import type { Kysely } from 'kysely'
import { SCRUBBED } from '../../redaction/scrubbed.ts'
import { preparedInsert } from '../../storage/prepared-insert.ts'
import type { Tables } from '../../storage/tables.ts'
import type { EvaluationRow } from '../tables.ts'

/** Stores evaluations of completions. */
export const insertEvaluations = preparedInsert<Omit<EvaluationRow, 'id'>>('evaluations', [
  'agent_id',
  'completion_id',
  'evaluator_id',
  'evaluator_name',
  'rule_id',
  'subject',
  'score',
  'passed',
  'content',
  'created_at',
])

/** Begins a query for evaluations, in order. */
export function evaluationsInOrder(db: Pick<Kysely<Tables>, 'selectFrom'>) {
  return db.selectFrom('evaluations').selectAll().orderBy('id')
}

/** Reads the evaluations of some completions. */
export async function selectEvaluationsOf(
  db: Kysely<Tables>,
  completionIds: string[],
): Promise<EvaluationRow[]> {
  if (completionIds.length === 0) return []
  return evaluationsInOrder(db).where('completion_id', 'in', completionIds).execute()
}

/** Overwrites what evaluations of a prompt quote of it. */
export async function forgetQuotes(db: Kysely<Tables>, completionId: string): Promise<void> {
  await db
    .updateTable('evaluations')
    .set({ content: SCRUBBED })
    .where('completion_id', '=', completionId)
    .where('subject', '=', 'prompt')
    .where('content', 'is not', null)
    .execute()
}
