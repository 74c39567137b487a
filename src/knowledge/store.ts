import { type Kysely, sql } from 'kysely'
import { prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'

/** How many words of a question are looked up, and how many of them, the rarest, are ranked by. */
export const WORDS_LOOKED_UP = 64
export const WORDS_RANKED = 16

export interface Totals {
  passages: number
  words: number
}

export const findTotals = prepared<{ agentId: number }, Totals>((db, param) =>
  db.selectFrom('knowledge_totals').select(['passages', 'words']).where('agent_id', '=', param('agentId')),
)

type WordSlots = { agentId: number } & Record<`word${number}`, string>

const countPassagesBySlots = prepared<WordSlots, { word: string; passages: number }>((db, param) =>
  db
    .selectFrom('knowledge_words')
    .select(({ fn }) => ['word', fn.countAll<number>().as('passages')])
    .where('agent_id', '=', param('agentId'))
    .where(
      'word',
      'in',
      slots(WORDS_LOOKED_UP).map((slot) => param(`word${slot}`)),
    )
    .groupBy('word'),
)

/** In how many passages each word stands; words that stand nowhere are missing. */
export async function countPassages(db: Kysely<Tables>, agentId: number, words: readonly string[]) {
  const values: WordSlots = { agentId }
  for (const slot of slots(WORDS_LOOKED_UP)) values[`word${slot}`] = words[slot] ?? NO_WORD
  const rows = await countPassagesBySlots(db, values)
  return new Map(rows.map(({ word, passages }) => [word, passages]))
}

export interface RankedWord {
  word: string
  /** Inverse document frequency in whole millionths. */
  weight: number
}

export interface Ranking {
  agentId: number
  /** At most WORDS_RANKED. */
  words: readonly RankedWord[]
  /** BM25's k1 * (1 - b), and k1 * b / average length. */
  base: number
  perWord: number
  limit: number
}

export interface RankedPassage {
  id: number
  document_id: number
  title: string
  url: string | null
  heading: string
  anchor: string
  text: string
  /** In millionths, as are the weights. */
  score: number
  /** Sum of the weights of the words that stand in it. */
  found: number
}

type RankSlots = { agentId: number; base: number; perWord: number; limit: number } & WordSlots &
  Record<`weight${number}`, number>

/**
 * Each word's part of a score is rounded to a whole number before it is added, so that the sum is exact in any
 * order, and both engines agree to the last digit.
 */
const rankBySlots = prepared<RankSlots, RankedPassage>((db, param) => {
  const number = (name: keyof RankSlots & string) => sql<number>`cast(${param(name)} as double precision)`
  const asked = sql<{ column1: string; column2: number }>`(values ${sql.join(
    slots(WORDS_RANKED).map(
      (slot) => sql`(cast(${param(`word${slot}`)} as text), ${number(`weight${slot}`)})`,
    ),
  )})`
  const part = sql<number>`floor(asked.column2 * words.count / (words.count + ${number('base')} + ${number('perWord')} * words.length) + cast(0.5 as double precision))`
  const best = db
    // Crossed, not joined: SQLite then looks the words up in the order they are written.
    .selectFrom(asked.as('asked'))
    .crossJoin('knowledge_words as words')
    .select(({ fn }) => [
      'words.passage_id',
      fn.sum<number>(part).as('score'),
      fn.sum<number>(sql.ref('asked.column2')).as('found'),
    ])
    .where('words.agent_id', '=', param('agentId'))
    .whereRef('words.word', '=', 'asked.column1')
    .groupBy('words.passage_id')
    .orderBy('score', 'desc')
    .orderBy('words.passage_id')
    .limit(param('limit'))
  return db
    .selectFrom(best.as('best'))
    .innerJoin('knowledge_passages as passage', 'passage.id', 'best.passage_id')
    .innerJoin('knowledge_documents as document', 'document.id', 'passage.document_id')
    .select([
      'passage.id',
      'passage.document_id',
      'document.title',
      'document.url',
      'passage.heading',
      'passage.anchor',
      'passage.text',
      'best.score',
      'best.found',
    ])
    .orderBy('best.score', 'desc')
    .orderBy('passage.id')
})

/** The best passages by BM25, best first. */
export async function rankPassages(db: Kysely<Tables>, { words, ...ranking }: Ranking) {
  const values: RankSlots = { ...ranking }
  for (const slot of slots(WORDS_RANKED)) {
    values[`word${slot}`] = words[slot]?.word ?? NO_WORD
    values[`weight${slot}`] = words[slot]?.weight ?? 0
  }
  return rankBySlots(db, values)
}

/** Stands in slots that are not needed; never indexed. */
const NO_WORD = ''

function slots(count: number): number[] {
  return Array.from({ length: count }, (_, slot) => slot)
}

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

/**
 * Adds to an agent's totals. Comes before all other writes: it holds the agent's row, so that writers of one agent's
 * documents wait for each other here and nowhere else.
 */
export async function addToTotals(db: Kysely<Tables>, agentId: number, { passages, words }: Totals) {
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

/** Takes a document's passages out of the index; returns what they counted for. */
export async function deletePassages(db: Kysely<Tables>, documentId: number): Promise<Totals> {
  const { passages, words } = await db
    .selectFrom('knowledge_passages')
    .select(({ fn }) => [
      fn.countAll<number>().as('passages'),
      fn.coalesce(fn.sum<number>('length'), sql.lit(0)).as('words'),
    ])
    .where('document_id', '=', documentId)
    .executeTakeFirstOrThrow()
  await db
    .deleteFrom('knowledge_words')
    .where('passage_id', 'in', (query) =>
      query.selectFrom('knowledge_passages').select('id').where('document_id', '=', documentId),
    )
    .execute()
  await db.deleteFrom('knowledge_passages').where('document_id', '=', documentId).execute()
  return { passages, words }
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

/** Writes a document's passages in their order, and the index of their words. */
export async function insertPassages(
  db: Kysely<Tables>,
  agentId: number,
  documentId: number,
  passages: readonly PassageRecord[],
): Promise<void> {
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
        words.push({ agent_id: agentId, word, passage_id: id, count, length })
      }
    }
  }
  for (const { part } of inParts(words, WORDS_AT_ONCE)) {
    await db.insertInto('knowledge_words').values(part).execute()
  }
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
