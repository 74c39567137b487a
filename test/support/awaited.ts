/** The slowest of what tests wait for comes after half of this. */
const LIMIT_MS = 60_000

/** Lets tests wait for what a peer sees. */
export interface Awaited {
  /** Looks again at what is waited for. */
  tell(): void
  /** @throws after a minute, with what was waited for */
  until(isReady: () => boolean, what: string): Promise<void>
}

export function createAwaited(): Awaited {
  const waiting = new Set<() => void>()
  return {
    tell() {
      for (const look of waiting) look()
    },
    until(isReady, what) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const late = setTimeout(() => reject(new Error(`still waiting for ${what}`)), LIMIT_MS)
      const look = () => isReady() && resolve()
      waiting.add(look)
      look()
      return promise.finally(() => {
        clearTimeout(late)
        waiting.delete(look)
      })
    },
  }
}
