/**
 * Keeps pieces that were under way when a process ended from being worked together, so that the piece that ends
 * processes is found and its neighbours are not blamed for it.
 */
export interface Suspicion {
  /** True while a suspect may begin. */
  isFree(): boolean
  /** Takes the place until the result is disposed of. */
  begin(): Disposable
}

/** A suspect that has run for this long blocks no other one: it may hang for minutes. */
const ALONE_MS = 2000

export function createSuspicion(): Suspicion {
  const begun = new Set<{ at: number }>()
  return {
    isFree: () => [...begun].every(({ at }) => performance.now() - at >= ALONE_MS),
    begin() {
      const one = { at: performance.now() }
      begun.add(one)
      return { [Symbol.dispose]: () => void begun.delete(one) }
    },
  }
}
