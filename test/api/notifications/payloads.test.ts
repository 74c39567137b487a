import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { it } from 'node:test'
import { assertError } from '../../support/app.ts'
import { onEndpoint } from '../../support/on-endpoint.ts'
import { addNotification } from '../../support/receiver.ts'

onEndpoint('payloads', (service, endpoint) => {
  it('sends the payload as the interface has it, signed over the raw bytes', async () => {
    const agent = await service.addAgent()
    const { id, secret } = await addNotification(agent, endpoint.receiver.url, { events: ['response_end'] })
    service.model.next({ text: 'é 😀 / <b> "quoted"' })
    const answer = await agent.prompt('Où est ma commande?', { external_id: `order-${id}` })
    const [delivery] = await endpoint.receiver.until(1)
    assert.ok(delivery)
    const { headers, raw, payload } = delivery
    assert.deepEqual(payload, {
      notification: { id, name: 'Test receiver' },
      event: { key: 'response_end', label: 'Response ended', occurred_at: payload.event.occurred_at },
      agent: { id: agent.agentId, name: 'Test agent' },
      completion: {
        id: answer.id,
        number: answer.number,
        conversation_id: answer.conversation_id,
        prompt: 'Où est ma commande?',
        response: 'é 😀 / <b> "quoted"',
        automations: [],
        tags: [],
        model: payload.completion.model,
        usage: payload.completion.usage,
        citations: [],
      },
      ...(payload.trace ? { trace: payload.trace } : {}),
    })
    assert.match(payload.event.occurred_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    // As section 6 of the interface says it, in words of its own.
    const timestamp = String(headers['x-webhook-timestamp'])
    assert.match(timestamp, /^\d{10}$/)
    const expected = createHmac('sha256', Buffer.from(secret, 'utf8'))
      .update(Buffer.concat([Buffer.from(`${timestamp}.`), Buffer.from(raw, 'utf8')]))
      .digest('hex')
    assert.equal(headers['x-webhook-signature'], `sha256=${expected}`)
    assert.equal(headers['x-webhook-secret'], undefined)
    assert.match(String(headers['webhook-id']), /^msg_\d+$/)
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const standard = createHmac('sha256', key).update(`${headers['webhook-id']}.${timestamp}.${raw}`)
    assert.equal(headers['webhook-signature'], `v1,${standard.digest('base64')}`)
    assert.equal(headers['webhook-timestamp'], timestamp)
    assert.equal(headers['content-type'], 'application/json')
    assert.match(String(headers['user-agent']), /^Parley/)
    const log = await agent.get(`/notifications/${id}/deliveries`)
    assert.equal(log.body.data[0].payload, raw)
    assert.ok(log.body.data[0].sent_at >= log.body.data[0].created_at)
  })

  it('an error tells the prompt that failed, and no answer that the client sent along', async () => {
    const agent = await service.addAgent()
    await addNotification(agent, endpoint.receiver.url, { events: ['error'] })
    service.model.next({ status: 500 })
    const messages = [
      { role: 'user', content: 'A' },
      { role: 'assistant', content: 'B' },
      { role: 'user', content: 'C' },
    ]
    assertError(await agent.post('/chat/completions', { messages }), 502, 'model_failed')
    const [delivery] = await endpoint.receiver.until(1)
    const { prompt, response } = delivery?.payload.completion ?? {}
    assert.deepEqual([prompt, response], ['C', null])
  })

  it('shared_secret: the secret itself, and no signature', async () => {
    const agent = await service.addAgent()
    const secret = 'a-shared-secret-of-mine'
    await addNotification(agent, endpoint.receiver.url, {
      security: 'shared_secret',
      secret,
      events: ['prompt_submit'],
    })
    await agent.prompt('hello')
    const [delivery] = await endpoint.receiver.until(1)
    assert.equal(delivery?.headers['x-webhook-secret'], secret)
    for (const header of ['x-webhook-signature', 'webhook-signature', 'webhook-timestamp'])
      assert.equal(delivery?.headers[header], undefined, header)
  })

  it('each key is sent to those that listen to it, and to nobody else', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    await addNotification(agent, endpoint.receiver.url, { events: ['new_conversation', 'prompt_submit'] })
    await addNotification(other, endpoint.receiver.url)
    await addNotification(agent, endpoint.receiver.url, { active: false })
    await agent.prompt('hello')
    await endpoint.receiver.until(2)
    assert.deepEqual(endpoint.receiver.received.map(({ payload }) => payload.event.key).toSorted(), [
      'new_conversation',
      'prompt_submit',
    ])
    assert.ok(endpoint.receiver.received.every(({ payload }) => payload.agent.id === agent.agentId))
    // No response is told of before there is one, however late it is sent.
    assert.ok(endpoint.receiver.received.every(({ payload }) => payload.completion.response === null))
  })

  it('what was raised before there was a response tells of none, however late it is sent', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, endpoint.receiver.url)
    const { db } = service.app.app.foundation.database
    const hold = (held_until: string | null) =>
      db.updateTable('notifications').set({ held_until }).where('id', '=', id).execute()
    await hold('2999-01-01T00:00:00.000Z')
    await agent.prompt('hello', { user_id: 'ana', device_id: 'phone', session_id: 'first' })
    await hold(null)
    const keys = await service.eventsOf(agent)
    await endpoint.receiver.until(keys.length)
    const told = endpoint.receiver.received.map(({ payload: { event, completion } }) => [
      event.key,
      completion.response === null && completion.usage === null,
    ])
    assert.deepEqual(told.toSorted(), keys.map((key) => [key, key !== 'response_end']).toSorted())
  })

  it('response_start leaves with the first piece, not with the end', async () => {
    const agent = await service.addAgent()
    await addNotification(agent, endpoint.receiver.url, { events: ['response_start', 'response_end'] })
    const more = Promise.withResolvers<void>()
    async function* pieces() {
      yield 'first '
      await more.promise
      yield 'last'
    }
    service.model.next({ pieces: pieces() })
    const streaming = agent.call('POST', '/chat/completions', {
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
    })
    const [started] = await endpoint.receiver.until(1)
    assert.equal(started?.payload.event.key, 'response_start')
    more.resolve()
    await streaming
    await endpoint.receiver.until(2)
    assert.equal(endpoint.receiver.received[1]?.payload.event.key, 'response_end')
    assert.deepEqual(
      (await service.eventsOf(agent)).filter((key) => key.startsWith('response')),
      ['response_start', 'response_end'],
    )
  })
})
