import type { ColumnDefinitionBuilder, Kysely, RawBuilder } from 'kysely'
import type { Presence } from './presence.ts'
import type { Tables } from './tables.ts'
import type { WakeUps } from './wake-ups.ts'

/** Everything in which the two storage engines differ, and nothing else. */
export interface Engine {
  readonly kind: 'sqlite' | 'postgres'
  /** Whether only one process works on the database at a time: what another one left behind has no owner. */
  readonly isSingleProcess: boolean
  /** Whether transactions commit in the order in which they begin. */
  readonly keepsOrder: boolean
  /** The column type of such keys: PostgreSQL's integer would end at two thousand million. */
  readonly identityType: 'integer' | 'bigint'
  /** Makes an integer column a key that the database numbers by itself, upwards. */
  identity(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /**
   * Keeps the ids of tables from being given again once their rows are deleted, within a migration.
   * @param given by table, a query of ids of which the highest was given already
   */
  retireIds(db: Kysely<Tables>, given: Partial<Record<keyof Tables, RawBuilder<unknown>>>): Promise<void>
  /** Whether an error says that a unique constraint refused a row. */
  isUniqueViolation(error: unknown): boolean
  /** Whether an error says that the database cannot be reached or is too busy: worth a 503. */
  isUnavailable(error: unknown): boolean
  /**
   * Takes overwritten text out of the files that Parley itself writes.
   * SQLite: a checked WAL truncation, retried while a reader is open; rejects when readers never let go. Rows that
   * grew before may have left a copy of a neighbour in the unused part of a page: `compact` takes those.
   * PostgreSQL: nothing to do here; what remains where is documented.
   */
  eraseOverwritten(): Promise<void>
  /** Rewrites the tables so that no rest of an overwritten row stays in unused space; writers wait meanwhile. */
  compact(): Promise<void>
  /** Writes a consistent copy to a new file while the service runs; rejects when the file exists. */
  backup(file: string): Promise<void>
}

/** An open database: Kysely for queries, the engine for what differs. */
export interface Database {
  readonly db: Kysely<Tables>
  readonly engine: Engine
  readonly wakeUps: WakeUps
  readonly presence: Presence
  /** Brings the schema up to date; safe when several processes start at once. Returns the names applied. */
  migrate(): Promise<string[]>
  /** Writes a little; rejects when the database does not answer, or takes no writes, as when its disk is full. */
  ping(): Promise<void>
  close(): Promise<void>
}
