const LONGEST_MS = 30_000

/** Makes pauses between tries; they end early when the network is back. @param life aborted to end them all */
export function pauses(life: AbortSignal) {
  const options = { signal: life }
  const waiting = new Set<() => void>()
  addEventListener('online', wake, options)
  document.addEventListener('visibilitychange', () => document.hidden || wake(), options)
  life.addEventListener('abort', wake)
  return {
    wake,
    /** Waits twice as long after each try, with randomness so that visitors of a restarted service spread out. */
    backOff: (tries: number) => rest(Math.min(1000 * 2 ** tries, LONGEST_MS) * (0.5 + Math.random() / 2)),
    rest,
  }

  function wake(): void {
    for (const end of waiting) end()
    waiting.clear()
  }

  function rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, ms)
      waiting.add(resolve)
    })
  }
}

export type Pauses = ReturnType<typeof pauses>
