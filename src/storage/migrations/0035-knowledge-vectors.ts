import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { index, type Step } from '../migration.ts'
import type { Tables } from '../tables.ts'

/**
 * Vectors of passages, and each agent's progress in making them. Existing passages are embedded once a server is set.
 */
export const steps: readonly Step[] = [
  createTables,
  // The passages of an agent are visited in the order of their ids.
  index('knowledge_passages_agent', (create) => create.on('knowledge_passages').columns(['agent_id', 'id'])),
]

async function createTables(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('knowledge_vectors')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('passage_id', engine.identityType, (column) =>
      column.notNull().references('knowledge_passages.id').onDelete('cascade'),
    )
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('dimension', 'integer', (column) => column.notNull())
    .addColumn('vector', engine.kind === 'sqlite' ? sql`blob` : sql`bytea`, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('knowledge_vectors_passage')
    .on('knowledge_vectors')
    .columns(['passage_id', 'model', 'dimension'])
    .unique()
    .execute()
  await db.schema
    .createIndex('knowledge_vectors_agent')
    .on('knowledge_vectors')
    .columns(['agent_id', 'model', 'dimension', 'id', 'passage_id'])
    .execute()

  await db.schema
    .createTable('knowledge_embeddings')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', 'integer', (column) => column.notNull().unique())
    .addColumn('changes', 'integer', (column) => column.notNull())
    .addColumn('embedded_changes', 'integer', (column) => column.notNull().defaultTo(-1))
    .addColumn('model', 'text')
    .addColumn('dimension', 'integer')
    .addColumn('server', 'text')
    .addColumn('next_model', 'text')
    .addColumn('next_dimension', 'integer')
    .addColumn('unlike', engine.kind === 'sqlite' ? 'real' : 'double precision')
    .addColumn('compared', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('skipped', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('tokens', engine.identityType, (column) => column.notNull().defaultTo(0))
    .addColumn('error', 'text')
    .addColumn('failed_at', 'text')
    .addColumn('updated_at', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', 'text')
    .addColumn('lease', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('leased_until', 'text')
    .addColumn('holder', 'text')
    .execute()
  await db.schema
    .createIndex('knowledge_embeddings_due')
    .on('knowledge_embeddings')
    .columns(['due_at'])
    .where(sql<boolean>`due_at is not null`)
    .execute()
  // Vectors in memory are known by these ids: one that is given twice would be taken for the earlier one.
  await engine.retireIds(db, {
    knowledge_passages: sql`select max(id) as id from knowledge_passages`,
    knowledge_vectors: sql`select max(id) as id from knowledge_vectors`,
  })
  await sql`
    insert into knowledge_embeddings (agent_id, changes, due_at)
    select agent_id, 0, '1970-01-01T00:00:00.000Z' from knowledge_totals`.execute(db)
}
