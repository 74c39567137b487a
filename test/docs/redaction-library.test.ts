import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { examplesIn } from '../support/guide.ts'

const run = promisify(execFile)
const GUIDE = 'docs/redaction-library.md'
const tsc = resolve('node_modules/typescript/bin/tsc')

/** Prints each module that is loaded from a file, to stderr. */
const TELL_MODULES = `
  import { registerHooks } from 'node:module'
  registerHooks({ load(url, context, next) { process.stderr.write(url + '\\n'); return next(url, context) } })
`

describe('the guide to redaction as a library', () => {
  let folder: string

  /** A folder with the package in it as it is published. */
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-library-'))
    const installed = join(folder, 'node_modules/parley')
    await run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', join(installed, 'dist')])
    const model = 'redaction/tagger/model.bin'
    await cp(join('src', model), join(installed, 'dist', model))
    await cp('package.json', join(installed, 'package.json'))
    await symlink(resolve('node_modules'), join(installed, 'node_modules'))
    await writeFile(join(folder, 'tell.mjs'), TELL_MODULES)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('its example prints what it says, and loads nothing of the service', async () => {
    const [example = ''] = examplesIn(GUIDE, 'js')
    const [printed] = examplesIn(GUIDE, 'text')
    assert.equal(example.trim().split('\n').length, 5)
    await writeFile(join(folder, 'example.mjs'), example)
    const args = ['--import', './tell.mjs', 'example.mjs']
    const { stdout, stderr } = await run(process.execPath, args, { cwd: folder })
    assert.equal(stdout, printed)
    const files = stderr.split('\n').flatMap((url) => (url.startsWith('file:') ? [fileURLToPath(url)] : []))
    const loaded = files.flatMap((file) => /\/parley\/dist\/(.*)$/.exec(file)?.[1] ?? [])
    assert.ok(loaded.length > 50, stderr)
    assert.deepEqual(
      loaded.filter((file) => !/^(redaction|lib\/linear-pattern)\//.test(file)),
      [],
    )
    assert.deepEqual(
      files.filter((file) => !file.includes('/parley/dist/') && !/example\.mjs|libphonenumber/.test(file)),
      [],
    )
  })

  it('its types are found by TypeScript', async () => {
    const use = `import { createRedactor, type Finding, redact } from 'parley/redaction'
      const found: Finding[] = createRedactor({ types: ['PERSON'] }).find(redact('x'))
      // @ts-expect-error a text is needed
      redact(found)`
    await writeFile(join(folder, 'use.mts'), use)
    const args = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', 'use.mts']
    await run(process.execPath, [tsc, ...args], { cwd: folder })
  })
})
