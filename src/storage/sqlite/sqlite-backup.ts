import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import type { BackupContent } from '../inspected-backup.ts'
import { writeWhole } from '../write-whole.ts'
import { databaseFile } from './sqlite.ts'

/** Ends of the names of a database's files, some of which may be all that is left of it. */
const FILES = ['', '-wal', '-shm', '-committed', '-missing']
/** Large pieces: a backup may have many gigabytes. */
const READING = { highWaterMark: 1_048_576 }

/**
 * Reads all of a copy that `copyDatabase` made, and changes nothing.
 * @param bytes its length, behind which other bytes may follow
 * @throws Error if a part of it is damaged
 */
export function inspectSqliteBackup(file: string, bytes: number): BackupContent {
  const address = pathToFileURL(resolve(file))
  // Nothing is written beside the file, so it may be on a medium that can only be read.
  address.searchParams.set('immutable', '1')
  using database = new DatabaseSync(address, { readOnly: true })
  const all = (sql: string) => {
    const rows: unknown = database.prepare(sql).all()
    return rows as { name: string; value: string }[]
  }
  // SQLite itself takes a last page that is cut off for a whole one.
  const { page_size: page } = database.prepare('pragma page_size').get() ?? {}
  if (bytes % Number(page) !== 0) throw new Error('its last page is not whole')
  const { integrity_check: found } = database.prepare('pragma integrity_check(1)').get() ?? {}
  if (found !== 'ok') throw new Error(String(found))
  const tables = all(
    `select name from sqlite_schema where type = 'table' and name not like 'sqlite~_%' escape '~'`,
  )
  const has = (table: string) => tables.some(({ name }) => name === table)
  const count = ({ name }: { name: string }) =>
    Number(all(`select count(*) as value from "${name}"`)[0]?.value)
  return {
    migrations: has('schema_migrations')
      ? all('select name from schema_migrations').map(({ name }) => name)
      : [],
    tables: tables.length,
    rows: tables.reduce((sum, table) => sum + count(table), 0),
    installation: new Map(
      has('installation')
        ? all('select name, value from installation').map(({ name, value }) => [name, value])
        : [],
    ),
  }
}

/**
 * Makes a backup the database of a data directory that no process uses and that holds no file of a database.
 * @param check looks at the copy before it becomes the database
 */
export async function restoreSqliteBackup(
  file: string,
  dataDir: string,
  check: (copy: string) => Promise<void>,
): Promise<void> {
  const target = databaseFile(dataDir)
  const present = FILES.map((end) => `${target}${end}`).filter((name) => existsSync(name))
  if (present.length > 0)
    throw new Error(`${present.join(', ')} is there already: restore into an empty directory`)
  await writeWhole(target, async (partial) => {
    // A copy of the file itself would have its mode, too.
    await pipeline(createReadStream(file, READING), createWriteStream(partial, { flags: 'r+' }))
    await check(partial)
  })
}
