import type { Kysely } from 'kysely'
import { countRows } from './count-rows.ts'
import type { Tables } from './tables.ts'

type Db = Kysely<Tables>

/** The number of backups that are listed. */
const MOST = 100

/** Notes a backup before it is begun, so that no copy is ever unknown. */
export async function noteBackup(db: Db, at: string): Promise<void> {
  await db
    .insertInto('backups')
    .values({ at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Forgets a backup that was not made. */
export async function forgetBackup(db: Db, at: string): Promise<void> {
  await db.deleteFrom('backups').where('at', '=', at).execute()
}

/** Returns the number of backups that were begun before a time, and the times of the newest. */
export async function backupsBefore(db: Db, before: string): Promise<{ count: number; times: string[] }> {
  const older = db.selectFrom('backups').where('at', '<=', before)
  const count = await countRows(older)
  const rows = await older.select('at').orderBy('at', 'desc').limit(MOST).execute()
  return { count, times: rows.map(({ at }) => at) }
}
