import { loadEngine } from './engines.ts'
import { HOSTILE } from './hostile.ts'
import { processorTime } from './processor-time.ts'
import { loadSet } from './sets.ts'

/** One round of a kind of text in one length. Engines run in a process of their own, which can be ended from outside. */
export interface HostileOrder {
  kind: string
  length: number
}

/** Milliseconds for one text, on the clock and of processor time. */
export interface HostileAnswer {
  passed: number
  processor: number
}

/** Short texts are read so often that a round of each length reads as much, and one pause weighs alike in both. */
const ROUND = 1_000_000
/** The clock of the processor goes in steps of a few milliseconds. */
const LEAST_MS = 40
const MOST_MS = 1500

const engine = await loadEngine(process.argv[2] ?? '')
for (const { text } of loadSet('checkable').slice(0, 200)) await engine.redact(text)
process.send?.('ready')

let texts = new Map<number, string>()
let kindOfTexts = ''

process.on('message', async ({ kind, length }: HostileOrder) => {
  const text = textOf(kind, length)
  const reads = Math.max(1, Math.round(ROUND / length))
  const start = performance.now()
  const processor = processorTime()
  let read = 0
  let passed = 0
  while (passed < LEAST_MS || (read < reads && passed < MOST_MS)) {
    await readOnce(text)
    read++
    passed = performance.now() - start
  }
  const answer: HostileAnswer = {
    passed: passed / read,
    processor: (processorTime() - processor) / read,
  }
  process.send?.(answer)
})

function textOf(kind: string, length: number): string {
  if (kind !== kindOfTexts) texts = new Map()
  kindOfTexts = kind
  const text = texts.get(length) ?? flat((HOSTILE[kind] ?? (() => ''))(length))
  texts.set(length, text)
  return text
}

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
