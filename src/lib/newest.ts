/** A cache of values that are expensive to make, by key. */
export interface Newest<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  delete(key: Key): void
}

/** Makes a cache of the `most` values that were set last, so that memory stays bounded. */
export function newest<Key, Value>(most: number): Newest<Key, Value> {
  const kept = new Map<Key, Value>()
  return {
    get: (key) => kept.get(key),
    delete: (key) => void kept.delete(key),
    set(key, value) {
      kept.delete(key)
      kept.set(key, value)
      if (kept.size <= most) return
      const [oldest] = kept.keys()
      kept.delete(oldest as Key)
    },
  }
}
