import { type Kysely, sql } from 'kysely'
import { stem } from '../../language/words/stemming/stem.ts'
import type { Engine } from '../engine.ts'
import { backfillOf, index, type Step } from '../migration.ts'
import type { Tables } from '../tables.ts'
import { renameWords } from './rename-words.ts'

/** Words that were stored unstemmed and now have a stem. */
const STEMMED_SINCE = /^(?:[\u0400-\u0491]+|[\u0621-\u0652]+|[a-z]+(?:ung|heit|keit|schaft|tion|tat)en)$/

/**
 * Documents are identified by the source that callers name: a path, an address or an id. Passages that are being written,
 * or removed, are hidden from searches. Stemming covers more languages.
 */
export const steps: readonly Step[] = [
  // Sources were stored as `url …` and `title …`. A title that is the address of another document keeps its mark.
  {
    pieces: backfillOf('0017-addresses', ['knowledge_documents', 'id'], async (db, within) => {
      await sql`update knowledge_documents set source = substr(source, 5)
        where ${within} and source like 'url %'`.execute(db)
    }),
  },
  {
    pieces: backfillOf('0017-titles', ['knowledge_documents', 'id'], async (db, within) => {
      await sql`update knowledge_documents set source = substr(source, 7)
        where ${within} and source like 'title %' and not exists (
          select 1 from knowledge_documents as other
          where other.agent_id = knowledge_documents.agent_id and other.source = substr(knowledge_documents.source, 7)
        )`.execute(db)
    }),
  },
  createHidden,
  // Documents that are being added or removed are not listed.
  index('knowledge_documents_listed', (create) =>
    create.on('knowledge_documents').columns(['agent_id', 'id']).where(sql<boolean>`content_hash <> ''`),
  ),
  async (db) => {
    await db.schema.dropIndex('knowledge_documents_agent').execute()
  },
  { pieces: renameWords('0017-stems', (word) => (STEMMED_SINCE.test(word) ? stem(word) : word)) },
]

async function createHidden(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const hidden = db.schema
    .createTable('knowledge_hidden')
    .addColumn('agent_id', 'integer', (column) => column.notNull())
    .addColumn('passage_id', 'integer', (column) => column.notNull())
    .addColumn('edition', 'text', (column) => column.notNull())
    .addColumn('hidden_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('knowledge_hidden_key', ['agent_id', 'passage_id'])
  await (engine.kind === 'sqlite' ? hidden.modifyEnd(sql`without rowid`) : hidden).execute()
  await db.schema
    .createIndex('knowledge_hidden_edition')
    .on('knowledge_hidden')
    .columns(['edition'])
    .execute()
}
