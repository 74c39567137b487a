import type { Database } from './engine.ts'
import { openSqlite } from './sqlite.ts'

/** Opens the database: PostgreSQL at an address, or SQLite in the data directory when there is none. */
export async function openDatabase(options: {
  databaseUrl: string | null
  dataDir: string
}): Promise<Database> {
  if (options.databaseUrl === null) return openSqlite(options.dataDir)
  // Its client is loaded only where it is used: it costs memory.
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(options.databaseUrl)
}
