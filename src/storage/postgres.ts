import { Kysely, sql } from 'kysely'
import { PostgresJSDialect } from 'kysely-postgres-js'
import postgres from 'postgres'
import type { Database, Engine } from './engine.ts'
import { migrate } from './migrate.ts'
import type { Tables } from './tables.ts'

const CONNECTIONS = 10
const OLDEST_VERSION = 15
const UNIQUE_VIOLATION = '23505'
/** Shutting down, starting up, too many connections; and what postgres.js says of lost connections. */
const UNAVAILABLE =
  /^(57P0[1-3]|53300|08...|CONNECT_TIMEOUT|CONNECTION_CLOSED|CONNECTION_ENDED|CONNECTION_DESTROYED|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH)$/

/**
 * Connects to PostgreSQL.
 * @throws when the server cannot be reached or is older than version 15
 */
export async function openPostgres(url: string): Promise<Database> {
  const client = postgres(url, {
    max: CONNECTIONS,
    connect_timeout: 5,
    onnotice: () => {},
    // Numbers of rows stay far below 2^53.
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
  })
  const db = new Kysely<Tables>({ dialect: new PostgresJSDialect({ postgres: client }) })
  const engine: Engine = {
    kind: 'postgres',
    identityType: 'bigint',
    identity: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
    isUniqueViolation: (error) => codeOf(error) === UNIQUE_VIOLATION,
    isUnavailable: (error) => UNAVAILABLE.test(codeOf(error)),
    async eraseOverwritten() {},
    async backup() {
      throw new Error('backup copies SQLite databases; use pg_dump for PostgreSQL')
    },
  }
  try {
    await refuseOldVersion(db)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return {
    db,
    engine,
    migrate: () => migrate(db, engine),
    async ping() {
      await sql`select 1`.execute(db)
    },
    close: () => db.destroy(),
  }
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

async function refuseOldVersion(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ version: number }>`
    select current_setting('server_version_num')::int as version`.execute(db)
  const version = Math.floor((rows[0]?.version ?? 0) / 10_000)
  if (version < OLDEST_VERSION)
    throw new Error(`PostgreSQL ${OLDEST_VERSION} or newer is needed; this is ${version}`)
}
