import { timestamp } from '../../src/lib/clock.ts'
import type { Database } from '../../src/storage/opened-database.ts'

/** Has the next tries of work that failed begin at once. @param table the table of the work @param topic its wake-ups */
export async function tryAgain(
  { db, wakeUps }: Pick<Database, 'db' | 'wakeUps'>,
  table: 'file_fetches' | 'bulk_acts' | 'target_recounts',
  topic: string,
): Promise<void> {
  await db
    .updateTable(table)
    .set({ due_at: timestamp(0) })
    .where('due_at', 'is not', null)
    .where('attempts', '>', 0)
    .where('leased_until', 'is', null)
    .execute()
  wakeUps.send(topic)
}
