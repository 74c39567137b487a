/** A cache of values that are expensive to make, by key. */
export interface Newest<Key, Value> {
  get(key: Key): Value | undefined
  /** @param forMs the time after which the value is deleted, unless another has been set; absent: it stays */
  set(key: Key, value: Value, forMs?: number): void
  delete(key: Key): void
}

/** Makes a cache of the `most` values that were set last, so that memory stays bounded. */
export function newest<Key, Value>(most = 1000): Newest<Key, Value> {
  const kept = new Map<Key, Value>()
  return {
    get: (key) => kept.get(key),
    delete: (key) => void kept.delete(key),
    set(key, value, forMs) {
      kept.delete(key)
      kept.set(key, value)
      if (forMs !== undefined) setTimeout(() => kept.get(key) === value && kept.delete(key), forMs).unref()
      if (kept.size <= most) return
      const [oldest] = kept.keys()
      kept.delete(oldest as Key)
    },
  }
}
