import { newest } from './newest.ts'

/** Returns the result of `make`, or the result made earlier for the same key and version. */
type Memo<Key, Value> = (key: Key, version: string | number, make: () => Value) => Value

/**
 * Keeps values that are costly to make, such as the settings of an agent. Each key has one value, which is made anew
 * when the version of its source changes. A promise that fails is not kept.
 * @param most the number of keys to keep, the newest ones; absent: as many as `newest` keeps
 */
export function memo<Key, Value>(most?: number): Memo<Key, Value> {
  const kept = newest<Key, { version: string | number; value: Value }>(most)
  return (key, version, make) => {
    const present = kept.get(key)
    if (present?.version === version) return present.value
    const value = make()
    kept.set(key, { version, value })
    if (value instanceof Promise)
      value.catch(() => {
        if (kept.get(key)?.value === value) kept.delete(key)
      })
    return value
  }
}
