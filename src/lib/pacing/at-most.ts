/** Lets so many pieces of work run at once; others wait until it is their turn, in the order in which they came. */
export function atMost(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    // Whoever ends gives its place to the next.
    if (running === most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

/** The same for each key by itself. */
export function atMostEach<Key>(most: number): <T>(key: Key, work: () => Promise<T>) => Promise<T> {
  const places = new Map<Key, { inTurn: ReturnType<typeof atMost>; asked: number }>()
  return async (key, work) => {
    const place = places.get(key) ?? { inTurn: atMost(most), asked: 0 }
    places.set(key, place)
    place.asked++
    try {
      return await place.inTurn(work)
    } finally {
      if (--place.asked === 0) places.delete(key)
    }
  }
}
