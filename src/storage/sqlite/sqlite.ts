import { appendFileSync, chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Dialect, type Kysely, SqliteIntrospector } from 'kysely'
import { timestamp } from '../../lib/clock.ts'
import { makeFile, notWritten } from '../data-dir.ts'
import { ownTime } from '../database-time.ts'
import { migrate } from '../migrate.ts'
import type { Database } from '../opened-database.ts'
import { singleProcessPresence } from '../presence.ts'
import type { Tables } from '../tables.ts'
import { localWakeUps } from '../wake-ups.ts'
import { WakingDb } from '../waking-db.ts'
import { writeProbe } from '../write-probe.ts'
import { GroupCommit } from './group-commit.ts'
import { LastCommit, missingCommits } from './last-commit.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { ManySessions, SqliteDriver, SqliteSession } from './sqlite-driver.ts'
import { sqliteEngine } from './sqlite-engine.ts'
import { isBusy, isFull, isNoDatabase } from './sqlite-failures.ts'
import { SqliteCompiler } from './sqlite-query-compiler.ts'
import { WriteAheadLog } from './write-ahead-log.ts'

const NAME = 'parley.db'

/** Returns the file of a data directory's SQLite database. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, NAME)
}

/** False if the database of a data directory is missing, or holds nothing of anybody. It is not changed. */
export function mayHoldData(dataDir: string): boolean {
  const file = databaseFile(dataDir)
  if (!existsSync(file)) return false
  try {
    using database = new DatabaseSync(file, { readOnly: true })
    return database.prepare('select 1 from teams limit 1').get() !== undefined
  } catch (error) {
    return !(error instanceof Error && error.message.includes('no such table'))
  }
}

/** Opens the SQLite database of a data directory, and creates it when it is missing. */
export function openSqlite(dataDir: string): Database {
  // Must come before SQLite opens the file: the files that SQLite creates beside it get the same mode.
  const file = makeFile(dataDir, NAME)
  chmodSync(file, 0o600)
  const missing = noteMissing(file)
  const [writer, reader] = connect(file, dataDir)
  const log = new WriteAheadLog(`${file}-wal`)
  const lastCommit = new LastCommit(file, () => {
    const { rows } = writer.run<{ log: number }>('PRAGMA wal_checkpoint(NOOP)', [])
    return rows[0]?.log ?? 0
  })
  const group = new GroupCommit(writer, isBusy, async () => {
    const keep = lastCommit.look()
    await log.flush()
    keep()
  })
  // Only one process works on the file.
  const wakeUps = localWakeUps()
  const dialect: Dialect = {
    createAdapter: () => new ManySessions(),
    createDriver: () => new SqliteDriver(writer, reader, group, [log, lastCommit]),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteCompiler(),
  }
  const db = new WakingDb(dialect, wakeUps, new SqliteSession(writer, reader, group))
  const engine = sqliteEngine({ writer, group, file, dataDir })
  return {
    db,
    engine,
    wakeUps,
    presence: singleProcessPresence(db),
    time: ownTime,
    async migrate(options) {
      await group.between(() => writer.keepInFiles(dataDir))
      try {
        return await migrate(db, engine, options)
      } finally {
        await group.between(() => writer.keepInMemory())
      }
    },
    missing,
    ping: writeProbe(db, engine, tryToWrite),
    close: () => db.destroy(),
  }
}

/**
 * Records in a file beside the database that answered commits are gone, since nothing shows it once the database is
 * open.
 * @returns the text, as long as the file is there
 */
function noteMissing(file: string): string | null {
  const note = `${file}-missing`
  const found = missingCommits(file)
  if (found !== null) appendFileSync(note, `${timestamp(Date.now())} ${found}\n`, { mode: 0o600 })
  return existsSync(note)
    ? `commits that had been answered are missing: ${note} says which. Remove it when that is dealt with`
    : null
}

/** Writes the new row before it deletes the old ones, so that the write needs room. */
async function tryToWrite(db: Kysely<Tables>, filler: string): Promise<void> {
  await db.transaction().execute(async (db) => {
    const { id } = await db
      .insertInto('write_probes')
      .values({ filler })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.deleteFrom('write_probes').where('id', '<', id).execute()
  })
}

/** @throws ConfigError if the disk is full @throws Error that names a file that is no database */
function connect(file: string, dataDir: string): [writer: SqliteConnection, reader: SqliteConnection] {
  try {
    return [new SqliteConnection(file, false), new SqliteConnection(file, true)]
  } catch (error) {
    if (isFull(error, dataDir)) throw notWritten(dataDir, 'the disk is full')
    if (!isNoDatabase(error)) throw error
    throw new Error(`${file} is not a database of SQLite, or damaged`, { cause: error })
  }
}
