import { FETCHES } from '../../src/files/fetches/store.ts'
import { timestamp } from '../../src/lib/clock.ts'
import type { Database } from '../../src/storage/opened-database.ts'

/** Has the next tries of files that could not be fetched begin at once. */
export async function tryFetchesAgain({ db, wakeUps }: Pick<Database, 'db' | 'wakeUps'>): Promise<void> {
  await db
    .updateTable('file_fetches')
    .set({ due_at: timestamp(0) })
    .where('due_at', 'is not', null)
    .where('attempts', '>', 0)
    .where('leased_until', 'is', null)
    .execute()
  wakeUps.send(FETCHES)
}
