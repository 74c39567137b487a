// Runs the test suite: one PostgreSQL for all test files, ended whatever happens.
// Usage: node test/support/run.ts [files or node --test options]
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { startPostgres } from './postgres.ts'

if (Number(process.versions.node.split('.')[0]) < 26) {
  process.stderr.write(`the tests need Node 26; this is ${process.version}\n`)
  process.exit(1)
}

const given = process.argv.slice(2)
const named = given.some((word) => !word.startsWith('-'))
const files = named ? [] : globSync('test/**/*.test.ts').sort()
const server = await startPostgres()
try {
  const tests = spawn(process.execPath, ['--test', '--test-concurrency=2', ...given, ...files], {
    stdio: 'inherit',
    env: { ...process.env, PARLEY_TEST_DATABASE_URL: server.url },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal))
  process.exitCode = await new Promise<number>((resolve) => tests.once('exit', (code) => resolve(code ?? 1)))
} finally {
  await server.stop()
}
