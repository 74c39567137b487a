/** The content of a backup, as all of it was read. */
export interface InspectedBackup {
  /** The names of the migrations that its schema has had. */
  migrations: string[]
  tables: number
  rows: number
  /** The rows of its installation: names and values. */
  installation: Map<string, string>
}
