import { copyFile, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { InspectedBackup } from '../inspected-backup.ts'
import { writeWhole } from '../write-whole.ts'
import { databaseFile, mayHoldData } from './sqlite.ts'

/** The files that belong to a database that is no longer there. */
const BESIDE = ['', '-wal', '-shm', '-committed', '-missing']

/** Reads all of a copy that `copyDatabase` made, and changes nothing. @throws Error if a part of it is damaged */
export function inspectSqliteBackup(file: string): InspectedBackup {
  const address = pathToFileURL(resolve(file))
  // Nothing is written beside it, so that it may be on a medium that takes nothing.
  address.searchParams.set('immutable', '1')
  using database = new DatabaseSync(address, { readOnly: true })
  const all = (sql: string) => {
    const rows: unknown = database.prepare(sql).all()
    return rows as { name: string; value: string }[]
  }
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
 * Makes a backup the database of a data directory that no process uses and that holds no data.
 * @param check looks at the copy before it becomes the database
 */
export async function restoreSqliteBackup(
  file: string,
  dataDir: string,
  check: (copy: string) => Promise<void>,
): Promise<void> {
  const target = databaseFile(dataDir)
  if (mayHoldData(dataDir)) throw new Error(`${target} holds data: restore into an empty directory`)
  for (const suffix of BESIDE) await rm(`${target}${suffix}`, { force: true })
  await writeWhole(target, async (partial) => {
    await copyFile(file, partial)
    await check(partial)
  })
}
