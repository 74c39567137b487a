import { loadEngine } from './engines.ts'
import { HOSTILE } from './hostile.ts'
import { loadSet } from './sets.ts'

/** Runs one engine in a process of its own, so that a text that never ends can be ended from outside. */
export interface HostileOrder {
  kind: string
  length: number
}

export interface HostileAnswer {
  /** The median of the rounds, the first of which is not counted. */
  typical: number
  /** The slowest of all. */
  worst: number
}

/** Short texts are read so often that a round of each length reads as much, and one pause weighs alike in both. */
const ROUND = 1_000_000
const MOST_ROUNDS = 9
const ENOUGH_MS = 1500

const engine = await loadEngine(process.argv[2] ?? '')
for (const { text } of loadSet('checkable').slice(0, 200)) await engine.redact(text)
process.send?.('ready')

process.on('message', async ({ kind, length }: HostileOrder) => {
  const text = flat((HOSTILE[kind] ?? (() => ''))(length))
  const reads = Math.max(1, Math.round(ROUND / length))
  const times: number[] = []
  let total = 0
  while (times.length < 2 || (times.length < MOST_ROUNDS && total < ENOUGH_MS)) {
    const start = performance.now()
    let time = 0
    let read = 0
    while (read < reads && time < ENOUGH_MS) {
      await readOnce(text)
      read++
      time = performance.now() - start
    }
    times.push(time / read)
    total += time
  }
  const worst = Math.max(...times)
  const counted = times.slice(1).sort((a, b) => a - b)
  const answer: HostileAnswer = { typical: counted[counted.length >> 1] ?? worst, worst }
  process.send?.(answer)
})

/** A peer that throws has still answered in this time. */
async function readOnce(text: string): Promise<void> {
  try {
    await engine.redact(text)
  } catch {}
}

/** One piece of memory, as text off the network is, and not the rope that `repeat` makes. */
function flat(text: string): string {
  const encoding = /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf16le'
  return Buffer.from(text, encoding).toString(encoding)
}
