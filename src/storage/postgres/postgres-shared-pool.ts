import type pg from 'pg'
import { type AgentScope, agentScope } from '../../lib/agent-scope.ts'
import { placesEach } from '../../lib/pacing/places-each.ts'
import { shareOfTeam, type Team, turnsByTeam } from '../../lib/pacing/turns-by-team.ts'
import { TooLate, within } from '../../lib/pacing/within.ts'
import { connectTo } from './postgres-failures.ts'
import type { WatchedClient } from './postgres-watched-client.ts'

/** A connection that one caller has until it releases it. */
export interface Borrowed {
  client: pg.PoolClient & WatchedClient
  /** @param isUnsound true if the connection must not be used again */
  release(isUnsound: boolean): void
}

/** The connections of a pool, for which teams take turns. */
export interface SharedPool {
  /** Waits for a connection. @throws Error when none comes within the limit */
  connect(): Promise<Borrowed>
  /** Returns the number of callers that wait for a connection. */
  waiting(): number
  end(): Promise<void>
}

/**
 * Divides a pool among teams, and each team's share among its agents, so that one that asks for many connections keeps no
 * other waiting. Callers that reach every agent, or none, share as if they were
 * one more team.
 * @param teamOf reads the team of an agent, without a connection of the agent's
 * @param tooLate makes the error for a caller that has no connection after `limitMs`
 */
export function sharedPool(
  pool: pg.Pool,
  teamOf: (agentId: number) => Promise<Team>,
  limitMs: number,
  tooLate: () => Error,
): SharedPool {
  const { max } = pool.options
  const ofTeams = turnsByTeam(max, shareOfTeam)
  const ofAgents = placesEach<Team>(shareOfTeam(max))
  const known = new Map<number, Team>()
  let waiting = 0

  async function ownerOf(agentId: number): Promise<Team> {
    const team = known.get(agentId) ?? (await teamOf(agentId))
    // An agent never changes its team.
    if (team !== null) known.set(agentId, team)
    return team
  }

  async function takePlaces(scope: AgentScope): Promise<Disposable> {
    if (typeof scope !== 'number') return ofTeams.take(null)
    const team = await ownerOf(scope)
    const places = new DisposableStack()
    places.use(await ofAgents(team, scope))
    places.use(await ofTeams.take(team))
    return places
  }

  async function borrow(late: AbortSignal): Promise<Borrowed> {
    const places = await takePlaces(agentScope())
    const giveBack = () => places[Symbol.dispose]()
    try {
      late.throwIfAborted()
      const client = (await connectTo(pool)) as Borrowed['client']
      return {
        client,
        release(isUnsound) {
          client.release(isUnsound)
          giveBack()
        },
      }
    } catch (error) {
      giveBack()
      throw error
    }
  }

  return {
    async connect() {
      waiting++
      const late = new AbortController()
      const borrowed = borrow(late.signal)
      try {
        return await within(limitMs, 'the pool', borrowed)
      } catch (error) {
        if (!(error instanceof TooLate)) throw error
        // The caller waits no longer, so a connection that still comes is given back.
        late.abort()
        borrowed.then(({ release }) => release(false)).catch(() => {})
        throw tooLate()
      } finally {
        waiting--
      }
    },
    waiting: () => waiting,
    end: () => pool.end(),
  }
}
