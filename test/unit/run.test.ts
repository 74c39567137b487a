import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { quickFiles } from '../support/quick-files.ts'

const RUN = fileURLToPath(new URL('../support/run.ts', import.meta.url))
const RUN_FAULTS = fileURLToPath(new URL('../support/run-faults.ts', import.meta.url))

const GREEN = `require('node:test').it('is green', () => {})`
const RED = `require('node:test').it('is red', () => { throw new Error('red') })`
/** Counts its runs in a file beside it; the first one fails. */
const RED_ONCE = `
const { appendFileSync, readFileSync } = require('node:fs')
require('node:test').it('is red once', () => {
  appendFileSync(__filename + '.runs', 'x')
  if (readFileSync(__filename + '.runs', 'utf8') === 'x') throw new Error('red')
})`

describe('the runner of the tests', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-runner-'))
  })
  after(async () => {
    if (folder) await rm(folder, { recursive: true })
  })

  async function write(name: string, files: Record<string, string>): Promise<string> {
    const project = join(folder, name)
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(project, path, '..'), { recursive: true })
      await writeFile(join(project, path), text)
    }
    return project
  }

  /** Runs files of tests in a project of their own. */
  async function run(
    name: string,
    files: Record<string, string>,
    options: readonly string[] = [],
    runner = RUN,
  ) {
    const project = await write(name, files)
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const child = spawn(process.execPath, [runner, ...options], {
      cwd: project,
      // Nothing listens there, so a test that asks for PostgreSQL fails.
      env: { ...env, PARLEY_TEST_DATABASE_URL: 'postgres://127.0.0.1:1/none' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const output = child.stdout.toArray().then((pieces) => pieces.join(''))
    const [code] = await once(child, 'exit')
    return { code, output: await output, project }
  }

  it('passes what passes, and starts no PostgreSQL for it', async () => {
    const { code, output } = await run('green', {
      'test/unit/a.test.ts': GREEN,
      'test/browser/b.test.ts': GREEN,
    })
    assert.equal(code, 0, output)
    assert.doesNotMatch(output, /second try/)
  })

  it('tries the few files that failed once more, and names those that then pass', async () => {
    const { code, output } = await run('flaky', {
      'test/browser/flaky.test.ts': RED_ONCE,
      'test/unit/flaky.test.ts': RED_ONCE,
      'test/unit/a.test.ts': GREEN,
    })
    assert.equal(code, 0, output)
    for (const part of ['browser', 'unit'])
      assert.match(
        output,
        new RegExp(`^flaky: test/${part}/flaky\\.test\\.ts passed at the second try$`, 'm'),
      )
  })

  it('fails what fails twice', async () => {
    const { code, output } = await run('red', {
      'test/browser/red.test.ts': RED,
      'test/browser/flaky.test.ts': RED_ONCE,
    })
    assert.equal(code, 1, output)
    assert.match(output, /A second try of test\/browser\/flaky\.test\.ts, test\/browser\/red\.test\.ts/)
    assert.doesNotMatch(output, /^flaky: test\/browser\/red/m)
  })

  it('ends a process that a failed test has left alive, and names it', async () => {
    const hanging = `setInterval(() => {}, 60_000)\n${GREEN}`
    const files = { 'test/unit/a.test.ts': hanging }
    const { code, output } = await run('hung', files, ['--test-timeout=1000'])
    assert.equal(code, 1, output)
    assert.match(output, /was ended after 4 s, held by .*Timeout/)
  })

  it('runs on one engine where one is named', async () => {
    const onSqlite = `require('node:test').it('is on', () => {
      if (process.env.PARLEY_TEST_ENGINE !== 'sqlite') throw new Error('on both engines')
    })`
    const { code, output } = await run('engine', { 'test/unit/a.test.ts': onSqlite }, ['--engine=sqlite'])
    assert.equal(code, 0, output)
  })

  it('chooses what is pure, and what depends on a change, nearest first', async () => {
    const project = await write('quick', {
      'src/mails/send.ts': '',
      'src/names.ts': '',
      'test/support/databases.ts': '',
      'test/support/app.ts': `import './databases.ts'\nimport '../../src/mails/send.ts'`,
      'test/unit/pure.test.ts': '',
      'test/unit/names.test.ts': `import '../support/databases.ts'\nimport '../../src/names.ts'`,
      'test/unit/mails/send.test.ts': `import '../../support/databases.ts'\nimport '../../../src/mails/send.ts'`,
      'test/api/a.test.ts': `import '../support/app.ts'`,
      'test/browser/mails.test.ts': `import '../support/app.ts'`,
    })
    assert.deepEqual(quickFiles(project, ['src/mails/send.ts']), {
      files: ['test/unit/pure.test.ts', 'test/unit/mails/send.test.ts', 'test/api/a.test.ts'],
      left: [],
    })
  })

  it('repeats tests of faults, each round with a seed, and names the seed of one that failed', async () => {
    const redWithSeed7 = `require('node:test').it('is red with seed 7', () => {
      if (process.env.PARLEY_TEST_SEED === '7') throw new Error('red')
    })`
    const files = { 'test/faults/a.test.ts': redWithSeed7 }
    const { code, output } = await run('faults', files, ['--rounds=2', '--seed=7'], RUN_FAULTS)
    assert.equal(code, 1, output)
    assert.match(output, /Round 2 of 2, seed \d+/)
    assert.doesNotMatch(output, /second try/)
    assert.deepEqual(output.match(/^A round failed.*/gm), [
      'A round failed. Again: npm run test:faults -- --rounds=1 --seed=7',
    ])
    const green = await run('faults', files, ['--rounds=1', '--seed=8'], RUN_FAULTS)
    assert.equal(green.code, 0, green.output)
  })

  it('tries nothing again when many files have failed', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'].map((name) => `test/unit/${name}.test.ts`)
    const { code, output, project } = await run(
      'many',
      Object.fromEntries(names.map((name) => [name, RED_ONCE])),
    )
    assert.equal(code, 1, output)
    for (const name of names) assert.equal(await readFile(join(project, `${name}.runs`), 'utf8'), 'x', name)
  })
})
