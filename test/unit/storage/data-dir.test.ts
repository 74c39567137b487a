import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { makeDataDir } from '../../../src/storage/data-dir.ts'

it('a data directory that cannot be written is named, with the reason in words', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-data-'))
  const file = join(folder, 'file')
  writeFileSync(file, '')
  assert.throws(() => makeDataDir(join(file, 'data')), {
    message: `PARLEY_DATA_DIR ${file}/data cannot be written: a part of the path is a file (ENOTDIR)`,
  })
  makeDataDir(join(folder, 'data'))
  rmSync(folder, { recursive: true })
})
