import type { ColumnDefinitionBuilder, Kysely, RawBuilder } from 'kysely'
import type { CommitOrder } from './commit-order.ts'
import type { Tables } from './tables.ts'

/** Everything in which the two storage engines differ, and nothing else. */
export interface Engine {
  /** For migrations; all other code asks for one of the abilities below. */
  readonly kind: 'sqlite' | 'postgres'
  /** Which database this is, as people are told. */
  readonly title: string
  /**
   * Whether only one process works on the database at a time. If so, whatever an earlier process left behind has no
   * owner.
   */
  readonly isSingleProcess: boolean
  /** Whether transactions commit in the order in which they begin. */
  readonly keepsOrder: boolean
  readonly commitOrder: CommitOrder
  /** Tells whether the database is still the same one, and has run on. */
  incarnation(): Promise<Incarnation>
  /**
   * The id up to which all rows of a table are committed, or never will be: none appears below one that was read. Null:
   * ids are committed in their order.
   */
  settledUpTo(table: keyof Tables): Promise<number | null>
  /** Whether rows can be locked. Where they cannot, a transaction that writes excludes every other one. */
  readonly locksRows: boolean
  /**
   * Makes every other transaction that locks the same wait until this one ends.
   * @param purpose what is locked, with a number of its own
   * @param id which one of them
   */
  lock(db: Kysely<Tables>, purpose: number, id: number): Promise<void>
  /**
   * Runs a transaction that may wait for another one of the same agent. On PostgreSQL at most half of the connections
   * run such transactions of one agent, and seven of ten those of one team; the rest wait without a connection, so that
   * others find one free.
   * @throws an error that `isUnavailable` when its turn does not come in time
   */
  inTurnOf<T>(
    owner: { readonly agentId: number; readonly teamId: number },
    transaction: () => Promise<T>,
  ): Promise<T>
  /** The column type of identity keys. PostgreSQL's `integer` ends at about two thousand million. */
  readonly identityType: 'integer' | 'bigint'
  /** Makes an integer column a key that the database numbers upwards by itself. */
  identity(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /**
   * Keeps the ids of deleted rows from being used again. For migrations.
   * @param given for each table, a query of ids, the highest of which has been used
   */
  retireIds(db: Kysely<Tables>, given: Partial<Record<keyof Tables, RawBuilder<unknown>>>): Promise<void>
  /**
   * Tells the planner the sizes of tables to which the first rows were added. PostgreSQL itself looks about once a
   * minute, and plans searches badly until then. SQLite plans without them.
   */
  noteSizes(tables: readonly (keyof Tables)[]): Promise<void>
  /** Whether an error says that a unique constraint refused a row. */
  isUniqueViolation(error: unknown): boolean
  /** Tells whether an error means that another transaction was in the way: this one may be tried again. */
  isLocked(error: unknown): boolean
  /** Whether an error says that the database cannot be reached or is too busy: worth a 503. */
  isUnavailable(error: unknown): boolean
  /** Whether an error that `isUnavailable` says that there is no room left on the database's disk. */
  isFull(error: unknown): boolean
  /**
   * Removes overwritten text from the files that Parley itself writes.
   * SQLite: truncates the WAL and checks the result; retries while a reader is open, and rejects when readers do not
   * finish in time. A row that grew before may have left a copy of its neighbour in the unused part of a page:
   * `compact` removes such copies.
   * PostgreSQL: does nothing. The documentation says what remains, and where.
   */
  eraseOverwritten(): Promise<void>
  /** Rewrites the tables so that no unused space holds parts of overwritten rows. Writers wait meanwhile. */
  compact(): Promise<void>
  /** Writes a consistent copy to a new file while the service runs; rejects when the file exists. */
  backup(file: string): Promise<void>
}

/** The identity of a database and of its run, as texts that are only compared. */
export interface Incarnation {
  /** Another one when the numbers of transactions begin anew or the tables are other ones. */
  readonly history: string
  /** Another one when the server was started or promoted: it may have been put back to an earlier moment. */
  readonly run: string
}
