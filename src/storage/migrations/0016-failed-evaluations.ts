import { sql } from 'kysely'
import type { Change, Step } from '../migration.ts'

/**
 * An evaluator error is neither a pass nor a fail, and an answer that was withheld from the user is marked as withheld.
 * Stored rules keep their meaning: evaluators keep their `on_error`, and guardrails without `on_failure` follow it.
 */
export const steps: readonly Step[] = [
  mayBeNull('evaluations', 'passed'),
  mayBeNull('evaluators', 'on_error'),
  async (db) => {
    await db.schema
      .alterTable('messages')
      .addColumn('withheld', 'integer', (column) => column.notNull().defaultTo(sql`0`))
      .execute()
  },
]

function mayBeNull(table: string, column: string): Change {
  return async (db) => {
    await db.schema
      .alterTable(table)
      .alterColumn(column, (alter) => alter.dropNotNull())
      .execute()
  }
}
