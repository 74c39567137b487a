import type { Kysely } from 'kysely'
import { decodeUri } from '../../lib/decode-uri.ts'
import type { Tables } from '../../storage/tables.ts'
import { hashOf } from '../documents/add-document.ts'
import { addFile, type FileOutcome } from '../documents/add-file.ts'
import { selectDocument } from '../documents/document-store.ts'
import { readPageAside } from '../documents/prepare-aside.ts'
import type { Publish } from '../documents/write-document.ts'
import { decodeText } from '../formats/decode-text.ts'
import { type FileFormat, formatOfFile } from '../formats/file-format.ts'
import type { ReadPage } from '../formats/read-page.ts'
import { because } from '../reasons.ts'
import type { Fetched } from './fetch-page.ts'
import type { ImportRow, PageRow } from './tables.ts'

/** The outcome of reading a page, and the pages to which it links. */
export interface ReadFoundPage {
  outcome: 'added' | 'replaced' | 'unchanged' | 'skipped'
  reason: string | null
  documentId: number | null
  hash: string | null
  links: readonly string[]
  /** True if the page must have no document, so that an earlier one is removed. */
  isUnwanted: boolean
}

const FORMATS: Readonly<Record<string, FileFormat>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
  'text/csv': 'csv',
  'text/x-rst': 'rst',
  'text/prs.fallenstein.rst': 'rst',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
}
/** The types that servers give for files that they do not know. */
const UNSAID = new Set(['', 'text/plain', 'application/octet-stream'])
const LARGEST_PAGE = 5 * 1024 * 1024

/** Stores the document that a page has become, unless it is unchanged. */
export async function readFoundPage(
  db: Kysely<Tables>,
  { agent_id: agentId, team_id: teamId }: Pick<ImportRow, 'agent_id' | 'team_id'>,
  page: PageRow,
  { address, type, charset, bytes, isHidden }: Extract<Fetched, { kind: 'read' }>,
  nowMs: number,
  publish: Publish,
  /** The reason for which it is only read for its links; null: it becomes a document. */
  refusal: string | null,
): Promise<ReadFoundPage> {
  const { pathname } = new URL(address)
  const format = UNSAID.has(type)
    ? (formatOfFile(pathname) ?? (type === 'text/plain' ? 'text' : 'html'))
    : FORMATS[type]
  if (format === undefined) return skipped(because('type_unknown', { type: type.slice(0, 100) }))
  if (isHidden) return unwanted(because('hidden'))
  if (format !== 'html' && refusal !== null) return unwanted(refusal)
  if (format !== 'html') return store(format, bytes, charset, { title: null, notes: [] }, [])
  if (bytes.length > LARGEST_PAGE)
    return skipped(because('larger_than', { megabytes: LARGEST_PAGE / 1024 / 1024 }))
  const html = decodeText(bytes, 'html', charset) ?? ''
  const read = await readPageAside(teamId, html, address)
  if ('refused' in read) return skipped(read.refused)
  const links = read.isDeadEnd ? [] : read.links
  if (refusal !== null) return { ...unwanted(refusal), links }
  if (read.isHidden) return { ...unwanted(because('hidden')), links }
  if (read.canonical !== null && isSamePage(read.canonical, address))
    return { ...unwanted(because('same_as', { address: read.canonical })), links: [read.canonical, ...links] }
  return store('markdown', Buffer.from(read.text), 'utf-8', read, links)

  async function store(
    format: FileFormat,
    content: Buffer,
    charset: string | undefined,
    { title, notes }: Pick<ReadPage, 'title' | 'notes'>,
    links: readonly string[],
  ): Promise<ReadFoundPage> {
    const hash = await hashOf(
      { url: address, ...(title === null ? {} : { title }) },
      { format, charset, content },
    )
    if (page.content_hash === hash) {
      const isThere = page.document_id !== null && (await selectDocument(db, agentId, page.document_id))
      if (isThere) return stored('unchanged', page.document_id)
      if (page.document_id === null) return { ...skipped(page.reason ?? because('unreadable')), hash, links }
    }
    const path = decodeUri(pathname)
    const file = { path, source: address, url: address, content, format, charset, notes, publish }
    const added: FileOutcome = await addFile(
      db,
      agentId,
      { ...file, ...(title === null ? {} : { title }) },
      nowMs,
    )
    if (added.document_id === null)
      return { ...skipped(added.reason ?? ''), hash: added.isPassing ? null : hash, links }
    // After a crash, a new document looks unchanged: its page has no hash yet.
    const isNew = added.outcome === 'added' || (added.outcome === 'unchanged' && page.content_hash === null)
    return stored(isNew ? 'added' : 'replaced', added.document_id, added.notes.join('; ') || null)

    function stored(
      outcome: 'added' | 'replaced' | 'unchanged',
      documentId: number | null,
      reason: string | null = null,
    ): ReadFoundPage {
      return { outcome, reason, documentId, hash, links, isUnwanted: false }
    }
  }
}

function skipped(reason: string): ReadFoundPage {
  return { outcome: 'skipped', reason, documentId: null, hash: null, links: [], isUnwanted: false }
}

function unwanted(reason: string): ReadFoundPage {
  return { ...skipped(reason), isUnwanted: true }
}

/**
 * Tells whether a page gives its own address without the query, or with a shorter one, as canonical. Other canonical
 * addresses are not trusted: some sites give all of their pages the address of the first one.
 */
function isSamePage(canonical: string, address: string): boolean {
  const [one, other] = [new URL(canonical), new URL(address)]
  return one.host === other.host && one.pathname === other.pathname && one.search.length < other.search.length
}
