import type { Database } from './opened-database.ts'
import { openSqlite } from './sqlite/sqlite.ts'

/** Opens the database: PostgreSQL when an address is given, otherwise SQLite in the data directory. */
export async function openDatabase(options: {
  databaseUrl: string | null
  dataDir: string
}): Promise<Database> {
  if (options.databaseUrl === null) return openSqlite(options.dataDir)
  // The PostgreSQL client takes memory, so it is loaded only when it is used.
  const { openPostgres } = await import('./postgres/postgres.ts')
  return openPostgres(options.databaseUrl)
}
