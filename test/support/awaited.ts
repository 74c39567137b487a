import { LIMIT_MS } from './becomes.ts'

/** Lets tests wait for something that a peer sees. */
interface Awaited {
  /** Checks the waiting conditions again. */
  tell(): void
  /** @throws Error after a minute, with the name of the thing waited for */
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
