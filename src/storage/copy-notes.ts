import type { BulkTable, Note } from './bulk.ts'
import type { Engine } from './engine.ts'

/**
 * The keys of rows that have changed in the source of a copy since it was begun. Triggers write them in the
 * transactions of the changes, so a copy that follows misses none, whoever makes them.
 */
export interface CopyNotes {
  /** Has the database note all changes of tables from now on, for as long as `keepOn` is called now and then. */
  begin(tables: readonly BulkTable[]): Promise<void>
  /** True if the database has noted all changes since `begin`. */
  areWhole(): Promise<boolean>
  keepOn(): Promise<void>
  /** Deletes all notes that one snapshot of the source has. */
  forget(notes: readonly Note[]): Promise<void>
  /** Takes back what `begin` made. */
  end(tables: readonly BulkTable[]): Promise<void>
  close(): Promise<void>
}

/** The time of the database, in seconds since 1970. */
export const NOW: Record<Engine['kind'], string> = {
  sqlite: 'unixepoch()',
  postgres: 'extract(epoch from clock_timestamp())',
}

/** A copy that nobody takes up again within this time is given up: the source notes nothing any more. */
export const NOTED_FOR_S = 24 * 60 * 60

/** Returns the names of the columns of a table's key, those of a row of a trigger. */
export function keyOfRow(row: 'old' | 'new', { columns, key }: BulkTable): string[] {
  return key.map((place) => `${row}."${columns[place]?.name}"`)
}
