/** Pseudo-random numbers that are the same at every run. */
export interface Random {
  /** Returns a number of at least 0 and below 1. */
  next(): number
  /** Returns a whole number; both ends are possible. */
  between(least: number, most: number): number
  /** Returns true with this probability. @param share 0 to 1 */
  happens(share: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** Picks an item; one with twice the weight is picked twice as often. */
  pickWeighted<Item>(items: readonly Item[], weightOf: (item: Item) => number): Item
}

/** The generator "mulberry32". @param seed a whole number */
export function seededRandom(seed: number): Random {
  let state = seed
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  function pickWeighted<Item>(items: readonly Item[], weightOf: (item: Item) => number): Item {
    let left = next() * items.reduce((sum, item) => sum + weightOf(item), 0)
    const picked = items.find((item) => {
      left -= weightOf(item)
      return left < 0
    })
    const last = picked ?? items.at(-1)
    if (last === undefined) throw new Error('there is nothing to pick from')
    return last
  }
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    happens: (share) => next() < share,
    pick: (items) => pickWeighted(items, () => 1),
    pickWeighted,
  }
}
