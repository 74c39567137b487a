import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { acrossAgents } from '../../lib/agent-scope.ts'
import { errorCode } from '../../lib/error-code.ts'
import { shareOfTeam } from '../../lib/pacing/turns-by-team.ts'
import { within } from '../../lib/pacing/within.ts'
import { followedTime } from '../database-time.ts'
import type { Engine, Incarnation } from '../engine.ts'
import { migrate } from '../migrate.ts'
import type { Database } from '../opened-database.ts'
import { bypassesPolicies, setScope } from '../row-security.ts'
import type { Tables } from '../tables.ts'
import { WakingDb } from '../waking-db.ts'
import { writeProbe } from '../write-probe.ts'
import { dumpDatabase } from './postgres-backup.ts'
import { postgresDialect } from './postgres-driver.ts'
import { isUnavailable, noConnection } from './postgres-failures.ts'
import { refuseSharedSessions } from './postgres-pooler.ts'
import { NOW_MS, postgresPresence } from './postgres-presence.ts'
import { keepSession } from './postgres-session.ts'
import { settledIds } from './postgres-settled.ts'
import { sharedPool } from './postgres-shared-pool.ts'
import { watchForSilence } from './postgres-silence.ts'
import { turnsOfOwners } from './postgres-turns.ts'
import { postgresWakeUps } from './postgres-wake-ups.ts'
import { WatchedClient } from './postgres-watched-client.ts'

/** The tables with texts of people and models, which redaction overwrites. */
const TABLES_OF_TEXT = [
  'messages',
  'completions',
  'evaluations',
  'conversation_notes',
  'ratings',
  'drafts',
  'conversation_summaries',
  'message_translations',
  'handoff_summaries',
  'conversation_keys',
  'case_texts',
  'test_results',
  'deliveries',
  'mailbox_items',
  'continuations',
  'search_words',
  'users',
  'user_words',
]

const CONNECTIONS = 10
/** The most connections that store prompts of one agent, and of one team alone and beside others. */
const TURNS = { ofAgent: CONNECTIONS / 2, ofTeam: { alone: shareOfTeam(CONNECTIONS), beside: 4 } }
const CONNECT_LIMIT_MS = 3000
/** A time so short that no firewall forgets an idle connection, and that the kernel notices when one has. */
const KEEP_ALIVE_MS = 10_000
/** The longest time that closing the connections waits for a server that does not answer. */
const CLOSE_LIMIT_MS = 2000
const OLDEST_VERSION = 15
const UNIQUE_VIOLATION = '23505'
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'
const LOCKED = new Set([LOCK_NOT_AVAILABLE, DEADLOCK])
const DISK_FULL = '53100'

/**
 * Transactions are written for `read committed`: after waiting for a row, a transaction reads what was written
 * meanwhile. The timeout limits how long a process that freezes within a transaction can keep its rows locked.
 */
const SESSION = `select pg_backend_pid() as backend,
  set_config('default_transaction_isolation', 'read committed', false),
  set_config('idle_in_transaction_session_timeout', '60s', false)`

/** The type of 64-bit integers. They are read as numbers, since ours stay far below 2^53. */
const INT8 = 20

/**
 * Opens a PostgreSQL database. `migrate` rejects when the server is older than version 15 or a pooler shares its
 * sessions.
 */
