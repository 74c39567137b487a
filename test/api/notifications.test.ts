import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, afterEach, before, it } from 'node:test'
import { assertError } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { addNotification, type Receiver, startReceiver } from '../support/receiver.ts'

onBothEngines('/notifications', (service) => {
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.close())
  afterEach(() => {
    receiver.received.length = 0
    receiver.respond = (response) => void response.end('ok')
  })

  it('201: makes a notification and shows its secret once', async () => {
    const agent = await service.addAgent()
    const { status, body } = await agent.post('/notifications', {
      name: 'CRM',
      url: receiver.url,
      events: ['response_end', 'error'],
    })
    assert.equal(status, 201)
    assert.match(body.data.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(
      [body.data.name, body.data.security, body.data.events, body.data.active],
      ['CRM', 'signature', ['response_end', 'error'], true],
    )
    const doubled = ['error', 'response_end', 'error']
    const patched = await agent.patch(`/notifications/${body.data.id}`, { events: doubled })
    assert.deepEqual(patched.body.data.events, ['error', 'response_end'], 'each key is stored once')
    const read = await agent.get(`/notifications/${body.data.id}`)
    assert.deepEqual(read.body.data.events, ['error', 'response_end'])
    assert.ok(!read.text.includes(body.data.secret))
    assert.ok(!('secret' in read.body.data))
    const { db } = service.app.app.foundation.database
    const rows = await db.selectFrom('notifications').select('secret').execute()
    assert.ok(!rows.some(({ secret }) => secret.includes(body.data.secret)))
  })

  it('400: unknown key or field, no events, a secret that no header can carry, an address that is not allowed', async () => {
    const agent = await service.addAgent()
    const good = { name: 'CRM', url: receiver.url, events: ['*'] }
    for (const wrong of [
      {},
      { ...good, name: '' },
      { ...good, events: [] },
      { ...good, events: ['nothing'] },
      { ...good, events: '*' },
      { ...good, security: 'none' },
      { ...good, secret: '' },
      { ...good, secret: ' around ' },
      { ...good, secret: 'é' },
      { ...good, secret: 'with spaces and \n line ends' },
      { ...good, colour: 'red' },
      { ...good, url: 'ftp://example.com' },
      { ...good, url: 'nonsense' },
      { ...good, url: 'http://169.254.169.254/latest/meta-data' },
      { ...good, url: 'http://10.1.2.3/' },
      { ...good, url: 'http://[::ffff:10.0.0.1]/' },
      { ...good, url: 'http://0x0a000001/' },
    ])
      assertError(await agent.post('/notifications', wrong), 400, 'invalid_request')
    assert.equal((await agent.get('/notifications')).body.total, 0)
  })

  it('lists the own ones newest first; 404 for those of others', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    const [first, second] = [
      await addNotification(agent, receiver.url),
      await addNotification(agent, receiver.url),
    ]
    const { body } = await agent.get('/notifications?per_page=1')
    assert.deepEqual([body.total, body.data[0].id], [2, second.id])
    for (const id of [first.id, 999_999, 'x', '0', '9'.repeat(30)]) {
      assertError(await other.get(`/notifications/${id}`), 404, 'notification_not_found')
      assertError(await other.patch(`/notifications/${id}`, { name: 'x' }), 404, 'notification_not_found')
      assertError(await other.call('DELETE', `/notifications/${id}`), 404, 'notification_not_found')
      assertError(await other.post(`/notifications/${id}/test`), 404, 'notification_not_found')
      assertError(await other.post(`/notifications/${id}/rotate-secret`, {}), 404, 'notification_not_found')
      assertError(await other.get(`/notifications/${id}/deliveries`), 404, 'notification_not_found')
      assertError(await other.post(`/notifications/${id}/deliveries/1/replay`), 404, 'notification_not_found')
    }
  })

  it('403: without credentials', async () => {
    const { baseUrl } = await service.addAgent()
    for (const [method, path] of [
      ['GET', '/notifications'],
      ['POST', '/notifications'],
      ['GET', '/notifications/1'],
      ['PATCH', '/notifications/1'],
      ['DELETE', '/notifications/1'],
      ['POST', '/notifications/1/test'],
      ['GET', '/notifications/1/deliveries'],
    ] as const)
      assert.equal((await fetch(baseUrl + path, { method })).status, 403)
  })

  it('sends the payload as the interface has it, signed over the raw bytes', async () => {
    const agent = await service.addAgent()
    const { id, secret } = await addNotification(agent, receiver.url, { events: ['response_end'] })
    service.model.next({ text: 'é 😀 / <b> "quoted"' })
    const answer = await agent.prompt('Où est ma commande?', { external_id: `order-${id}` })
    const [delivery] = await receiver.until(1)
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
    assert.equal(headers['webhook-signature'], undefined)
    assert.match(String(headers['webhook-id']), /^msg_\d+$/)
    assert.equal(headers['content-type'], 'application/json')
    assert.match(String(headers['user-agent']), /^Parley/)
    const log = await agent.get(`/notifications/${id}/deliveries`)
    assert.equal(log.body.data[0].payload, raw)
    assert.ok(log.body.data[0].sent_at >= log.body.data[0].created_at)
  })

  it('an error tells the prompt that failed, and no answer that the client sent along', async () => {
    const agent = await service.addAgent()
    await addNotification(agent, receiver.url, { events: ['error'] })
    service.model.next({ status: 500 })
    const messages = [
      { role: 'user', content: 'A' },
      { role: 'assistant', content: 'B' },
      { role: 'user', content: 'C' },
    ]
    assertError(await agent.post('/chat/completions', { messages }), 502, 'model_failed')
    const [delivery] = await receiver.until(1)
    const { prompt, response } = delivery?.payload.completion ?? {}
    assert.deepEqual([prompt, response], ['C', null])
  })

  it('shared_secret: the secret itself, and no signature', async () => {
    const agent = await service.addAgent()
    const secret = 'a-shared-secret-of-mine'
    await addNotification(agent, receiver.url, {
      security: 'shared_secret',
      secret,
      events: ['prompt_submit'],
    })
    await agent.prompt('hello')
    const [delivery] = await receiver.until(1)
    assert.equal(delivery?.headers['x-webhook-secret'], secret)
    assert.equal(delivery?.headers['x-webhook-signature'], undefined)
  })

  it('each key is sent to those that listen to it, and to nobody else', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    await addNotification(agent, receiver.url, { events: ['new_conversation', 'prompt_submit'] })
    await addNotification(other, receiver.url)
    await addNotification(agent, receiver.url, { active: false })
    await agent.prompt('hello')
    await receiver.until(2)
    assert.deepEqual(receiver.received.map(({ payload }) => payload.event.key).toSorted(), [
      'new_conversation',
      'prompt_submit',
    ])
    assert.ok(receiver.received.every(({ payload }) => payload.agent.id === agent.agentId))
    // No response is told of before there is one, however late it is sent.
    assert.ok(receiver.received.every(({ payload }) => payload.completion.response === null))
  })

  it('what was raised before there was a response tells of none, however late it is sent', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, receiver.url)
    const { db } = service.app.app.foundation.database
    const hold = (held_until: string | null) =>
      db.updateTable('notifications').set({ held_until }).where('id', '=', id).execute()
    await hold('2999-01-01T00:00:00.000Z')
    await agent.prompt('hello', { user_id: 'ana', device_id: 'phone', session_id: 'first' })
    await hold(null)
    const keys = await service.eventsOf(agent)
    await receiver.until(keys.length)
    const told = receiver.received.map(({ payload: { event, completion } }) => [
      event.key,
      completion.response === null && completion.usage === null,
    ])
    assert.deepEqual(told.toSorted(), keys.map((key) => [key, key !== 'response_end']).toSorted())
  })

  it('response_start leaves with the first piece, not with the end', async () => {
    const agent = await service.addAgent()
    await addNotification(agent, receiver.url, { events: ['response_start', 'response_end'] })
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
    const [started] = await receiver.until(1)
    assert.equal(started?.payload.event.key, 'response_start')
    more.resolve()
    await streaming
    await receiver.until(2)
    assert.equal(receiver.received[1]?.payload.event.key, 'response_end')
    assert.deepEqual(
      (await service.eventsOf(agent)).filter((key) => key.startsWith('response')),
      ['response_start', 'response_end'],
    )
  })

  for (const [name, status, state] of [
    ['204', 204, 'delivered'],
    ['301', 301, 'rejected'],
    ['410', 410, 'rejected'],
    ['500', 500, 'rejected'],
  ] as const) {
    it(`${name} from the receiver: ${state}, once`, async () => {
      const agent = await service.addAgent()
      const { id } = await addNotification(agent, receiver.url, { events: ['prompt_submit'] })
      receiver.respond = (response) => {
        response.writeHead(status, { location: `${receiver.url}/elsewhere` })
        response.end(status === 204 ? undefined : 'x'.repeat(3000))
      }
      await agent.prompt('hello')
      const delivery = await ended(agent, id)
      assert.deepEqual([delivery.state, delivery.status], [state, status])
      assert.equal(delivery.answer.length, status === 204 ? 0 : 1024)
      assert.equal(receiver.received.length, 1)
      assert.ok(delivery.duration_ms >= 0)
    })
  }

  async function ended(agent: Awaited<ReturnType<typeof service.addAgent>>, id: number) {
    for (;;) {
      const { body } = await agent.get(`/notifications/${id}/deliveries`)
      const [delivery] = body.data
      if (delivery && !['pending', 'sending'].includes(delivery.state)) return delivery
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  it('a connection that is cut: failed, once', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, receiver.url, { events: ['prompt_submit'] })
    receiver.respond = (response) => void response.destroy()
    await agent.prompt('hello')
    const delivery = await ended(agent, id)
    assert.deepEqual([delivery.state, delivery.status, delivery.failure], ['failed', null, 'unreachable'])
    assert.equal(receiver.received.length, 1)
  })

  it('an endless answer is read no further than it must be', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, receiver.url, { events: ['prompt_submit'] })
    let written = 0
    receiver.respond = (response) => {
      const chunk = Buffer.alloc(64 * 1024, 'x')
      const push = () => {
        if (response.destroyed) return
        written += chunk.length
        response.write(chunk, () => setImmediate(push))
      }
      push()
    }
    await agent.prompt('hello')
    const delivery = await ended(agent, id)
    assert.equal(delivery.state, 'delivered')
    assert.equal(delivery.answer, 'x'.repeat(1024))
    assert.ok(written < 64 * 1024 * 1024)
  })

  it('a target that turned private since it was saved: blocked', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, receiver.url, { events: ['prompt_submit'] })
    const { db } = service.app.app.foundation.database
    await db.updateTable('notifications').set({ url: 'http://10.0.0.1/' }).where('id', '=', id).execute()
    await agent.prompt('hello')
    assert.equal((await ended(agent, id)).state, 'blocked')
    assertError(await agent.post(`/notifications/${id}/test`), 400, 'invalid_request')
  })

  it('test: sends an example now and tells how that went', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, receiver.url, { events: ['error'], active: false })
    const { status, body } = await agent.post(`/notifications/${id}/test`)
    assert.equal(status, 200)
    assert.deepEqual([body.data.state, body.data.status, body.data.answer], ['delivered', 200, 'ok'])
    assert.equal(receiver.received.length, 1)
    assert.equal(body.data.payload, receiver.received[0]?.raw)
    receiver.respond = (response) => void response.writeHead(503).end()
    assert.equal((await agent.post(`/notifications/${id}/test`)).body.data.state, 'rejected')
  })

  it('replay: the same webhook-id, a delivery of its own', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, receiver.url, { events: ['prompt_submit'] })
    await agent.prompt('hello')
    await receiver.until(1)
    const first = await ended(agent, id)
    const { status, body } = await agent.post(`/notifications/${id}/deliveries/${first.id}/replay`)
    assert.equal(status, 202)
    assert.notEqual(body.data.id, first.id)
    assert.equal(body.data.replay_of, first.id)
    await receiver.until(2)
    const [one, two] = receiver.received
    assert.equal(one?.headers['webhook-id'], two?.headers['webhook-id'])
    assert.deepEqual(one?.payload, two?.payload)
    await agent.post(`/notifications/${id}/deliveries/${body.data.id}/replay`)
    await receiver.until(3)
    assert.equal(receiver.received[2]?.headers['webhook-id'], one?.headers['webhook-id'])
    assertError(await agent.post(`/notifications/${id}/deliveries/999999/replay`), 404, 'delivery_not_found')
    await agent.patch(`/notifications/${id}`, { active: false })
    const refused = await agent.post(`/notifications/${id}/deliveries/${first.id}/replay`)
    assertError(refused, 409, 'notification_inactive')
    assert.equal((await agent.get(`/notifications/${id}/deliveries`)).body.total, 3, 'none waits for ever')
    // Nor is one of another notification to be had, whoever's that is.
    const other = await service.addAgent()
    const { id: theirs } = await addNotification(other, receiver.url)
    assertError(
      await other.post(`/notifications/${theirs}/deliveries/${first.id}/replay`),
      404,
      'delivery_not_found',
    )
    assert.equal((await other.get(`/notifications/${theirs}/deliveries`)).body.total, 0)
  })

  it('rotation: both secrets sign while the grace lasts, the new one alone in the main header', async () => {
    const agent = await service.addAgent()
    const { id, secret: old } = await addNotification(agent, receiver.url, { events: ['prompt_submit'] })
    const rotated = await agent.post(`/notifications/${id}/rotate-secret`, { grace_seconds: 60 })
    const { secret } = rotated.body.data
    assert.notEqual(secret, old)
    await agent.prompt('hello')
    await receiver.until(1)
    const { headers, raw } = receiver.received[0] as (typeof receiver.received)[number]
    const timestamp = headers['x-webhook-timestamp']
    const hex = createHmac('sha256', secret).update(`${timestamp}.${raw}`).digest('hex')
    assert.equal(headers['x-webhook-signature'], `sha256=${hex}`)
    const both = [secret, old].map(
      (key) =>
        `v1,${createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64'))
          .update(`${headers['webhook-id']}.${timestamp}.${raw}`)
          .digest('base64')}`,
    )
    assert.equal(headers['webhook-signature'], both.join(' '))
    assert.equal(headers['webhook-timestamp'], timestamp)
    const present = service.clock
    service.clock = () => present() + 61_000
    await agent.prompt('hello')
    await receiver.until(2)
    assert.equal(receiver.received[1]?.headers['webhook-signature'], undefined)
  })

  it('changed: another secret signs alone, other keys are sent, a new address is tried at once', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, receiver.url, { events: ['error'] })
    const rotated = await agent.post(`/notifications/${id}/rotate-secret`, {})
    const grace =
      Date.parse(rotated.body.data.previous_secret_until) - Date.parse(rotated.body.data.updated_at)
    assert.equal(grace, 24 * 60 * 60 * 1000)
    for (const headers of [{}, { 'content-type': 'application/json' }]) {
      const { status, body } = await agent.post(`/notifications/${id}/rotate-secret`, undefined, headers)
      assert.equal(status, 200)
      assert.match(body.data.secret, /^whsec_/)
    }
    const tooLong = { grace_seconds: 7 * 24 * 60 * 60 + 1 }
    assertError(await agent.post(`/notifications/${id}/rotate-secret`, tooLong), 400, 'invalid_request')
    const { db } = service.app.app.foundation.database
    const held = { failures: 12, held_until: '2999-01-01T00:00:00.000Z' }
    await db.updateTable('notifications').set(held).where('id', '=', id).execute()
    assertError(
      await agent.patch(`/notifications/${id}`, { url: 'http://10.0.0.1/' }),
      400,
      'invalid_request',
    )
    const secret = 'a-secret-of-my-own'
    const patch = { secret, events: ['prompt_submit'], url: `${receiver.url}/new` }
    const { body } = await agent.patch(`/notifications/${id}`, patch)
    const { failures, held_until, previous_secret_until } = body.data
    assert.deepEqual([failures, held_until, previous_secret_until], [0, null, null])
    await agent.prompt('hello')
    const [delivery] = await receiver.until(1)
    assert.ok(delivery)
    const { headers, raw } = delivery
    const hex = createHmac('sha256', secret).update(`${headers['x-webhook-timestamp']}.${raw}`).digest('hex')
    assert.equal(headers['x-webhook-signature'], `sha256=${hex}`)
    assert.equal(headers['webhook-signature'], undefined)
    await agent.patch(`/notifications/${id}`, { security: 'shared_secret' })
    await agent.prompt('hello')
    await receiver.until(2)
    assert.equal(receiver.received[1]?.headers['x-webhook-secret'], secret)
  })

  it('what is under way is left alone; what waits for one that is off is given up', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, receiver.url, { events: ['prompt_submit'] })
    const asked = Promise.withResolvers<() => void>()
    receiver.respond = (response) => asked.resolve(() => response.end('ok'))
    await agent.prompt('hello')
    const answer = await asked.promise
    const { deliverer, foundation } = service.app.app
    const newest = async () => (await agent.get(`/notifications/${id}/deliveries`)).body.data[0]
    await deliverer.sweep()
    assert.equal((await newest()).state, 'sending')
    answer()
    assert.equal((await ended(agent, id)).state, 'delivered')
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
    assert.equal(receiver.received.length, 1)
  })

  it('switched off: what waits is given up; deleted: it is gone', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, receiver.url, { events: ['prompt_submit'] })
    const { db } = service.app.app.foundation.database
    // Nothing is sent while it is held.
    await db
      .updateTable('notifications')
      .set({ held_until: '2999-01-01T00:00:00.000Z' })
      .where('id', '=', id)
      .execute()
    await agent.prompt('hello')
    await agent.patch(`/notifications/${id}`, { active: false })
    assert.equal((await ended(agent, id)).state, 'expired')
    await agent.prompt('hello')
    assert.equal((await agent.get(`/notifications/${id}/deliveries`)).body.total, 1)
    const deleted = await agent.call('DELETE', `/notifications/${id}`)
    assert.deepEqual([deleted.status, deleted.text], [204, ''])
    assertError(await agent.get(`/notifications/${id}`), 404, 'notification_not_found')
    const left = await db.selectFrom('deliveries').select('id').where('notification_id', '=', id).execute()
    assert.deepEqual(left, [])
    await agent.prompt('hello')
    assert.equal(receiver.received.length, 0)
  })

  it('redacted before it is sent: the redacted text goes out; after: the stored body is gone', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, receiver.url, { events: ['response_end'] })
    const { db } = service.app.app.foundation.database
    await db
      .updateTable('notifications')
      .set({ held_until: '2999-01-01T00:00:00.000Z' })
      .where('id', '=', id)
      .execute()
    const first = await agent.prompt('my secret plan')
    await agent.post(`/chat/completions/${first.id}/scrub`)
    await db.updateTable('notifications').set({ held_until: null }).where('id', '=', id).execute()
    await receiver.until(1)
    assert.equal(receiver.received[0]?.payload.completion.prompt, '[REDACTED]')
    assert.ok(!receiver.received[0]?.raw.includes('secret plan'))

    receiver.respond = (response) => void response.end('I heard of a secret plan')
    const second = await agent.prompt('another secret plan')
    await receiver.until(2)
    const before = await ended(agent, id)
    assert.ok(before.payload.includes('secret plan') && before.answer.includes('secret plan'))
    await agent.post(`/chat/completions/${second.id}/scrub`)
    const log = await agent.get(`/notifications/${id}/deliveries`)
    assert.ok(!log.text.includes('secret plan'))
    assert.equal(log.body.data[0].payload, null)
    assert.equal(log.body.data[0].state, 'delivered')
  })

  it('what was read while others were sent goes out redacted, signed anew and to the new address', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, receiver.url, { events: ['prompt_submit'] })
    // What was read does not grow old.
    const now = service.clock()
    service.clock = () => now
    const held = new Set<() => void>()
    receiver.respond = (response) => void held.add(() => response.end('ok'))
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
    await receiver.until(4)
    for (const { id } of prompts.slice(4)) await agent.post(`/chat/completions/${id}/scrub`)
    release()
    await receiver.until(8)
    await new Promise((resolve) => setTimeout(resolve, 100))
    const { body } = await agent.post(`/notifications/${id}/rotate-secret`, { grace_seconds: 0 })
    await agent.patch(`/notifications/${id}`, { url: `${receiver.url}/moved` })
    release()
    await receiver.until(10)
    release()
    const told = receiver.received.map(({ payload }) => payload.completion.prompt)
    assert.deepEqual(told.slice(0, 4).toSorted(), ['secret 0', 'secret 1', 'secret 2', 'secret 3'])
    assert.deepEqual(told.slice(4), Array(6).fill('[REDACTED]'))
    for (const { headers, raw } of receiver.received.slice(8)) {
      const signed = `${headers['x-webhook-timestamp']}.${raw}`
      const hex = createHmac('sha256', body.data.secret).update(signed).digest('hex')
      assert.equal(headers['x-webhook-signature'], `sha256=${hex}`)
    }
    assert.deepEqual(
      receiver.requests.slice(-10).map(({ path }) => path),
      [...Array(8).fill('/'), '/moved', '/moved'],
    )
  })

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
      await addNotification(agent, receiver.url, { events: ['prompt_submit'] })
      for (let count = 0; count < 10; count++) await agent.prompt('hello')
      await slow.until(4)
      await receiver.until(10)
      assert.equal(slow.received.length, 4)
      // They are kept for as long as there is something to send: no other process takes them over.
      const { db } = service.app.app.foundation.database
      const keptUntil = async () => {
        const slots = db.selectFrom('notification_slots').where('notification_id', '=', id)
        return (await slots.select('held_until').executeTakeFirst())?.held_until ?? ''
      }
      const before = await keptUntil()
      const present = service.clock
      service.clock = () => present() + 5000
      held.shift()?.()
      await slow.until(5)
      while ((await keptUntil()) <= before) await new Promise((resolve) => setImmediate(resolve))
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

  it('an endpoint that answers is never left alone, whatever it answers', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, receiver.url, { events: ['prompt_submit'] })
    receiver.respond = (response) => void response.writeHead(500).end()
    for (let count = 1; count <= 12; count++) {
      await agent.prompt('hello')
      await receiver.until(count)
    }
    const { failures, held_until } = (await agent.get(`/notifications/${id}`)).body.data
    assert.deepEqual([failures, held_until], [0, null])
  })

  it('an endpoint that does not answer is left alone, tried with one, and what waits too long expires', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, receiver.url, { events: ['prompt_submit'] })
    receiver.respond = (response) => void response.destroy()
    const { db } = service.app.app.foundation.database
    const health = async () => (await agent.get(`/notifications/${id}`)).body.data
    for (let count = 1; count <= 10; count++) {
      await agent.prompt('hello')
      await receiver.until(count)
      while ((await health()).failures < count) await new Promise((resolve) => setImmediate(resolve))
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
    await receiver.until(11)
    while ((await health()).failures < 11) await new Promise((resolve) => setImmediate(resolve))
    assert.equal(receiver.received.length, 11)
    assert.ok(Date.parse((await health()).held_until) > service.clock() + 55_000)
    // Whoever answers is well again.
    receiver.respond = (response) => void response.writeHead(500).end()
    service.clock = () => present() + 31_000 + 61_000
    await receiver.until(12)
    while ((await health()).failures > 0) await new Promise((resolve) => setImmediate(resolve))
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
    assert.equal((await ended(agent, id)).state, 'expired')
  })
})
