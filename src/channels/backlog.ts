import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import { acrossAgents } from '../lib/agent-scope.ts'
import type { Clock } from '../lib/clock.ts'
import { shareOfTeam } from '../lib/pacing/turns-by-team.ts'
import { countWaitingByTeam } from '../mailboxes/items.ts'
import type { Tables } from '../storage/tables.ts'

/**
 * The most events per millisecond that other processes are assumed to accept. A count is valid until they could have
 * used up the room that it found.
 */
const OTHERS_PER_MS = 10
/** The pause after a count, as a multiple of the time that the count took: counting a long backlog takes a while. */
const REST = 10

/**
 * Refuses new events when too many wait to be worked, in all or of their team, so that one team's backlog leaves places
 * to the others. It counts them more often the nearer the limit is. Between two counts it adds the events that this
 * process accepted.
 */
export function limitBacklog(db: Kysely<Tables>, limit: number, clock: Clock) {
  let waiting = new Map<number, number>()
  let countedAt = Number.NEGATIVE_INFINITY
  let restsUntil = Number.NEGATIVE_INFINITY
  let counting: Promise<void> | null = null

  async function count(): Promise<void> {
    const started = performance.now()
    waiting = await acrossAgents('one query counts the waiting events of all teams', () =>
      countWaitingByTeam(db),
    )
    countedAt = clock()
    const ended = performance.now()
    restsUntil = ended + REST * (ended - started)
  }

  /** Returns the number of events that a team may add. */
  function roomOf(team: number): number {
    const all = [...waiting.values()].reduce((sum, count) => sum + count, 0)
    const own = waiting.get(team) ?? 0
    return shareOfTeam(limit - all + own) - own
  }

  return {
    /** @throws ApiError unavailable when there is no room for this many more of a team */
    async require(team: number, more: number): Promise<void> {
      const isOld = Math.abs(clock() - countedAt) * OTHERS_PER_MS > roomOf(team)
      if ((isOld || more > roomOf(team)) && performance.now() >= restsUntil) {
        counting ??= count().finally(() => {
          counting = null
        })
        await counting
      }
      if (more > roomOf(team)) throw new ApiError('unavailable')
    },
    added(team: number, count: number): void {
      waiting.set(team, (waiting.get(team) ?? 0) + count)
    },
  }
}
