import assert from 'node:assert/strict'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { it } from 'node:test'

it('a database whose disk has failed is unavailable, and says so, until it is opened anew', async (t) => {
  const { fdatasync } = fs
  let isBroken = false
  t.mock.method(fs, 'fdatasync', (descriptor: number, done: fs.NoParamCallback) => {
    if (isBroken) done(Object.assign(new Error('input/output error'), { code: 'EIO' }))
    else fdatasync(descriptor, done)
  })
  syncBuiltinESMExports()
  const { openFreshDatabase } = await import('../../support/databases.ts')
  const { openDatabase } = await import('../../../src/storage/database.ts')
  const { fresh, ...database } = await openFreshDatabase('sqlite')
  const insert = ({ db } = database) =>
    db.insertInto('teams').values({ name: 'T', created_at: 'now' }).execute()
  const isUnavailable = (error: unknown) => database.engine.isUnavailable(error)
  await insert()
  isBroken = true
  await assert.rejects(insert(), isUnavailable)
  isBroken = false
  await assert.rejects(insert(), isUnavailable)
  await assert.rejects(database.ping(), isUnavailable)
  await database.close()
  const again = await openDatabase(fresh)
  await again.ping()
  await insert(again)
  await again.close()
  t.mock.restoreAll()
  syncBuiltinESMExports()
  await fresh.remove()
})
