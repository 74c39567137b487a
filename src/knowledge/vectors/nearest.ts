import { setImmediate as nextTurn } from 'node:timers/promises'
import { openThreads } from '../../lib/pacing/threads.ts'
import type { Team } from '../../lib/pacing/turns-by-team.ts'
import { numbersOf, type SharedMemory } from './memory.ts'
import { bestBy, bestOf, compareWith, type Near } from './products.ts'

/** The vectors with which a question is compared, one after another. */
interface Matrix {
  readonly memory: SharedMemory
  readonly dimension: number
  /** The number of vectors. */
  readonly count: number
}

/** The number of multiplications at once, which take some two milliseconds. */
const AT_ONCE = 1_000_000

const threads = openThreads<typeof import('./products-tasks.ts').productsTasks>(
  new URL('./products-thread', import.meta.url),
  { most: 3, ofTeam: 2 },
)

/**
 * Finds the vectors most similar to a question's, best first. It compares all of them, so the result is exact. It never
 * blocks the event loop for more than a few milliseconds: threads compare large numbers of them, in WebAssembly.
 */
export async function nearest(
  team: Team,
  matrix: Matrix,
  question: Float32Array,
  most: number,
): Promise<Near[]> {
  const { memory, dimension, count } = matrix
  if (memory instanceof WebAssembly.Memory) {
    const half = Math.ceil(count / 2)
    const parts = await Promise.all(
      [
        [0, half],
        [half, count],
      ].map(([from = 0, to = 0]) =>
        threads.run(team, 'nearest', memory, dimension, question, from, to, most),
      ),
    )
    return bestOf(parts.flat(), most)
  }
  const rows = Math.max(1, Math.floor(AT_ONCE / dimension))
  const compare = compareWith(numbersOf(memory), dimension, question)
  let best: Near[] = []
  for (let from = 0; from < count; from += rows) {
    if (from > 0) await nextTurn()
    const to = Math.min(count, from + rows)
    best = bestOf([...best, ...bestBy(compare, from, to, most)], most)
  }
  return best
}
