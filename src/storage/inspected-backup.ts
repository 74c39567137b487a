/** What a backup holds, read from all of it. */
export interface InspectedBackup {
  /** The names of the migrations that its schema has had. */
  migrations: string[]
  tables: number
  rows: number
  /** The rows of its installation: names and values. */
  installation: Map<string, string>
}
