import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

const COUNTS = [
  'run',
  'is_seeded',
  'found',
  'asked',
  'bytes',
  'added',
  'replaced',
  'unchanged',
  'removed',
  'skipped',
]

/** Crawls of sites, and the pages that they found. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  let imports = db.schema
    .createTable('knowledge_imports')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('team_id', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('include', 'text', (column) => column.notNull())
    .addColumn('exclude', 'text', (column) => column.notNull())
    .addColumn('page_limit', 'integer', (column) => column.notNull())
    .addColumn('every', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('cut_by', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('started_at', 'text')
    .addColumn('finished_at', 'text')
    .addColumn('next_at', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('lease', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('leased_until', 'text')
    .addColumn('holder', 'text')
  for (const name of COUNTS)
    imports = imports.addColumn(name, engine.identityType, (column) => column.notNull().defaultTo(0))
  await imports.execute()
  await db.schema
    .createIndex('knowledge_imports_agent')
    .on('knowledge_imports')
    .columns(['agent_id', 'id'])
    .execute()
  await db.schema
    .createIndex('knowledge_imports_open')
    .on('knowledge_imports')
    .column('id')
    .where(sql<boolean>`state in ('queued', 'running', 'removing')`)
    .execute()
  await db.schema
    .createIndex('knowledge_imports_next')
    .on('knowledge_imports')
    .column('next_at')
    .where(sql.ref('next_at'), 'is not', null)
    .execute()
  await db.schema
    .createTable('knowledge_pages')
    .addColumn('id', engine.identityType, engine.identity)
    .addColumn('import_id', engine.identityType, (column) => column.notNull())
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('depth', 'integer', (column) => column.notNull())
    .addColumn('run', engine.identityType, (column) => column.notNull())
    .addColumn('waiting', 'integer', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('outcome', 'text')
    .addColumn('reason', 'text')
    .addColumn('document_id', engine.identityType)
    .addColumn('content_hash', 'text')
    .addColumn('checked_at', 'text')
    .execute()
  await db.schema
    .createIndex('knowledge_pages_url')
    .unique()
    .on('knowledge_pages')
    .columns(['import_id', 'url'])
    .execute()
  await db.schema
    .createIndex('knowledge_pages_import')
    .on('knowledge_pages')
    .columns(['import_id', 'id'])
    // Always true, so that only queries that state it use this index: to others it would look as good as a filter's.
    .where(sql<boolean>`id > 0`)
    .execute()
  await db.schema
    .createIndex('knowledge_pages_outcome')
    .on('knowledge_pages')
    .columns(['import_id', 'outcome', 'id'])
    .where(sql.ref('outcome'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('knowledge_pages_waiting')
    .on('knowledge_pages')
    .columns(['import_id', 'tries', 'depth', 'id'])
    .where(sql<boolean>`waiting = 1`)
    .execute()
  await db.schema
    .createIndex('knowledge_pages_made')
    .on('knowledge_pages')
    .columns(['import_id', 'id'])
    .where(sql.ref('document_id'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('knowledge_pages_document')
    .on('knowledge_pages')
    .column('document_id')
    .where(sql.ref('document_id'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('knowledge_pages_agent')
    .on('knowledge_pages')
    .columns(['agent_id', 'id'])
    .execute()
  // Ids are never reused: asking for an old import must not return a newer one.
  await engine.retireIds(db, { knowledge_imports: sql`select max(id) as id from knowledge_imports` })
}
