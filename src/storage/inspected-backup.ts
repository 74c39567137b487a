import type { Seal } from './backup-seal.ts'

/** The content of a backup, as all of it was read. */
export interface BackupContent {
  /** The names of the migrations that its schema has had. */
  migrations: string[]
  tables: number
  rows: number
  /** The rows of its installation: names and values. */
  installation: Map<string, string>
}

/** A backup's content, and its seal if it has one, which fits. */
export interface InspectedBackup extends BackupContent {
  seal: Seal | null
}
