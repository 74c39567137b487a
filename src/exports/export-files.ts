import { BytesGone } from '../files/places/file-place.ts'
import { type Attachment, readAttachments } from '../transcripts/attachments.ts'
import type { ExportedRow } from './export-rows.ts'
import { LeftOut, type ZipEntry } from './zip.ts'

/** Begins to read a file of a message. @throws BytesGone */
type ReadFile = (file: Pick<Attachment, 'id' | 'bytes'>) => Promise<AsyncIterable<Uint8Array>>

/**
 * Returns what an archive of an export holds: its text, each file that a message in it has, and the ids of the files that
 * a redaction has deleted. The ids come last, so that files deleted while the archive is made are among them.
 * @param rows reads the rows of the export. They are read again each time, so that no list of files is kept in memory.
 */
export async function* entriesOfExport(
  text: ZipEntry,
  rows: () => AsyncIterable<readonly ExportedRow[]>,
  read: ReadFile,
): AsyncGenerator<ZipEntry> {
  yield text
  for await (const { id, name, kind, bytes, state } of filesOf(rows())) {
    if (state !== 'stored') continue
    const pieces = await read({ id, bytes }).catch(asNothing)
    if (pieces)
      yield { name: `files/${id}-${(name ?? kind).replaceAll(NOT_IN_NAMES, '_')}`, pieces: untilGone(pieces) }
  }
  yield { name: 'deleted.txt', pieces: deletedIds(rows()) }
}

async function* deletedIds(rows: AsyncIterable<readonly ExportedRow[]>): AsyncGenerator<string> {
  for await (const { id, state } of filesOf(rows)) if (state === 'deleted') yield `${id}\n`
}

async function* filesOf(rows: AsyncIterable<readonly ExportedRow[]>): AsyncGenerator<Attachment> {
  for await (const page of rows)
    for (const { type, row } of page) if (type === 'message') yield* readAttachments(row.attachments) ?? []
}

/** Leaves out a file that was deleted since its message was read. */
function asNothing(error: unknown): null {
  if (error instanceof BytesGone) return null
  throw error
}

/** @throws LeftOut if the bytes go while they are read */
async function* untilGone(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces
  } catch (error) {
    throw error instanceof BytesGone ? new LeftOut() : error
  }
}

/** Characters that some file systems do not take. */
const NOT_IN_NAMES = /[^\p{L}\p{M}\p{N} ._()+-]/gu
