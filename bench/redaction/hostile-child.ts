import { threadMs } from '../../test/support/processor-time.ts'
import { loadEngine } from './engines.ts'
import { HOSTILE } from './hostile.ts'
import { loadSet } from './sets.ts'

/** An order for one round of one kind and length of text. Engines run in a child process, which can be killed. */
export interface HostileOrder {
  kind: string
  length: number
}

/** Milliseconds for one text, of real time and of processor time. */
export interface HostileAnswer {
  passed: number
  processor: number
}

/** The characters of a round. Short texts are read more often, so that a pause weighs alike in both lengths. */
const ROUND = 1_000_000
/** The shortest round, because the processor's clock goes in steps of a few milliseconds. */
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
  const processor = threadMs()
  let read = 0
  let passed = 0
  while (passed < LEAST_MS || (read < reads && passed < MOST_MS)) {
    await readOnce(text)
    read++
    passed = performance.now() - start
  }
  const answer: HostileAnswer = {
    passed: passed / read,
    processor: (threadMs() - processor) / read,
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

/** Reads a text once. A peer that throws has still answered in this time. */
async function readOnce(text: string): Promise<void> {
  try {
    await engine.redact(text)
  } catch {}
}

/** Copies a text into one piece of memory, as if it came off the network, instead of the rope that `repeat` makes. */
function flat(text: string): string {
  const encoding = /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf16le'
  return Buffer.from(text, encoding).toString(encoding)
}
