import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { endOfLog, forgetChanges, type LogRow, readLog } from '../../../src/events/change-log.ts'
import { changed } from '../../../src/events/changes.ts'
import { type Place, placeAfter } from '../../../src/events/place.ts'
import { DAY_MS } from '../../../src/lib/clock.ts'
import { advance } from '../../../src/storage/commit-order.ts'
import { engines } from '../../support/databases.ts'
import { sharedDatabase } from '../../support/shared.ts'

for (const engine of engines) {
  describe(`the log of changes on ${engine}`, () => {
    const database = sharedDatabase(engine)
    let place: Place

    beforeEach(async () => {
      place = (await endOfLog(database().db, database().engine.commitOrder)).place
    })

    /** A transaction that stores messages of these ids, in a conversation each. */
    async function store(ids: number[], hold: () => Promise<unknown> = async () => {}, agentId = 1) {
      await database()
        .db.transaction()
        .execute(async (db) => {
          for (const id of ids)
            changed(db, { type: 'message', agent_id: agentId, conversation_id: `c${id}`, message_id: id })
          // The number of a transaction is given with its first write.
          await db.insertInto('write_probes').values({ filler: '' }).execute()
          await hold()
        })
    }

    async function read(limit = 100): Promise<number[]> {
      const page = await readLog(database().db, database().engine.commitOrder, place, limit)
      const last = page.rows.at(-1)
      if (!page.isCut) place = { transactions: advance(place.transactions, page.seen), within: null }
      else if (last) place = placeAfter(place, page.seen, last, last.changes.length)
      return idsOf(page.rows)
    }

    it('what was committed is read once, in pieces of any size', async () => {
      await store([1, 2, 3])
      await store([4])
      await store([5, 6])
      assert.deepEqual(await read(2), [1, 2])
      await store([7])
      assert.deepEqual(await read(2), [3, 4])
      assert.deepEqual(await read(3), [5, 6, 7])
      assert.deepEqual(await read(3), [])
      assert.deepEqual(await read(), [])
    })

    it('rows of one agent or one conversation are read alone', async () => {
      await store([1, 2])
      await store([3], undefined, 2)
      const { db, engine } = database()
      const ofAgent = await readLog(db, engine.commitOrder, place, 10, { agentId: 2, conversationId: null })
      assert.deepEqual(idsOf(ofAgent.rows), [3])
      const ofConversation = await readLog(db, engine.commitOrder, place, 10, {
        agentId: 2,
        conversationId: 'c2',
      })
      assert.deepEqual(idsOf(ofConversation.rows), [2])
    })

    it('what is rolled back is never read', async () => {
      const failing = store([1], () => Promise.reject(new Error('on purpose')))
      await assert.rejects(failing, /on purpose/)
      await store([2])
      assert.deepEqual(await read(), [2])
    })

    if (engine === 'postgres')
      it('a transaction that commits late is not skipped, and read once', async () => {
        const begun = Promise.withResolvers<void>()
        const released = Promise.withResolvers<void>()
        const late = store([1, 2], () => {
          begun.resolve()
          return released.promise
        })
        await begun.promise
        await store([3])
        assert.deepEqual(await read(), [3])
        await store([4])
        assert.deepEqual(await read(), [4])
        assert.ok(place.transactions.without.length > 0, 'the late transaction is open')
        released.resolve()
        await late
        await store([5])
        assert.deepEqual(await read(1), [1, 2, 5])
        assert.deepEqual(await read(), [])
      })

    it('the id of a row that was deleted is not given again: its successor is read', async () => {
      await store([1])
      assert.deepEqual(await read(), [1])
      await database().db.deleteFrom('changes').execute()
      await store([2])
      assert.deepEqual(await read(), [2])
    })

    it('changes need a transaction', () => {
      const change = { type: 'agent', agent_id: 1, conversation_id: null } as const
      assert.throws(() => changed(database().db, change), /needs a transaction/)
    })

    it('rows are kept for a day and forgotten after it', async () => {
      const count = async () => (await database().db.selectFrom('changes').select('id').execute()).length
      // More than are deleted at once.
      await store(Array.from({ length: 2100 }, (_, id) => id))
      const kept = await count()
      await forgetChanges(database().db, Date.now() + DAY_MS)
      assert.equal(await count(), kept)
      await forgetChanges(database().db, Date.now() + 2 * DAY_MS)
      assert.equal(await count(), 0)
    })

    it('rows that a wrong clock dated in the future keep no older ones', async (context) => {
      const now = Date.now()
      const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)
      context.mock.timers.enable({ apis: ['Date'], now: now + 400 * DAY_MS })
      await store(numbers(0, 1500))
      context.mock.timers.setTime(now - 2 * DAY_MS)
      await store(numbers(1500, 4000))
      context.mock.timers.setTime(now)
      await store([4000])
      context.mock.timers.reset()
      await forgetChanges(database().db, now)
      assert.deepEqual(
        idsOf((await readLog(database().db, database().engine.commitOrder, place, 5000)).rows),
        [...numbers(0, 1500), 4000],
      )
      await forgetChanges(database().db, now + 402 * DAY_MS)
    })
  })
}

function idsOf(rows: LogRow[]): number[] {
  return rows.flatMap(({ changes }) =>
    changes.flatMap((change) => ('message_id' in change ? change.message_id : [])),
  )
}
