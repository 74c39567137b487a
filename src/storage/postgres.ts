import { type Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Database, Engine } from './engine.ts'
import { migrate } from './migrate.ts'
import { isStalePlan, PlanKeepingClient } from './postgres-plan-keeping.ts'
import { postgresWakeUps } from './postgres-wake-ups.ts'
import type { Tables } from './tables.ts'
import { WakingDb } from './waking-db.ts'

/** What people and models said is in these, and what redaction overwrites. */
const TABLES_OF_TEXT = [
  'messages',
  'completions',
  'evaluations',
  'conversation_notes',
  'deliveries',
  'mailbox_items',
]

const CONNECTIONS = 10
const CONNECT_LIMIT_MS = 5000
const OLDEST_VERSION = 15
const UNIQUE_VIOLATION = '23505'
/**
 * Not accepting connections, shutting down, starting up, a standby, out of room, I/O, lost connections; transactions
 * that were given up for others, or for their time (PostgreSQL, appendix A; and the system's).
 */
const UNAVAILABLE =
  /^(55000|57P0[1-5]|25006|53...|58030|08...|40(001|P01)|55P03|57014|25P0[34]|ECONN(REFUSED|RESET|ABORTED)|EPIPE|ENOENT|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH)$/
/** What the client says without a code when a connection is lost or none came free in time. */
const LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/**
 * Transactions are written for `read committed`: who has waited for a row reads what was written meanwhile. A process
 * that freezes in the middle of one keeps others from its rows for so long and no longer.
 */
const SESSION = `set default_transaction_isolation = 'read committed';
  set idle_in_transaction_session_timeout = '60s'`

/** Numbers of rows stay far below 2^53. */
const INT8 = 20

/**
 * Connects to PostgreSQL.
 * @throws when the server cannot be reached or is older than version 15
 */
export async function openPostgres(url: string): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    Client: PlanKeepingClient,
    // The pool waits for it, whatever its types say.
    async onConnect(client) {
      await client.query(SESSION)
    },
    types: {
      getTypeParser: (type, format) =>
        type === INT8 ? Number : pg.types.getTypeParser(type, format as 'text'),
    },
  })
  // A connection that breaks, idle or within a transaction, is replaced by the next query, and the query it broke
  // under is told. Without listeners for both it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const { wakeUps, close } = postgresWakeUps(url, pool)
  const db = new WakingDb({ dialect: new PostgresDialect({ pool }) }, wakeUps)
  const engine: Engine = {
    kind: 'postgres',
    isSingleProcess: false,
    keepsOrder: false,
    identityType: 'bigint',
    identity: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
    // Its sequences go upwards alone.
    async retireIds() {},
    isUniqueViolation: (error) => codeOf(error) === UNIQUE_VIOLATION,
    isUnavailable: (error) =>
      UNAVAILABLE.test(codeOf(error)) ||
      isStalePlan(error) ||
      (error instanceof Error && LOST.test(error.message)),
    async eraseOverwritten() {},
    async compact() {
      for (const table of TABLES_OF_TEXT) await sql`vacuum ${sql.table(table)}`.execute(db)
    },
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
    wakeUps,
    migrate: () => migrate(db, engine),
    async ping() {
      await sql`select 1`.execute(db)
    },
    async close() {
      await close()
      await db.destroy()
    },
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
