import { shareOfTeam, type Team, type TurnsByTeam, turnsByTeam } from './turns-by-team.ts'

/**
 * Makes a function that waits for one of the places of a key, which is an origin that is called, for example. Those who
 * share the places of a key take turns, and leave places to the others. The place is given back when it is disposed of.
 * @param most the number of places of each key
 */
export function placesEach<Key>(most: number): (key: Key, sharer: Team) => Promise<Disposable> {
  const keys = new Map<Key, { turns: TurnsByTeam; asked: number }>()
  return async (key, sharer) => {
    const present = keys.get(key) ?? { turns: turnsByTeam(most, shareOfTeam), asked: 0 }
    keys.set(key, present)
    present.asked++
    const place = await present.turns.take(sharer)
    return {
      [Symbol.dispose]() {
        place[Symbol.dispose]()
        if (--present.asked === 0) keys.delete(key)
      },
    }
  }
}
