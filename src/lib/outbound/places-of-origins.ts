import { shareOfTeam, type Team, type TurnsByTeam, turnsByTeam } from '../pacing/turns-by-team.ts'

/**
 * Makes a function that waits for one of the places for calls to an origin. Teams share them, so that calls of one that
 * are never answered leave places to the others. The place is given back when it is disposed of.
 * @param most the number of places at each origin
 */
export function placesOfOrigins(most: number): (origin: string, team: Team) => Promise<Disposable> {
  const origins = new Map<string, { turns: TurnsByTeam; asked: number }>()
  return async (origin, team) => {
    const present = origins.get(origin) ?? { turns: turnsByTeam(most, shareOfTeam), asked: 0 }
    origins.set(origin, present)
    present.asked++
    const place = await present.turns.take(team)
    return {
      [Symbol.dispose]() {
        place[Symbol.dispose]()
        if (--present.asked === 0) origins.delete(origin)
      },
    }
  }
}
