import type { Database } from './engine.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** Opens the database: PostgreSQL at an address, or SQLite in the data directory when there is none. */
export async function openDatabase(options: {
  databaseUrl: string | null
  dataDir: string
}): Promise<Database> {
  return options.databaseUrl === null ? openSqlite(options.dataDir) : openPostgres(options.databaseUrl)
}
