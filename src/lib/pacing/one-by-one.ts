import { within } from './within.ts'

/** Begins a work when its turn comes. */
export type Begin = (work: () => Promise<void>) => void

/**
 * Returns a function that begins works one after another. The next one begins when the one before has ended, however it
 * ended, or after `patienceMs`.
 */
export function oneByOne(patienceMs: number): Begin {
  let last = Promise.resolve()
  return (work) => {
    last = last.then(() => within(patienceMs, 'a work', work())).catch(() => {})
  }
}

/** Begins a work now. */
export const beginNow: Begin = (work) => void work()
