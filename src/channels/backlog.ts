import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { countWaitingInbound } from '../mailboxes/items.ts'
import type { Tables } from '../storage/tables.ts'

/** More than so many do not come from other processes in a millisecond: a count holds until these could fill its room. */
const OTHERS_PER_MS = 10
/** Counting a long backlog takes a while: between two counts this many times as long goes by. */
const REST = 10

/**
 * Refuses more than a number of events that wait to be worked. They are counted the more often the nearer the limit is;
 * in between, what this process accepted is added.
 */
export function limitBacklog(db: Kysely<Tables>, limit: number, clock: Clock) {
  let waiting = 0
  let countedAt = Number.NEGATIVE_INFINITY
  let restsUntil = Number.NEGATIVE_INFINITY
  let counting: Promise<void> | null = null

  async function count(): Promise<void> {
    const started = performance.now()
    waiting = await countWaitingInbound(db)
    countedAt = clock()
    const ended = performance.now()
    restsUntil = ended + REST * (ended - started)
  }

  return {
    /** @throws ApiError unavailable when there is no room for this many more */
    async require(room: number): Promise<void> {
      const isOld = Math.abs(clock() - countedAt) * OTHERS_PER_MS > limit - waiting
      if ((isOld || waiting + room > limit) && performance.now() >= restsUntil) {
        counting ??= count().finally(() => {
          counting = null
        })
        await counting
      }
      if (waiting + room > limit) throw new ApiError('unavailable', { headers: { 'retry-after': '5' } })
    },
    added(count: number): void {
      waiting += count
    },
  }
}
