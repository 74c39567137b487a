// Runs the test suite: one PostgreSQL for all test files, ended whatever happens.
// Usage: node test/support/run.ts [options of node --test, as --name=value] [parts of the test files' paths]
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { relative } from 'node:path'
import { startPostgres } from './postgres.ts'

if (Number(process.versions.node.split('.')[0]) < 26) {
  process.stderr.write(`the tests need Node 26; this is ${process.version}\n`)
  process.exit(1)
}

const given = process.argv.slice(2)
const options = given.filter((word) => word.startsWith('-'))
const parts = given.filter((word) => !word.startsWith('-')).map((word) => relative('.', word))
const files = globSync('test/**/*.test.ts')
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
  .sort()
if (files.length === 0) {
  process.stderr.write(`no test file has ${parts.join(' or ')} in its path\n`)
  process.exit(1)
}
const server = await startPostgres()
try {
  const tests = spawn(process.execPath, ['--test', '--test-concurrency=2', ...options, ...files], {
    stdio: 'inherit',
    env: { ...process.env, PARLEY_TEST_DATABASE_URL: server.url },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal))
  process.exitCode = await new Promise<number>((resolve) => tests.once('exit', (code) => resolve(code ?? 1)))
} finally {
  await server.stop()
}
