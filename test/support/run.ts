// Runs the test suite: one PostgreSQL for all test files, started when the first of them asks for it, and always ended.
// Usage: node test/support/run.ts [--engine=sqlite|postgres] [--quick] [--first-try] [--on-disk]
//   [options of node --test, as --name=value] [parts of the test files' paths]
import { type ChildProcess, spawn } from 'node:child_process'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { chmod, mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { browserPath } from './browser-path.ts'
import { type FileResults, readFileResults } from './file-results.ts'
import { lend } from './lend.ts'
import { postgresOfRun } from './postgres-of-run.ts'
import { programOfRun } from './program-of-run.ts'
import { changedFiles, quickFiles } from './quick-files.ts'
import { type ProcessFile, shareProcesses } from './share-processes.ts'

if (Number(process.versions.node.split('.')[0]) < 26) {
  process.stderr.write(`the tests need Node 26; this is ${process.version}\n`)
  process.exit(1)
}

const given = process.argv.slice(2)
const isQuick = given.includes('--quick')
/** True if no failed file is tried a second time. */
const isFirstTry = given.includes('--first-try')
const engine = given.find((word) => word.startsWith('--engine='))?.slice('--engine='.length)
const options = given.filter(
  (word) => word.startsWith('-') && !/^--(quick$|first-try$|on-disk$|engine=)/.test(word),
)
const isWatching = options.includes('--watch')
const parts = given.filter((word) => !word.startsWith('-')).map((word) => relative('.', word))
const quick = isQuick ? quickFiles('.', changedFiles()) : null
const files = (quick?.files ?? globSync('test/**/*.test.ts').sort()).filter(
  (file) => parts.length === 0 || parts.some((part) => file.includes(part)),
)
if (files.length === 0) {
  process.stderr.write(`no test file has ${parts.join(' or ')} in its path\n`)
  process.exit(1)
}

/** The time after which a hanging test fails; the longest test takes a quarter of it. */
const LIMIT_MS = Number(
  options.find((option) => option.startsWith('--test-timeout='))?.split('=')[1] ?? 240_000,
)
/** The time after which a process of tests is ended: files that share one take some minutes on a busy machine. */
const FILE_LIMIT_MS = 4 * LIMIT_MS
/**
 * The most failing files that are tried once more, alone on the machine, and named: browsers are not fully predictable,
 * and a busy machine delays some tests. A real fault fails again, or in more files.
 */
const TRIED_TWICE = 4
/** The number of slowest files that are named, in a run of more than twice as many. */
const NAMED_SLOW = 10
const ROOM_BYTES = 4 * 1024 ** 3
/** Processes at once: on two cores, two of them leave two fifths of the processors idle while they wait. */
const AT_ONCE = 3
/** The browser, unpacked once for all runs, where it stays. */
const browser = files.some((file) => file.startsWith('test/browser/')) ? await browserPath() : undefined
const isOnDisk = given.includes('--on-disk')
const folder = await mkdtemp(join(isOnDisk ? tmpdir() : await roomiest(), 'parley-run-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
// PostgreSQL's user must reach a folder of its own inside.
await chmod(folder, 0o711)
// Files that tests leave behind are removed with the folder.
process.env.TMPDIR = folder
const resultsFile = join(folder, 'results')
let running: ChildProcess | undefined
let isEnding = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isEnding = true
    running?.kill(signal)
  })

const lending = await lend({ postgres: postgresOfRun, program: programOfRun })
try {
  const env = {
    ...process.env,
    PARLEY_TEST_LENDER: lending.lender,
    PARLEY_TEST_FILE_LIMIT_MS: String(FILE_LIMIT_MS),
    ...((engine ?? (isQuick && 'sqlite')) ? { PARLEY_TEST_ENGINE: engine ?? 'sqlite' } : {}),
    ...(browser ? { PARLEY_TEST_BROWSER: browser } : {}),
    PARLEY_TEST_OPENAPI: join(folder, 'openapi.json'),
    PARLEY_TEST_SQLITE_TEMPLATE: join(folder, 'template.db'),
    // Each file is a process that loads mostly the same modules.
    NODE_COMPILE_CACHE: resolve('node_modules/.cache/tests'),
  }
  // A watched file has its own process, so that it runs again alone.
  const processes = isWatching
    ? files.map((file) => ({ file, tests: [file] }))
    : await shareProcesses(files, folder)
  let { code, failed, took } = await run(processes, env)
  if (took.size > 2 * NAMED_SLOW) {
    const slowest = [...took].sort(([, a], [, b]) => b - a).slice(0, NAMED_SLOW)
    const lines = slowest.map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s ${file}`)
    process.stdout.write(`\nThe files that took longest:\n${lines.join('\n')}\n`)
  }
  if (quick && quick.left.length > 0)
    process.stdout.write(
      `\n${quick.left.length} more files depend on what changed, less closely: npm test runs them all.\n`,
    )
  const isSecondTry =
    code === 1 && !isFirstTry && !isEnding && !isWatching && failed.length > 0 && failed.length <= TRIED_TWICE
  if (isSecondTry) {
    process.stdout.write(`\nA second try of ${failed.join(', ')}\n`)
    const first = failed
    const alone = first.map((file) => ({ file, tests: [file] }))
    ;({ code, failed } = await run(alone, env, ['--test-concurrency=1']))
    const flaky = isEnding ? [] : first.filter((file) => !failed.includes(file))
    for (const file of flaky) process.stdout.write(`flaky: ${file} passed at the second try\n`)
  }
  process.exitCode = code
} finally {
  await lending.end()
}

async function run(
  processes: readonly ProcessFile[],
  env: NodeJS.ProcessEnv,
  more: readonly string[] = [],
): Promise<{ code: number } & FileResults> {
  if (isEnding) return { code: 1, failed: [], took: new Map() }
  const has = (name: string) => options.some((option) => option.startsWith(`${name}=`))
  const reporters = [
    `--test-reporter=${join(import.meta.dirname, 'file-results.ts')}`,
    `--test-reporter-destination=${resultsFile}`,
    ...(has('--test-reporter') ? [] : ['--test-reporter=spec']),
    ...(has('--test-reporter-destination') ? [] : ['--test-reporter-destination=stdout']),
  ]
  const tests = spawn(
    process.execPath,
    [
      ...['end-hung.ts', 'tests-by-context.ts'].map(
        (name) => `--import=${pathToFileURL(join(import.meta.dirname, name))}`,
      ),
      '--test',
      `--test-concurrency=${AT_ONCE}`,
      `--test-timeout=${LIMIT_MS}`,
      ...reporters,
      ...options,
      ...more,
      ...processes.map(({ file }) => file),
    ],
    { stdio: 'inherit', env },
  )
  running = tests
  const code = await new Promise<number>((done) => tests.once('exit', (code) => done(code ?? 1)))
  const { failed: named, took } = readFileResults(readFileSync(resultsFile, 'utf8'))
  // If a shared process failed as a whole, all its files failed. Tests made by a helper have the helper's name.
  const failed = processes.flatMap(({ file, tests }) =>
    named.includes(relative('.', file)) ? tests : tests.filter((test) => named.includes(test)),
  )
  return { code, failed, took }
}

/**
 * Returns the folder where tests write: in memory if there is plenty. A disk on which thousands of files come and go
 * spends a tenth of the time on finding places for new ones.
 */
async function roomiest(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => null)
  return memory && memory.bavail * memory.bsize >= ROOM_BYTES ? '/dev/shm' : tmpdir()
}
