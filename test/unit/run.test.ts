import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'

const RUN = fileURLToPath(new URL('../support/run.ts', import.meta.url))

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
  let server: TestPostgres
  let folder: string
  before(async () => {
    server = await startPostgres()
    folder = await mkdtemp(join(tmpdir(), 'parley-runner-'))
  })
  after(async () => {
    await server?.stop()
    if (folder) await rm(folder, { recursive: true })
  })

  /** Runs files of tests in a project of their own. */
  async function run(name: string, files: Record<string, string>) {
    const project = join(folder, name)
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(project, path, '..'), { recursive: true })
      await writeFile(join(project, path), text)
    }
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const child = spawn(process.execPath, [RUN], {
      cwd: project,
      env: { ...env, PARLEY_TEST_DATABASE_URL: server.url },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const output = child.stdout.toArray().then((pieces) => pieces.join(''))
    const [code] = await once(child, 'exit')
    return { code, output: await output, project }
  }

  it('passes what passes', async () => {
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
