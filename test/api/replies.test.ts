import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { assertError, type TestAgent } from '../support/app.ts'
import { signInNew } from '../support/console.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('canned replies', (service) => {
  const add = (agent: TestAgent, shortcut: string, content: string, tags: string[] = []) =>
    agent.post('/replies', { shortcut, content, tags })
  const find = async (agent: TestAgent, q: string): Promise<string[]> =>
    (await agent.get(`/replies?q=${encodeURIComponent(q)}`)).body.data.map(
      ({ shortcut }: { shortcut: string }) => shortcut,
    )

  it('POST 201, GET 200, PATCH 200, DELETE 204, each recorded without its text', async () => {
    const agent = await service.addAgent()
    const made = await add(agent, 'refund', 'Dear {user.name}, done.', ['money'])
    assert.equal(made.status, 201)
    const { id, created_at, version: _, ...rest } = made.body.data
    const content = 'Dear {user.name}, done.'
    assert.deepEqual(rest, { shortcut: 'refund', content, tags: ['money'], updated_at: created_at })
    assert.deepEqual((await agent.get('/replies')).body.data, [made.body.data])
    const changed = await agent.patch(`/replies/${id}`, { shortcut: 'Refund', tags: [] })
    assert.deepEqual(
      [changed.status, changed.body.data.shortcut, changed.body.data.tags],
      [200, 'Refund', []],
    )
    assert.equal(changed.body.data.content, content)
    assert.equal((await agent.call('DELETE', `/replies/${id}`)).status, 204)
    assert.equal((await agent.get('/replies')).body.total, 0)
    const audit = await agent.get('/audit')
    assert.deepEqual(
      audit.body.data.slice(0, 3).map(({ action, target }: Record<string, string>) => [action, target]),
      ['reply.removed', 'reply.changed', 'reply.added'].map((action) => [action, `reply ${id}`]),
    )
    assert.ok(!audit.text.includes('Dear'))
  })

  it('GET 200: a search finds words in any order, in shortcut, content and tags, also their beginnings', async () => {
    const agent = await service.addAgent()
    await add(agent, 'refund', 'Your money is on its way. 100%')
    await add(agent, 'hours', 'Geöffnet von 9 bis 17 Uhr', ['time_table'])
    await add(agent, 'hello', '東京からこんにちは')
    for (const [q, found] of [
      ['', ['hello', 'hours', 'refund']],
      ['way money', ['refund']],
      ['REF mon', ['refund']],
      ['geöff', ['hours']],
      ['Ｈours', ['hours']],
      ['time_t', ['hours']],
      ['東京', ['hello']],
      ['100%', ['refund']],
      ['%', ['refund']],
      ['_', ['hours']],
      ["' or 1=1 --", []],
      ['money hours', []],
    ] as const)
      assert.deepEqual(await find(agent, q), found, q)
  })

  it('GET 200: any search is answered', async () => {
    const agent = await service.addAgent()
    await add(agent, 'x', 'y')
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (q) => {
        const { status } = await agent.get(`/replies?q=${encodeURIComponent(q.toWellFormed())}`)
        assert.equal(status, q.includes('\0') ? 400 : 200)
      }),
      { numRuns: 50 },
    )
  })

  it('409: shortcut_taken whatever the case', async () => {
    const agent = await service.addAgent()
    const other = await service.addAgent({ teamId: agent.teamId })
    await add(agent, 'refund', 'x')
    const second = (await add(agent, 'second', 'x')).body.data
    assertError(await add(agent, 'REFUND', 'x'), 409, 'shortcut_taken')
    assertError(await agent.patch(`/replies/${second.id}`, { shortcut: 'Refund' }), 409, 'shortcut_taken')
    assert.equal((await agent.patch(`/replies/${second.id}`, { shortcut: 'Second' })).status, 200)
    assert.equal((await add(other, 'refund', 'x')).status, 201)
  })

  it('GET /conversations/{id}/replies 200: filled with what is known, and the names of what is not', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('x', {
      tags: { order: '$& 17', paid: true, list: [1] },
    })
    const content =
      '{user.name}: {operator.name} sends {{tags.order}}, {tags.paid}, {tags.list}, {{tags.none}}, {x}.'
    await add(agent, 'all', content)
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const path = `/conversations/${conversation_id}/replies?q=all`
    const { body } = await person.call('GET', `/agents/${agent.agentId}${path}`)
    assert.deepEqual(
      [body.data[0].content, body.data[0].unfilled],
      [
        '{user.name}: Test sends $& 17, true, {tags.list}, {{tags.none}}, {x}.',
        ['user.name', 'tags.list', 'tags.none'],
      ],
    )
    const named = await agent.prompt('x', { user: 'user-1' })
    await agent.patch('/users/user-1', { name: 'Ada Lovelace' })
    const ofNamed = (await agent.get(`/conversations/${named.conversation_id}/replies?q=all`)).body.data[0]
    assert.match(ofNamed.content, /^Ada Lovelace: /)
    const byToken = (await agent.get(path)).body.data[0]
    assert.ok(byToken.unfilled.includes('operator.name'))
    assertError(await (await service.addAgent()).get(path), 404, 'conversation_not_found')
  })

  for (const [name, body] of [
    ['no shortcut', { content: 'x' }],
    ['a shortcut of two words', { shortcut: 'a b', content: 'x' }],
    ['an empty shortcut', { shortcut: '', content: 'x' }],
    ['too long a shortcut', { shortcut: 'a'.repeat(65), content: 'x' }],
    ['no content', { shortcut: 'a' }],
    ['too long a content', { shortcut: 'a', content: 'a'.repeat(20_001) }],
    ['tags of another type', { shortcut: 'a', content: 'x', tags: 'x' }],
    ['a field it does not know', { shortcut: 'a', content: 'x', name: 'x' }],
  ] as const) {
    it(`POST 400: ${name}`, async () => {
      const agent = await service.addAgent()
      assertError(await agent.post('/replies', body), 400, 'invalid_request')
      assert.equal((await agent.get('/replies')).body.total, 0)
    })
  }

  it('403, 404', async () => {
    const agent = await service.addAgent()
    const stranger = await service.addAgent()
    const reader = await service.app.issue({ ...agent, right: 'read' })
    const { id } = (await add(agent, 'refund', 'x')).body.data
    assert.equal((await reader.get('/replies')).status, 200)
    assertError(await reader.post('/replies', { shortcut: 'a', content: 'x' }), 403, 'insufficient_right')
    for (const place of [`/replies/${id}`, '/replies/0', '/replies/x']) {
      const who = place.endsWith(String(id)) ? stranger : agent
      assertError(await who.patch(place, { content: 'y' }), 404, 'reply_not_found')
      assertError(await who.call('DELETE', place), 404, 'reply_not_found')
    }
    assert.equal((await agent.get('/replies')).body.data[0].content, 'x')
  })
})
