import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { filesWith } from '../support/files-with.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('users and their profiles', (service) => {
  const idsOf = async (agent: TestAgent, query = '') => {
    const { status, body } = await agent.get(`/users?${query}`)
    assert.equal(status, 200, query)
    return body.data.map(({ id }: { id: string }) => id)
  }
  const path = (id: string) => `/users/${encodeURIComponent(id)}`
  const q = (text: string) => `q=${encodeURIComponent(text)}`

  it('GET /users 200: the newest first, by page and by cursor', async () => {
    const agent = await service.addAgent()
    const other = await service.addAgent()
    let at = Date.parse('2026-03-01T00:00:00.000Z')
    service.clock = () => at
    for (const user of ['a', 'b', 'ü', 'd']) {
      await agent.prompt('hi', { user })
      at += user === 'b' ? 0 : 1000
    }
    await other.prompt('hi', { user: 'z' })
    assert.deepEqual(await idsOf(agent), ['d', 'ü', 'b', 'a'])
    assert.deepEqual(await idsOf(agent, 'per_page=3&page=2'), ['a'])
    const first = (await agent.get('/users?per_page=3')).body
    assert.deepEqual([first.total, first.data.length], [4, 3])
    assert.deepEqual(await idsOf(agent, `per_page=3&cursor=${first.next_cursor}`), ['a'])
    assertError(await other.get(`/users?cursor=${first.next_cursor}`), 400, 'invalid_request')
  })

  it('GET /users?q 200: by id and its beginning, words of name and attributes in any order', async () => {
    const agent = await service.addAgent()
    for (const user of ['anna@example.com', 'order_100%', 'x"y', 'nobody']) await agent.prompt('hi', { user })
    await agent.patch(path('nobody'), {
      name: 'Zoë Anna Schmidt',
      attributes: { city: 'São Paulo', tier: 3, vip: true },
    })
    for (const [text, ids] of [
      ['anna@e', ['anna@example.com']],
      ['order_', ['order_100%']],
      ['schmidt ZOE', ['nobody']],
      ['schm sao', ['nobody']],
      ['schm berlin', []],
      ['x"y', ['x"y']],
      ['%', []],
      ['', []],
      ["' or 1=1 --", []],
      ['x'.repeat(9000), []],
    ] as const)
      assert.deepEqual(await idsOf(agent, q(text)), ids, text.slice(0, 30))
    assert.deepEqual((await idsOf(agent, q('anna'))).toSorted(), ['anna@example.com', 'nobody'])
    const one = (await agent.get(`/users?${q('anna')}&per_page=1`)).body
    const [second] = await idsOf(agent, `${q('anna')}&per_page=1&cursor=${one.next_cursor}`)
    assert.deepEqual([one.data[0].id, second].toSorted(), ['anna@example.com', 'nobody'])
    const found = (await agent.get(`/search?${q('schmidt')}`)).body.conversations
    assert.deepEqual(
      found.map(({ user_id }: { user_id: string }) => user_id),
      ['nobody'],
    )
  })

  it('GET /users/{id} 200: profile, counts and newest conversations', async () => {
    const agent = await service.addAgent()
    const one = await agent.prompt('hi', { user: 'u' })
    await agent.prompt('more', { user: 'u', conversation_id: one.conversation_id })
    const two = await agent.prompt('again', { user: 'u' })
    await agent.prompt('me', { user: 'v' })
    const { body } = await agent.get('/users/u')
    const { conversations, first_seen_at, version, blocked_at, ...rest } = body.data
    assert.deepEqual(rest, {
      id: 'u',
      name: null,
      attributes: {},
      source: 'api',
      proof: 'signed',
      pages: [],
      mail: [],
      counts: { conversations: 2, completions: 3 },
      identities: [
        { id: 'u', source: 'api', proof: 'signed', first_seen_at, merged_into: null, undo_until: null },
      ],
    })
    assert.ok(first_seen_at)
    assert.equal(blocked_at, null)
    assert.match(version, /^[\w-]{22}$/)
    assert.deepEqual(
      conversations.map(({ id }: { id: string }) => id),
      [two.conversation_id, one.conversation_id],
    )
  })

  it('PATCH /users/{id} 409: an outdated version, also after a redaction; without a version nothing is compared', async () => {
    const agent = await service.addAgent()
    await agent.prompt('hi', { user: 'ann' })
    const { version } = (await agent.patch(path('ann'), { name: 'Ann' })).body.data
    const [one, other] = await Promise.all(
      ['Anna', 'Anne'].map((name) => agent.patch(path('ann'), { name, version })),
    )
    assert.deepEqual([one?.status, other?.status].toSorted(), [200, 409])
    const read = (await agent.get(path('ann'))).body.data
    assert.notEqual(read.version, version)
    await agent.post(`${path('ann')}/anonymize`)
    const erased = await agent.patch(path('ann'), { name: read.name, version: read.version })
    assertError(erased, 409, 'version_outdated')
    assert.equal((await agent.get(path('ann'))).body.data.name, null)
    assert.equal((await agent.patch(path('ann'), { name: 'Ann' })).status, 200)
  })

  it('404: nobody of this name, and one of another agent', async () => {
    const agent = await service.addAgent()
    await agent.prompt('hi', { user: 'u' })
    const other = await service.addAgent()
    for (const answer of [
      await other.get('/users/u'),
      await other.patch('/users/u', { name: 'x' }),
      await other.get('/users/u/export'),
    ])
      assertError(answer, 404, 'user_not_found')
  })

  it('PATCH /users/{id} 200: sets, keeps and removes; audited without the values', async () => {
    const agent = await service.addAgent()
    await agent.prompt('hi', { user: 'u' })
    const hostile = `<img src=x onerror=alert(1)> "'; drop table users -- \u202e`
    await agent.patch('/users/u', { name: ` ${hostile} `, attributes: { a: 'one', b: 2, __proto__x: true } })
    const { body } = await agent.patch('/users/u', { attributes: { a: null, c: false } })
    assert.equal(body.data.name, hostile.trim())
    assert.deepEqual(body.data.attributes, { b: 2, __proto__x: true, c: false })
    assert.equal((await agent.patch('/users/u', { name: '' })).body.data.name, null)
    const acts = (await agent.get('/audit?action=user.changed')).body
    assert.deepEqual(
      [acts.data.length, acts.data[2].details, acts.data[2].target],
      [3, { changed: ['name', 'attributes'] }, 'user u'],
    )
    assert.ok(!JSON.stringify(acts).includes('drop table'))
  })

  it('PATCH /users/{id} 400: too long, too many, nested, unknown', async () => {
    const agent = await service.addAgent()
    await agent.prompt('hi', { user: 'u' })
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`a${n}`, n]))
    assert.equal((await agent.patch('/users/u', { attributes: many })).status, 200)
    const more = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`b${n}`, n]))
    for (const body of [
      { name: 'x'.repeat(201) },
      { attributes: { a: 'x'.repeat(1001) } },
      { attributes: { a: { b: 1 } } },
      { attributes: { '': 1 } },
      { attributes: more },
      { attributes: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`a${n}`, 'x'.repeat(1000)])) },
      { email: 'x' },
      { name: 'a\u0000b' },
    ])
      assertError(await agent.patch('/users/u', body), 400, 'invalid_request')
  })

  for (const mode of ['scrub', 'anonymize'])
    it(`POST /users/{id}/${mode} forgets name and attributes, in the search and in the files too`, async () => {
      const agent = await service.addAgent()
      await agent.prompt('hi', { user: 'u' })
      await agent.prompt('hi', { user: 'v' })
      await agent.patch('/users/u', {
        name: 'Okapia Johnstoni0815',
        attributes: { mail: 'okapi0815@example.com' },
      })
      await agent.patch('/users/v', { name: 'Vera' })
      assert.equal((await agent.post(`/users/u/${mode}`)).status, 200)
      const { name, attributes } = (await agent.get('/users/u')).body.data
      assert.deepEqual([name, attributes], [null, {}])
      assert.deepEqual(await idsOf(agent, q('okapia')), [])
      assert.deepEqual(await idsOf(agent, q('vera')), ['v'])
      const { db } = service.app.app.foundation.database
      const words = db.selectFrom('user_words').select('word').where('agent_id', '=', agent.agentId)
      assert.deepEqual(await words.execute(), [{ word: 'vera' }])
      if (service.engine === 'sqlite')
        for (const word of ['Johnstoni0815', 'johnstoni0815', 'okapi0815'])
          assert.deepEqual(await filesWith(service.app.dataDir, word), [], word)
    })
})
