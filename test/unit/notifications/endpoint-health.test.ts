import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { endpointHealth } from '../../../src/notifications/endpoint-health.ts'
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

for (const kind of engines) {
  describe(`the health of an endpoint on ${kind}`, () => {
    async function open() {
      const opened = await openNotification(kind)
      const { db, notificationId } = opened
      const health = endpointHealth(notificationId)
      health.read({ failures: 0 })
      return {
        health,
        tell: (attempts: Attempt[]) => health.write(db, attempts, Date.parse(NOW)),
        stored: () =>
          db.selectFrom('notifications').select(['failures', 'held_until']).executeTakeFirstOrThrow(),
        [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
      }
    }

    it('attempts that end together count one by one, and the tenth failure in a row holds it', async () => {
      await using endpoint = await open()
      await endpoint.tell(failed(4))
      await endpoint.tell(failed(4))
      assert.deepEqual(await endpoint.stored(), { failures: 8, held_until: null })
      assert.equal(endpoint.health.stillFailing(), 8)
      await endpoint.tell(failed(3))
      assert.deepEqual(await endpoint.stored(), { failures: 11, held_until: '2026-11-21T12:01:00.000Z' })
      assert.equal(endpoint.health.stillFailing(), null, 'it is to be left alone')
    })

    it('whoever answers between failures begins the count anew', async () => {
      await using endpoint = await open()
      await endpoint.tell(failed(4))
      await endpoint.tell([...failed(2), attempt('rejected'), ...failed(1)])
      assert.deepEqual(await endpoint.stored(), { failures: 1, held_until: null })
      await endpoint.tell([attempt('failed'), attempt('delivered')])
      assert.deepEqual(await endpoint.stored(), { failures: 0, held_until: null })
      assert.equal(endpoint.health.stillFailing(), null, 'more may be sent at once')
    })

    it('a transaction that is lost and tried again begins the count anew all the same', async () => {
      await using opened = await openNotification(kind)
      const { db, notificationId } = opened
      await db.updateTable('notifications').set({ failures: 9 }).execute()
      const health = endpointHealth(notificationId)
      health.read({ failures: 9 })
      const tell = (isLost: boolean) =>
        db.transaction().execute(async (db) => {
          await health.write(db, [attempt('delivered')], Date.parse(NOW))
          if (isLost) throw new Error('lost')
        })
      await assert.rejects(tell(true), /lost/)
      await tell(false)
      const { failures } = await db.selectFrom('notifications').select('failures').executeTakeFirstOrThrow()
      assert.equal(failures, 0)
    })

    it('what another process has counted meanwhile is counted on', async () => {
      await using endpoint = await open()
      await endpoint.tell(failed(1))
      endpoint.health.read({ failures: 0 })
      await endpoint.tell(failed(2))
      assert.equal(endpoint.health.stillFailing(), 3)
    })
  })
}
