import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Transaction } from 'kysely'
import { prepared } from '../../../src/storage/prepared.ts'
import type { Tables } from '../../../src/storage/tables.ts'
import { engines, openFreshDatabase } from '../../support/databases.ts'

const teams = prepared<Record<string, never>, { id: number }>((db) => db.selectFrom('teams').select('id'))

for (const engine of engines)
  it(`no query reaches ${engine} through a transaction that has ended`, async () => {
    const { db, fresh, close } = await openFreshDatabase(engine)
    const kept: Transaction<Tables>[] = []
    await db.transaction().execute(async (db) => {
      kept.push(db)
    })
    const failing = db.transaction().execute(async (db) => {
      kept.push(db)
      throw new Error('failed')
    })
    await assert.rejects(failing, /failed/)
    for (const [at, ended] of kept.entries()) {
      const name = ['committed', 'rolled back'][at]
      await assert.rejects(ended.selectFrom('teams').select('id').execute(), /has ended/, name)
      await assert.rejects(teams(ended, {}), /has ended/, `${name}, prepared`)
    }
    await close()
    const late = db.transaction().execute(async () => {})
    await assert.rejects(late, /closed/, 'begun after the database was closed')
    await fresh.remove()
  })
