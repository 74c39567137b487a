import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Proposed entries of the knowledge, made from conversations in which a person answered. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('knowledge_proposals')
    .addColumn('id', engine.identityType, (column) => engine.identity(column))
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('completion_id', 'text', (column) => column.notNull())
    .addColumn('question', 'text')
    .addColumn('answer', 'text')
    .addColumn('questions', 'text')
    .addColumn('document_id', engine.identityType)
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', 'text')
    .addColumn('lease', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('leased_until', 'text')
    .addColumn('holder', 'text')
    .addColumn('deaths', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('parked_at', 'text')
    .addColumn('failure', 'text')
    .execute()
  await db.schema
    .createIndex('knowledge_proposals_open')
    .on('knowledge_proposals')
    .columns(['agent_id', 'id'])
    .where(sql.ref('document_id'), 'is', null)
    .execute()
  await db.schema
    .createIndex('knowledge_proposals_agent')
    .on('knowledge_proposals')
    .columns(['agent_id'])
    .execute()
  await db.schema
    .createIndex('knowledge_proposals_conversation')
    .on('knowledge_proposals')
    .columns(['conversation_id'])
    .execute()
  await db.schema
    .createIndex('knowledge_proposals_due')
    .on('knowledge_proposals')
    .columns(['due_at'])
    .where(sql.ref('due_at'), 'is not', null)
    .execute()
  await engine.retireIds(db, { knowledge_proposals: sql`select max(id) as id from knowledge_proposals` })
}
