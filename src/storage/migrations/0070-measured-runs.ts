import { sql } from 'kysely'
import { index, type Step } from '../migration.ts'

/** Lets a run ask each case several times, and keeps what its answers cost and what they were made from. */
export const steps: readonly Step[] = [
  async (db) => {
    // SQLite adds one column a statement.
    const runs = db.schema.alterTable('test_runs')
    await runs.addColumn('repeats', 'integer', (column) => column.notNull().defaultTo(1)).execute()
    await runs.addColumn('done', 'integer').execute()
    await runs.addColumn('cost_limit', 'real').execute()
    await runs.addColumn('documents', 'text').execute()
  },
  async (db, engine) => {
    const results = db.schema.alterTable('test_results')
    await results.addColumn('repeat', 'integer', (column) => column.notNull().defaultTo(1)).execute()
    await results.addColumn('first_id', engine.identityType).execute()
    await results.addColumn('measured', 'text').execute()
    await results.addColumn('dialogue', 'text').execute()
  },
  index('test_results_first', (create) =>
    create.on('test_results').columns(['first_id']).where(sql.ref('first_id'), 'is not', null),
  ),
]
