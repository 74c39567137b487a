import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import { recountClocks } from '../../targets/store.ts'

/** Has the clocks of some agents counted anew, in the transaction that changes hours of theirs. */
export async function hoursChange(
  db: Kysely<Tables>,
  agentIds: readonly number[],
  now: string,
): Promise<void> {
  await recountClocks(db, agentIds, 'hours', now)
}
