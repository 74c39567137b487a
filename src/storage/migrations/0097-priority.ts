import { sql } from 'kysely'
import { index, type Step } from '../migration.ts'

/** Adds the priority of a conversation, 1 to 4 for urgent to low. The inbox finds the few that are not normal by it. */
export const steps: readonly Step[] = [
  ...['conversations', 'inbox_rows'].map(
    (table): Step =>
      async (db) =>
        db.schema
          .alterTable(table)
          .addColumn('priority', 'integer', (column) => column.notNull().defaultTo(3))
          .execute(),
  ),
  index('inbox_rows_priority', (create) =>
    create
      .on('inbox_rows')
      .columns(['agent_id', 'state', 'priority', 'last_message_id', 'sequence'])
      .where(sql.ref('priority'), '!=', 3),
  ),
]
