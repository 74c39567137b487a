import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { threadMs } from '../../test/support/processor-time.ts'
import { type Engine, loadEngine } from './engines.ts'
import { HOSTILE } from './hostile.ts'
import type { HostileAnswer, HostileOrder } from './hostile-child.ts'
import { seededRandom } from './random.ts'
import { loadSet } from './sets.ts'

/** Returns messages of about a size in bytes, four in five of them without personal data. */
export function chatMessages(count: number, bytes = 1000): string[] {
  const random = seededRandom('throughput')
  const clean = [...loadSet('ordinary'), ...loadSet('hard-negatives')]
  const personal = [...loadSet('checkable'), ...loadSet('contextual')]
  const languages = [...new Set(clean.map((one) => one.language))]
  const pools = languages.map((language) => ({
    clean: clean.filter((one) => one.language === language),
    personal: personal.filter((one) => one.language === language),
  }))
  const messages = Array.from({ length: count }, (_, i) => {
    const pool = random.pick(pools)
    const parts = i % 5 === 0 ? [random.pick(pool.personal).text] : []
    let size = 0
    while (size < bytes) {
      const { text } = random.pick(pool.clean)
      parts.push(text)
      size += Buffer.byteLength(text) + 1
    }
    return parts.reverse().join(' ')
  })
  return JSON.parse(JSON.stringify(messages)) as string[]
}

/** The rounds after which the code of a running service is fully compiled. */
const WARM_UP = 3
const ROUNDS = 7

/** Returns megabytes of UTF-8 a second of processor time: the median of the rounds after a warm-up. */
export async function measureThroughput(engine: Engine): Promise<number> {
  const all = chatMessages(2000)
  const pass = async (messages: string[]) => {
    const start = threadMs()
    for (const message of messages) await engine.redact(message)
    return threadMs() - start
  }
  const trial = await pass(all.slice(0, 40))
  const messages = all.slice(0, Math.max(40, Math.min(all.length, Math.floor((1500 / trial) * 40))))
  const bytes = messages.reduce((sum, message) => sum + Buffer.byteLength(message), 0)
  const times: number[] = []
  for (let i = 0; i < WARM_UP; i++) await pass(messages)
  for (let i = 0; i < ROUNDS; i++) times.push(await pass(messages))
  times.sort((a, b) => a - b)
  return bytes / 1e6 / ((times[ROUNDS >> 1] ?? 1) / 1000)
}

export interface HostileResult {
  kind: string
  /** Milliseconds of the slowest text of 1 MB; infinite if the limit was reached. */
  worst: number
  /** Milliseconds of processor time for 1 MB: the mean of all rounds but the first. */
  processor?: number
  /** The processor time of 1 MB divided by that of 100 KB; missing where the time is too short to tell. */
  growth?: number
}

const SHORT = 100_000
const LONG = 1_000_000
const MOST_ROUNDS = 13
const ENOUGH_MS = 1500
/** The milliseconds for a long text below which all is noise. */
const LEAST_MS = 5
const ENOUGH_ENDED = 8

/**
 * Measures every hostile kind in both sizes by turns, so that neither meets a warmer engine or a busier machine, in
 * child processes that are killed at the limit. After an engine has reached the limit too often, its remaining kinds
 * are left out.
 */
export async function measureHostile(name: string, limitMs: number): Promise<HostileResult[]> {
  await loadEngine(name)
  const results: HostileResult[] = []
  let child: ChildProcess | undefined
  const ask = async (order: HostileOrder): Promise<HostileAnswer | undefined> => {
    child ??= await startChild(name)
    const answer = await withLimit(child, order, limitMs)
    if (answer) return answer
    child.kill('SIGKILL')
    child = undefined
  }
  for (const kind of Object.keys(HOSTILE)) {
    results.push(await measureKind(kind, ask))
    if (results.filter(({ worst }) => worst === Number.POSITIVE_INFINITY).length === ENOUGH_ENDED) break
  }
  child?.kill('SIGKILL')
  return results
}

/** Measures rounds of both sizes by turns; the first, in which the engine learns the kind, counts only for `worst`. */
async function measureKind(
  kind: string,
  ask: (order: HostileOrder) => Promise<HostileAnswer | undefined>,
): Promise<HostileResult> {
  const short: HostileAnswer[] = []
  const long: HostileAnswer[] = []
  let spent = 0
  while (long.length < 2 || (long.length < MOST_ROUNDS && spent < ENOUGH_MS)) {
    const once = await ask({ kind, length: SHORT })
    const tenfold = once && (await ask({ kind, length: LONG }))
    if (!once || !tenfold) return { kind, worst: Number.POSITIVE_INFINITY }
    short.push(once)
    long.push(tenfold)
    spent += tenfold.processor
  }
  const worst = Math.max(...long.map(({ passed }) => passed))
  const typical = meanProcessor(long)
  const result = { kind, worst, processor: typical }
  return typical < LEAST_MS ? result : { ...result, growth: typical / meanProcessor(short) }
}

/** Returns the mean, because the processor's clock goes in steps. */
function meanProcessor(rounds: readonly HostileAnswer[]): number {
  const counted = rounds.slice(1)
  return counted.reduce((sum, { processor }) => sum + processor, 0) / counted.length
}

/** The running children. One that is busy in a pattern hears nothing, so it must be killed when the bench ends. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

async function startChild(name: string): Promise<ChildProcess> {
  const child = fork(new URL('hostile-child.ts', import.meta.url), [name])
  running.add(child)
  child.once('exit', () => running.delete(child))
  await once(child, 'message')
  return child
}

/** Returns the child's answer, or nothing when the limit passes or the child dies (a stack or memory overrun). */
function withLimit(
  child: ChildProcess,
  order: HostileOrder,
  limitMs: number,
): Promise<HostileAnswer | undefined> {
  return new Promise((resolve) => {
    const finish = (answer?: HostileAnswer) => {
      clearTimeout(timer)
      child.off('message', finish).off('exit', died)
      resolve(answer)
    }
    const died = () => finish()
    const timer = setTimeout(died, limitMs)
    child.on('message', finish).on('exit', died)
    child.send(order)
  })
}
