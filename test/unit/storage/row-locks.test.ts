import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { engines } from '../../support/databases.ts'
import { sharedDatabase } from '../../support/shared.ts'

for (const engine of engines) {
  describe(`row locks on ${engine}`, () => {
    const database = sharedDatabase(engine)

    before(async () => {
      await database().db.insertInto('teams').values({ id: 71, name: '', created_at: 'now' }).execute()
    })

    it('transactions that lock a row before they change it lose no change', async () => {
      const append = (letter: string) =>
        database()
          .db.transaction()
          .execute(async (db) => {
            const team = await db
              .selectFrom('teams')
              .selectAll()
              .where('id', '=', 71)
              .forNoKeyUpdate()
              .executeTakeFirstOrThrow()
            await new Promise(setImmediate)
            await db
              .updateTable('teams')
              .set({ name: team.name + letter })
              .where('id', '=', 71)
              .execute()
          })
      await Promise.all([...'abcdefgh'].map(append))
      const { name } = await database().db.selectFrom('teams').selectAll().executeTakeFirstOrThrow()
      assert.deepEqual([...name].sort(), [...'abcdefgh'])
    })
  })
}
