// Puts the service under a mixed load for some minutes, kills its processes now and then, checks what it promises, and
// writes a report. Exits with 1 when a promise is broken. The soak itself is test/faults/soak.test.ts.
// Usage: node test/support/run-soak.ts [--minutes N] [--engine sqlite|postgres] [--replicas N, on PostgreSQL]
//   [--rate N, requests a second] [--seed N] [--report FILE]
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { spawnRun } from './spawn-run.ts'

const MINUTE_MS = 60_000
/** The time for starting, and for checking what hours have left. */
const MORE_MS = 30 * MINUTE_MS

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: { minutes: text, engine: text, replicas: text, rate: text, seed: text, report: text },
})
const {
  minutes = '10',
  engine = 'sqlite',
  replicas = '3',
  rate = '25',
  report = `soak-${engine}.html`,
} = values
const numbers = { minutes: Number(minutes), replicas: Number(replicas), rate: Number(rate) }
for (const [name, value] of Object.entries(numbers))
  if (!(value > 0)) throw new Error(`--${name} is a number above zero`)
if (engine !== 'sqlite' && engine !== 'postgres') throw new Error('--engine is sqlite or postgres')
const seconds = numbers.minutes * 60
const file = resolve(report)
const words = [
  '--first-try',
  '--on-disk',
  `--engine=${engine}`,
  `--test-timeout=${seconds * 1000 + MORE_MS}`,
  'test/faults/soak.test.ts',
]
const asked = { seconds, rate: numbers.rate, replicas: numbers.replicas, report: file }
process.exitCode = await spawnRun(words, {
  PARLEY_TEST_SOAK: JSON.stringify(asked),
  ...(values.seed === undefined ? {} : { PARLEY_TEST_SEED: values.seed }),
})
process.stdout.write(`\nThe report is ${file}\n`)
