import assert from 'node:assert/strict'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'

it('a process that has no descriptor left still flushes, several groups at once', async (t) => {
  const { fdatasync } = fs
  let isSlow = false
  const flushes: (() => void)[] = []
  t.mock.method(fs, 'fdatasync', (descriptor: number, done: fs.NoParamCallback) => {
    if (isSlow) flushes.push(() => fdatasync(descriptor, done))
    else fdatasync(descriptor, done)
  })
  syncBuiltinESMExports()
  const { openFreshDatabase } = await import('../../support/databases.ts')
  const { fresh, ...database } = await openFreshDatabase('sqlite')
  t.mock.method(fs, 'openSync', () => {
    throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
  })
  syncBuiltinESMExports()
  isSlow = true
  const units: Promise<unknown>[] = []
  // An erasure commits what is there whatever else is being flushed: more groups than there are descriptors.
  for (let n = 0; n < 6; n++) {
    units.push(
      database.db
        .insertInto('teams')
        .values({ name: `${n}`, created_at: 'now' })
        .execute(),
    )
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    units.push(database.engine.eraseOverwritten())
    for (let turn = 0; turn < 3; turn++) await nextTurn()
  }
  assert.ok(flushes.length > 1, 'no flushes at once')
  isSlow = false
  for (const flush of flushes) flush()
  await Promise.all(units)
  await database.ping()
  t.mock.restoreAll()
  syncBuiltinESMExports()
  await database.close()
  await fresh.remove()
})
