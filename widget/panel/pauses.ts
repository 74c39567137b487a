const LONGEST_MS = 30_000

/** Makes pauses between tries; they end early when the network is back. */
export function pauses() {
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const end of waiting) end()
  }
  const whenSeen = () => document.visibilityState === 'visible' && wake()
  addEventListener('online', wake)
  document.addEventListener('visibilitychange', whenSeen)
  return {
    wake,
    /** Waits twice as long after each try, with randomness so that visitors of a restarted service spread out. */
    backOff: (tries: number) => rest(Math.min(1000 * 2 ** tries, LONGEST_MS) * (0.5 + Math.random() / 2)),
    rest,
    stop() {
      removeEventListener('online', wake)
      document.removeEventListener('visibilitychange', whenSeen)
      wake()
    },
  }

  function rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        waiting.delete(end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      waiting.add(end)
    })
  }
}

export type Pauses = ReturnType<typeof pauses>
