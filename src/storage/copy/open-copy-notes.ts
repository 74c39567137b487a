import type { CopyNotes } from '../copy-notes.ts'
import type { DatabasePlace } from '../database.ts'
import { databaseFile } from '../sqlite/sqlite.ts'
import { openSqliteCopyNotes } from '../sqlite/sqlite-copy-notes.ts'

/** Opens the notes of a database. */
export async function openCopyNotes({ databaseUrl, dataDir }: DatabasePlace): Promise<CopyNotes> {
  if (databaseUrl === null) return openSqliteCopyNotes(databaseFile(dataDir))
  const { openPostgresCopyNotes } = await import('../postgres/postgres-copy-notes.ts')
  return openPostgresCopyNotes(databaseUrl)
}
