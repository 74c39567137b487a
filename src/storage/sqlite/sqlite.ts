import { randomUUID } from 'node:crypto'
import { appendFileSync, chmodSync, existsSync, statfsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type CompiledQuery,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  sql,
} from 'kysely'
import { timestamp } from '../../lib/clock.ts'
import { makeFile, notWritten } from '../data-dir.ts'
import { ownTime } from '../database-time.ts'
import type { Engine } from '../engine.ts'
import { migrate } from '../migrate.ts'
import type { Database } from '../opened-database.ts'
import type { ImmediateConnection } from '../prepared.ts'
import { singleProcessPresence } from '../presence.ts'
import type { Tables } from '../tables.ts'
import { turnsOfTeams } from '../turns-of-teams.ts'
import { localWakeUps } from '../wake-ups.ts'
import { WakingDb } from '../waking-db.ts'
import { writeProbe } from '../write-probe.ts'
import { GroupCommit } from './group-commit.ts'
import { LastCommit, missingCommits } from './last-commit.ts'
import { autoIncrement } from './sqlite-auto-increment.ts'
import { copyDatabase } from './sqlite-copy-database.ts'
import { SqliteCompiler } from './sqlite-query-compiler.ts'
import { IO_ERROR, WriteAheadLog } from './write-ahead-log.ts'

/** Result codes of SQLite (https://www.sqlite.org/rescode.html); the low byte is the primary one. */
const BUSY = 5
const FULL = 13
const CANNOT_OPEN = 14
const UNAVAILABLE = new Set([
  BUSY,
  6 /* locked */,
  8 /* read only, as file systems become after faults */,
  IO_ERROR,
  FULL,
  CANNOT_OPEN,
])
const NO_DATABASE = new Set([11 /* malformed */, 26 /* not a database */])
const UNIQUE_VIOLATIONS = new Set([1555 /* primary key */, 2067 /* unique */])
/** The transactions of a team that store prompts at once. Alone it has no limit: many are written with one flush. */
const TURNS_OF_TEAM = { alone: Number.POSITIVE_INFINITY, beside: 2 }
const ERASE_LIMIT_MS = 10_000
const OPEN_LIMIT_MS = 5000
/** A pause of very many conversations changes more pages in one transaction than a smaller cache would hold. */
const WRITE_CACHE_KIB = 65_536
/** Reads also come from the operating system's cache, and cost little more from there. */
const READ_CACHE_KIB = 16_384

const NAME = 'parley.db'

/** Returns the file of a data directory's SQLite database. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, NAME)
}

/** False if the database of a data directory is missing, or holds nothing of anybody. It is not changed. */
export function mayHoldData(dataDir: string): boolean {
  const file = databaseFile(dataDir)
  if (!existsSync(file)) return false
  try {
    using database = new DatabaseSync(file, { readOnly: true })
    return database.prepare('select 1 from teams limit 1').get() !== undefined
  } catch (error) {
    return !(error instanceof Error && error.message.includes('no such table'))
  }
}

