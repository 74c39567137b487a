import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

type Db = Kysely<Tables>

/** Reads the value that the installation keeps under a name; null when there is none. */
export async function installationValue(db: Db, name: string): Promise<string | null> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value ?? null
}

/**
 * Adds a value unless the name has one. Returns true for exactly one of several concurrent calls, the one that added
 * it.
 */
export async function addInstallationValue(db: Db, name: string, value: string): Promise<boolean> {
  const added = await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name')
    .execute()
  return added.length > 0
}

/** Stores a value, and replaces the present one, if there is one. */
export async function putInstallationValue(db: Db, name: string, value: string): Promise<void> {
  await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Removes a value and returns it; null when there was none, or another call took it first. */
export async function takeInstallationValue(db: Db, name: string): Promise<string | null> {
  const [taken] = await db.deleteFrom('installation').where('name', '=', name).returning('value').execute()
  return taken?.value ?? null
}

/** True if a database holds anything of anybody: all of it belongs to a team. */
export async function holdsData(db: Db): Promise<boolean> {
  return (await db.selectFrom('teams').select('id').limit(1).executeTakeFirst()) !== undefined
}
