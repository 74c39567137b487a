import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { index, type Step } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** Adds the scope of people, the inbox's counts by group, and its order of what was somebody's and has ended. */
export const steps: readonly Step[] = [
  async (db) => {
    await db.schema
      .alterTable('operators')
      .addColumn('scope', 'text', (column) => column.notNull().defaultTo('all'))
      .execute()
    await db.schema
      .alterTable('operators')
      .addColumn('sees_unassigned', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
  createGroupCounters,
  index('inbox_rows_ended', (create) =>
    create
      .on('inbox_rows')
      .columns(['agent_id', 'assignee_id', 'last_message_id', 'sequence'])
      .where(sql<boolean>`state = 2 and assignee_id > 0`),
  ),
]

async function createGroupCounters(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('inbox_group_counters')
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('group_id', engine.identityType, (column) => column.notNull())
    .addColumn('assignee_id', engine.identityType, (column) => column.notNull())
    .addColumn('shard', 'integer', (column) => column.notNull())
    .addColumn('open_count', 'integer', (column) => column.notNull())
    .addColumn('waiting_count', 'integer', (column) => column.notNull())
    .addColumn('snoozed_count', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('inbox_group_counters_key', ['agent_id', 'group_id', 'assignee_id', 'shard'])
    .execute()
  await sql`insert into inbox_group_counters
    select agent_id, group_id, assignee_id, 0, sum(case when state < 2 then 1 else 0 end),
      sum(case when state < 2 and waiting_since is not null then 1 else 0 end),
      sum(case when state = 3 then 1 else 0 end)
    from inbox_rows where group_id > 0 and state <> 2 group by agent_id, group_id, assignee_id`.execute(db)
}
