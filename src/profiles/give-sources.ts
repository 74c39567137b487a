import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import { workAll, workEach } from '../lib/pacing/work-each.ts'
import type { Tables } from '../storage/tables.ts'
import { selectNotedIds, selectOldUsers, settleNotedId } from '../users/source-store.ts'
import { giveSource } from './give-source.ts'

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
  const keyOf = ({ agent_id, id }: { agent_id: number; id: string }) => `${agent_id} ${id}`
  const giveOld = () =>
    workAll(
      (limit) => selectOldUsers(db, limit),
      keyOf,
      ({ agent_id, id }) => giveSource(db, agent_id, id),
      signal,
    )
  const giveNoted = () =>
    workAll(
      (limit) => selectNotedIds(db, timestamp(clock()), limit),
      keyOf,
      async (one) => {
        await giveSource(db, one.agent_id, one.id)
        await settleNotedId(db, one, one.due_at === '' ? timestamp(clock() + SECOND_LOOK_MS) : null)
      },
      signal,
    )
  await workEach([giveOld, giveNoted], (give) => give(), { signal })
}
