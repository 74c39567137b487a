import { threadMs } from '../../test/support/processor-time.ts'
import { median } from '../../test/support/quantile.ts'

/** The time after which a way is not asked once more. */
const ENOUGH_MS = 1500

/**
 * Asks several ways to do the same by turns, so that none meets a busier machine. Nothing yields meanwhile, so the
 * times are also those for which each would hold up an event loop.
 * @returns the median milliseconds of processor time of each way, without its first call unless that took too long
 */
export function byTurns<Name extends string>(ways: Record<Name, () => unknown>, rounds = 7) {
  const names = Object.keys(ways) as Name[]
  const times = new Map(names.map((name) => [name, [] as number[]]))
  const left = new Set(names)
  for (let round = 0; round <= rounds; round++)
    for (const name of left) {
      const start = threadMs()
      ways[name]()
      const taken = threadMs() - start
      const isSlow = taken > ENOUGH_MS
      if (round > 0 || isSlow) times.get(name)?.push(taken)
      if (isSlow) left.delete(name)
    }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<
    Name,
    number
  >
}
