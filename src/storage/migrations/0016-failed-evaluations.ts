import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/**
 * An evaluator error is neither a pass nor a fail, and an answer that was withheld from the user is marked as withheld.
 * Stored rules keep their meaning: evaluators keep their `on_error`, and guardrails without `on_failure` follow it.
 */
export async function up(db: Kysely<Tables>, _engine: Engine): Promise<void> {
  await db.schema
    .alterTable('evaluations')
    .alterColumn('passed', (column) => column.dropNotNull())
    .execute()
  await db.schema
    .alterTable('evaluators')
    .alterColumn('on_error', (column) => column.dropNotNull())
    .execute()
  await db.schema
    .alterTable('messages')
    .addColumn('withheld', 'integer', (column) => column.notNull().defaultTo(sql`0`))
    .execute()
}
