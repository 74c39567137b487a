import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { selectNotedIds, selectOldUsers, settleNotedId } from '../users/source-store.ts'
import { giveSource } from './give-source.ts'

const IDS_AT_ONCE = 100
/** The time after which each transaction that was under way at the first look has ended. */
const SECOND_LOOK_MS = 2 * 60_000

/**
 * Gives sources to the ids that older versions have stored, first to those from before this version. Continues where it
 * or another process stopped.
 */
export async function giveSources(
  { db, clock }: { db: Kysely<Tables>; clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const ids = await selectOldUsers(db, IDS_AT_ONCE)
    for (const { agent_id, id } of ids) {
      if (signal.aborted) return
      await giveSource(db, agent_id, id)
    }
    if (ids.length < IDS_AT_ONCE) break
  }
  for (;;) {
    const noted = await selectNotedIds(db, timestamp(clock()), IDS_AT_ONCE)
    for (const one of noted) {
      if (signal.aborted) return
      await giveSource(db, one.agent_id, one.id)
      await settleNotedId(db, one, one.due_at === '' ? timestamp(clock() + SECOND_LOOK_MS) : null)
    }
    if (noted.length < IDS_AT_ONCE) break
  }
}
