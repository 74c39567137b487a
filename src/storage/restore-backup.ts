import { stat, truncate } from 'node:fs/promises'
import { OWN_VERSION } from '../lib/own-version.ts'
import { engineOf } from './backup-file.ts'
import { checkSeal } from './backup-seal.ts'
import { UNFINISHED } from './copy/unfinished-copy.ts'
import { type DatabasePlace, openDatabase } from './database.ts'
import type { InspectedBackup } from './inspected-backup.ts'
import { migrations } from './migrations.ts'
import { lockDataDir } from './sqlite/serving-lock.ts'
import { inspectSqliteBackup, restoreSqliteBackup } from './sqlite/sqlite-backup.ts'

/** Looks at a backup, and throws an Error if it is not to be restored. */
type CheckBackup = (backup: InspectedBackup) => Promise<void>

/**
 * Reads all of a backup, from either engine, without restoring it.
 * @throws Error if it is damaged, is none, or `check` refuses it
 */
export async function verifyBackup(file: string, check: CheckBackup): Promise<void> {
  await accept(file, await inspect(file), check)
}

/**
 * Restores a backup into an empty place of the same engine: all of it, or nothing.
 * @throws Error as `verifyBackup` does, or if there is something in the place
 */
export async function restoreBackup(file: string, place: DatabasePlace, check: CheckBackup): Promise<void> {
  const { databaseUrl, dataDir } = place
  const isSqlite = await isOfSqlite(file)
  if (isSqlite !== (databaseUrl === null)) {
    const [of, named] = isSqlite ? ['SQLite', 'PostgreSQL'] : ['PostgreSQL', 'SQLite']
    throw new Error(
      `${file} is a backup of ${of}, and the settings name ${named}: restore it there, then use parley copy`,
    )
  }
  if (databaseUrl === null) {
    using _lock = lockDataDir(dataDir)
    await restoreSqliteBackup(file, dataDir, async (copy) => {
      const backup = await inspect(copy, file)
      await accept(file, backup, check)
      if (backup.seal) await truncate(copy, backup.seal.bytes)
    })
    return
  }
  await refuseTables(place)
  await verifyBackup(file, check)
  await (await dumps()).restoreDump(databaseUrl, file)
}

const dumps = () => import('./postgres/postgres-backup.ts')

async function isOfSqlite(file: string): Promise<boolean> {
  const engine = await engineOf(file)
  if (engine === null) throw new Error(`${file} is no backup of Parley`)
  return engine === 'sqlite'
}

/** Reads all of a backup. @param named the name by which users know it */
async function inspect(file: string, named = file): Promise<InspectedBackup> {
  const isSqlite = await isOfSqlite(file)
  try {
    const seal = await checkSeal(file)
    const content = isSqlite
      ? inspectSqliteBackup(file, seal?.bytes ?? (await stat(file)).size)
      : await (await dumps()).inspectDump(file)
    return { ...content, seal }
  } catch (error) {
    const { message } = error as Error
    throw new Error(`${named} is damaged or cut off: ${message}`, { cause: error })
  }
}

async function accept(file: string, backup: InspectedBackup, check: CheckBackup): Promise<void> {
  if (backup.migrations.length === 0) throw new Error(`${file} is no backup of Parley`)
  if (backup.installation.has(UNFINISHED)) throw new Error(`${file} is a backup of an unfinished copy`)
  const unknown = backup.migrations.filter(
    (name) => !migrations.some((migration) => migration.name === name.split('#')[0]),
  )
  const writer = backup.seal ? `version ${backup.seal.version}` : 'a newer version'
  if (unknown.length > 0)
    throw new Error(
      `${file} was written by ${writer} of Parley, and this is ${OWN_VERSION}, which does not know its migration ${unknown[0]}: restore it with the version that wrote it`,
    )
  await check(backup)
}

/** A table may be another program's. Views are let be, because extensions add some to a new database. */
async function refuseTables(place: DatabasePlace): Promise<void> {
  const database = await openDatabase(place)
  try {
    const found = (await database.db.introspection.getTables()).find(({ isView }) => !isView)
    if (found)
      throw new Error(
        `the database has tables already, such as ${found.schema}.${found.name}: restore into a new one, which not even parley migrate was run on`,
      )
  } finally {
    await database.close()
  }
}
