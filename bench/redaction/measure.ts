import type { Engine } from './engines.ts'
import { type Miss, scoreAlarms, scoreRecall, scoreWordsLost, type Tally } from './score.ts'
import { loadSet, type SetName } from './sets.ts'
import { type HostileResult, measureHostile, measureThroughput } from './timing.ts'

export type Part = SetName | 'throughput' | 'hostile'

/** The results of the bench for one engine; parts that were not requested are missing. */
export interface Report {
  name: string
  /** The reason why the engine could not run. */
  failure?: string
  checkable?: Map<string, Tally>
  contextual?: Map<string, Tally>
  hardAlarms?: Tally
  ordinaryAlarms?: Tally
  wordsLost?: Tally
  unstable?: Tally
  megabytesPerSecond?: number
  hostile?: HostileResult[]
  misses?: Miss[]
}

/** The time that a peer may take for megabyte texts; then its process is killed. */
const HOSTILE_LIMIT_MS = 5000

/** Runs an engine on the requested parts, or on all if none is named. */
export async function measure(name: string, engine: Engine, parts: Part[], seed: number): Promise<Report> {
  const wants = (part: Part) => parts.length === 0 || parts.includes(part)
  const report: Report = { name, misses: [] }
  const words = { found: 0, total: 0 }
  const unstable = { found: 0, total: 0 }
  const run = async (set: SetName) => {
    const cases = loadSet(set, seed)
    const outputs = await redactAll(
      engine,
      cases.map(({ text }) => text),
    )
    const lost = scoreWordsLost(cases, outputs)
    words.found += lost.found
    words.total += lost.total
    for (const output of outputs) if ((await redactOne(engine, output)) !== output) unstable.found++
    unstable.total += cases.length
    return { cases, outputs }
  }
  for (const set of ['checkable', 'contextual'] as const) {
    if (!wants(set)) continue
    const { cases, outputs } = await run(set)
    const { byType, misses } = scoreRecall(cases, outputs)
    report[set] = byType
    report.misses?.push(...misses)
  }
  for (const [set, key] of [
    ['hard-negatives', 'hardAlarms'],
    ['ordinary', 'ordinaryAlarms'],
  ] as const) {
    if (!wants(set)) continue
    const { cases, outputs } = await run(set)
    const alarms = scoreAlarms(cases, outputs)
    report[key] = { found: alarms.length, total: cases.length }
    report.misses?.push(...alarms)
  }
  if (unstable.total > 0) Object.assign(report, { wordsLost: words, unstable })
  if (wants('throughput')) report.megabytesPerSecond = await measureThroughput(engine)
  if (wants('hostile')) report.hostile = await measureHostile(name, HOSTILE_LIMIT_MS)
  return report
}

/** Redacts texts one after the other. */
export async function redactAll(engine: Engine, texts: string[]): Promise<string[]> {
  const outputs: string[] = []
  for (const text of texts) outputs.push(await redactOne(engine, text))
  return outputs
}

/** Redacts one text. An engine that throws leaves the text unchanged. */
async function redactOne(engine: Engine, text: string): Promise<string> {
  try {
    return await engine.redact(text)
  } catch {
    return text
  }
}
