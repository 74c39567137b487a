import { createHash, subtle } from 'node:crypto'
import type { Kysely } from 'kysely'
import { teamOfAgent } from '../../agents/team-of-agent.ts'
import type { TeamBy } from '../../audit/record.ts'
import { invalidField } from '../../errors.ts'
import type { Tables } from '../../storage/tables.ts'
import { MOST_TEXT } from '../formats/convert/converted.ts'
import type { DocumentFormat } from '../formats/read-document.ts'
import { readNotes, storedNotes } from '../notes.ts'
import { because } from '../reasons.ts'
import { findDocument } from '../store.ts'
import { prepareAside } from './prepare-aside.ts'
import { type Edit, type Publish, writeDocument } from './write-document.ts'

/** A document to be added. */
export interface NewDocument {
  /**
   * Identifies the document, for example by a path or an id. When absent, its address identifies it, or its title if it
   * has no address.
   */
  source?: string | undefined
  /** The title; for an FAQ entry, the question. When absent, the document's own title is used. */
  title?: string | undefined
  /** The title if the document gives itself none. */
  otherwiseTitled?: string | undefined
  /** The address at which readers find the document. When absent, its front matter may give it. */
  url?: string | null | undefined
  /** The address when the front matter gives none. A relative address in the front matter starts from it. */
  otherwiseAt?: string | undefined
  content: string
  format: DocumentFormat
  /** Other ways to ask for the document. */
  questions?: readonly string[] | undefined
  /** Notes on what was left out when the content was converted from something else, in words for people. */
  notes?: readonly string[] | undefined
  /** Identifies everything that was given, when the content was converted from something else; see `hashOf`. */
  hash?: string
  /** The edit, when a stored document is changed and not added. */
  edit?: Edit
  /** Runs the transaction that publishes it; one of its own when absent. */
  publish?: Publish
}

export interface AddedDocument {
  documentId: number
  source: string
  outcome: 'added' | 'replaced' | 'unchanged'
  /** Notes on what was left out of it, in words for people. */
  notes: string[]
}

/**
 * Adds a document to an agent's knowledge. It replaces a document of the same source, which searches find until the new
 * one is complete. Adding the same document again changes nothing.
 * @param by the person who adds it; absent when the service itself adds its own documentation
 * @throws DocumentMoved if the document was changed or removed since it was read to be edited
 * @throws ApiError invalid_request for one without a title or without any text, and for one that is too large
 */
export async function addDocument(
  db: Kysely<Tables>,
  agentId: number,
  given: NewDocument,
  nowMs: number,
  by?: TeamBy,
): Promise<AddedDocument> {
  const document = { ...given, content: storable(given.content) }
  if (document.content.length > MOST_TEXT)
    throw invalidField('content', `${because('too_long', { count: MOST_TEXT })}.`)
  const content_hash = given.hash ?? (await hashOf(document, document))
  const named = document.source ?? document.url
  if (named) {
    const present = await findUnchanged(db, agentId, named, content_hash)
    if (present) return present
  }
  const questions = document.questions?.map(storable) ?? []
  const { content, format, title = null, otherwiseTitled = null } = document
  const team = () => teamOfAgent(db, agentId)
  return prepareAside(team, { content, format, title, otherwiseTitled, questions }, async (prepared) => {
    const { title, batches } = prepared
    if (prepared.refused !== null) throw invalidField('content', `${prepared.refused}.`)
    if (!title) throw invalidField('title', `${because('no_title')}.`)
    if (prepared.passages === 0) throw invalidField('content', `${because('no_text')}.`)
    if (prepared.passages > MOST_PASSAGES)
      throw invalidField('content', `${because('too_many_passages', { count: MOST_PASSAGES })}.`)
    if (prepared.questionEntries > MOST_QUESTION_ENTRIES)
      throw invalidField('questions', `${because('too_many_questions')}.`)
    const url = document.url ?? addressIn(prepared.url, document.otherwiseAt)
    const source = document.source ?? url ?? title
    const present = named ? null : await findUnchanged(db, agentId, source, content_hash)
    if (present) return present
    const notes = [...new Set([...(document.notes ?? []), ...prepared.notes])]
    const record = {
      agent_id: agentId,
      source: sourceKey(source),
      title: storable(title),
      url: url === null ? null : storable(url),
      content_hash,
      notes: storedNotes(notes),
    }
    const { text, format } = prepared
    const kept = { text, format, questions: JSON.stringify(questions) }
    const written = await writeDocument(db, record, kept, batches, nowMs, by, document)
    return { source: record.source, notes, ...written }
  })
}

/** Finds the document of a source if it was added with a certain hash. */
export async function findUnchanged(
  db: Kysely<Tables>,
  agentId: number,
  source: string,
  hash: string,
): Promise<AddedDocument | null> {
  const key = sourceKey(source)
  const present = await findDocument(db, agentId, key)
  if (present?.content_hash !== hash) return null
  return { documentId: present.id, source: key, outcome: 'unchanged', notes: readNotes(present.notes) }
}

/** The maximum number of a document's passages. A large book has a few thousand. */
const MOST_PASSAGES = 20_000
/**
 * The maximum number of index entries for a document's questions: every question is indexed with every passage. An FAQ
 * entry has one passage, or a few.
 */
const MOST_QUESTION_ENTRIES = 200_000

/**
 * The version of the index. Raise it whenever words or passages are cut in a new way, or more of a document is kept, so
 * that a document that is added again is stored anew.
 */
const INDEX_VERSION = 8

/** Hashes everything that is given of a document: what its text is made from, and what is said about it. */
export async function hashOf(
  { title, otherwiseTitled, url, otherwiseAt, questions }: Omit<NewDocument, 'content' | 'format' | 'notes'>,
  {
    format,
    charset,
    content,
  }: { format: string; charset?: string | undefined; content: string | Uint8Array },
): Promise<string> {
  const about = [INDEX_VERSION, title, otherwiseTitled, url, otherwiseAt, format, questions, charset]
  // Large files are hashed in another thread.
  const ofContent = await subtle.digest(
    'SHA-256',
    typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
  )
  return createHash('sha256')
    .update(JSON.stringify(about))
    .update(new Uint8Array(ofContent))
    .digest('base64url')
}

/** The maximum length of a source in bytes. PostgreSQL's indexes accept texts of up to some 2700 bytes. */
const LONGEST_SOURCE = 2600

/**
 * Returns the source as it is stored. A source too long for an index, such as an address with many Japanese letters, is
 * stored as its hash.
 */
export function sourceKey(source: string): string {
  const key = storable(source)
  if (Buffer.byteLength(key) <= LONGEST_SOURCE) return key
  return `sha256 ${createHash('sha256').update(key).digest('base64url')}`
}

function addressIn(written: string | null, otherwise: string | undefined): string | null {
  const address = written === null ? null : URL.parse(written, otherwise)
  return address && ['http:', 'https:'].includes(address.protocol) ? address.href : (otherwise ?? null)
}

/** Makes a text storable: PostgreSQL accepts no NUL in text, and neither engine accepts half a surrogate pair. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
