import { newest } from './newest.ts'

/** Gives what `make` makes, or made before for the same key and version. */
export type Memo<Key, Value> = (key: Key, version: string | number, make: () => Value) => Value

/**
 * Keeps values that are costly to make, one a key, for as long as the version of what they are made of stays: such as
 * the settings of an agent. A promise that fails is not kept.
 * @param most how many keys are kept, the newest ones
 */
export function memo<Key, Value>(most: number): Memo<Key, Value> {
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
