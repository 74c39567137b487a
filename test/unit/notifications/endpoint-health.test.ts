import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tellsOfHealth, writeHealth } from '../../../src/notifications/endpoint-health.ts'
import type { Attempt } from '../../../src/notifications/send-delivery.ts'
import { engines } from '../../support/databases.ts'
import { NOW, openNotification } from './open-notification.ts'

const attempt = (state: Attempt['state']): Attempt => ({
  state,
  status: null,
  failure: null,
  durationMs: 1,
  answer: null,
})
const failed = (count: number) => Array<Attempt>(count).fill(attempt('failed'))

describe('the health of an endpoint', () => {
  it('is told by a failure, and by an answer after one', () => {
    const told = [attempt('failed'), attempt('rejected')].flatMap((one) => [
      tellsOfHealth(one, 0),
      tellsOfHealth(one, 1),
    ])
    assert.deepEqual(told, [true, true, false, true])
  })
})

for (const kind of engines) {
  describe(`the health of an endpoint on ${kind}`, () => {
    async function open() {
      const opened = await openNotification(kind)
      const { db, notificationId } = opened
      return {
        db,
        tell: (attempts: Attempt[], within = db) =>
          writeHealth(within, notificationId, attempts, Date.parse(NOW)),
        stored: () =>
          db.selectFrom('notifications').select(['failures', 'held_until']).executeTakeFirstOrThrow(),
        [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
      }
    }

    it('attempts that end together count one by one, and the tenth failure in a row holds it', async () => {
      await using endpoint = await open()
      assert.equal(await endpoint.tell(failed(4)), 4)
      assert.equal(await endpoint.tell(failed(4)), 8)
      assert.deepEqual(await endpoint.stored(), { failures: 8, held_until: null })
      assert.equal(await endpoint.tell(failed(3)), 11)
      assert.deepEqual(await endpoint.stored(), { failures: 11, held_until: '2026-11-21T12:01:00.000Z' })
    })

    it('an answer between failures begins the count anew', async () => {
      await using endpoint = await open()
      await endpoint.tell(failed(4))
      assert.equal(await endpoint.tell([...failed(2), attempt('rejected'), ...failed(1)]), 1)
      assert.deepEqual(await endpoint.stored(), { failures: 1, held_until: null })
      assert.equal(await endpoint.tell([attempt('failed'), attempt('delivered')]), 0)
      assert.deepEqual(await endpoint.stored(), { failures: 0, held_until: null })
    })

    it('a transaction that is lost and tried again begins the count anew all the same', async () => {
      await using endpoint = await open()
      const { db } = endpoint
      await db.updateTable('notifications').set({ failures: 9 }).execute()
      const tell = (isLost: boolean) =>
        db.transaction().execute(async (db) => {
          await endpoint.tell([attempt('delivered')], db)
          if (isLost) throw new Error('lost')
        })
      await assert.rejects(tell(true), /lost/)
      await tell(false)
      assert.equal((await endpoint.stored()).failures, 0)
    })
  })
}
