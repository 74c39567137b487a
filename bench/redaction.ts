import { parseArgs } from 'node:util'
import { ENGINE_NAMES, type Engine, loadEngine } from './redaction/engines.ts'
import { compareOrigins } from './redaction/fairness.ts'
import { measure, type Part, type Report } from './redaction/measure.ts'
import { installRedactors } from './redaction/peers.ts'
import { compareSpeeds } from './redaction/speed.ts'
import { measureSupport, type SupportReport } from './redaction/support-score.ts'
import { supportSets } from './redaction/support-sets.ts'
import { printSupport, printSupportDetails } from './redaction/support-table.ts'
import { print, printReports } from './redaction/table.ts'

/**
 * Compares redaction engines on the sets of this directory and prints one table.
 * `--only <engine>`, `--set <name>` (also `throughput`, `hostile`), `--misses <n>`, `--seed <n>`.
 * The argument `support` runs the sets in the style of support instead, and prints what may be looked at apart from
 * what is held back; misses only of the former. `fair` compares the origins of many names in Parley. `speed` compares Parley with redact-pii and @openai/guardrails by turns.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    set: { type: 'string', multiple: true },
    misses: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
})
const names = values.only ? [values.only] : ENGINE_NAMES
/** The engines whose speeds are compared; the other two are either far slower or look for far less. */
const TIMED = new Set(['parley', 'redact-pii', '@openai/guardrails'])
const misses = Number(values.misses)
const seed = Number(values.seed)
if (names.some((name) => name !== 'parley')) installRedactors()

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

if (positionals[0] === 'support') await runSupport()
else if (positionals[0] === 'fair') await compareOrigins(await loadEngine('parley'))
else if (positionals[0] === 'speed') await runSpeed()
else await runAll()

async function runAll(): Promise<void> {
  const reports: Report[] = []
  await eachEngine(
    async (name, engine) => {
      reports.push(await measure(name, engine, (values.set ?? []) as Part[], seed))
    },
    (name, failure) => reports.push({ name, failure }),
  )
  printReports(reports, misses)
}

async function runSupport(): Promise<void> {
  const reports = new Map<string, SupportReport>()
  const sets = supportSets(seed)
  await eachEngine(
    async (name, engine) => {
      reports.set(name, await measureSupport(engine, sets))
    },
    (name, failure) => print(`${name} did not run: ${failure}`),
  )
  printSupport(reports)
  const [own] = reports.values()
  if (own) printSupportDetails(own, misses)
}

async function runSpeed(): Promise<void> {
  const engines = new Map<string, Engine>()
  for (const name of names) if (TIMED.has(name)) engines.set(name, await loadEngine(name))
  await compareSpeeds(engines, seed)
}

async function eachEngine(
  run: (name: string, engine: Engine) => Promise<void>,
  fail: (name: string, failure: string) => void,
): Promise<void> {
  for (const name of names) {
    try {
      await run(name, await loadEngine(name))
    } catch (error) {
      fail(name, error instanceof Error ? error.message : String(error))
    }
  }
}
