import { sql } from 'kysely'
import { index, type Step } from '../migration.ts'

/**
 * A notification is leased as a whole, instead of a slot for each delivery under way. Automation jobs that fail
 * repeatedly are tried after growing pauses, and then parked.
 */
export const steps: readonly Step[] = [
  async (db) => {
    await db.schema.dropTable('notification_slots').execute()
  },
  async (db) => {
    await db.schema
      .alterTable('notifications')
      .addColumn('lease', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    for (const column of ['leased_until', 'holder'])
      await db.schema.alterTable('notifications').addColumn(column, 'text').execute()
  },
  async (db) => {
    await db.schema
      .alterTable('automation_jobs')
      .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('automation_jobs')
      .addColumn('due_at', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  },
  index('automation_jobs_due', (create) =>
    create.on('automation_jobs').columns(['due_at', 'id']).where(sql<boolean>`state = 'waiting'`),
  ),
  index('automation_jobs_ended', (create) =>
    create.on('automation_jobs').column('created_at').where(sql<boolean>`state <> 'waiting'`),
  ),
  async (db) => {
    for (const name of ['automation_jobs_waiting', 'automation_jobs_done'])
      await db.schema.dropIndex(name).execute()
  },
]
