import { basename, extname } from 'node:path'
import type { Kysely } from 'kysely'
import { teamOfAgent } from '../../agents/team-of-agent.ts'
import type { TeamBy } from '../../audit/record.ts'
import { ApiError } from '../../errors.ts'
import type { Tables } from '../../storage/tables.ts'
import { convertAside } from '../formats/convert/convert-aside.ts'
import type { Converted } from '../formats/convert/converted.ts'
import { decodeText, decodeWestern } from '../formats/decode-text.ts'
import { type FileFormat, formatOfFile } from '../formats/file-format.ts'
import { because } from '../reasons.ts'
import { type AddedDocument, addDocument, findUnchanged, hashOf, type NewDocument } from './add-document.ts'
import { failureOf, forgetFailure, noteFailure } from './failure-store.ts'
import type { Publish } from './write-document.ts'

/** The outcome of adding a file. */
export interface FileOutcome {
  file: string
  outcome: AddedDocument['outcome'] | 'skipped'
  document_id: number | null
  source: string | null
  /** The reason for which it was skipped. */
  reason: string | null
  /** Notes on what was left out of it. */
  notes: string[]
  /** True if it was skipped only for now: the same file may be readable another time. */
  isPassing?: true
}

/** A file to be added. */
interface NewFile {
  /** Names the file in its outcome. */
  path: string
  /** Identifies the document; the path when absent. */
  source?: string
  /** The file's bytes; null: there were more than are read. */
  content: Uint8Array | null
  /** The format. When absent, the extension gives it. */
  format?: FileFormat
  /** The encoding that a server declared. */
  charset?: string | undefined
  /** The title. When absent, the file's own title is used, or its name. */
  title?: string
  /** The address at which readers find it. */
  url?: string
  /** Notes on what was left out when the content was converted from something else, in words for people. */
  notes?: readonly string[]
  /** The address if its front matter gives no other. */
  otherwiseAt?: string
  /** Runs the transaction that publishes the document; one of its own when absent. */
  publish?: Publish
}

/**
 * Adds a file to an agent's knowledge. Its source identifies it, so that the same file sent again replaces it. A file
 * that cannot be read is not tried again until it changes, and the document of its source stays as it is.
 */
export async function addFile(
  db: Kysely<Tables>,
  agentId: number,
  file: NewFile,
  nowMs: number,
  by?: TeamBy,
): Promise<FileOutcome> {
  const { path, source = path, content, charset } = file
  const format = file.format ?? formatOfFile(path)
  if (format === null) return skipped(path, because('format_unknown'))
  if (content === null) return skipped(path, because('too_large'))
  const document: Omit<NewDocument, 'content' | 'format'> = {
    source,
    otherwiseTitled: basename(path, extname(path)),
    ...(file.title === undefined ? {} : { title: file.title }),
    ...(file.url === undefined ? {} : { url: file.url }),
    ...(file.otherwiseAt === undefined ? {} : { otherwiseAt: file.otherwiseAt }),
    ...(file.publish === undefined ? {} : { publish: file.publish }),
  }
  const hash = await hashOf(document, { format, charset, content })
  const present = await findUnchanged(db, agentId, source, hash)
  if (present) return outcomeOf(path, present)
  const known = await failureOf(db, agentId, source, hash)
  if (known !== null) return skipped(path, known)
  const read = await readFile(db, agentId, format, content, { charset, by })
  if ('refused' in read)
    return read.isPassing ? { ...skipped(path, read.refused), isPassing: true } : refused(read.refused)
  try {
    const { title, ...text } = read
    const notes = [...(file.notes ?? []), ...read.notes]
    // The headings of a PDF are its pages, so its title cannot come from them.
    const titled =
      format === 'pdf' && file.title === undefined ? { title: title ?? document.otherwiseTitled } : {}
    const added = await addDocument(db, agentId, { ...document, ...titled, ...text, notes, hash }, nowMs, by)
    await forgetFailure(db, agentId, source)
    return outcomeOf(path, added)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return refused(error.message.replace(/^\w+: /, '').replace(/\.$/, ''))
  }

  async function refused(reason: string): Promise<FileOutcome> {
    await noteFailure(db, agentId, source, hash, reason, nowMs)
    return skipped(path, reason)
  }
}

function outcomeOf(file: string, { documentId, source, outcome, notes }: AddedDocument): FileOutcome {
  return { file, outcome, document_id: documentId, source, reason: null, notes }
}

/** Returns the outcome of a file that did not become a document. */
export function skipped(file: string, reason: string): FileOutcome {
  return { file, outcome: 'skipped', document_id: null, source: null, reason, notes: [] }
}

type ReadFile =
  | (Pick<NewDocument, 'content' | 'format'> & { title: string | null; notes: string[] })
  | Extract<Converted, { refused: string }>

async function readFile(
  db: Kysely<Tables>,
  agentId: number,
  format: FileFormat,
  content: Uint8Array,
  { charset, by }: { charset: string | undefined; by: TeamBy | undefined },
): Promise<ReadFile> {
  if (format === 'pdf' || format === 'docx') {
    // Somebody with a shell uses the time of a process of their own, so no team has to share it.
    const isShared = by?.actor.kind !== 'command_line'
    return convertAside(isShared ? await teamOfAgent(db, agentId) : null, format, content)
  }
  const text = decodeText(content, format, charset)
  if (text !== null) return { content: text, format, title: null, notes: [] }
  const western = decodeWestern(content)
  if (western === null) return { refused: because('no_utf8') }
  return { content: western, format, title: null, notes: [because('read_as_western')] }
}