export function openPostgres(url: string): Database {
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  }
  const pool = new pg.Pool({
    ...connection,
    max: CONNECTIONS,
    Client: WatchedClient,
    pipeline: true,
    // The pool waits for this function, although its types do not say so.
    async onConnect(client) {
      if (!(client instanceof WatchedClient)) throw new Error('the pool made another kind of client')
      connections.add(client)
      // Until its first statement says otherwise, a session reaches no agent.
      const [{ rows }] = await Promise.all([client.query(SESSION), client.query(setScope('none'))])
      client.backend = rows[0]?.backend ?? null
      client.scope = 'none'
    },
    types: {
      getTypeParser: (type, format) =>
        type === INT8 ? Number : pg.types.getTypeParser(type, format as 'text'),
    },
  })
  // A broken connection, idle or within a transaction, rejects its query and is replaced by the next one. Without both
  // listeners, the error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const session = keepSession(connection)
  const connections = watchForSilence(pool, session)
  const wakeUps = postgresWakeUps(session, (channel, payload) =>
    sql`select pg_notify(${channel}, ${payload})`.execute(db),
  )
  const teamOf = (agentId: number) =>
    acrossAgents('agents of one team share connections', () => readTeam(db, agentId))
  const shared = sharedPool(pool, teamOf, CONNECT_LIMIT_MS, noConnection)
  const db = new WakingDb(postgresDialect(shared), wakeUps.wakeUps)
  const time = followedTime()
  const presence = postgresPresence(db, session, time)
  const engine: Engine = {
    kind: 'postgres',
    isSingleProcess: false,
    keepsOrder: false,
    title: 'PostgreSQL',
    commitOrder: {
      column: 'transaction_id',
      seen: () => sql<string>`pg_current_snapshot()::text`,
      next: () => sql<number>`pg_current_xact_id()::text::bigint`,
    },
    incarnation: () => incarnationOf(db),
    settledUpTo: settledIds(db),
    locksRows: true,
    async lock(db, purpose, id) {
      await sql`select pg_advisory_xact_lock(${purpose}::integer, ${id}::integer)`.execute(db)
    },
    inTurnOf: turnsOfOwners(TURNS, CONNECT_LIMIT_MS, noConnection),
    identityType: 'bigint',
    identity: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
    // PostgreSQL's sequences never give the same id twice.
    async retireIds() {},
    async numberAboveRows(db, table) {
      const sequence = sql`pg_get_serial_sequence(${table}, 'id')::regclass`
      await sql`
        select setval(${sequence}, greatest(max(id), nextval(${sequence}))) from ${sql.table(table)}`.execute(
        db,
      )
    },
    async noteSizes(tables) {
      await sql`analyze ${sql.join(tables.map((table) => sql.table(table)))}`.execute(db)
    },
    isUniqueViolation: (error) => errorCode(error) === UNIQUE_VIOLATION,
    isLocked: (error) => LOCKED.has(errorCode(error)),
    isUnavailable,
    isFull: (error) => errorCode(error) === DISK_FULL,
    async eraseOverwritten() {},
    name: 'PostgreSQL',
    guarantees: [
      'No query reads what was erased.',
      'Old versions of rows stay in files until VACUUM has run and their space is used again; the write-ahead log, replicas, archives and copies keep them for as long as those are kept.',
    ],
    async load() {
      const { totalCount, idleCount: idle } = pool
      const waiting = shared.waiting()
      const { rows } = await sql<{ bytes: number; walBytes: number | null }>`
        select pg_database_size(current_database()) as bytes, case
          when pg_is_in_recovery() or not has_function_privilege('pg_control_checkpoint()', 'execute') then null
          else (select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::bigint from pg_control_checkpoint())
        end as "walBytes"`.execute(db)
      return {
        ...(rows[0] ?? { bytes: 0, walBytes: null }),
        connections: { busy: totalCount - idle, idle, waiting },
      }
    },
    async rowSecurityWarning() {
      return (await bypassesPolicies(db))
        ? 'the role of PARLEY_DATABASE_URL bypasses row-level security: connect as an ordinary role that owns the tables'
        : null
    },
    async compact() {
      for (const table of TABLES_OF_TEXT) await sql`vacuum ${sql.table(table)}`.execute(db)
    },
    backup: (target) => dumpDatabase(url, target),
  }
  async function close(): Promise<void> {
    wakeUps.close()
    const left = presence.stop().then(() => db.destroy())
    await within(CLOSE_LIMIT_MS, 'the database', left).catch(() => {})
    session.close()
    connections.dropAll()
  }

  return {
    db,
    engine,
    wakeUps: wakeUps.wakeUps,
    presence,
    time,
    async migrate(options) {
      session.open()
      await refuseOldVersion(db)
      await refuseSharedSessions(pool)
      await time.measure(async () => {
        const { rows } = await sql<{ now: number }>`select ${sql.raw(NOW_MS)} as now`.execute(db)
        return rows[0]?.now ?? 0
      })
      return migrate(db, engine, options)
    },
    missing: null,
    ping: writeProbe(db, engine, tryToWrite),
    close,
  }
}

/**
 * Identifies the database and its run. Restoring a dump makes another database, or other tables in the same one.
 * Restoring a copy of the server's files, whole or up to some moment, requires a start or a promotion of the server.
 */
async function incarnationOf(db: Kysely<Tables>): Promise<Incarnation> {
  const { rows } = await sql<{ history: string; run: string; mayRead: boolean }>`
    select concat_ws(' ', pg_relation_filenode('log_epochs'),
        (select oid from pg_database where datname = current_database())) as history,
      extract(epoch from pg_postmaster_start_time())::text as run,
      has_function_privilege('pg_control_system()', 'execute')
        and has_function_privilege('pg_control_checkpoint()', 'execute') as "mayRead"`.execute(db)
  const { history = '', run = '', mayRead = false } = rows[0] ?? {}
  if (!mayRead) return { history, run }
  const control = await sql<{ system: string; timeline: number }>`
    select system_identifier::text as system, timeline_id as timeline
    from pg_control_system(), pg_control_checkpoint()`.execute(db)
  const { system = '', timeline = 0 } = control.rows[0] ?? {}
  return { history: `${system} ${history}`, run: `${timeline} ${run}` }
}

async function readTeam(db: Kysely<Tables>, agentId: number): Promise<number | null> {
  const agent = db.selectFrom('agents').select('team_id').where('id', '=', agentId)
  return (await agent.executeTakeFirst())?.team_id ?? null
}

async function refuseOldVersion(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ version: number }>`
    select current_setting('server_version_num')::int as version`.execute(db)
  const version = Math.floor((rows[0]?.version ?? 0) / 10_000)
  if (version < OLDEST_VERSION)
    throw new Error(`PostgreSQL ${OLDEST_VERSION} or newer is required; the server is version ${version}`)
}

/**
 * Empties a table and writes to it: the space of deleted rows would hide that the disk is full. When another process
 * does the same at this moment, its write is enough.
 */
async function tryToWrite(db: Kysely<Tables>, filler: string): Promise<void> {
  try {
    await db.transaction().execute(async (db) => {
      await sql`lock table write_probes in access exclusive mode nowait`.execute(db)
      await sql`truncate write_probes`.execute(db)
      await db.insertInto('write_probes').values({ filler }).execute()
    })
  } catch (error) {
    if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error
    await sql`select 1`.execute(db)
  }
}
