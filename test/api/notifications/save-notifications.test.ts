import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { it } from 'node:test'
import { assertError } from '../../support/app.ts'
import { endedDelivery, onEndpoint } from '../../support/on-endpoint.ts'
import { addNotification } from '../../support/receiver.ts'

/** Made with one secret. */
const ONE_SIGNATURE = /^v1,[A-Za-z0-9+/]{43}=$/

onEndpoint('notifications are made, read and changed', (service, endpoint) => {
  it('201: makes a notification and shows its secret once', async () => {
    const agent = await service.addAgent()
    const { status, body } = await agent.post('/notifications', {
      name: 'CRM',
      url: endpoint.receiver.url,
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
    const good = { name: 'CRM', url: endpoint.receiver.url, events: ['*'] }
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
    const mistyped = await agent.post('/notifications', { ...good, events: ['error', 'respond_end'] })
    assert.equal(mistyped.body.error.param, 'events.1')
    assert.match(mistyped.body.error.message, /^events\.1: must be one of .*\bresponse_end\b/)
    assert.equal((await agent.get('/notifications')).body.total, 0)
  })

  it('lists the own ones newest first; 404 for those of others', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    const [first, second] = [
      await addNotification(agent, endpoint.receiver.url),
      await addNotification(agent, endpoint.receiver.url),
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

  it('rotation: both secrets sign while the grace lasts, the new one alone in the main header', async () => {
    const agent = await service.addAgent()
    const { id, secret: old } = await addNotification(agent, endpoint.receiver.url, {
      events: ['prompt_submit'],
    })
    const rotated = await agent.post(`/notifications/${id}/rotate-secret`, { grace_seconds: 60 })
    const { secret } = rotated.body.data
    assert.notEqual(secret, old)
    await agent.prompt('hello')
    await endpoint.receiver.until(1)
    const { headers, raw } = endpoint.receiver.received[0] as (typeof endpoint.receiver.received)[number]
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
    service.pass(61_000)
    await agent.prompt('hello')
    await endpoint.receiver.until(2)
    assert.match(String(endpoint.receiver.received[1]?.headers['webhook-signature']), ONE_SIGNATURE)
  })

  it('changed: another secret signs alone, other keys are sent, a new address is tried at once', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, endpoint.receiver.url, { events: ['error'] })
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
    const patch = { secret, events: ['prompt_submit'], url: `${endpoint.receiver.url}/new` }
    const { body } = await agent.patch(`/notifications/${id}`, patch)
    const { failures, held_until, previous_secret_until } = body.data
    assert.deepEqual([failures, held_until, previous_secret_until], [0, null, null])
    await agent.prompt('hello')
    const [delivery] = await endpoint.receiver.until(1)
    assert.ok(delivery)
    const { headers, raw } = delivery
    const hex = createHmac('sha256', secret).update(`${headers['x-webhook-timestamp']}.${raw}`).digest('hex')
    assert.equal(headers['x-webhook-signature'], `sha256=${hex}`)
    assert.match(String(headers['webhook-signature']), ONE_SIGNATURE)
    const shared = { security: 'shared_secret', secret: 'a-secret-to-be-shown' }
    assertError(
      await agent.patch(`/notifications/${id}`, { security: 'shared_secret' }),
      400,
      'invalid_request',
    )
    assert.equal((await agent.patch(`/notifications/${id}`, shared)).status, 200)
    await agent.prompt('hello')
    await endpoint.receiver.until(2)
    assert.equal(endpoint.receiver.received[1]?.headers['x-webhook-secret'], shared.secret)
    // Another origin gets a secret of its own, which is shown once.
    const moved = await agent.patch(`/notifications/${id}`, { url: 'http://127.0.0.1:9' })
    assert.match(moved.body.data.secret, /^whsec_/)
    assert.equal((await agent.get(`/notifications/${id}`)).body.data.secret, undefined)
  })

  it('switched off: what waits is given up; deleted: it is gone', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, endpoint.receiver.url, { events: ['prompt_submit'] })
    const { db } = service.app.app.foundation.database
    // Nothing is sent while it is held.
    await db
      .updateTable('notifications')
      .set({ held_until: '2999-01-01T00:00:00.000Z' })
      .where('id', '=', id)
      .execute()
    await agent.prompt('hello')
    await agent.patch(`/notifications/${id}`, { active: false })
    assert.equal((await endedDelivery(agent, id)).state, 'expired')
    await agent.prompt('hello')
    assert.equal((await agent.get(`/notifications/${id}/deliveries`)).body.total, 1)
    const deleted = await agent.call('DELETE', `/notifications/${id}`)
    assert.deepEqual([deleted.status, deleted.text], [204, ''])
    assertError(await agent.get(`/notifications/${id}`), 404, 'notification_not_found')
    const left = await db.selectFrom('deliveries').select('id').where('notification_id', '=', id).execute()
    assert.deepEqual(left, [])
    await agent.prompt('hello')
    assert.equal(endpoint.receiver.received.length, 0)
  })
})
