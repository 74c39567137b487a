import type { Kysely } from 'kysely'
import type { TeamBy } from '../../audit/record.ts'
import { ApiError, foundOr, invalidField } from '../../errors.ts'
import { refuseOutdated, versionOf } from '../../http/version.ts'
import type { Tables } from '../../storage/tables.ts'
import { readNotes } from '../notes.ts'
import { addDocument } from './add-document.ts'
import { type DocumentRow, selectDocument, selectText } from './document-store.ts'
import { DocumentMoved } from './write-document.ts'

/** The fields to change in a document. */
interface DocumentPatch {
  title?: string | undefined
  text?: string | undefined
  url?: string | null | undefined
  questions?: string[] | undefined
  version?: string | undefined
}

/** The number of tries after which an edit gives up because other changes came in between. */
const MOST_TRIES = 5

/**
 * Edits a document of an agent's knowledge and cuts its passages anew. Its id and its source stay. A patch that changes
 * nothing stores nothing.
 * @returns the document after the edit
 * @throws ApiError document_not_found; version_outdated; invalid_request for a text that cannot be read, or when the
 * present text is needed and was not kept; unavailable when other changes keep coming in between
 */
export async function editDocument(
  db: Kysely<Tables>,
  agentId: number,
  id: number,
  { version, ...patch }: DocumentPatch,
  nowMs: number,
  by: TeamBy,
): Promise<DocumentRow> {
  for (let tries = 1; ; tries++) {
    try {
      return await edit()
    } catch (error) {
      if (!(error instanceof DocumentMoved)) throw namedAsPatched(error)
      if (tries === MOST_TRIES) throw new ApiError('unavailable', { cause: error })
    }
  }

  async function edit(): Promise<DocumentRow> {
    const row = foundOr(await selectDocument(db, agentId, id), 'document_not_found')
    refuseOutdated(version, documentVersion(row))
    const kept = await selectText(db, id)
    const { title, url, source } = row
    const before = { title, url, text: kept?.text, questions: kept?.questions ?? [] }
    const { text, ...after } = { ...before, ...given(patch) }
    const fields = Object.entries(given(patch))
      .filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof before]),
      )
      .map(([name]) => name)
    if (fields.length === 0) return row
    if (text === undefined) throw invalidField('text', NOT_KEPT)
    const format = kept?.format ?? 'markdown'
    // The notes on parts of the file that were left out still hold, unless the text is replaced.
    const notes = fields.includes('text') ? [] : readNotes(row.notes)
    const document = {
      ...after,
      source,
      content: text,
      format,
      notes,
      edit: { hash: row.content_hash, fields },
    }
    await addDocument(db, agentId, document, nowMs, by)
    return foundOr(await selectDocument(db, agentId, id), 'document_not_found')
  }
}

/** Returns the version of a document. An edit is published only if the hash is still the one that it read. */
export function documentVersion({ content_hash }: DocumentRow): string {
  return versionOf(content_hash)
}

const NOT_KEPT = 'The text of this document was not kept when it was added: send it whole.'

/** Returns the fields that a patch has. */
function given(patch: DocumentPatch): DocumentPatch {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
}

/** Names the field as the patch does: documents are added with `content`, which is edited as `text`. */
function namedAsPatched(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.param !== 'content') return error
  return invalidField('text', error.message.replace(/^content: /, ''))
}
