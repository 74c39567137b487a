import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

/** The most exposure in tenths, of a hundred. Each version of systemd counts a little differently. */
const EXPOSED = 20

const analyze = (...words: string[]) => spawnSync('systemd-analyze', words, { encoding: 'utf8' })

describe('the unit for systemd', {
  skip: analyze('--version').status !== 0 && 'there is no systemd-analyze here: install systemd to run this',
}, () => {
  let folder: string
  let unit: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-unit-'))
    unit = join(folder, 'parley.service')
    const lines = await readFile('deploy/systemd/parley.service', 'utf8')
    assert.match(lines, /^ExecStart=\/opt\/parley\/bin\/node /m)
    await writeFile(unit, lines.replace('=/opt/parley/bin/node', `=${process.execPath}`))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('has no fault that systemd finds', () => {
    const { status, stdout, stderr } = analyze('verify', unit)
    assert.equal(`${stdout}${stderr}`, '')
    assert.equal(status, 0)
  })

  it('keeps the service from the rest of the machine', () => {
    const { status, stdout } = analyze('security', '--offline=true', `--threshold=${EXPOSED}`, unit)
    assert.equal(status, 0, stdout)
  })
})
