import { shareOfTeam } from '../lib/pacing/turns-by-team.ts'

/** The owner of a piece: a tenant, and the team that it belongs to. */
export interface Owner {
  tenant: number
  team: number
}

/** Keeps one tenant or team from taking all places of a process that others need. */
export interface FairTurns {
  begin(owner: Owner): void
  end(owner: Owner): void
  /** The shares of single tenants. */
  readonly tenants: Shares
  /** The shares of teams, each with all its tenants. */
  readonly teams: Shares
  /** True while a tenant or a team has as many pieces under way as it may: then more of its pieces may wait. */
  isAnyFull(): boolean
}

/** The shares of the places at one level. */
export interface Shares {
  /** Returns the handicap of each owner with pieces under way or a recent turn. The lowest goes first; others have 0. */
  handicaps(): Map<number, number>
  /**
   * Returns how many more pieces an owner may begin. Its share is a part of the places that the others leave free, so
   * that another owner always finds a place.
   * @param id null: an owner with nothing under way
   */
  roomOf(id: number | null): number
}

/** Returns one tenant's share of the places that others leave, so that others of its team find one. */
const shareOfTenant = (left: number) => Math.ceil(left * 0.5)
/** Owners at each level whose last turn is remembered. */
const REMEMBERED = 32

/** Keeps count of the pieces of each tenant and team. @param places the most pieces under way */
export function fairTurns(places: number): FairTurns {
  let all = 0
  const free = () => places - all
  const tenants = sharesOf(free, shareOfTenant)
  const teams = sharesOf(free, shareOfTeam)
  return {
    tenants,
    teams,
    isAnyFull: () => tenants.isAnyFull() || teams.isAnyFull(),
    begin({ tenant, team }) {
      all++
      tenants.begin(tenant)
      teams.begin(team)
    },
    end({ tenant, team }) {
      all--
      tenants.end(tenant)
      teams.end(team)
    },
  }
}

/**
 * @param free returns the number of free places
 * @param share returns one owner's share of a number of places
 */
function sharesOf(free: () => number, share: (places: number) => number) {
  const running = new Map<number, number>()
  /** The owners that had a turn, the latest last. */
  const served = new Set<number>()
  const roomFor = (count: number) => share(count + free()) - count
  return {
    roomOf: (id: number | null) => roomFor(id === null ? 0 : (running.get(id) ?? 0)),
    isAnyFull: () => [...running.values()].some((count) => roomFor(count) <= 0),
    begin(id: number) {
      running.set(id, (running.get(id) ?? 0) + 1)
      served.delete(id)
      served.add(id)
      const [oldest] = served
      if (served.size > REMEMBERED && oldest !== undefined) served.delete(oldest)
    },
    end(id: number) {
      const left = (running.get(id) ?? 0) - 1
      if (left > 0) running.set(id, left)
      else running.delete(id)
    },
    handicaps() {
      const order = [...served]
      const known = new Set([...order, ...running.keys()])
      return new Map(
        [...known].map((id) => [id, (running.get(id) ?? 0) + (order.indexOf(id) + 1) / (REMEMBERED + 1)]),
      )
    },
  }
}
