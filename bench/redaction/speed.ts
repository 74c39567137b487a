import { threadMs } from '../../test/support/processor-time.ts'
import type { Engine } from './engines.ts'
import { personalMessages } from './support-sets.ts'
import { print } from './table.ts'
import { chatMessages } from './timing.ts'

/** Rounds that are not counted, in which the engines' code is compiled. */
const WARM_UP = 3
const ROUNDS = 9

/**
 * Prints the speeds of engines in MB/s of processor time, measured by turns on the same messages: median, and from the
 * slowest round to the fastest.
 */
export async function compareSpeeds(engines: Map<string, Engine>, seed: number): Promise<void> {
  const texts = personalMessages(seed)
  const kinds = new Map([
    ['prompts of 1 KB, one in five personal', chatMessages(300)],
    ['personal messages', texts.filter(({ set }) => set === 'support').map(({ text }) => text)],
    ['dense: labels, forms, tables', texts.filter(({ set }) => set !== 'support').map(({ text }) => text)],
  ])
  print(`| MB/s | ${[...engines.keys()].join(' | ')} |`)
  print(`| --- |${' --- |'.repeat(engines.size)}`)
  for (const [kind, messages] of kinds) {
    const megabytes = messages.reduce((sum, message) => sum + Buffer.byteLength(message), 0) / 1e6
    const speeds = new Map([...engines.keys()].map((name) => [name, [] as number[]]))
    for (let round = 0; round < WARM_UP + ROUNDS; round++)
      for (const [name, engine] of engines) {
        const start = threadMs()
        for (const message of messages) await engine.redact(message)
        if (round >= WARM_UP) speeds.get(name)?.push(megabytes / ((threadMs() - start) / 1000))
      }
    print(`| ${kind} | ${[...speeds.values()].map(spreadOf).join(' | ')} |`)
  }
}

function spreadOf(speeds: number[]): string {
  const sorted = speeds.toSorted((a, b) => a - b)
  const [slowest, median, fastest] = [0, sorted.length >> 1, sorted.length - 1].map((at) => sorted[at] ?? 0)
  return `${median?.toFixed(2)} (${slowest?.toFixed(1)} to ${fastest?.toFixed(1)})`
}
