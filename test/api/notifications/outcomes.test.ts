import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../../support/app.ts'
import { endedDelivery, onEndpoint } from '../../support/on-endpoint.ts'
import { addNotification } from '../../support/receiver.ts'

onEndpoint('how deliveries end', (service, endpoint) => {
  for (const [name, status, state] of [
    ['204', 204, 'delivered'],
    ['301', 301, 'rejected'],
    ['410', 410, 'rejected'],
    ['500', 500, 'rejected'],
  ] as const) {
    it(`${name} from the receiver: ${state}, once`, async () => {
      const agent = await service.addAgent()
      const { id } = await addNotification(agent, endpoint.receiver.url, { events: ['prompt_submit'] })
      endpoint.receiver.respond = (response) => {
        response.writeHead(status, { location: `${endpoint.receiver.url}/elsewhere` })
        response.end(status === 204 ? undefined : 'x'.repeat(3000))
      }
      await agent.prompt('hello')
      const delivery = await endedDelivery(agent, id)
      assert.deepEqual([delivery.state, delivery.status], [state, status])
      assert.equal(delivery.answer.length, status === 204 ? 0 : 1024)
      assert.equal(endpoint.receiver.received.length, 1)
      assert.ok(delivery.duration_ms >= 0)
    })
  }

  it('a connection that is cut: failed, once', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, endpoint.receiver.url, { events: ['prompt_submit'] })
    endpoint.receiver.respond = (response) => void response.destroy()
    await agent.prompt('hello')
    const delivery = await endedDelivery(agent, id)
    assert.deepEqual([delivery.state, delivery.status, delivery.failure], ['failed', null, 'unreachable'])
    assert.equal(endpoint.receiver.received.length, 1)
  })

  it('an endless answer is read no further than it must be', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, endpoint.receiver.url, { events: ['prompt_submit'] })
    let written = 0
    endpoint.receiver.respond = (response) => {
      const chunk = Buffer.alloc(64 * 1024, 'x')
      const push = () => {
        if (response.destroyed) return
        written += chunk.length
        response.write(chunk, () => setImmediate(push))
      }
      push()
    }
    await agent.prompt('hello')
    const delivery = await endedDelivery(agent, id)
    assert.equal(delivery.state, 'delivered')
    assert.equal(delivery.answer, 'x'.repeat(1024))
    assert.ok(written < 64 * 1024 * 1024)
  })

  it('a target that turned private since it was saved: blocked', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, endpoint.receiver.url, { events: ['prompt_submit'] })
    const { db } = service.app.app.foundation.database
    await db.updateTable('notifications').set({ url: 'http://10.0.0.1/' }).where('id', '=', id).execute()
    await agent.prompt('hello')
    assert.equal((await endedDelivery(agent, id)).state, 'blocked')
    assertError(await agent.post(`/notifications/${id}/test`), 400, 'invalid_request')
  })

  it('test: sends an example now and tells how that went', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, endpoint.receiver.url, { events: ['error'], active: false })
    const { status, body } = await agent.post(`/notifications/${id}/test`)
    assert.equal(status, 200)
    assert.deepEqual([body.data.state, body.data.status, body.data.answer], ['delivered', 200, 'ok'])
    assert.equal(endpoint.receiver.received.length, 1)
    assert.equal(body.data.payload, endpoint.receiver.received[0]?.raw)
    endpoint.receiver.respond = (response) => void response.writeHead(503).end()
    assert.equal((await agent.post(`/notifications/${id}/test`)).body.data.state, 'rejected')
  })

  it('replay: the same webhook-id, a delivery of its own', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, endpoint.receiver.url, { events: ['prompt_submit'] })
    await agent.prompt('hello')
    await endpoint.receiver.until(1)
    const first = await endedDelivery(agent, id)
    const { status, body } = await agent.post(`/notifications/${id}/deliveries/${first.id}/replay`)
    assert.equal(status, 202)
    assert.notEqual(body.data.id, first.id)
    assert.equal(body.data.replay_of, first.id)
    await endpoint.receiver.until(2)
    const [one, two] = endpoint.receiver.received
    assert.equal(one?.headers['webhook-id'], two?.headers['webhook-id'])
    assert.deepEqual(one?.payload, two?.payload)
    await agent.post(`/notifications/${id}/deliveries/${body.data.id}/replay`)
    await endpoint.receiver.until(3)
    assert.equal(endpoint.receiver.received[2]?.headers['webhook-id'], one?.headers['webhook-id'])
    assertError(await agent.post(`/notifications/${id}/deliveries/999999/replay`), 404, 'delivery_not_found')
    await agent.patch(`/notifications/${id}`, { active: false })
    const refused = await agent.post(`/notifications/${id}/deliveries/${first.id}/replay`)
    assertError(refused, 409, 'notification_inactive')
    assert.equal((await agent.get(`/notifications/${id}/deliveries`)).body.total, 3, 'none waits for ever')
    // A delivery of another notification is not found either, whoever owns it.
    const other = await service.addAgent()
    const { id: theirs } = await addNotification(other, endpoint.receiver.url)
    assertError(
      await other.post(`/notifications/${theirs}/deliveries/${first.id}/replay`),
      404,
      'delivery_not_found',
    )
    assert.equal((await other.get(`/notifications/${theirs}/deliveries`)).body.total, 0)
  })

  it('what is under way is left alone; what waits for one that is off is given up', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, endpoint.receiver.url, { events: ['prompt_submit'] })
    const asked = Promise.withResolvers<() => void>()
    endpoint.receiver.respond = (response) => asked.resolve(() => response.end('ok'))
    await agent.prompt('hello')
    const answer = await asked.promise
    const { deliverer, foundation } = service.app.app
    const newest = async () => (await agent.get(`/notifications/${id}/deliveries`)).body.data[0]
    await deliverer.sweep()
    assert.equal((await newest()).state, 'sending')
    answer()
    assert.equal((await endedDelivery(agent, id)).state, 'delivered')
    await agent.patch(`/notifications/${id}`, { active: false })
    // Raised while it was being switched off.
    const { id: _, ...row } = await foundation.database.db
      .selectFrom('deliveries')
      .selectAll()
      .where('notification_id', '=', id)
      .executeTakeFirstOrThrow()
    await foundation.database.db
      .insertInto('deliveries')
      .values({ ...row, state: 'pending', finished_at: null })
      .execute()
    await deliverer.sweep()
    assert.equal((await newest()).state, 'expired')
    assert.equal(endpoint.receiver.received.length, 1)
  })
})
