import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/**
 * A notification is leased as a whole, instead of a slot for each delivery under way. Automation jobs that fail
 * repeatedly are tried after growing pauses, and then parked.
 */
export async function up(db: Kysely<Tables>, _engine: Engine): Promise<void> {
  const alter = db.schema.alterTable.bind(db.schema)

  await db.schema.dropTable('notification_slots').execute()
  await alter('notifications')
    .addColumn('lease', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await alter('notifications').addColumn('leased_until', 'text').execute()
  await alter('notifications').addColumn('holder', 'text').execute()

  await alter('automation_jobs')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await alter('automation_jobs')
    .addColumn('due_at', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema.dropIndex('automation_jobs_waiting').execute()
  await db.schema.dropIndex('automation_jobs_done').execute()
  await db.schema
    .createIndex('automation_jobs_due')
    .on('automation_jobs')
    .columns(['due_at', 'id'])
    .where(sql<boolean>`state = 'waiting'`)
    .execute()
  await db.schema
    .createIndex('automation_jobs_ended')
    .on('automation_jobs')
    .columns(['created_at'])
    .where(sql<boolean>`state <> 'waiting'`)
    .execute()
}