/** Opens the SQLite database of a data directory, and creates it when it is missing. */
export function openSqlite(dataDir: string): Database {
  // Must come before SQLite opens the file: the files that SQLite creates beside it get the same mode.
  const file = makeFile(dataDir, NAME)
  chmodSync(file, 0o600)
  const missing = noteMissing(file)
  const [writer, reader] = connect(file, dataDir)
  const log = new WriteAheadLog(`${file}-wal`)
  const lastCommit = new LastCommit(file, () => {
    const { rows } = writer.run<{ log: number }>('PRAGMA wal_checkpoint(NOOP)', [])
    return rows[0]?.log ?? 0
  })
  const group = new GroupCommit(writer, isBusy, async () => {
    const keep = lastCommit.look()
    await log.flush()
    keep()
  })
  // Only one process works on the file.
  const wakeUps = localWakeUps()
  const dialect: Dialect = {
    createAdapter: () => new ManySessions(),
    createDriver: () => new SqliteDriver(writer, reader, group, [log, lastCommit]),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteCompiler(),
  }
  const db = new WakingDb(dialect, wakeUps, new SqliteSession(writer, reader, group))
  const erase = eraser(writer, group)
  const run = randomUUID()
  const inTurnOfTeam = turnsOfTeams(TURNS_OF_TEAM)
  const engine: Engine = {
    kind: 'sqlite',
    isSingleProcess: true,
    keepsOrder: true,
    title: `SQLite in ${dataDir}`,
    commitOrder: {
      column: 'id',
      seen: (table) => sql<string>`(':' || ${nextId(table)} || ':')`,
      next: nextId,
    },
    // No other file can replace one that is open.
    incarnation: async () => ({ history: 'sqlite', run }),
    settledUpTo: async () => null,
    locksRows: false,
    lock: async () => {},
    inTurnOf: ({ teamId }, transaction) => inTurnOfTeam(teamId, transaction),
    identityType: 'integer',
    // AUTOINCREMENT writes one more page for each insert. Only tables whose newest rows may be deleted need it
    // (`retireIds`).
    identity: (column) => column.primaryKey(),
    async retireIds(db, given) {
      writer.database.enableDefensive(false)
      try {
        await autoIncrement(db, given)
      } finally {
        writer.database.enableDefensive(true)
      }
    },
    // SQLite itself numbers above the highest row.
    async numberAboveRows() {},
    async noteSizes() {},
    isUniqueViolation: (error) => UNIQUE_VIOLATIONS.has(resultCode(error)),
    isLocked: isBusy,
    isUnavailable,
    isAway: isUnavailable,
    isFull: (error) => isFull(error, dataDir),
    eraseOverwritten: erase,
    name: 'SQLite',
    guarantees: [
      'Overwritten pages were zeroed, and the write-ahead log was cut to nothing before this receipt was signed.',
      'A row that had grown may have left a copy of its neighbour in the unused part of a page, until `parley compact` runs.',
    ],
    rowSecurityWarning: async () => null,
    async load() {
      const [bytes, walBytes] = await Promise.all([sizeOf(file), sizeOf(`${file}-wal`)])
      return { bytes, walBytes, connections: {} }
    },
    async compact() {
      await untilFree(group, () => {
        writer.exec('VACUUM')
        return true
      })
      await erase()
    },
    backup: (target) => copyDatabase(file, target),
  }
  return {
    db,
    engine,
    wakeUps,
    presence: singleProcessPresence(db),
    time: ownTime,
    migrate: (options) => migrate(db, engine, options),
    missing,
    ping: writeProbe(db, engine, tryToWrite),
    close: () => db.destroy(),
  }
}

/**
 * Records in a file beside the database that answered commits are gone, since nothing shows it once the database is
 * open.
 * @returns the text, as long as the file is there
 */
function noteMissing(file: string): string | null {
  const note = `${file}-missing`
  const found = missingCommits(file)
  if (found !== null) appendFileSync(note, `${timestamp(Date.now())} ${found}\n`, { mode: 0o600 })
  return existsSync(note)
    ? `commits that had been answered are missing: ${note} says which. Remove it when that is dealt with`
    : null
}

/** Returns the size of a file in bytes; 0 when it does not exist. */
async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0
}

/** Selects the id of the next row of a table with AUTOINCREMENT, also when all of its rows were deleted. */
function nextId(table: keyof Tables) {
  return sql<number>`(select coalesce(max(seq), 0) + 1 from sqlite_sequence where name = ${sql.lit(table)})`
}

/** Writes the new row before it deletes the old ones, so that the write needs room. */
async function tryToWrite(db: Kysely<Tables>, filler: string): Promise<void> {
  await db.transaction().execute(async (db) => {
    const { id } = await db
      .insertInto('write_probes')
      .values({ filler })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.deleteFrom('write_probes').where('id', '<', id).execute()
  })
}

function isUnavailable(error: unknown): boolean {
  return UNAVAILABLE.has(resultCode(error) & 0xff)
}

function resultCode(error: unknown): number {
  return (error as { errcode?: number } | null)?.errcode ?? 0
}

/**
 * Tells whether the disk is full. SQLite also calls it an I/O error where its index of the log finds no room, and says
 * that a file cannot be opened where there is no room for another one.
 */
