/** The team that work is for; null if it is for none in particular. */
export type Team = number | null

/**
 * The share of the places left by other teams that one team may have. With four places or more, another team always
 * finds one.
 */
export const shareOfTeam = (left: number) => Math.round(left * 0.7)

/** Places for work that teams share. The team that has used them least goes first. */
export interface TurnsByTeam {
  /** Waits for a place, which is given back when it is disposed of. */
  take(team: Team): Promise<Disposable>
  /** Rejects the calls that wait and those that come later. */
  end(error: Error): void
}

interface AtWork {
  waiting: PromiseWithResolvers<Disposable>[]
  places: number
  /** Milliseconds for which it has had places. A new team starts from the number that the others had reached. */
  usedMs: number
}

/**
 * Assigns places by start-time fair queueing. A place goes to the waiting team that holds the fewest, and among equals
 * to the one that has had places for the shortest time. A new team starts level with the others, so that it neither
 * waits for their queues nor makes them wait for time it left unused.
 * @param most the number of places
 * @param ofTeam the number of places that one team may have: a number, or a share of those that other teams leave
 */
export function turnsByTeam(
  most: number,
  ofTeam: number | ((left: number) => number) = most,
  clock = () => performance.now(),
): TurnsByTeam {
  const teams = new Map<Team, AtWork>()
  let refused: Error | null = null
  let taken = 0
  /** The used milliseconds of the most advanced team when it last got a place. */
  let reachedMs = 0

  function serveWaiting(): void {
    for (let team = nextTeam(); team && taken < most; team = nextTeam()) {
      const begun = team
      const since = clock()
      taken++
      team.places++
      reachedMs = Math.max(reachedMs, team.usedMs)
      team.waiting.shift()?.resolve({ [Symbol.dispose]: () => giveBack(begun, since) })
    }
  }

  function nextTeam(): AtWork | null {
    let first: AtWork | null = null
    for (const team of teams.values()) {
      if (team.waiting.length === 0 || team.places >= roomOf(team)) continue
      if (!first || team.places < first.places) first = team
      else if (team.places === first.places && team.usedMs < first.usedMs) first = team
    }
    return first
  }

  function roomOf({ places }: AtWork): number {
    return typeof ofTeam === 'number' ? ofTeam : ofTeam(most - taken + places)
  }

  function giveBack(team: AtWork, since: number): void {
    taken--
    team.places--
    team.usedMs += clock() - since
    serveWaiting()
    for (const [id, { places, waiting, usedMs }] of teams)
      if (places === 0 && waiting.length === 0 && usedMs <= reachedMs) teams.delete(id)
  }

  return {
    async take(id) {
      if (refused) throw refused
      const team = teams.get(id) ?? { waiting: [], places: 0, usedMs: reachedMs }
      teams.set(id, team)
      const isIdle = team.places === 0 && team.waiting.length === 0
      if (isIdle) team.usedMs = Math.max(team.usedMs, reachedMs)
      const place = Promise.withResolvers<Disposable>()
      team.waiting.push(place)
      serveWaiting()
      return place.promise
    },
    end(error) {
      refused = error
      for (const { waiting } of teams.values()) for (const { reject } of waiting.splice(0)) reject(error)
    },
  }
}
