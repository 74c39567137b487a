import assert from 'node:assert/strict'
import { it } from 'node:test'
import { until } from '../../support/becomes.ts'
import { endedDelivery, onEndpoint } from '../../support/on-endpoint.ts'
import { addNotification, startReceiver } from '../../support/receiver.ts'

onEndpoint('receivers that hang', (service, endpoint) => {
  it('four at once and no more; a receiver that hangs holds up nobody else', async () => {
    const agent = await service.addAgent()
    const slow = await startReceiver()
    try {
      let now = 0
      let most = 0
      const held: (() => void)[] = []
      slow.respond = (response) => {
        most = Math.max(most, ++now)
        held.push(() => {
          now--
          response.end()
        })
      }
      const { id } = await addNotification(agent, slow.url, { events: ['prompt_submit'] })
      await addNotification(agent, endpoint.receiver.url, { events: ['prompt_submit'] })
      for (let count = 0; count < 10; count++) await agent.prompt('hello')
      await slow.until(4)
      await endpoint.receiver.until(10)
      assert.equal(slow.received.length, 4)
      // They are kept for as long as there is something to send: no other process takes them over.
      const { db } = service.app.app.foundation.database
      const keptUntil = async () => {
        const lease = db.selectFrom('notifications').select('leased_until').where('id', '=', id)
        return (await lease.executeTakeFirst())?.leased_until ?? ''
      }
      const before = await keptUntil()
      service.pass(5000)
      held.shift()?.()
      await slow.until(5)
      await until(async () => (await keptUntil()) > before)
      for (let count = 6; count <= 10; count++) {
        held.shift()?.()
        await slow.until(count)
      }
      assert.equal(most, 4)
      for (const release of held) release()
    } finally {
      await slow.close()
    }
  })

  it('a team whose many endpoints hang holds up no other team, not even at the same address', async () => {
    const [greedy, good] = [await service.addAgent(), await service.addAgent()]
    const slow = await startReceiver()
    try {
      slow.respond = (response, { body }) => {
        if (JSON.parse(body).agent.id === good.agentId) response.end('ok')
      }
      for (let count = 0; count < 20; count++)
        await addNotification(greedy, slow.url, { events: ['prompt_submit'] })
      for (let count = 0; count < 5; count++) await greedy.prompt('hello')
      await slow.until(80)
      const { id } = await addNotification(good, slow.url, { events: ['prompt_submit'] })
      await good.prompt('hello')
      assert.equal((await endedDelivery(good, id)).state, 'delivered')
    } finally {
      await slow.close()
    }
  })

  it('an endpoint that answers is never left alone, whatever it answers', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, endpoint.receiver.url, { events: ['prompt_submit'] })
    endpoint.receiver.respond = (response) => void response.writeHead(500).end()
    for (let count = 1; count <= 12; count++) {
      await agent.prompt('hello')
      await endpoint.receiver.until(count)
    }
    const { failures, held_until } = (await agent.get(`/notifications/${id}`)).body.data
    assert.deepEqual([failures, held_until], [0, null])
  })

  it('an endpoint that does not answer is left alone, tried with one, and what waits too long expires', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, endpoint.receiver.url, { events: ['prompt_submit'] })
    endpoint.receiver.respond = (response) => void response.destroy()
    const { db } = service.app.app.foundation.database
    const health = async () => (await agent.get(`/notifications/${id}`)).body.data
    for (let count = 1; count <= 10; count++) {
      await agent.prompt('hello')
      await endpoint.receiver.until(count)
      await until(async () => (await health()).failures >= count)
    }
    assert.ok(Date.parse((await health()).held_until) > Date.now() + 25_000)
    await agent.prompt('waits')
    await agent.prompt('waits too')
    const waiting = await db
      .selectFrom('deliveries')
      .select('state')
      .where('notification_id', '=', id)
      .where('state', '=', 'pending')
      .execute()
    assert.equal(waiting.length, 2)
    const present = service.clock
    service.clock = () => present() + 31_000
    await endpoint.receiver.until(11)
    await until(async () => (await health()).failures >= 11)
    assert.equal(endpoint.receiver.received.length, 11)
    assert.ok(Date.parse((await health()).held_until) > service.clock() + 55_000)
    // A receiver that answers, even with an error, is healthy again.
    endpoint.receiver.respond = (response) => void response.writeHead(500).end()
    service.clock = () => present() + 31_000 + 61_000
    await endpoint.receiver.until(12)
    await until(async () => (await health()).failures === 0)
    assert.equal((await health()).held_until, null)
    await db
      .updateTable('notifications')
      .set({ held_until: '2999-01-01T00:00:00.000Z' })
      .where('id', '=', id)
      .execute()
    await agent.prompt('waits')
    const newest = async () => (await agent.get(`/notifications/${id}/deliveries`)).body.data[0]
    service.clock = () => present() + 23 * 60 * 60 * 1000
    await service.app.app.deliverer.sweep()
    assert.equal((await newest()).state, 'pending')
    service.clock = () => present() + 25 * 60 * 60 * 1000
    const { deliverer } = service.app.app
    await deliverer.sweep()
    assert.equal((await endedDelivery(agent, id)).state, 'expired')
  })
})
