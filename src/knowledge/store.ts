import type { Insertable, Kysely } from 'kysely'
import { installationValue, putInstallationValue } from '../storage/installation.ts'
import type { Tables } from '../storage/tables.ts'
import { calibrationChanges } from './calibration/calibration-store.ts'
import type { KnowledgeTextsTable } from './tables.ts'
import { passagesChange } from './vectors/embedding-store.ts'

export async function findDocument(db: Kysely<Tables>, agentId: number, source: string) {
  return db
    .selectFrom('knowledge_documents')
    .select(['id', 'content_hash', 'notes'])
    .where('agent_id', '=', agentId)
    .where('source', '=', source)
    .executeTakeFirst()
}

/** The hash of a document that is being written for the first time or being removed. Such documents are not listed. */
const UNLISTED = ''

/** Returns the id of the document that is about to be written. A new document gets a row that is not listed yet. */
export async function claimDocument(
  db: Kysely<Tables>,
  record: DocumentRecord,
  now: string,
): Promise<number> {
  const present = await findDocument(db, record.agent_id, record.source)
  if (present) return present.id
  return putDocument(db, { ...record, content_hash: UNLISTED }, now)
}

/** Lists the titles of an agent's first documents. */
export async function listTitles(db: Kysely<Tables>, agentId: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('knowledge_documents')
    .select('title')
    .where('agent_id', '=', agentId)
    .where('content_hash', '!=', UNLISTED)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ title }) => title)
}

/** Lists the sources of an agent's documents in their order, each with the hash of its content. */
export async function listHashes(
  db: Kysely<Tables>,
  agentId: number,
  after: string,
  limit: number,
): Promise<{ source: string; content_hash: string }[]> {
  return db
    .selectFrom('knowledge_documents')
    .select(['source', 'content_hash'])
    .where('agent_id', '=', agentId)
    .where('source', '>', after)
    .where('content_hash', '!=', UNLISTED)
    .orderBy('source')
    .limit(limit)
    .execute()
}

export interface Totals {
  passages: number
  words: number
}

/** Returns the number of an agent's passages, including those that are being written or removed. */
export async function countPassages(db: Kysely<Tables>, agentId: number): Promise<number> {
  const row = await db
    .selectFrom('knowledge_totals')
    .select('passages')
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  return row?.passages ?? 0
}

/**
 * Locks an agent's row of totals until the transaction ends, and creates it when it is missing. Must come before all
 * other writes, so that writers of one agent's documents wait for each other only here. It also makes the agent due for
 * new vectors and for a new calibration.
 */
export async function lockTotals(db: Kysely<Tables>, agentId: number): Promise<void> {
  await addToTotals(db, agentId, { passages: 0, words: 0 })
  await passagesChange(db, agentId)
  await calibrationChanges(db, agentId)
}

export interface DocumentRecord {
  agent_id: number
  source: string
  title: string
  url: string | null
  content_hash: string
  notes: string | null
}

