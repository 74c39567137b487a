import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { writeBackup } from '../../../src/storage/backup-file.ts'
import { restoreSqliteBackup } from '../../../src/storage/sqlite/sqlite-backup.ts'
import { openFreshDatabase } from '../../support/databases.ts'

describe('backup', () => {
  let database: Awaited<ReturnType<typeof openFreshDatabase>>
  let target: string

  beforeEach(async () => {
    database = await openFreshDatabase('sqlite')
    target = join(database.fresh.dataDir, 'copy.db')
  })
  afterEach(async () => {
    await database.close()
    await database.fresh.remove()
  })

  /** Two rows a unit: a copy that cuts a unit in two has an odd number of them. */
  const writePair = () =>
    database.db.transaction().execute(async (db) => {
      for (const name of ['left', 'right'])
        await db
          .insertInto('teams')
          .values({ name: name.repeat(500), created_at: 'now' })
          .execute()
    })

  it('copies one moment while units are written', async () => {
    for (let count = 0; count < 100; count++) await writePair()
    let copying = true
    const writing = (async () => {
      let written = 0
      for (; copying; written++) await writePair()
      return written
    })()
    await writeBackup(database.engine, target)
    copying = false
    assert.ok((await writing) > 0)
    const copy = new DatabaseSync(target)
    assert.deepEqual({ ...copy.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
    const rows = Number(copy.prepare('select count(*) as rows from teams').get()?.rows)
    copy.close()
    assert.ok(rows >= 200)
    assert.equal(rows % 2, 0)
  })

  it('is for its owner alone, as the database is', async () => {
    await writeBackup(database.engine, target)
    await writePair()
    for (const file of readdirSync(database.fresh.dataDir))
      assert.equal(statSync(join(database.fresh.dataDir, file)).mode & 0o777, 0o600, file)
  })

  it('is restored for its owner alone from the first moment, whoever may read the file', async () => {
    await writeBackup(database.engine, target)
    chmodSync(target, 0o644)
    const folder = join(database.fresh.dataDir, 'restored')
    mkdirSync(folder)
    const modes: number[] = []
    const note = (file: string) => void modes.push(statSync(file).mode & 0o777)
    await restoreSqliteBackup(target, folder, async (copy) => note(copy))
    note(join(folder, 'parley.db'))
    assert.deepEqual(modes, [0o600, 0o600])
    assert.deepEqual(readFileSync(join(folder, 'parley.db')), readFileSync(target))
  })

  it('is not restored beside what is left of a database, which stays as it is', async () => {
    await writeBackup(database.engine, target)
    const folder = join(database.fresh.dataDir, 'restored')
    mkdirSync(folder)
    writeFileSync(join(folder, 'parley.db-wal'), 'not copied yet')
    await assert.rejects(
      restoreSqliteBackup(target, folder, async () => {}),
      /parley\.db-wal is there already/,
    )
    assert.deepEqual(readdirSync(folder), ['parley.db-wal'])
  })

  it('refuses a file that exists, and leaves it as it is', async () => {
    writeFileSync(target, 'mine')
    await assert.rejects(writeBackup(database.engine, target), { code: 'EEXIST' })
    assert.equal(readFileSync(target, 'utf8'), 'mine')
  })

  it('has its name only when it is whole, and what an interrupted one left is written over', async () => {
    writeFileSync(`${target}.partial`, 'left by one that was killed')
    const names = new Set<string>()
    const copying = writeBackup(database.engine, target)
    let isDone = false
    void copying.finally(() => {
      isDone = true
    })
    while (!isDone) {
      if (existsSync(target)) names.add(readFileSync(target).subarray(0, 15).toString())
      await new Promise((resolve) => setImmediate(resolve))
    }
    await copying
    names.add(readFileSync(target).subarray(0, 15).toString())
    assert.deepEqual([...names], ['SQLite format 3'])
    assert.deepEqual(
      readdirSync(database.fresh.dataDir).filter((name) => name.includes('partial')),
      [],
    )
    const copy = new DatabaseSync(target)
    assert.deepEqual({ ...copy.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
    copy.close()
  })

  it('refuses a folder that does not exist', async () => {
    await assert.rejects(writeBackup(database.engine, join(target, 'copy.db')), { code: 'ENOENT' })
    assert.equal(existsSync(target), false)
    mkdirSync(target)
    await writeBackup(database.engine, join(target, 'copy.db'))
  })
})
