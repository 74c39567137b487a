import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { countWaitingInbound } from '../mailboxes/items.ts'
import type { Tables } from '../storage/tables.ts'

const COUNT_KEPT_MS = 250
/** Counting a long backlog takes a while: between two counts this many times as long goes by. */
const REST = 10

/**
 * Refuses more than a number of events that wait to be worked. They are counted now and then, and when the limit seems
 * to be reached; in between, what this process accepted is added.
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
      const isOld = Math.abs(clock() - countedAt) > COUNT_KEPT_MS
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