/** Writes a document's row, which is new or replaces the one of the same source, and returns its id. */
export async function putDocument(db: Kysely<Tables>, record: DocumentRecord, now: string): Promise<number> {
  const { id } = await db
    .insertInto('knowledge_documents')
    .values({ ...record, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['agent_id', 'source']).doUpdateSet(({ ref }) => ({
        title: ref('excluded.title'),
        url: ref('excluded.url'),
        content_hash: ref('excluded.content_hash'),
        notes: ref('excluded.notes'),
        updated_at: ref('excluded.updated_at'),
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export type DocumentText = Pick<KnowledgeTextsTable, 'format' | 'text' | 'questions'>

/** Stores the text of a document in place of the previous one. */
export async function putText(db: Kysely<Tables>, row: Insertable<KnowledgeTextsTable>): Promise<void> {
  await db
    .insertInto('knowledge_texts')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('document_id').doUpdateSet(({ ref }) => ({
        format: ref('excluded.format'),
        text: ref('excluded.text'),
        questions: ref('excluded.questions'),
        edited_at: ref('excluded.edited_at'),
      })),
    )
    .execute()
}

/** Removes a document from the lists. */
export async function unlistDocument(
  db: Kysely<Tables>,
  agentId: number,
  documentId: number,
  now: string,
): Promise<void> {
  await db
    .updateTable('knowledge_documents')
    .set({ content_hash: UNLISTED, updated_at: now })
    .where('id', '=', documentId)
    .where('agent_id', '=', agentId)
    .execute()
}

/** Deletes a document that is not listed, unless somebody is writing it again. */
export async function deleteEmptied(db: Kysely<Tables>, agentId: number, documentId: number): Promise<void> {
  await emptied(db).where('id', '=', documentId).where('agent_id', '=', agentId).execute()
}

/** Deletes the documents that have not been listed for a long time and have no passages left. */
export async function deleteUnlisted(db: Kysely<Tables>, before: string): Promise<void> {
  await emptied(db).where('updated_at', '<', before).execute()
}

function emptied(db: Kysely<Tables>) {
  return db
    .deleteFrom('knowledge_documents')
    .where('content_hash', '=', UNLISTED)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('knowledge_passages')
            .select('id')
            .whereRef('knowledge_passages.document_id', '=', 'knowledge_documents.id'),
        ),
      ),
    )
}

/** Returns the ids of the first passages of a document that searches can find. */
export async function visiblePassages(
  db: Kysely<Tables>,
  agentId: number,
  documentId: number,
  most: number,
): Promise<number[]> {
  const rows = await visibleOf(db, agentId, documentId).select('id').limit(most).execute()
  return rows.map(({ id }) => id)
}

/** Hides all visible passages of a document, on behalf of an edition. */
export async function hideVisible(
  db: Kysely<Tables>,
  agentId: number,
  documentId: number,
  edition: string,
  now: string,
): Promise<void> {
  await db
    .insertInto('knowledge_hidden')
    .columns(['agent_id', 'passage_id', 'edition', 'hidden_at'])
    .expression(
      visibleOf(db, agentId, documentId).select(({ val }) => [
        'agent_id',
        'id',
        val(edition).as('edition'),
        val(now).as('hidden_at'),
      ]),
    )
    .execute()
}

function visibleOf(db: Kysely<Tables>, agentId: number, documentId: number) {
  return db
    .selectFrom('knowledge_passages')
    .where('document_id', '=', documentId)
    .where('agent_id', '=', agentId)
    .where('id', 'not in', hiddenOf(db, agentId))
}

/** Selects the ids of an agent's hidden passages. */
export function hiddenOf(db: Kysely<Tables>, agentId: number) {
  return db.selectFrom('knowledge_hidden').select('passage_id').where('agent_id', '=', agentId)
}

/** Hides passages from searches, on behalf of an edition. */
export async function hidePassages(
  db: Kysely<Tables>,
  agentId: number,
  ids: readonly number[],
  edition: string,
  now: string,
): Promise<void> {
  if (ids.length === 0) return
  await db
    .insertInto('knowledge_hidden')
    .values(ids.map((passage_id) => ({ agent_id: agentId, passage_id, edition, hidden_at: now })))
    .execute()
}

/** Reveals the passages that were hidden for an edition. Returns their number. */
export async function revealPassages(db: Kysely<Tables>, edition: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('knowledge_hidden')
    .where('edition', '=', edition)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Removes the hidden mark from some passages of an edition and returns their ids. The caller deletes the passages. */
export async function takeHidden(db: Kysely<Tables>, edition: string, most: number): Promise<number[]> {
  const rows = await db
    .deleteFrom('knowledge_hidden')
    .where('passage_id', 'in', (query) =>
      query
        .selectFrom('knowledge_hidden')
        .select('passage_id')
        .where('edition', '=', edition)
        .orderBy('passage_id')
        .limit(most),
    )
    .returning('passage_id')
    .execute()
  return rows.map(({ passage_id }) => passage_id)
}

/** Finds the editions whose passages have been hidden since before a certain time. */
export async function staleEditions(db: Kysely<Tables>, before: string) {
  return db
    .selectFrom('knowledge_hidden')
    .select(['agent_id', 'edition'])
    .distinct()
    .where('hidden_at', '<', before)
    .execute()
}

/** Removes passages from the index and from the agent's totals. */
export async function deletePassages(
  db: Kysely<Tables>,
  agentId: number,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  const removed = await db
    .deleteFrom('knowledge_passages')
    .where('id', 'in', ids)
    .where('agent_id', '=', agentId)
    .returning('length')
    .execute()
  await addToTotals(db, agentId, {
    passages: -removed.length,
    words: -removed.reduce((sum, { length }) => sum + length, 0),
  })
  const entries = await db
    .deleteFrom('knowledge_words')
    .where('passage_id', 'in', ids)
    .where('agent_id', '=', agentId)
    .returning('word')
    .execute()
  const counted = new Map<string, number>()
  for (const { word } of entries) counted.set(word, (counted.get(word) ?? 0) - 1)
  await addToVocabulary(db, agentId, [...counted])
  for (const { part } of inParts([...counted.keys()], WORDS_AT_ONCE)) {
    await db
      .deleteFrom('knowledge_vocabulary')
      .where('agent_id', '=', agentId)
      .where('word', 'in', part)
      .where('passages', '=', 0)
      .execute()
  }
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

const WORDS_AT_ONCE = 500

/**
 * Writes some of a document's passages in their order, the index of their words, and the agent's totals.
 * @param from the position of the first of them in the document
 * @returns their ids
 */
export async function insertPassages(
  db: Kysely<Tables>,
  agentId: number,
  documentId: number,
  passages: readonly PassageRecord[],
  from: number,
): Promise<number[]> {
  await addToTotals(db, agentId, {
    passages: passages.length,
    words: passages.reduce((sum, { length }) => sum + length, 0),
  })
  const ids = await db
    .insertInto('knowledge_passages')
    .values(
      passages.map(({ counts: _, ...passage }, at) => ({
        ...passage,
        agent_id: agentId,
        document_id: documentId,
        position: from + at,
      })),
    )
    .returning(['id', 'position'])
    .execute()
  const vocabulary = new Map<string, number>()
  const words: { agent_id: number; word: string; passage_id: number; count: number; length: number }[] = []
  for (const { id, position } of ids) {
    const { counts, length } = passages[position - from] ?? { counts: new Map<string, number>(), length: 0 }
    for (const [word, count] of counts) {
      vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1)
      words.push({ agent_id: agentId, word, passage_id: id, count, length })
    }
  }
  for (const { part } of inParts(words, WORDS_AT_ONCE)) {
    await db.insertInto('knowledge_words').values(part).execute()
  }
  await addToVocabulary(db, agentId, [...vocabulary])
  return ids.map(({ id }) => id)
}

/** Splits a list, because a statement accepts only so many parameters. */
function* inParts<Item>(items: readonly Item[], size: number): Generator<{ from: number; part: Item[] }> {
  for (let from = 0; from < items.length; from += size) yield { from, part: items.slice(from, from + size) }
}

/**
 * Lists the addresses of the shipped pages that an agent was given at earlier starts, each with the id of its document,
 * or null when that was removed.
 */
export async function listSeeded(db: Kysely<Tables>, agentId: number): Promise<Map<string, number | null>> {
  const kept = await installationValue(db, seededName(agentId))
  const urls = kept ? (JSON.parse(kept) as string[]) : []
  if (urls.length === 0) return new Map()
  const rows = await db
    .selectFrom('knowledge_documents')
    .select(['id', 'url'])
    .where('agent_id', '=', agentId)
    .where('source', 'in', urls)
    // A caller may have named a source like one of the pages.
    .whereRef('url', '=', 'source')
    .where('content_hash', '!=', UNLISTED)
    .execute()
  const ids = new Map(rows.map(({ id, url }) => [url, id]))
  return new Map(urls.map((url) => [url, ids.get(url) ?? null]))
}

/** Lists the ids of an agent's documents that somebody edited. */
export async function listEdited(db: Kysely<Tables>, agentId: number): Promise<Set<number>> {
  const rows = await db
    .selectFrom('knowledge_texts')
    .select('document_id')
    .where('agent_id', '=', agentId)
    .where('edited_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ document_id }) => document_id))
}

/** Tells whether an agent has documents other than those at the given addresses. */
export async function hasOthers(
  db: Kysely<Tables>,
  agentId: number,
  urls: readonly string[],
): Promise<boolean> {
  const other = await db
    .selectFrom('knowledge_documents')
    .select('id')
    .where('agent_id', '=', agentId)
    .where(({ eb, or }) => or([eb('url', 'is', null), eb('url', 'not in', urls)]))
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

export async function putSeeded(db: Kysely<Tables>, agentId: number, urls: readonly string[]): Promise<void> {
  await putInstallationValue(db, seededName(agentId), JSON.stringify(urls))
}

function seededName(agentId: number): string {
  return `guide_of_agent_${agentId}`
}
