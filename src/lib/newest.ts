/** What was put together at some cost, under a key. */
export interface Newest<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  delete(key: Key): void
}

/** Keeps as many values as it is told, those that were set last: whatever comes, memory stays bounded. */
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
