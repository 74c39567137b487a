import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { addColumns, type Step } from '../migration.ts'
import type { Tables } from '../tables.ts'

/** Accounts of erasures with their receipts, the backups that may hold what was erased, and what covers a completion. */
export const steps: readonly Step[] = [
  createTables,
  // Null: it was not redacted yet, or by a version that gave no receipts.
  addColumns('completions', { erasure_id: 'text' }),
]

async function createTables(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('erasures')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('team_id', 'integer', (column) => column.notNull())
    .addColumn('agent_id', engine.identityType, (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('began_at', 'text', (column) => column.notNull())
    .addColumn('actor_kind', 'text', (column) => column.notNull())
    .addColumn('actor_id', 'integer')
    .addColumn('erased', 'text', (column) => column.notNull())
    .addColumn('finished_at', 'text')
    .addColumn('signed', 'text')
    .execute()
  await db.schema
    .createIndex('erasures_open')
    .unique()
    .on('erasures')
    .columns(['agent_id', 'subject', 'mode'])
    .where(sql.ref('finished_at'), 'is', null)
    .execute()
  for (const [name, columns] of [
    ['erasures_subject', ['agent_id', 'subject', 'finished_at', 'id']],
    ['erasures_agent', ['team_id', 'agent_id', 'finished_at', 'id']],
  ] as const)
    await db.schema
      .createIndex(name)
      .on('erasures')
      .columns([...columns])
      .where(sql.ref('finished_at'), 'is not', null)
      .execute()
  await db.schema
    .createTable('backups')
    .addColumn('at', 'text', (column) => column.primaryKey())
    .execute()
  // Receipts stay when their agent is deleted, so that no other agent may get its number.
  await engine.retireIds(db, { agents: sql`select max(id) as id from agents` })
}
