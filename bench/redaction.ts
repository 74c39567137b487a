import { parseArgs } from 'node:util'
import { ENGINE_NAMES, loadEngine } from './redaction/engines.ts'
import { measure, type Report } from './redaction/measure.ts'
import { installRedactors } from './redaction/peers.ts'
import type { SetName } from './redaction/sets.ts'
import { printReports } from './redaction/table.ts'

/**
 * Compares redaction engines on the sets of this directory and prints one table.
 * `--only <engine>`, `--set <name>` (also `throughput`, `hostile`), `--misses <n>`, `--seed <n>`.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    set: { type: 'string', multiple: true },
    misses: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
})
const names = values.only ? [values.only] : ENGINE_NAMES
if (names.some((name) => name !== 'parley')) installRedactors()

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const reports: Report[] = []
for (const name of names) {
  try {
    const engine = await loadEngine(name)
    reports.push(
      await measure(
        name,
        engine,
        (values.set ?? []) as (SetName | 'throughput' | 'hostile')[],
        Number(values.seed),
      ),
    )
  } catch (error) {
    reports.push({ name, failure: error instanceof Error ? error.message : String(error) })
  }
}
printReports(reports, Number(values.misses))
