import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { backfillOf, later, type Step, workColumns } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** Has the older conversations counted in the background. */
const conversations = backfillOf('0119-support-figures', ['conversations', 'id'], async (db, within) => {
  await sql`insert into support_pending (agent_id, conversation_id)
    select agent_id, id from conversations where ${within}`.execute(db)
})

/** The facts of conversations that the figures of support count, and the figures. */
export const steps: readonly Step[] = [createTables, createRetries, later(conversations)]

export const backfills = [conversations]

async function createTables(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const { identityType } = engine
  await db.schema
    .createTable('support_pending')
    .addColumn('id', identityType, engine.identity)
    .addColumn('agent_id', identityType, (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('support_pending_agent')
    .on('support_pending')
    .columns(['agent_id', 'id'])
    .execute()
  const times = [
    ...(['waited_at', 'answered_at', 'ended_at', 'reopened_at', 'met_at', 'missed_at'] as const),
    ...(['asked_at', 'rated_at'] as const),
  ]
  await db.schema
    .createTable('support_rows')
    .addColumn('conversation_id', 'text', (column) => column.primaryKey())
    .addColumn('agent_id', identityType, (column) => column.notNull())
    .addColumn('channel_id', identityType)
    .addColumn('language', 'text')
    .addColumn('group_id', identityType)
    .addColumn('operator_id', identityType)
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('started_at', 'text', (column) => column.notNull())
    .addColumn('waited_at', 'text')
    .addColumn('reason', 'text')
    .addColumn('answered_at', 'text')
    .addColumn('answer_ms', identityType)
    .addColumn('answer_open_ms', identityType)
    .addColumn('ended_at', 'text')
    .addColumn('outcome', 'text')
    .addColumn('solved_by', 'text')
    .addColumn('solution_ms', identityType)
    .addColumn('solution_open_ms', identityType)
    .addColumn('reopened_at', 'text')
    .addColumn('met_at', 'text')
    .addColumn('missed_at', 'text')
    .addColumn('asked_at', 'text')
    .addColumn('rated_at', 'text')
    .addColumn('score', 'integer')
    .execute()
  await db.schema
    .createIndex('support_rows_started_at')
    .on('support_rows')
    .columns(['agent_id', 'started_at'])
    .execute()
  for (const time of times)
    await db.schema
      .createIndex(`support_rows_${time}`)
      .on('support_rows')
      .columns(['agent_id', time])
      .where(sql.ref(time), 'is not', null)
      .execute()
  await db.schema
    .createTable('support_counts')
    .addColumn('agent_id', identityType, (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('counts', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('support_counts_key', ['agent_id', 'day', 'kind', 'value'])
    .execute()
}

async function createRetries(db: Kysely<Tables>, { identityType, identity }: Engine): Promise<void> {
  await db.schema
    .createTable('support_retries')
    .addColumn('id', identityType, identity)
    .addColumn('agent_id', identityType, (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull().unique())
    .addColumn('due_at', 'text')
    .$call(workColumns)
    .execute()
  await db.schema
    .createIndex('support_retries_due')
    .on('support_retries')
    .columns(['due_at', 'id'])
    .where(sql.ref('due_at'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('support_retries_agent')
    .on('support_retries')
    .columns(['agent_id', 'id'])
    .execute()
}
