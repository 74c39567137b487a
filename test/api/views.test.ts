import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { signInNew } from '../support/console.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('saved views of the inbox', (service) => {
  const GOLD = { view: 'open', tag: 'plan:gold', sort: 'waiting' }

  /** An agent with two people, and calls of each to its views. */
  async function begin() {
    const agent = await service.addAgent()
    const [ada, grace] = await Promise.all(
      ['respond', 'respond'].map((right) =>
        signInNew(service.app, { teamId: agent.teamId, right: right as 'respond' }),
      ),
    )
    assert.ok(ada && grace)
    const path = `/agents/${agent.agentId}/views`
    const names = async (by: typeof ada) =>
      (await by.call('GET', path)).body.data.map(({ name }: { name: string }) => name)
    return { agent, ada, grace, path, names }
  }

  const tagged = async (agent: TestAgent, plan: string) =>
    agent.prompt('Where is my parcel?', { tags: { plan } })

  it('201 and GET 200: own ones are of one person, shared ones of all, each with its count', async () => {
    const { agent, ada, grace, path, names } = await begin()
    for (const plan of ['gold', 'gold', 'free']) await tagged(agent, plan)
    const own = await ada.call('POST', path, { name: 'Gold', query: GOLD })
    assert.equal(own.status, 201, own.text)
    const { name, query, shared, count } = own.body.data
    assert.deepEqual({ name, query, shared, count }, { name: 'Gold', query: GOLD, shared: false, count: 2 })
    await ada.call('POST', path, { name: 'All open', query: { view: 'open' }, shared: true })
    assert.deepEqual(await names(ada), ['All open', 'Gold'])
    assert.deepEqual(await names(grace), ['All open'])
    const counts = (await ada.call('GET', path)).body.data.map((one: { count: number }) => one.count)
    assert.deepEqual(counts, [3, 2])
    const other = await service.addAgent()
    assert.deepEqual((await other.get('/views')).body.data, [])
  })

  it('counts what only a person can tell for each, and not for a token', async () => {
    const { agent, ada, path } = await begin()
    await tagged(agent, 'gold')
    await ada.call('POST', path, { name: 'Mine', query: { view: 'mine' }, shared: true })
    await ada.call('POST', path, { name: 'New', query: { view: 'open', unread: true }, shared: true })
    const counts = ({ body }: { body: { data: { count: number | null }[] } }) =>
      body.data.map(({ count }) => count)
    assert.deepEqual(counts(await ada.call('GET', path)), [0, 1])
    assert.deepEqual(counts(await agent.get('/views')), [null, null])
  })

  it('201 and 200: one of a channel whose number is beyond the column has nothing', async () => {
    const { agent, ada, path } = await begin()
    await tagged(agent, 'gold')
    const query = { view: 'open', channel_id: 2_147_483_648 }
    const { status, body } = await ada.call('POST', path, { name: 'Beyond', query, shared: true })
    assert.deepEqual([status, body.data.count], [201, 0])
    assert.deepEqual(
      (await agent.get('/views')).body.data.map((one: { count: number }) => one.count),
      [0],
    )
  })

  it('PATCH 200 and DELETE 204: a shared one by anybody who may respond, an own one by its person', async () => {
    const { agent, ada, grace, path, names } = await begin()
    const { id, version } = (await ada.call('POST', path, { name: 'Gold', query: GOLD })).body.data
    assertError(await grace.call('PATCH', `${path}/${id}`, { name: 'x' }), 404, 'view_not_found')
    assertError(await grace.call('DELETE', `${path}/${id}`), 404, 'view_not_found')
    const shared = await ada.call('PATCH', `${path}/${id}`, { shared: true, version })
    assert.equal(shared.status, 200, shared.text)
    assert.deepEqual([shared.status, shared.body.data.shared], [200, true])
    assertError(await grace.call('PATCH', `${path}/${id}`, { name: 'x', version }), 409, 'version_outdated')
    const changed = await grace.call('PATCH', `${path}/${id}`, { name: 'Silver', query: { view: 'all' } })
    assert.deepEqual([changed.body.data.name, changed.body.data.query], ['Silver', { view: 'all' }])
    assert.deepEqual(await names(ada), ['Silver'])
    assert.equal((await grace.call('DELETE', `${path}/${id}`)).status, 204)
    assert.deepEqual(await names(ada), [])
    assertError(await grace.call('DELETE', `${path}/${id}`), 404, 'view_not_found')
    const acts = (await agent.call('GET', '/audit')).body.data.map(({ action }: { action: string }) => action)
    assert.deepEqual(
      acts.filter((action: string) => action.startsWith('view.')).toSorted(),
      ['view.changed', 'view.changed', 'view.removed'],
      'what somebody kept for themselves is not told',
    )
  })

  it('PATCH 200: one that is no longer shared is its maker’s again', async () => {
    const { agent, ada, grace, path, names } = await begin()
    const { id } = (await ada.call('POST', path, { name: 'Gold', query: GOLD, shared: true })).body.data
    const unshared = await grace.call('PATCH', `${path}/${id}`, { shared: false })
    assert.deepEqual([unshared.status, unshared.body.data.shared], [200, false], unshared.text)
    assert.deepEqual([await names(ada), await names(grace)], [['Gold'], []])
    await ada.call('PATCH', `${path}/${id}`, { shared: true })
    await agent.call('DELETE', `/operators/${ada.operatorId}`)
    assert.equal((await grace.call('PATCH', `${path}/${id}`, { shared: false })).status, 200)
    assert.deepEqual(await names(grace), ['Gold'], 'its maker is gone')
  })

  it('403: a token has no own ones, and a person who may only read saves none', async () => {
    const { agent, path } = await begin()
    assertError(await agent.post('/views', { name: 'Gold', query: GOLD }), 403, 'operator_needed')
    const made = await agent.post('/views', { name: 'Gold', query: GOLD, shared: true })
    assert.equal(made.status, 201, made.text)
    const { id } = made.body.data
    assertError(await agent.patch(`/views/${id}`, { shared: false }), 403, 'operator_needed')
    const reader = await signInNew(service.app, { teamId: agent.teamId, right: 'read' })
    assert.equal((await reader.call('GET', path)).body.data.length, 1)
    const refused = await reader.call('POST', path, { name: 'x', query: GOLD })
    assertError(refused, 403, 'insufficient_right')
  })

  it('409 too_many_views: 30 shared ones, and 30 of each person, also at once', async () => {
    const { ada, path } = await begin()
    for (const shared of [true, false]) {
      const save = () => ada.call('POST', path, { name: 'x', query: { view: 'open' }, shared })
      const statuses = (await Promise.all(Array.from({ length: 32 }, save))).map(({ status }) => status)
      assert.deepEqual(statuses.toSorted(), [...Array(30).fill(201), 409, 409])
      assertError(await save(), 409, 'too_many_views')
    }
  })

  it('a person who is removed leaves no view of their own', async () => {
    const { agent, ada, path } = await begin()
    await ada.call('POST', path, { name: 'Gold', query: GOLD })
    assert.equal((await agent.call('DELETE', `/operators/${ada.operatorId}`)).status, 204)
    const { db } = service.app.app.foundation.database
    const rows = await db
      .selectFrom('saved_views')
      .select('id')
      .where('agent_id', '=', agent.agentId)
      .execute()
    assert.deepEqual(rows, [])
  })

  for (const [name, body] of [
    ['no name', { query: GOLD }],
    ['an empty name', { name: '', query: GOLD }],
    ['no view', { name: 'x', query: {} }],
    ['a tag without a value', { name: 'x', query: { view: 'open', tag: 'gold' } }],
    [
      'an end user, whom a redaction would have to forget',
      { name: 'x', query: { view: 'open', user_id: 'u' } },
    ],
    ['words of messages', { name: 'x', query: { view: 'open', q: 'parcel' } }],
  ] as const)
    it(`400: ${name}`, async () => {
      const { ada, path } = await begin()
      assertError(await ada.call('POST', path, body), 400, 'invalid_request')
    })
})
