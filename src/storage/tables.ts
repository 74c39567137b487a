import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/**
 * The rows of every table, the same on both engines: integers, text, booleans as 0 and 1, times as RFC 3339 text in UTC
 * with milliseconds (they sort as text), JSON as text that is parsed where it is read. Each owner of tables declares
 * them in its own tables.ts, which adds them here.
 */
export interface Tables {
  installation: InstallationTable
  backups: BackupsTable
  processes: ProcessesTable
  write_probes: WriteProbesTable
  backfills: BackfillsTable
}

/** Copies that `parley backup` made, or was making when it died. */
export interface BackupsTable {
  at: string
}

/** Values of the installation as a whole, such as the encrypted key with which credentials are hashed. */
export interface InstallationTable {
  name: string
  value: string
}

/** Processes that serve now or have served. */
export interface ProcessesTable {
  id: string
  /** Rises as long as the process is alive. */
  beats: Generated<number>
  /** Set when the process is gone: the rows it held are free. */
  gone: Generated<Flag>
  seen_at: string
  /** The version of Parley; null for those from before 0.2.0. */
  version: string | null
}

/** Rows that are written to find out whether the database has room. There is at most one. */
export interface WriteProbesTable {
  id: Generated<number>
  filler: string
}

/** The backfills that are not complete. */
export interface BackfillsTable {
  name: string
  /** The beginning of its next piece, in the backfill's own form. */
  at: string
}
