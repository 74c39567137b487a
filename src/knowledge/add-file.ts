import { basename, extname } from 'node:path'
import type { Kysely } from 'kysely'
import type { TeamBy } from '../audit/record.ts'
import { ApiError } from '../errors.ts'
import type { Tables } from '../storage/tables.ts'
import { type AddedDocument, addDocument } from './add-document.ts'
import { formatOfFile } from './file-format.ts'

/** What became of a file. */
export interface FileOutcome {
  file: string
  outcome: AddedDocument['outcome'] | 'skipped'
  document_id: number | null
  source: string | null
  /** Why it was skipped. */
  reason: string | null
}

/**
 * Adds a file to an agent's knowledge. Its path is its source, so that the same file sent again replaces it.
 * @param content null: there was more of it than is read
 */
export async function addFile(
  db: Kysely<Tables>,
  agentId: number,
  { path, content }: { path: string; content: Buffer | null },
  nowMs: number,
  by: TeamBy,
): Promise<FileOutcome> {
  const format = formatOfFile(path)
  if (format === null) return skipped(path, 'its format is not read')
  if (content === null) return skipped(path, 'it is too large')
  const text = textOf(content)
  if (text === null) return skipped(path, 'it is no text in UTF-8')
  try {
    const otherwiseTitled = basename(path, extname(path))
    const document = { source: path, content: text, format, otherwiseTitled }
    const { documentId, ...added } = await addDocument(db, agentId, document, nowMs, by)
    return { file: path, ...added, document_id: documentId, reason: null }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return skipped(path, error.message.replace(/\.$/, ''))
  }
}

function skipped(file: string, reason: string): FileOutcome {
  return { file, outcome: 'skipped', document_id: null, source: null, reason }
}

function textOf(content: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return null
  }
}
