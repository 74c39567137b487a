import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { countWaitingInbound } from '../mailboxes/items.ts'
import type { Tables } from '../storage/tables.ts'

/**
 * The most events per millisecond that other processes are assumed to accept. A count is valid until they could have
 * used up the room that it found.
 */
const OTHERS_PER_MS = 10
/** The pause after a count, as a multiple of the time that the count took: counting a long backlog takes a while. */
const REST = 10

/**
 * Refuses new events when too many wait to be worked. It counts them more often the nearer the limit is. Between two
 * counts it adds the events that this process accepted.
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
