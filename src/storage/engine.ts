import type { ColumnDefinitionBuilder, Kysely, RawBuilder } from 'kysely'
import type { CommitOrder } from './commit-order.ts'
import type { Tables } from './tables.ts'

/** Everything in which the two storage engines differ, and nothing else. */
export interface Engine {
  /** The engine's name, for migrations only; all other code asks for one of the abilities below. */
  readonly kind: 'sqlite' | 'postgres'
  /** The name of the database, for people. */
  readonly title: string
  /**
   * True if only one process works on the database at a time. Then nothing that an earlier process left behind has an
   * owner.
   */
  readonly isSingleProcess: boolean
  /** True if transactions commit in the order in which they begin. */
  readonly keepsOrder: boolean
  readonly commitOrder: CommitOrder
  /** Identifies the database and its run, to tell whether it is still the same and was not put back. */
  incarnation(): Promise<Incarnation>
  /**
   * Returns the id up to which all rows of a table are committed or never will be: no row appears below one that was
   * read. Null when ids are committed in their order.
   */
  settledUpTo(table: keyof Tables): Promise<number | null>
  /** True if rows can be locked. Otherwise a transaction that writes excludes every other one. */
  readonly locksRows: boolean
  /**
   * Locks something until the end of this transaction; others that lock the same wait.
   * @param purpose the number of the kind of thing that is locked
   * @param id the one that is locked
   */
  lock(db: Kysely<Tables>, purpose: number, id: number): Promise<void>
  /**
   * Runs a transaction that stores a prompt, in turn with those of other teams. On PostgreSQL at most half of the
   * connections run such transactions of one agent, and seven of ten those of one team, four while other teams are at work; the
   * rest wait without a connection, so that others find one free. On SQLite a team runs two at once beside others.
   * @throws an error that `isUnavailable` when its turn does not come in time
   */
  inTurnOf<T>(
    owner: { readonly agentId: number; readonly teamId: number },
    transaction: () => Promise<T>,
  ): Promise<T>
  /** The column type of identity keys. PostgreSQL's `integer` ends at about two thousand million. */
  readonly identityType: 'integer' | 'bigint'
  /** Makes an integer column a key that the database numbers in ascending order. */
  identity(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /**
   * Keeps the ids of deleted rows from being used again. For migrations.
   * @param given for each table, a query of ids, the highest of which has been used
   */
  retireIds(db: Kysely<Tables>, given: Partial<Record<keyof Tables, RawBuilder<unknown>>>): Promise<void>
  /** Has a table number its next row above all that it has, after rows that brought their ids. */
  numberAboveRows(db: Kysely<Tables>, table: keyof Tables): Promise<void>
  /**
   * Tells the planner the sizes of tables that got their first rows. PostgreSQL itself looks about once a minute, and
   * plans searches badly until then. SQLite does not need it.
   */
  noteSizes(tables: readonly (keyof Tables)[]): Promise<void>
  /** True if an error says that a unique constraint refused a row. */
  isUniqueViolation(error: unknown): boolean
  /** True if an error means that another transaction was in the way, so that this one may be tried again. */
  isLocked(error: unknown): boolean
  /** True if an error says that the database cannot be reached or is too busy: worth a 503. */
  isUnavailable(error: unknown): boolean
  /**
   * True if an error that `isUnavailable` says nothing about the work that met it, so that it may be tried again without
   * end. False when a statement ran into the time limit of its role: it may do so each time.
   */
  isAway(error: unknown): boolean
  /** True if an error that `isUnavailable` says that the database's disk is full. */
  isFull(error: unknown): boolean
  /**
   * Removes overwritten text from the files that Parley itself writes.
   * SQLite: truncates the WAL and checks the result; retries while a reader is open, and rejects when readers do not
   * finish in time. A row that grew before may have left a copy of its neighbour in the unused part of a page:
   * `compact` removes such copies.
   * PostgreSQL: does nothing. The documentation says what remains, and where.
   */
  eraseOverwritten(): Promise<void>
  /** The name of the database, and what it guarantees of erased texts, in sentences for receipts. */
  readonly name: string
  readonly guarantees: readonly string[]
  /**
   * Says why the database does not keep agents apart by itself although it could; null when it does, and on SQLite,
   * which cannot.
   */
  rowSecurityWarning(): Promise<string | null>
  /** Measures what the database takes, for metrics. */
  load(): Promise<Load>
  /** Rewrites the tables so that no unused space holds parts of overwritten rows. Writers wait meanwhile. */
  compact(): Promise<void>
  /** Writes a consistent copy into an empty file while the service runs. */
  backup(file: string): Promise<void>
}

/** The sizes of a database in bytes, and the use of its connections by this process. */
export interface Load {
  readonly bytes: number
  /** The part of the write-ahead log that a restart would read; null when the database does not tell. */
  readonly walBytes: number | null
  /** The connections by state, and the callers that wait for one; empty where there is no pool. */
  readonly connections: Readonly<Partial<Record<'busy' | 'idle' | 'waiting', number>>>
}

/** The identity of a database and of its run, as texts that are only compared. */
export interface Incarnation {
  /** Changes when transactions are numbered anew or the tables are others. */
  readonly history: string
  /** Changes when the server was started or promoted: it may have been put back to an earlier moment. */
  readonly run: string
}
