import { type Kysely, sql } from 'kysely'
import { errorCode } from '../../lib/error-code.ts'
import type { Engine, Incarnation, Load } from '../engine.ts'
import { bypassesPolicies } from '../row-security.ts'
import type { Tables } from '../tables.ts'
import { dumpDatabase } from './postgres-backup.ts'
import { isAway, isUnavailable, LOCK_NOT_AVAILABLE } from './postgres-failures.ts'
import { settledIds } from './postgres-settled.ts'

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

const UNIQUE_VIOLATION = '23505'
const DEADLOCK = '40P01'
const LOCKED = new Set([LOCK_NOT_AVAILABLE, DEADLOCK])
const DISK_FULL = '53100'

interface Options extends Pick<Engine, 'inTurnOf'> {
  url: string
  /** Counts the connections, by state. */
  connections(): Load['connections']
}

/** Creates the engine of a PostgreSQL database. */
export function postgresEngine(db: Kysely<Tables>, { url, inTurnOf, connections }: Options): Engine {
  return {
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
    inTurnOf,
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
    isAway,
    isFull: (error) => errorCode(error) === DISK_FULL,
    async eraseOverwritten() {},
    name: 'PostgreSQL',
    guarantees: [
      'No query reads what was erased.',
      'Old versions of rows stay in files until VACUUM has run and their space is used again; the write-ahead log, replicas, archives and copies keep them for as long as those are kept.',
    ],
    async load() {
      const { rows } = await sql<{ bytes: number; walBytes: number | null }>`
        select pg_database_size(current_database()) as bytes, case
          when pg_is_in_recovery() or not has_function_privilege('pg_control_checkpoint()', 'execute') then null
          else (select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::bigint from pg_control_checkpoint())
        end as "walBytes"`.execute(db)
      return { ...(rows[0] ?? { bytes: 0, walBytes: null }), connections: connections() }
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
