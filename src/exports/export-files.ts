import type { FilePlace } from '../files/file-place.ts'
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
        const pieces = place.read({ agentId: row.agent_id, fileId: id, part: 'kept' }, 0, bytes)
        yield { name: `files/${id}-${(name ?? kind).replaceAll(NOT_IN_NAMES, '_')}`, pieces }
      }
    }
}

/** Characters that some file systems do not take. */
const NOT_IN_NAMES = /[^\p{L}\p{M}\p{N} ._()+-]/gu
