import type { Kysely } from 'kysely'
import { installationValue } from '../installation.ts'
import type { Tables } from '../tables.ts'

/** The name of the value that a database has as long as it is an unfinished copy: how far the copy has come. */
export const UNFINISHED = 'unfinished_copy'

/** True if `parley copy` has begun to write a database and not finished it. */
export async function isUnfinishedCopy(db: Kysely<Tables>): Promise<boolean> {
  return (await installationValue(db, UNFINISHED)) !== null
}

/** @throws Error if `parley copy` has not finished with a database */
export async function refuseUnfinishedCopy(db: Kysely<Tables>): Promise<void> {
  if (await isUnfinishedCopy(db))
    throw new Error('this database is an unfinished copy: run parley copy again, or remove it')
}
