import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isSentToPlatform } from '../../src/lib/secrets/sealed-places.ts'
import { kindsOf, platforms } from '../../src/platforms/platforms.ts'
import { assertError } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { addChannel, kinds, LINE_DESTINATION, PERSON, startPlatformPeer } from '../support/platform-peer.ts'
import { shared } from '../support/shared.ts'
import { TELEGRAM_NAME } from '../support/telegram-peer.ts'

onBothEngines('/channels', (service) => {
  const peer = shared(startPlatformPeer)

  const line = (settings: Record<string, unknown> = {}) => ({
    kind: 'messenger-three',
    name: 'Shop',
    settings: {
      channel_secret: 'channel-secret-1',
      access_token: 'token-1234567890',
      api_base: peer().url,
      ...settings,
    },
  })

  it('201: makes a channel, with the address to paste and no secret in the answer', async () => {
    const agent = await service.addAgent()
    const { status, body, text } = await agent.post('/channels', line({ destination: LINE_DESTINATION }))
    assert.equal(status, 201)
    assert.equal(body.data.kind, 'messenger-three')
    assert.equal(body.data.name, 'Shop')
    assert.equal(body.data.active, true)
    assert.equal(body.data.webhook_url, `${agent.baseUrl}/channels/${body.data.id}/messenger-three`)
    assert.deepEqual(body.data.settings.channel_secret, { set: true, last_four: 'et-1' })
    assert.deepEqual(body.data.settings.access_token, { set: true, last_four: '7890' })
    assert.equal(body.data.settings.destination, LINE_DESTINATION)
    assert.ok(!text.includes('channel-secret-1') && !text.includes('token-1234567890'))
  })

  it('201: every kind, with nothing set at all', async () => {
    const agent = await service.addAgent()
    for (const kind of kindsOf()) {
      const { status, body } = await agent.post('/channels', { kind })
      assert.equal(status, 201)
      const { connection } = body.data
      assert.equal(connection === null, !platforms[kind].connection)
      // Somebody may have tried to connect it already.
      assert.equal(connection?.by ?? null, null)
      const secrets = Object.values(body.data.settings).map((one) =>
        Object.hasOwn(one as object, 'password') ? (one as { password: object }).password : one,
      ) as { set: boolean }[]
      assert.ok(secrets.length > 0 && secrets.every(({ set }) => set === false))
    }
  })

  it('201: asks the platform for a destination that is not given', async () => {
    const agent = await service.addAgent()
    const { body } = await agent.post('/channels', line())
    assert.equal(body.data.settings.destination, LINE_DESTINATION)
  })

  it('400: unknown kind, setting or field, wrong types, an address that is not allowed', async () => {
    const agent = await service.addAgent()
    for (const wrong of [
      {},
      { kind: 'pigeon' },
      { kind: 'messenger-one', settings: { channel_secret: 'x' } },
      { kind: 'messenger-one', settings: { access_token: 7 } },
      { kind: 'messenger-one', settings: [] },
      { kind: 'messenger-one', colour: 'red' },
      { kind: 'messenger-one', settings: { debounce_ms: -1 } },
      { kind: 'messenger-one', settings: { groups: 'always' } },
      { kind: 'messenger-one', settings: { api_base: 'ftp://example.com' } },
      { kind: 'messenger-one', settings: { api_base: 'http://169.254.169.254' } },
      { kind: 'messenger-one', settings: { api_base: 'http://10.0.0.1' } },
    ]) {
      assertError(await agent.post('/channels', wrong), 400, 'invalid_request')
    }
    assert.equal((await agent.get('/channels')).body.total, 0)
  })

  it('lists the channels of the agent alone, newest first', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    const ids: number[] = []
    for (const name of ['a', 'b', 'c'])
      ids.push((await agent.post('/channels', { ...line(), name })).body.data.id)
    await other.post('/channels', line())
    const { body } = await agent.get('/channels?per_page=2')
    assert.deepEqual([body.total, body.page, body.per_page], [3, 1, 2])
    assert.deepEqual(
      body.data.map(({ id }: { id: number }) => id),
      ids.toReversed().slice(0, 2),
    )
  })

  it('404: unknown, of another agent, or no number', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    const { id } = await addChannel(other, 'messenger-three', peer())
    for (const wrong of [id, 999_999, 'x', '0', '-1', '1.5', '9'.repeat(30)]) {
      assertError(await agent.get(`/channels/${wrong}`), 404, 'channel_not_found')
      assertError(await agent.patch(`/channels/${wrong}`, { name: 'mine' }), 404, 'channel_not_found')
      assertError(await agent.call('DELETE', `/channels/${wrong}`), 404, 'channel_not_found')
      assertError(await agent.post(`/channels/${wrong}/test`), 404, 'channel_not_found')
      assertError(await agent.get(`/channels/${wrong}/parked`), 404, 'channel_not_found')
      assertError(await agent.post(`/channels/${wrong}/parked/1/replay`), 404, 'channel_not_found')
    }
    assert.equal((await other.get(`/channels/${id}`)).status, 200)
  })

  it('changes settings field by field; null takes one away', async () => {
    const agent = await service.addAgent()
    const { id } = (await agent.post('/channels', line({ destination: LINE_DESTINATION }))).body.data
    const { body } = await agent.patch(`/channels/${id}`, {
      name: null,
      active: false,
      settings: { channel_secret: 'another-secret-2', destination: null, debounce_ms: 5 },
    })
    assert.equal(body.data.name, null)
    assert.equal(body.data.active, false)
    assert.equal(body.data.settings.channel_secret.last_four, 'et-2')
    assert.equal(body.data.settings.access_token.last_four, '7890')
    assert.equal(body.data.settings.debounce_ms, 5)
    assert.equal(body.data.settings.api_base, peer().url)
  })

  it('a new host without its token drops the token that was kept for the old one', async () => {
    const agent = await service.addAgent()
    const { id } = (await agent.post('/channels', line({ destination: LINE_DESTINATION }))).body.data
    const moved = peer().url.replace('127.0.0.1', '127.0.0.1').replace(/:\d+$/, ':9')
    const { body } = await agent.patch(`/channels/${id}`, { settings: { api_base: moved } })
    assert.equal(body.data.settings.access_token.set, false)
    assert.equal(body.data.settings.channel_secret.set, true)
  })

  it('400: a wrong patch changes nothing', async () => {
    const agent = await service.addAgent()
    const { id } = await addChannel(agent, 'messenger-one', peer())
    const before = (await agent.get(`/channels/${id}`)).body
    for (const wrong of [{ kind: 'helpdesk' }, { settings: { page_id: '1' } }, { active: 1 }, { name: '' }])
      assertError(await agent.patch(`/channels/${id}`, wrong), 400, 'invalid_request')
    assert.deepEqual((await agent.get(`/channels/${id}`)).body, before)
  })

  it('204: deletes a channel', async () => {
    const agent = await service.addAgent()
    const { id, url } = await addChannel(agent, 'messenger-three', peer())
    const { status, text } = await agent.call('DELETE', `/channels/${id}`)
    assert.deepEqual([status, text], [204, ''])
    assertError(await agent.get(`/channels/${id}`), 404, 'channel_not_found')
    assert.equal((await fetch(url)).status, 404)
  })

  it('secrets are sealed in the database', async () => {
    const agent = await service.addAgent()
    await agent.post('/channels', line())
    const { db } = service.app.app.foundation.database
    const rows = await db.selectFrom('channels').select('settings').execute()
    assert.ok(!rows.some(({ settings }) => /channel-secret-1|token-1234567890/.test(settings)))
  })

  it('test: tells whether the platform takes the token', async () => {
    const agent = await service.addAgent()
    for (const kind of kinds) {
      const { id } = await addChannel(agent, kind, peer())
      assert.deepEqual((await agent.post(`/channels/${id}/test`)).body.data, {
        ok: true,
        account: kind === 'telegram' ? `@${TELEGRAM_NAME}` : 'Test account',
        failure: null,
      })
      const token = platforms[kind].secrets.find(isSentToPlatform) ?? ''
      await agent.patch(`/channels/${id}`, { settings: { [token]: null } })
      const { status, body } = await agent.post(`/channels/${id}/test`)
      assert.equal(status, 200)
      assert.equal(body.data.ok, false)
      assert.equal(body.data.failure, 'unauthorized')
    }
  })

  it('test: a setting that is there stays, whatever the platform tells', async () => {
    const agent = await service.addAgent()
    const { id } = (await agent.post('/channels', line({ destination: 'U-mine' }))).body.data
    const destination = async () => (await agent.get(`/channels/${id}`)).body.data.settings.destination
    await agent.post(`/channels/${id}/test`)
    assert.equal(await destination(), 'U-mine')
  })

  it('test: tells that the platform cannot be reached', async () => {
    const agent = await service.addAgent()
    const { id } = await addChannel(agent, 'messenger-one', { url: 'http://127.0.0.1:9' })
    assert.equal((await agent.post(`/channels/${id}/test`)).body.data.failure, 'unreachable')
  })

  it('test-message: sends a text on each platform, and tells why one does not arrive', async () => {
    const agent = await service.addAgent()
    for (const kind of ['messenger-one', 'messenger-two', 'messenger-three', 'helpdesk'] as const) {
      const { id } = await addChannel(agent, kind, peer())
      const path = `/channels/${id}/test-message`
      const message = { to: PERSON[kind], text: `A test of ${kind}` }
      const sent = await agent.post(path, message)
      assert.deepEqual(sent.body.data, { sent: true, reason: null, status: null }, kind)
      assert.deepEqual([peer().sent.at(-1)?.thread, peer().sent.at(-1)?.text], [message.to, message.text])
      await agent.patch(`/channels/${id}`, { settings: { access_token: null } })
      const refused = (await agent.post(path, message)).body.data
      assert.deepEqual([refused.sent, refused.reason], [false, 'unauthorized'], kind)
      for (const wrong of [{ to: '', text: 'x' }, { to: 'x' }, { ...message, more: 1 }])
        assertError(await agent.post(path, wrong), 400, 'invalid_request')
    }
    assertError(
      await agent.post('/channels/0/test-message', { to: 'a', text: 'b' }),
      404,
      'channel_not_found',
    )
    assert.equal((await agent.get('/conversations')).body.total, 0, 'it belongs to no conversation')
  })

  it('403: without credentials', async () => {
    const { baseUrl } = await service.addAgent()
    for (const [method, path] of [
      ['GET', '/channels'],
      ['POST', '/channels'],
      ['GET', '/channels/1'],
      ['PATCH', '/channels/1'],
      ['DELETE', '/channels/1'],
      ['POST', '/channels/1/test'],
      ['POST', '/channels/1/test-message'],
      ['GET', '/channels/1/parked'],
      ['POST', '/channels/1/parked/1/replay'],
    ] as const) {
      assert.equal((await fetch(baseUrl + path, { method })).status, 403, `${method} ${path}`)
    }
  })
})
