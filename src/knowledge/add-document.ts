import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import { timestamp } from '../lib/clock.ts'
import { takeTurns } from '../lib/take-turns.ts'
import { indexWords, questionWords } from '../lib/words.ts'
import type { Tables } from '../storage/tables.ts'
import { type CutPassage, cutDocument, type DocumentFormat } from './cut-document.ts'
import {
  deleteDocument,
  deletePassages,
  findDocument,
  holdTotals,
  insertPassages,
  type PassageRecord,
  putDocument,
} from './store.ts'

export interface NewDocument {
  title: string
  /** Where readers find it; null for a document without an address. */
  url: string | null
  text: string
  format: DocumentFormat
  /** Other ways to ask for it, as an FAQ entry has them: searched like the title, never shown. */
  alternates?: readonly string[]
}

export interface AddedDocument {
  documentId: number
  /** False when the same document was there already. */
  changed: boolean
}

/**
 * Adds a document to what an agent knows, in one transaction: the one given, else one of its own. A document of the
 * same address, or without one of the same title, is replaced; the same one again changes nothing.
 * @throws ApiError invalid_request for one of more passages than can be written at once
 */
export async function addDocument(
  db: Kysely<Tables>,
  agentId: number,
  document: NewDocument,
  now: number,
): Promise<AddedDocument> {
  const title = storable(document.title)
  const url = document.url === null ? null : storable(document.url)
  const text = storable(document.text)
  const alternates = document.alternates?.map(storable) ?? []
  const source = sourceOf({ title, url })
  const content_hash = hash(JSON.stringify([INDEX_VERSION, title, url, document.format, text, alternates]))
  const present = await findDocument(db, agentId, source)
  if (present?.content_hash === content_hash) return { documentId: present.id, changed: false }

  const asked = alternates.map((question) => new Set(questionWords(question)))
  const cut = cutDocument(text, document.format)
  if (cut.length > MOST_PASSAGES) {
    const message = `content: the document has more than ${MOST_PASSAGES} sections and passages.`
    throw new ApiError('invalid_request', { param: 'content', message })
  }
  const pause = takeTurns()
  const passages: PassageRecord[] = []
  for (const passage of cut) {
    passages.push(toRecord(title, asked, passage))
    await pause()
  }
  return inTransaction(db, async (db) => {
    await holdTotals(db, agentId)
    const documentId = await putDocument(
      db,
      { agent_id: agentId, source, title, url, content_hash },
      timestamp(now),
    )
    await deletePassages(db, agentId, documentId)
    await insertPassages(db, agentId, documentId, passages)
    return { documentId, changed: true }
  })
}

/** Takes a document out of what an agent knows. Returns whether it was there. */
export async function removeDocument(
  db: Kysely<Tables>,
  agentId: number,
  document: Pick<NewDocument, 'title' | 'url'>,
): Promise<boolean> {
  return inTransaction(db, async (db) => {
    await holdTotals(db, agentId)
    const present = await findDocument(db, agentId, sourceOf(document))
    if (!present) return false
    await deletePassages(db, agentId, present.id)
    await deleteDocument(db, present.id)
    return true
  })
}

/** A large book has a few thousand; they are written in one transaction, for which others wait. */
const MOST_PASSAGES = 20_000

/** Counts up when words are cut or passages made in another way: all documents are then indexed anew. */
const INDEX_VERSION = 2

/** What a word counts in the heading, and in each other way to ask: readers ask in the words of headings. */
const HEADING_WEIGHT = 2
/** How often a word of the text counts at most: one that is repeated on and on says no more. */
const MOST_REPEATS = 4

function toRecord(
  title: string,
  alternates: readonly ReadonlySet<string>[],
  { path, anchor, text }: CutPassage,
): PassageRecord {
  const questions = [new Set(questionWords(path.at(-1) ?? title)), ...alternates]
  const around = new Set([title, ...path.slice(0, -1)].flatMap(questionWords))
  const words = indexWords(text)
  const counts = countEach(words)
  for (const [word, count] of counts) counts.set(word, Math.min(count, MOST_REPEATS))
  for (const question of questions) addTo(counts, question, HEADING_WEIGHT)
  addTo(counts, around, 1)
  return {
    heading: path.join(' › '),
    anchor,
    text,
    length: words.length + questions.reduce((sum, { size }) => sum + size, 0),
    counts,
  }
}

function countEach(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  addTo(counts, words, 1)
  return counts
}

function addTo(counts: Map<string, number>, words: Iterable<string>, weight: number): void {
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + weight)
}

/** An index of PostgreSQL takes some 2700 bytes of a text. */
const LONGEST_SOURCE = 2600

/** What a document is known by. */
function sourceOf({ title, url }: Pick<NewDocument, 'title' | 'url'>): string {
  const source = storable(url === null ? `title ${title}` : `url ${url}`)
  return Buffer.byteLength(source) <= LONGEST_SOURCE ? source : `sha256 ${hash(source)}`
}

/** PostgreSQL takes no NUL in text, and neither engine half a character. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function inTransaction<Result>(
  db: Kysely<Tables>,
  work: (db: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}
