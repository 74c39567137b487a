import assert from 'node:assert/strict'
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { openFoundation } from '../../src/foundation.ts'
import {
  keepMasterKeys,
  keptMasterKeys,
  readMasterKeys,
  writeMasterKeys,
} from '../../src/lib/secrets/master-key.ts'
import { freshDatabase } from '../support/databases.ts'

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')

/** A data directory of SQLite, which the service has been started on unless it is to be empty. */
async function dataDirectory({ empty = false } = {}) {
  const { dataDir, remove } = await freshDatabase('sqlite')
  const file = join(dataDir, 'master.key')
  const open = async (env: Record<string, string> = {}) => {
    await using _ = await openFoundation(readConfig({ PARLEY_DATA_DIR: dataDir, ...env }))
  }
  if (!empty) await open()
  return { dataDir, file, open, [Symbol.asyncDispose]: remove }
}

describe('master.key', () => {
  it('is made once for an empty installation, whoever starts at the same time, and only its owner may read it', async () => {
    await using directory = await dataDirectory({ empty: true })
    const made = await Promise.all(Array.from({ length: 8 }, () => keptMasterKeys(directory.dataDir, true)))
    assert.equal(new Set(made.flat()).size, 1)
    assert.equal((await stat(directory.file)).mode & 0o777, 0o600)
    assert.deepEqual(await readdir(directory.dataDir), ['master.key'], 'nothing is left beside it')
    assert.deepEqual(await keptMasterKeys(directory.dataDir, false), made[0])
  })

  it('is not made anew when it is missing beside data: the start fails, and the key that is put back opens all', async () => {
    await using directory = await dataDirectory()
    const kept = await readFile(directory.file)
    await rm(directory.file)
    await assert.rejects(directory.open(), /master\.key is missing/)
    assert.ok(!(await readdir(directory.dataDir)).includes('master.key'))
    await directory.open({ PARLEY_MASTER_KEY: kept.toString().trim() })
    await writeFile(directory.file, kept, { mode: 0o600 })
    await directory.open()
  })

  it('stops the start when every user may read it, and not when a group may', async () => {
    await using directory = await dataDirectory()
    for (const mode of [0o604, 0o644, 0o666]) {
      await chmod(directory.file, mode)
      await assert.rejects(directory.open(), /chmod 600/)
    }
    for (const mode of [0o660, 0o640, 0o400]) {
      await chmod(directory.file, mode)
      await directory.open()
    }
  })

  it('that is empty stops the start', async () => {
    await using directory = await dataDirectory()
    await writeFile(directory.file, '\n')
    await assert.rejects(directory.open(), /is empty/)
  })

  it('holds both keys while a rotation is under way: a start without any variable works at every moment', async () => {
    await using directory = await dataDirectory()
    const [first] = await keptMasterKeys(directory.dataDir, false)
    await writeMasterKeys(directory.dataDir, [key(2), first])
    await directory.open()
    assert.deepEqual(await keptMasterKeys(directory.dataDir, false), [key(2), first])
    assert.equal((await stat(directory.file)).mode & 0o777, 0o600)
  })

  it('keeps each key that is added to it, and refuses those of other data', async () => {
    await using directory = await dataDirectory({ empty: true })
    const add = async (...[first = '', ...rest]: string[]) => {
      await keepMasterKeys(directory.dataDir, [first, ...rest])
      return readMasterKeys(directory.dataDir)
    }
    assert.deepEqual(await add(key(2)), [key(2)])
    assert.deepEqual(await add(key(2), key(1)), [key(2), key(1)])
    assert.deepEqual(await add(key(1)), [key(2), key(1)])
    assert.deepEqual(await add(key(1), key(0)), [key(2), key(1), key(0)])
    await assert.rejects(add(key(3)), /key of other data/)
  })
})
