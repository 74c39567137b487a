import { type Kysely, sql } from 'kysely'
import type { Tables } from '../storage/tables.ts'

export async function findDocument(db: Kysely<Tables>, agentId: number, source: string) {
  return db
    .selectFrom('knowledge_documents')
    .select(['id', 'content_hash'])
    .where('agent_id', '=', agentId)
    .where('source', '=', source)
    .executeTakeFirst()
}

/** Titles of an agent's first documents. */
export async function listTitles(db: Kysely<Tables>, agentId: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('knowledge_documents')
    .select('title')
    .where('agent_id', '=', agentId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ title }) => title)
}

export interface Totals {
  passages: number
  words: number
}

/**
 * Holds an agent's row of totals until the transaction ends, and makes it when it is not there. Comes before all other
 * writes: writers of one agent's documents wait for each other here and nowhere else.
 */
export async function holdTotals(db: Kysely<Tables>, agentId: number): Promise<void> {
  await addToTotals(db, agentId, { passages: 0, words: 0 })
}

export interface DocumentRecord {
  agent_id: number
  source: string
  title: string
  url: string | null
  content_hash: string
}

/** Writes a document's row, new or over the one of the same source, and returns its id. */
export async function putDocument(db: Kysely<Tables>, record: DocumentRecord, now: string): Promise<number> {
  const { id } = await db
    .insertInto('knowledge_documents')
    .values({ ...record, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['agent_id', 'source']).doUpdateSet(({ ref }) => ({
        title: ref('excluded.title'),
        url: ref('excluded.url'),
        content_hash: ref('excluded.content_hash'),
        updated_at: ref('excluded.updated_at'),
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function deleteDocument(db: Kysely<Tables>, documentId: number): Promise<void> {
  await db.deleteFrom('knowledge_documents').where('id', '=', documentId).execute()
}

/** Takes a document's passages out of the index and the agent's totals. */
export async function deletePassages(db: Kysely<Tables>, agentId: number, documentId: number): Promise<void> {
  const { passages, words } = await db
    .selectFrom('knowledge_passages')
    .select(({ fn }) => [
      fn.countAll<number>().as('passages'),
      fn.coalesce(fn.sum<number>('length'), sql.lit(0)).as('words'),
    ])
    .where('document_id', '=', documentId)
    .executeTakeFirstOrThrow()
  if (passages === 0) return
  await addToTotals(db, agentId, { passages: -passages, words: -words })
  const counted = await db
    .selectFrom('knowledge_words')
    .select(({ fn }) => ['word', fn.countAll<number>().as('passages')])
    .where('passage_id', 'in', (query) =>
      query.selectFrom('knowledge_passages').select('id').where('document_id', '=', documentId),
    )
    .groupBy('word')
    .execute()
  await addToVocabulary(
    db,
    agentId,
    counted.map(({ word, passages }) => [word, -passages]),
  )
  for (const { part } of inParts(counted, WORDS_AT_ONCE)) {
    await db
      .deleteFrom('knowledge_vocabulary')
      .where('agent_id', '=', agentId)
      .where(
        'word',
        'in',
        part.map(({ word }) => word),
      )
      .where('passages', '=', 0)
      .execute()
  }
  await db
    .deleteFrom('knowledge_words')
    .where('passage_id', 'in', (query) =>
      query.selectFrom('knowledge_passages').select('id').where('document_id', '=', documentId),
    )
    .execute()
  await db.deleteFrom('knowledge_passages').where('document_id', '=', documentId).execute()
}

async function addToTotals(db: Kysely<Tables>, agentId: number, { passages, words }: Totals) {
  await db
    .insertInto('knowledge_totals')
    .values({ agent_id: agentId, passages, words })
    .onConflict((conflict) =>
      conflict.column('agent_id').doUpdateSet(({ eb, ref }) => ({
        passages: eb(ref('knowledge_totals.passages'), '+', ref('excluded.passages')),
        words: eb(ref('knowledge_totals.words'), '+', ref('excluded.words')),
      })),
    )
    .execute()
}

async function addToVocabulary(
  db: Kysely<Tables>,
  agentId: number,
  words: readonly [word: string, passages: number][],
): Promise<void> {
  for (const { part } of inParts(words, WORDS_AT_ONCE)) {
    await db
      .insertInto('knowledge_vocabulary')
      .values(part.map(([word, passages]) => ({ agent_id: agentId, word, passages })))
      .onConflict((conflict) =>
        conflict.columns(['agent_id', 'word']).doUpdateSet(({ eb, ref }) => ({
          passages: eb(ref('knowledge_vocabulary.passages'), '+', ref('excluded.passages')),
        })),
      )
      .execute()
  }
}

export interface PassageRecord {
  heading: string
  anchor: string
  text: string
  length: number
  counts: ReadonlyMap<string, number>
}

const PASSAGES_AT_ONCE = 50
const WORDS_AT_ONCE = 500

/** Writes a document's passages in their order, the index of their words, and the agent's totals. */
export async function insertPassages(
  db: Kysely<Tables>,
  agentId: number,
  documentId: number,
  passages: readonly PassageRecord[],
): Promise<void> {
  await addToTotals(db, agentId, {
    passages: passages.length,
    words: passages.reduce((sum, { length }) => sum + length, 0),
  })
  const vocabulary = new Map<string, number>()
  const words: { agent_id: number; word: string; passage_id: number; count: number; length: number }[] = []
  for (const { from, part } of inParts(passages, PASSAGES_AT_ONCE)) {
    const ids = await db
      .insertInto('knowledge_passages')
      .values(
        part.map(({ counts: _, ...passage }, at) => ({
          ...passage,
          agent_id: agentId,
          document_id: documentId,
          position: from + at,
        })),
      )
      .returning(['id', 'position'])
      .execute()
    for (const { id, position } of ids) {
      const { counts, length } = passages[position] ?? { counts: new Map<string, number>(), length: 0 }
      for (const [word, count] of counts) {
        vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1)
        words.push({ agent_id: agentId, word, passage_id: id, count, length })
      }
    }
  }
  for (const { part } of inParts(words, WORDS_AT_ONCE)) {
    await db.insertInto('knowledge_words').values(part).execute()
  }
  await addToVocabulary(db, agentId, [...vocabulary])
}

/** A statement takes only so many parameters. */
function* inParts<Item>(items: readonly Item[], size: number): Generator<{ from: number; part: Item[] }> {
  for (let from = 0; from < items.length; from += size) yield { from, part: items.slice(from, from + size) }
}

/** The shipped pages that an agent was given at earlier starts, and whether they are still there. */
export async function listSeeded(db: Kysely<Tables>, agentId: number) {
  const kept = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', seededName(agentId))
    .executeTakeFirst()
  const urls = kept ? (JSON.parse(kept.value) as string[]) : []
  const rows = await db
    .selectFrom('knowledge_documents')
    .select('url')
    .where('agent_id', '=', agentId)
    .execute()
  const present = new Set(rows.map(({ url }) => url))
  return new Map(urls.map((url) => [url, present.has(url) ? ('present' as const) : ('removed' as const)]))
}

export async function putSeeded(db: Kysely<Tables>, agentId: number, urls: readonly string[]): Promise<void> {
  const value = JSON.stringify(urls)
  await db
    .insertInto('installation')
    .values({ name: seededName(agentId), value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

function seededName(agentId: number): string {
  return `guide_of_agent_${agentId}`
}
