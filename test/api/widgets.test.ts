import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('Widgets', (service) => {
  const look = {
    color: '#4f46e5',
    position: 'right',
    title: null,
    launcher: '',
    avatar_url: null,
    scheme: 'auto',
  }

  it('POST 201 with defaults and the secret, which is shown only then', async () => {
    const agent = await service.addAgent()
    const made = await agent.post('/widgets', { name: 'Shop' })
    assert.equal(made.status, 201, made.text)
    const { id, public_key, identity_secret, created_at, updated_at, version, ...rest } = made.body.data
    assert.deepEqual(rest, {
      name: 'Shop',
      active: true,
      allowed_origins: [],
      look,
      texts: {},
      identity: 'optional',
      uploads: 'off',
      continue_by: null,
      continue_after: 5,
    })
    assert.equal(created_at, updated_at)
    assert.match(public_key, /^parley_widget_[0-9a-f]{32}$/)
    assert.match(identity_secret, /^parley_identity_[0-9a-f]{64}$/)
    const { identity_secret: _, ...shown } = made.body.data
    assert.deepEqual((await agent.get(`/widgets/${id}`)).body.data, shown)
    const activity = { visitors: 0, last_message_at: null }
    assert.deepEqual((await agent.get('/widgets')).body.data, [{ ...shown, activity }])
    const { db } = service.app.app.foundation.database
    const stored = await db.selectFrom('widgets').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    assert.ok(!stored.identity_secret.includes(identity_secret.slice(16)))
  })

  it('POST 201: everything is kept, in one way of writing it', async () => {
    const agent = await service.addAgent()
    const made = await agent.post('/widgets', {
      name: 'Shop',
      active: false,
      allowed_origins: ['HTTPS://Shop.example/', 'https://*.shop.example'],
      look: { color: '#AABBCC', position: 'left', title: 'Hilfe', scheme: 'dark', launcher: 'Chat' },
      texts: {
        'DE-de': { greeting: 'Hallo', suggestions: ['Wo?'], footer: 'AGB', footer_url: 'https://x.example' },
        en: { greeting: 'Hello', notice: '' },
      },
      identity: 'required',
    })
    assert.equal(made.status, 201, made.text)
    const { data } = made.body
    assert.deepEqual(data.allowed_origins, ['https://shop.example', 'https://*.shop.example'])
    assert.deepEqual(data.look, {
      ...look,
      color: '#aabbcc',
      position: 'left',
      title: 'Hilfe',
      scheme: 'dark',
      launcher: 'Chat',
    })
    assert.deepEqual(Object.keys(data.texts), ['de-DE', 'en'])
    assert.deepEqual([data.active, data.identity], [false, 'required'])
  })

  for (const [field, wish] of [
    ['name', { name: '' }],
    ['name', {}],
    ['unknown', { name: 'w', unknown: 1 }],
    ['allowed_origins.0', { name: 'w', allowed_origins: ['*'] }],
    ['allowed_origins.1', { name: 'w', allowed_origins: ['https://a.example', 'https://*.com'] }],
    ['allowed_origins', { name: 'w', allowed_origins: Array(101).fill('https://a.example') }],
    ['look.color', { name: 'w', look: { color: 'red;background:url(//x)' } }],
    ['look.position', { name: 'w', look: { position: 'top' } }],
    ['look.avatar_url', { name: 'w', look: { avatar_url: 'http://x.example/a.png' } }],
    ['look.avatar_url', { name: 'w', look: { avatar_url: 'javascript:alert(1)' } }],
    ['look.title', { name: 'w', look: { title: 'x'.repeat(81) } }],
    ['look.shadow', { name: 'w', look: { shadow: true } }],
    ['texts', { name: 'w', texts: { 'not a language': {} } }],
    ['texts.en.footer_url', { name: 'w', texts: { en: { footer_url: 'javascript:alert(1)' } } }],
    ['texts.en.suggestions', { name: 'w', texts: { en: { suggestions: Array(7).fill('x') } } }],
    ['texts.en.greeting', { name: 'w', texts: { en: { greeting: 'x'.repeat(2001) } } }],
    ['texts.en.other', { name: 'w', texts: { en: { other: 'x' } } }],
    ['identity', { name: 'w', identity: 'maybe' }],
    ['public_key', { name: 'w', public_key: 'parley_widget_1' }],
  ] as const)
    it(`POST 400: ${JSON.stringify(wish).slice(0, 70)}`, async () => {
      const { agent } = service.app
      const answer = await agent.post('/widgets', wish)
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, field)
    })

  it('PATCH 200: look field by field, texts language by language, null removes one', async () => {
    const agent = await service.addAgent()
    const texts = { en: { greeting: 'Hello' }, de: { greeting: 'Hallo' } }
    const { id } = (await agent.post('/widgets', { name: 'w', texts })).body.data
    const changed = await agent.patch(`/widgets/${id}`, {
      look: { title: 'Help' },
      texts: { en: { greeting: 'Hi', placeholder: 'Ask' }, de: null },
      allowed_origins: ['https://shop.example'],
      active: false,
    })
    assert.equal(changed.status, 200, changed.text)
    const { data } = changed.body
    assert.deepEqual(data.look, { ...look, title: 'Help' })
    assert.deepEqual(data.texts, { en: { greeting: 'Hi', placeholder: 'Ask' } })
    assert.deepEqual([data.name, data.active, data.allowed_origins], ['w', false, ['https://shop.example']])
    const nothing = await agent.patch(`/widgets/${id}`, {})
    assert.deepEqual(nothing.body.data.look, data.look)
    assertError(await agent.patch(`/widgets/${id}`, { look: { color: 'x' } }), 400, 'invalid_request')
  })

  it('PATCH 400: no more languages than a new widget may have, however few come with each patch', async () => {
    const agent = await service.addAgent()
    const { id } = (await agent.post('/widgets', { name: 'w' })).body.data
    const tags = Array.from({ length: 51 }, (_, at) => `en-x-${at}`)
    const textsIn = (some: string[]) => Object.fromEntries(some.map((tag) => [tag, { greeting: tag }]))
    const change = (texts: object) => agent.patch(`/widgets/${id}`, { texts })
    assert.equal((await change(textsIn(tags.slice(0, 30)))).status, 200)
    const refused = await change(textsIn(tags.slice(30)))
    assertError(refused, 400, 'invalid_request')
    assert.equal(refused.body.error.param, 'texts')
    assert.equal(Object.keys((await agent.get(`/widgets/${id}`)).body.data.texts).length, 30)
    const replaced = await change({ ...textsIn(tags.slice(30)), [tags[0] ?? '']: null })
    assert.equal(replaced.status, 200, replaced.text)
    assert.equal(Object.keys(replaced.body.data.texts).length, 50)
  })

  it('POST rotate-secret 200 with a new secret and nothing else changed', async () => {
    const agent = await service.addAgent()
    const { identity_secret, ...made } = (await agent.post('/widgets', { name: 'w' })).body.data
    const rotated = await agent.post(`/widgets/${made.id}/rotate-secret`)
    assert.equal(rotated.status, 200)
    const { identity_secret: next, updated_at: _, ...rest } = rotated.body.data
    assert.notEqual(next, identity_secret)
    const { updated_at: __, ...before } = made
    assert.deepEqual(rest, before)
  })

  it('DELETE 204, and then 404 everywhere', async () => {
    const agent = await service.addAgent()
    const { id } = (await agent.post('/widgets', { name: 'w' })).body.data
    assert.equal((await agent.call('DELETE', `/widgets/${id}`)).status, 204)
    assertError(await agent.get(`/widgets/${id}`), 404, 'widget_not_found')
    assertError(await agent.patch(`/widgets/${id}`, { name: 'x' }), 404, 'widget_not_found')
    assertError(await agent.call('DELETE', `/widgets/${id}`), 404, 'widget_not_found')
    assertError(await agent.post(`/widgets/${id}/rotate-secret`), 404, 'widget_not_found')
    assert.equal((await agent.get('/widgets')).body.total, 0)
  })

  it('GET 200 by pages, newest first', async () => {
    const agent = await service.addAgent()
    for (const name of ['a', 'b', 'c']) await agent.post('/widgets', { name })
    const first = (await agent.get('/widgets?per_page=2')).body
    assert.deepEqual([first.data.map(({ name }: { name: string }) => name), first.total], [['c', 'b'], 3])
    const second = (await agent.get(`/widgets?per_page=2&cursor=${first.next_cursor}`)).body
    assert.deepEqual(
      second.data.map(({ name }: { name: string }) => name),
      ['a'],
    )
  })
})
