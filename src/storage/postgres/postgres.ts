import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { acrossAgents } from '../../lib/agent-scope.ts'
import { errorCode } from '../../lib/error-code.ts'
import { shareOfTeam } from '../../lib/pacing/turns-by-team.ts'
import { within } from '../../lib/pacing/within.ts'
import { followedTime } from '../database-time.ts'
import { migrate } from '../migrate.ts'
import type { Database } from '../opened-database.ts'
import { setScope } from '../row-security.ts'
import type { Tables } from '../tables.ts'
import { WakingDb } from '../waking-db.ts'
import { writeProbe } from '../write-probe.ts'
import { postgresDialect } from './postgres-driver.ts'
import { postgresEngine } from './postgres-engine.ts'
import { LOCK_NOT_AVAILABLE, noConnection } from './postgres-failures.ts'
import { refuseSharedSessions } from './postgres-pooler.ts'
import { NOW_MS, postgresPresence } from './postgres-presence.ts'
import { keepSession } from './postgres-session.ts'
import { sharedPool } from './postgres-shared-pool.ts'
import { watchForSilence } from './postgres-silence.ts'
import { turnsOfOwners } from './postgres-turns.ts'
import { postgresWakeUps } from './postgres-wake-ups.ts'
import { WatchedClient } from './postgres-watched-client.ts'

const CONNECTIONS = 10
/** The most connections that store prompts of one agent, and of one team alone and beside others. */
const TURNS = { ofAgent: CONNECTIONS / 2, ofTeam: { alone: shareOfTeam(CONNECTIONS), beside: 4 } }
const CONNECT_LIMIT_MS = 3000
/** A time so short that no firewall forgets an idle connection, and that the kernel notices when one has. */
const KEEP_ALIVE_MS = 10_000
/** The longest time that closing the connections waits for a server that does not answer. */
const CLOSE_LIMIT_MS = 2000
const OLDEST_VERSION = 15

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
  const time = followedTime(async () => {
    const { rows } = await sql<{ now: number }>`select ${sql.raw(NOW_MS)} as now`.execute(db)
    return rows[0]?.now ?? 0
  })
  const presence = postgresPresence(db, session, time)
  const engine = postgresEngine(db, {
    url,
    inTurnOf: turnsOfOwners(TURNS, CONNECT_LIMIT_MS, noConnection),
    connections() {
      const { totalCount, idleCount: idle } = pool
      return { busy: totalCount - idle, idle, waiting: shared.waiting() }
    },
  })

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
      await time.measure()
      return migrate(db, engine, options)
    },
    missing: null,
    ping: writeProbe(db, engine, tryToWrite),
    async close() {
      wakeUps.close()
      const left = presence.stop().then(() => db.destroy())
      await within(CLOSE_LIMIT_MS, 'the database', left).catch(() => {})
      session.close()
      connections.dropAll()
    },
  }
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
