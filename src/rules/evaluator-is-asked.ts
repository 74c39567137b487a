import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'

/** Tells whether a rule uses an evaluator, which then cannot be deleted. */
export async function evaluatorIsAsked(db: Kysely<Tables>, evaluatorId: number): Promise<boolean> {
  const row = await db
    .selectFrom('rule_evaluators')
    .select('rule_id')
    .where('evaluator_id', '=', evaluatorId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
