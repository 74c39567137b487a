import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { WriteAheadLog } from '../../src/storage/sqlite/write-ahead-log.ts'

export interface FloorDatabase {
  database: DatabaseSync
  /** Prepares the insert of some rows. */
  insert(table: string, columns: string[], count?: number, finish?: string): StatementSync
  /** Runs a unit with all others of this turn of the event loop; resolves when they are on disk. */
  unit<T>(work: () => T): Promise<T>
}

/**
 * Opens a database as Parley does, and nothing else: statements that run one after the other, one commit for everything
 * in a turn of the event loop, and a flush beside it.
 * @param file a database that Parley has migrated
 */
export function openFloorDatabase(file: string): FloorDatabase {
  const database = new DatabaseSync(file)
  database.exec(`
    PRAGMA synchronous = NORMAL;
    PRAGMA wal_autocheckpoint = 4000;
    PRAGMA secure_delete = ON;
    PRAGMA cache_size = -65536;
    PRAGMA temp_store = MEMORY;
  `)
  const log = new WriteAheadLog(`${file}-wal`)
  let due: (() => void)[] = []
  let waiting: { resolve: () => void; reject: (error: unknown) => void }[] = []
  const commit = () => {
    database.exec('BEGIN IMMEDIATE')
    for (const work of due) work()
    database.exec('COMMIT')
    const units = waiting
    waiting = []
    due = []
    log.flush().then(
      () => {
        for (const { resolve } of units) resolve()
      },
      (error) => {
        for (const { reject } of units) reject(error)
      },
    )
  }
  return {
    database,
    insert(table, columns, count = 1, finish = '') {
      const row = `(${columns.map(() => '?').join(', ')})`
      const all = Array.from({ length: count }, () => row).join(', ')
      return database.prepare(`insert into ${table} (${columns.join(', ')}) values ${all} ${finish}`)
    },
    unit: (work) =>
      new Promise((resolve, reject) => {
        if (due.length === 0) setImmediate(commit)
        due.push(() => {
          const result = work()
          waiting.push({ resolve: () => resolve(result), reject })
        })
      }),
  }
}
