import { BytesGone, type FilePlace } from '../files/file-place.ts'
import { readAttachments } from '../transcripts/attachments.ts'
import type { ExportedRow } from './export-rows.ts'
import type { ZipEntry } from './zip.ts'

/**
 * Returns what an archive of an export holds: its text, then each file that a message in it has.
 * @param rows reads the rows of the export. They are read twice, so that no list of files is kept in memory.
 */
export async function* entriesOfExport(
  text: ZipEntry,
  rows: AsyncIterable<readonly ExportedRow[]>,
  place: FilePlace,
): AsyncGenerator<ZipEntry> {
  yield text
  for await (const page of rows)
    for (const { type, row } of page) {
      if (type !== 'message') continue
      for (const { id, name, kind, bytes, state } of readAttachments(row.attachments) ?? []) {
        if (state !== 'stored') continue
        const pieces = await begun(place.read({ agentId: row.agent_id, fileId: id, part: 'kept' }, 0, bytes))
        if (pieces) yield { name: `files/${id}-${(name ?? kind).replaceAll(NOT_IN_NAMES, '_')}`, pieces }
      }
    }
}

/** Reads the first piece of a file; returns null if the file was erased since its message was read. */
async function begun(pieces: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array> | null> {
  const reading = pieces[Symbol.asyncIterator]()
  const first = await reading.next().catch((error: unknown) => {
    if (error instanceof BytesGone) return null
    throw error
  })
  if (first === null) return null
  return (async function* () {
    for (let read = first; !read.done; read = await reading.next()) yield read.value
  })()
}

/** Characters that some file systems do not take. */
const NOT_IN_NAMES = /[^\p{L}\p{M}\p{N} ._()+-]/gu
