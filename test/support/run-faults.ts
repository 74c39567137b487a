// Repeats the tests of faults, each round with another seed of their random choices, such as after how many answers a
// process is killed. Prints the seeds of rounds that failed and exits with 1 if there are any.
// Usage: node test/support/run-faults.ts [--rounds=N] [--seed=N, of the first round] [--engine=sqlite|postgres]
//   [parts of the test files' paths]
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { spawnRun } from './spawn-run.ts'

/** The tests in which processes are killed, connections break, disks are full and peers hang. */
const FAULTS = [
  'test/faults/',
  'test/commands/full-disk.test.ts',
  'test/unit/storage/durability.test.ts',
  'test/api/notifications/hanging-receivers.test.ts',
  'test/unit/model/served-model-failures.test.ts',
]
/** One more than the greatest seed of `random.ts`. */
const SEEDS = 2_147_483_647

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, seed: { type: 'string' }, engine: { type: 'string' } },
})
const rounds = wholeNumber('rounds', values.rounds ?? '10')
const first = values.seed === undefined ? null : wholeNumber('seed', values.seed)
const files = positionals.length > 0 ? positionals : FAULTS
const options = values.engine === undefined ? [] : [`--engine=${values.engine}`]
let isEnding = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isEnding = true
  })

const failed: number[] = []
for (let round = 1; round <= rounds && !isEnding; round++) {
  const seed = round === 1 && first !== null ? first : randomInt(1, SEEDS)
  process.stdout.write(`\nRound ${round} of ${rounds}, seed ${seed}\n`)
  const words = ['--first-try', '--test-reporter=dot', ...options, ...files]
  if ((await spawnRun(words, { PARLEY_TEST_SEED: String(seed) })) !== 0) failed.push(seed)
}
for (const seed of failed)
  process.stdout.write(
    `\nA round failed. Again: npm run test:faults -- ${['--rounds=1', `--seed=${seed}`, ...options, ...positionals].join(' ')}\n`,
  )
process.exitCode = failed.length > 0 || isEnding ? 1 : 0

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text) && Number(text) < SEEDS) return Number(text)
  process.stderr.write(`--${name} is a whole number from 1 to ${SEEDS - 1}\n`)
  process.exit(1)
}
