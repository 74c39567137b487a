import { type Kysely, sql } from 'kysely'
import { stem } from '../../lib/words/stemming/stem.ts'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/**
 * Documents are identified by the source that callers name: a path, an address or an id. Passages that are being written,
 * or removed, are hidden from searches. Stemming covers more languages.
 */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await bareSources(db)
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
  // Documents that are being added or removed are not listed.
  await db.schema.dropIndex('knowledge_documents_agent').execute()
  await db.schema
    .createIndex('knowledge_documents_listed')
    .on('knowledge_documents')
    .columns(['agent_id', 'id'])
    .where(sql<boolean>`content_hash <> ''`)
    .execute()
  await stemAgain(db)
}

/** Sources were stored as `url …` and `title …`. A title that is the address of another document keeps its mark. */
async function bareSources(db: Kysely<Tables>): Promise<void> {
  await sql`update knowledge_documents set source = substr(source, 5) where source like 'url %'`.execute(db)
  await sql`
    update knowledge_documents set source = substr(source, 7)
    where source like 'title %' and not exists (
      select 1 from knowledge_documents as other
      where other.agent_id = knowledge_documents.agent_id and other.source = substr(knowledge_documents.source, 7)
    )`.execute(db)
}

/** Words that were stored unstemmed and now have a stem. */
const STEMMED_SINCE = /^(?:[\u0400-\u0491]+|[\u0621-\u0652]+|[a-z]+(?:ung|heit|keit|schaft|tion|tat)en)$/

async function stemAgain(db: Kysely<Tables>): Promise<void> {
  const vocabulary = await db.selectFrom('knowledge_vocabulary').select(['agent_id', 'word']).execute()
  for (const { agent_id, word } of vocabulary) {
    const stemmed = STEMMED_SINCE.test(word) ? stem(word) : word
    if (stemmed !== word) await renameWord(db, agent_id, word, stemmed)
  }
}

/** A passage with both forms then has one entry with both counts. */
async function renameWord(db: Kysely<Tables>, agentId: number, from: string, to: string): Promise<void> {
  const entries = await db
    .deleteFrom('knowledge_words')
    .where('agent_id', '=', agentId)
    .where('word', 'in', [from, to])
    .returning(['passage_id', 'count', 'length'])
    .execute()
  const merged = new Map<number, { count: number; length: number }>()
  for (const { passage_id, count, length } of entries)
    merged.set(passage_id, { count: count + (merged.get(passage_id)?.count ?? 0), length })
  for (const [passage_id, entry] of merged) {
    await db
      .insertInto('knowledge_words')
      .values({ agent_id: agentId, word: to, passage_id, ...entry })
      .execute()
  }
  await db
    .deleteFrom('knowledge_vocabulary')
    .where('agent_id', '=', agentId)
    .where('word', 'in', [from, to])
    .execute()
  await db
    .insertInto('knowledge_vocabulary')
    .values({ agent_id: agentId, word: to, passages: merged.size })
    .execute()
}