function isFull(error: unknown, dataDir: string): boolean {
  const code = resultCode(error) & 0xff
  return code === FULL || ((code === IO_ERROR || code === CANNOT_OPEN) && hasNoRoom(dataDir))
}

/** Tells whether a folder takes no more bytes, or no more files. Some file systems do not count files. */
function hasNoRoom(dataDir: string): boolean {
  const { bavail, files, ffree } = statfsSync(dataDir)
  return bavail === 0 || (files > 0 && ffree === 0)
}

/** @throws ConfigError if the disk is full @throws Error that names a file that is no database */
function connect(file: string, dataDir: string): [writer: Connection, reader: Connection] {
  try {
    return [new Connection(file, false), new Connection(file, true)]
  } catch (error) {
    if (isFull(error, dataDir)) throw notWritten(dataDir, 'the disk is full')
    if (!NO_DATABASE.has(resultCode(error) & 0xff)) throw error
    throw new Error(`${file} is not a database of SQLite, or damaged`, { cause: error })
  }
}

function isBusy(error: unknown): boolean {
  return (resultCode(error) & 0xff) === BUSY
}

/** One connection to the file, with its prepared statements. */
class Connection {
  readonly database: DatabaseSync
  #recent = new Map<string, Statement>()
  #earlier = new Map<string, Statement>()

  constructor(file: string, readOnly: boolean) {
    this.database = new DatabaseSync(file, { readOnly })
    // Another process may be opening the database too. Only this short wait blocks the event loop.
    this.database.exec(`PRAGMA busy_timeout = ${OPEN_LIMIT_MS}`)
    if (!readOnly) keepLog(this.database)
    // Pages that many commits rewrite are copied from the log only once. Four times SQLite's own interval makes a
    // prompt 5% cheaper.
    // The file is not mapped into memory: a reader would map all of it again after each commit, which costs more than a
    // read.
    this.database.exec(`
      PRAGMA synchronous = NORMAL;
      PRAGMA wal_autocheckpoint = 4000;
      PRAGMA foreign_keys = ON;
      PRAGMA secure_delete = ON;
      PRAGMA cache_size = -${readOnly ? READ_CACHE_KIB : WRITE_CACHE_KIB};
      PRAGMA temp_store = MEMORY;
      PRAGMA busy_timeout = ${readOnly ? 5000 : 0};
    `)
  }

  get isTransaction(): boolean {
    // The database may have been closed right after the last unit of a group, before its commit came due.
    return this.database.isOpen && this.database.isTransaction
  }

  exec(sql: string): void {
    this.run(sql, [])
  }

  run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    const { statement, toRow } = this.#prepare(sql)
    const values = parameters as SQLInputValue[]
    if (toRow) {
      const rows: unknown = statement.all(...values)
      return { rows: (rows as unknown[][]).map(toRow) as Row[] }
    }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  /**
   * Keeps the statements that were used lately: preparing one costs several times as much as running it. At the limit,
   * those that were not used since the last time are dropped.
   */
  #prepare(sql: string): Statement {
    const recent = this.#recent.get(sql)
    if (recent) return recent
    if (this.#recent.size >= STATEMENTS_KEPT) {
      this.#earlier = this.#recent
      this.#recent = new Map()
    }
    const statement = this.#earlier.get(sql) ?? newStatement(this.database, sql)
    this.#recent.set(sql, statement)
    return statement
  }
}

const STATEMENTS_KEPT = 250

/** A prepared statement; `toRow` is null when it returns no rows. */
interface Statement {
  statement: StatementSync
  toRow: ToRow | null
}

function newStatement(database: DatabaseSync, sql: string): Statement {
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  const columns = statement.columns().map(({ name }) => name)
  return { statement, toRow: columns.length > 0 ? rowsOf(columns) : null }
}

/**
 * Switches to the write-ahead log. Processes that create a database at the same moment may be refused it at once,
 * whatever the busy timeout.
 */
