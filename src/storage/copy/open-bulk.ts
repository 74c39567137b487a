import type { Bulk } from '../bulk.ts'
import type { DatabasePlace } from '../database.ts'
import { databaseFile } from '../sqlite/sqlite.ts'
import { openSqliteBulk } from '../sqlite/sqlite-bulk.ts'

/** Opens a database for reading and writing whole tables. @param isSource true: it is only read, as it is now */
export async function openBulk({ databaseUrl, dataDir }: DatabasePlace, isSource: boolean): Promise<Bulk> {
  if (databaseUrl === null) return openSqliteBulk(databaseFile(dataDir), isSource)
  const { openPostgresBulk } = await import('../postgres/postgres-bulk.ts')
  return openPostgresBulk(databaseUrl, isSource)
}
