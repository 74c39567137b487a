import { existsSync } from 'node:fs'
import type { Database } from './opened-database.ts'
import { databaseFile, openSqlite } from './sqlite/sqlite.ts'

/** The place of a database: PostgreSQL when an address is given, otherwise SQLite in the data directory. */
export interface DatabasePlace {
  readonly databaseUrl: string | null
  readonly dataDir: string
}

/** @throws Error if a data directory has no database, which opening it would make */
export function requireDatabase({ databaseUrl, dataDir }: DatabasePlace): void {
  if (databaseUrl === null && !existsSync(databaseFile(dataDir)))
    throw new Error(`there is no database in ${dataDir}: the first start creates it`)
}

export async function openDatabase({ databaseUrl, dataDir }: DatabasePlace): Promise<Database> {
  if (databaseUrl === null) return openSqlite(dataDir)
  // The PostgreSQL client takes memory, so it is loaded only when it is used.
  const { openPostgres } = await import('./postgres/postgres.ts')
  return openPostgres(databaseUrl)
}