function keepLog(database: DatabaseSync): void {
  const until = performance.now() + OPEN_LIMIT_MS
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

type ToRow = (values: unknown[]) => unknown

/**
 * Creates a function that makes rows. node:sqlite returns rows as objects that are hash tables, and reading their
 * fields is several times slower. The generated code makes objects of one shape for exactly these columns, at a tenth
 * of the cost of setting the fields one by one. The column names are those of our own queries.
 */
function rowsOf(columns: string[]): ToRow {
  const fields = columns.map((column, index) => `${JSON.stringify(column)}: values[${index}]`)
  return new Function('values', `return { ${fields.join(', ')} }`) as ToRow
}

/** Lets several sessions in. Kysely would admit one at a time; here the group commit orders the sessions that write. */
class ManySessions extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** Kysely's driver. Units of work go through the group commit; reads outside a unit use a connection of their own. */
class SqliteDriver implements Driver {
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #group: GroupCommit
  readonly #files: { close(): void }[]

  constructor(writer: Connection, reader: Connection, group: GroupCommit, files: { close(): void }[]) {
    this.#writer = writer
    this.#reader = reader
    this.#group = group
    this.#files = files
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteSession> {
    return new SqliteSession(this.#writer, this.#reader, this.#group)
  }

  async beginTransaction(session: SqliteSession): Promise<void> {
    await this.#group.begin()
    session.inUnit = true
  }

  async commitTransaction(session: SqliteSession): Promise<void> {
    session.inUnit = false
    await this.#group.commit()
  }

  async rollbackTransaction(session: SqliteSession): Promise<void> {
    // A failed commit has already ended the unit.
    if (session.inUnit) this.#group.rollback()
    session.inUnit = false
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#group.between(() => {
      this.#reader.database.close()
      this.#writer.database.close()
    })
    await this.#group.flushed()
    for (const file of this.#files) file.close()
  }
}

class SqliteSession implements ImmediateConnection {
  inUnit = false
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #group: GroupCommit

  constructor(writer: Connection, reader: Connection, group: GroupCommit) {
    this.#writer = writer
    this.#reader = reader
    this.#group = group
  }

  runNow<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    if (!this.inUnit) throw new Error('the query needs a transaction')
    // A failure such as a full disk ends the transaction. Each further statement would then be committed by itself.
    if (!this.#writer.isTransaction) throw new Error('the database ended the transaction')
    return this.#writer.run(sql, parameters)
  }

  async executeQuery<Row>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.inUnit) return this.runNow(sql, parameters)
    // A read must not see what is not yet committed.
    if (SelectQueryNode.is(query)) {
      return (this.#writer.isTransaction ? this.#reader : this.#writer).run(sql, parameters)
    }
    await this.#group.begin()
    let result: QueryResult<Row>
    try {
      result = this.#writer.run(sql, parameters)
    } catch (error) {
      this.#group.rollback()
      throw error
    }
    await this.#group.commit()
    return result
  }

  // biome-ignore lint/correctness/useYield: nothing streams rows
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('rows are not streamed from SQLite')
  }
}

/**
 * Copies the write-ahead log into the database and truncates it, so that no file holds the old bytes of overwritten
 * rows (secure_delete has zeroed them in the database). The pragma reports an open reader in its result, not as an
 * error; in that case it is tried again.
 */
function eraser(writer: Connection, group: GroupCommit): () => Promise<void> {
  let next: Promise<void> | undefined
  const truncate = () =>
    untilFree(group, () => {
      // Later calls need a checkpoint of their own: they may have written after this one began.
      next = undefined
      const { rows } = writer.run<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)', [])
      return rows[0]?.busy === 0
    })
  return () => {
    next ??= truncate()
    return next
  }
}

/** Repeats an attempt between groups until no reader or other process blocks it. */
async function untilFree(group: GroupCommit, attempt: () => boolean): Promise<void> {
  const until = performance.now() + ERASE_LIMIT_MS
  for (let pause = 1; ; pause = Math.min(pause * 2, 200)) {
    const done = await group.between(() => {
      try {
        return attempt()
      } catch (error) {
        if (isBusy(error)) return false
        throw error
      }
    })
    if (done) return
    if (performance.now() > until) {
      const error = new Error('a reader keeps the write-ahead log from being erased')
      throw Object.assign(error, { errcode: BUSY })
    }
    await wait(pause)
  }
}
