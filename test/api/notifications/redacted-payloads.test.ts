import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { it } from 'node:test'
import { endedDelivery, onEndpoint } from '../../support/on-endpoint.ts'
import { addNotification } from '../../support/receiver.ts'

onEndpoint('payloads of what was redacted', (service, endpoint) => {
  it('redacted before it is sent: the redacted text goes out; after: the stored body is gone', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, endpoint.receiver.url, { events: ['response_end'] })
    const { db } = service.app.app.foundation.database
    await db
      .updateTable('notifications')
      .set({ held_until: '2999-01-01T00:00:00.000Z' })
      .where('id', '=', id)
      .execute()
    const first = await agent.prompt('my secret plan')
    await agent.post(`/chat/completions/${first.id}/scrub`)
    await db.updateTable('notifications').set({ held_until: null }).where('id', '=', id).execute()
    await endpoint.receiver.until(1)
    assert.equal(endpoint.receiver.received[0]?.payload.completion.prompt, '[REDACTED]')
    assert.ok(!endpoint.receiver.received[0]?.raw.includes('secret plan'))

    endpoint.receiver.respond = (response) => void response.end('I heard of a secret plan')
    const second = await agent.prompt('another secret plan')
    await endpoint.receiver.until(2)
    const before = await endedDelivery(agent, id)
    assert.ok(before.payload.includes('secret plan') && before.answer.includes('secret plan'))
    await agent.post(`/chat/completions/${second.id}/scrub`)
    const log = await agent.get(`/notifications/${id}/deliveries`)
    assert.ok(!log.text.includes('secret plan'))
    assert.equal(log.body.data[0].payload, null)
    assert.equal(log.body.data[0].state, 'delivered')
  })

  it('what was read while others were sent goes out redacted, signed anew and to the new address', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, endpoint.receiver.url, { events: ['prompt_submit'] })
    // The clock stands still, so that deliveries that were read do not grow old.
    const now = service.clock()
    service.clock = () => now
    const held = new Set<() => void>()
    endpoint.receiver.respond = (response) => void held.add(() => response.end('ok'))
    const release = () => {
      for (const answer of held) answer()
      held.clear()
    }
    const { db } = service.app.app.foundation.database
    const hold = (held_until: string | null) =>
      db.updateTable('notifications').set({ held_until }).where('id', '=', id).execute()
    const prompts = []
    await hold('2999-01-01T00:00:00.000Z')
    for (let count = 0; count < 10; count++) prompts.push(await agent.prompt(`secret ${count}`))
    await hold(null)
    await endpoint.receiver.until(4)
    for (const { id } of prompts.slice(4)) await agent.post(`/chat/completions/${id}/scrub`)
    release()
    await endpoint.receiver.until(8)
    await new Promise((resolve) => setTimeout(resolve, 100))
    const { body } = await agent.post(`/notifications/${id}/rotate-secret`, { grace_seconds: 0 })
    await agent.patch(`/notifications/${id}`, { url: `${endpoint.receiver.url}/moved` })
    release()
    await endpoint.receiver.until(10)
    release()
    const told = endpoint.receiver.received.map(({ payload }) => payload.completion.prompt)
    assert.deepEqual(told.slice(0, 4).toSorted(), ['secret 0', 'secret 1', 'secret 2', 'secret 3'])
    assert.deepEqual(told.slice(4), Array(6).fill('[REDACTED]'))
    for (const { headers, raw } of endpoint.receiver.received.slice(8)) {
      const signed = `${headers['x-webhook-timestamp']}.${raw}`
      const hex = createHmac('sha256', body.data.secret).update(signed).digest('hex')
      assert.equal(headers['x-webhook-signature'], `sha256=${hex}`)
    }
    assert.deepEqual(
      endpoint.receiver.requests.slice(-10).map(({ path }) => path),
      [...Array(8).fill('/'), '/moved', '/moved'],
    )
  })
})
