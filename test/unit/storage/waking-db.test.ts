import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { joinParts, wake } from '../../../src/storage/waking-db.ts'
import { engines } from '../../support/databases.ts'
import { sharedDatabase } from '../../support/shared.ts'

for (const engine of engines) {
  describe(`wake-ups of transactions on ${engine}`, () => {
    const database = sharedDatabase(engine)
    /** The number of teams that a listener read each time it was woken. */
    let found: Promise<number>[]

    before(async () => {
      database().wakeUps.listen('teams', () => found.push(countTeams()))
    })
    beforeEach(() => {
      found = []
    })

    async function countTeams() {
      return (await database().db.selectFrom('teams').select('id').execute()).length
    }

    const addTeam = (end: () => void) =>
      database()
        .db.transaction()
        .execute(async (db) => {
          wake(db, 'teams')
          await db.insertInto('teams').values({ name: '', created_at: 'now' }).execute()
          wake(db, 'teams', 'here')
          assert.equal(found.length, 0, 'nobody is woken before the commit')
          end()
        })

    it('arrive once, when what they tell of can be read', async () => {
      const before = await countTeams()
      await addTeam(() => {})
      assert.deepEqual(await Promise.all(found), [before + 1])
    })

    it('arrive once after all parts of one transaction', async () => {
      const before = await countTeams()
      await database()
        .db.transaction()
        .execute(async (transaction) => {
          const db = joinParts(transaction)
          for (const name of ['one', 'two'])
            await db.transaction().execute(async (db) => {
              await db.insertInto('teams').values({ name, created_at: 'now' }).execute()
              wake(db, 'teams')
            })
          assert.equal(found.length, 0)
        })
      assert.deepEqual(await Promise.all(found), [before + 2])
    })

    it('of a part do not arrive, and its rows are undone, when a later part fails', async () => {
      const before = await countTeams()
      const failing = database()
        .db.transaction()
        .execute(async (transaction) => {
          const db = joinParts(transaction)
          await db
            .transaction()
            .execute((db) => db.insertInto('teams').values({ name: '', created_at: 'now' }).execute())
          await db.transaction().execute(() => Promise.reject(new Error('failed')))
        })
      await assert.rejects(failing, /failed/)
      assert.equal(found.length, 0)
      assert.equal(await countTeams(), before)
    })

    it('do not arrive when the transaction fails', async () => {
      const failing = addTeam(() => {
        throw new Error('failed')
      })
      await assert.rejects(failing, /failed/)
      assert.equal(found.length, 0)
    })

    it('arrive at once outside of a transaction', async () => {
      wake(database().db, 'teams')
      assert.equal(found.length, 1)
      await Promise.all(found)
    })
  })
}
