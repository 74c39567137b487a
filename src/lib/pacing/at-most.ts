/** Makes a function that runs at most so many pieces of work at once. Others wait their turn in order of arrival. */
export function atMost(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    // Work that ends gives its place to the next.
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

/** Makes such a function with a separate limit for each key. */
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
