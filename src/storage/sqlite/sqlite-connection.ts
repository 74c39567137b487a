import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { QueryResult } from 'kysely'
import { isBusy } from './sqlite-failures.ts'

const OPEN_LIMIT_MS = 5000
/** A pause of very many conversations changes more pages in one transaction than a smaller cache would hold. */
const WRITE_CACHE_KIB = 65_536
/** Reads also come from the operating system's cache, and cost little more from there. */
const READ_CACHE_KIB = 16_384

/** One connection to the file, with its prepared statements. */
export class SqliteConnection {
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
      PRAGMA busy_timeout = ${readOnly ? 5000 : 0};
    `)
    this.keepInMemory(readOnly ? READ_CACHE_KIB : WRITE_CACHE_KIB)
  }

  /** Keeps what statements sort and copy in memory. Called outside of transactions. */
  keepInMemory(cacheKib = WRITE_CACHE_KIB): void {
    this.database.exec(`PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${cacheKib}`)
  }

  /**
   * Keeps what statements sort and copy in files of a folder, which are deleted as soon as they are open: VACUUM copies
   * the whole database, and building an index sorts all of it. Called outside of transactions.
   */
  keepInFiles(folder: string): void {
    // Containers have no other folder in which they may write. A larger cache takes memory, and no less time.
    this.database.exec(`
      PRAGMA temp_store_directory = '${folder.replaceAll("'", "''")}';
      PRAGMA temp_store = FILE;
      PRAGMA cache_size = -${READ_CACHE_KIB};
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
