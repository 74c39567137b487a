import type { Kysely } from 'kysely'
import type { DatabaseTime } from './database-time.ts'
import type { Engine } from './engine.ts'
import type { MigrateOptions } from './migrate.ts'
import type { Presence } from './presence.ts'
import type { Tables } from './tables.ts'
import type { WakeUps } from './wake-ups.ts'

/** An open database: Kysely for queries, the engine for the differences. */
export interface Database {
  readonly db: Kysely<Tables>
  readonly engine: Engine
  readonly wakeUps: WakeUps
  readonly presence: Presence
  readonly time: DatabaseTime
  /** Describes answered commits that are gone; null when no loss is known. */
  readonly missing: string | null
  /**
   * Brings the schema up to date while others use the database; safe when several processes start at once. Returns the
   * names of the migrations that it completed.
   */
  migrate(options?: MigrateOptions): Promise<string[]>
  /**
   * Writes a small row. Rejects when the database does not answer or accepts no writes, for example because its disk is
   * full.
   */
  ping(): Promise<void>
  close(): Promise<void>
}
