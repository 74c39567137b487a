import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent, testAgent } from '../support/app.ts'
import { signInNew } from '../support/console.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('administration', (service) => {
  async function actionsOf(agent: TestAgent): Promise<string[]> {
    const { body } = await agent.get('/audit?actor=token&per_page=100')
    return body.data.map(({ action }: { action: string }) => action).toReversed()
  }

  it('/team: read and renamed', async () => {
    const agent = await service.addAgent()
    const { body } = await agent.get('/team')
    assert.equal(body.data.id, agent.teamId)
    assert.equal((await agent.patch('/team', { name: ' New name ' })).body.data.name, 'New name')
    assert.equal((await agent.get('/team')).body.data.name, 'New name')
    assertError(await agent.patch('/team', { name: ' ' }), 400, 'invalid_request')
    assertError(await agent.patch('/team', { id: 1 }), 400, 'invalid_request')
    assert.deepEqual(await actionsOf(agent), ['team.changed'])
  })

  it('/agents: made, listed, changed, and works with a key and a token that were made over HTTP', async () => {
    const first = await service.addAgent()
    const made = await first.post('/agents', { name: 'Second' })
    assert.equal(made.status, 201)
    const { id, team_id } = made.body.data
    assert.equal(team_id, first.teamId)
    const key = await first.post(`/agents/${id}/keys`, { name: 'site' })
    assert.equal(key.status, 201)
    const token = await first.post('/tokens', { name: 'helpdesk', right: 'respond' })
    assert.equal(token.status, 201)
    const second = testAgent(service.app.baseUrl, {
      agentId: id,
      teamId: team_id,
      apiKey: key.body.data.api_key,
      bearerToken: token.body.data.bearer_token,
    })
    assert.equal((await second.get('/agent')).body.data.name, 'Second')
    assertError(await second.patch('/agent', { name: 'x' }), 403, 'insufficient_right')
    const changed = await first.patch(`/agents/${id}`, { name: 'Renamed', model: { api_key: 'sk-secret' } })
    assert.equal(changed.body.data.name, 'Renamed')
    assert.ok(!changed.text.includes('sk-secret'))
    const listed = await first.get('/agents')
    assert.deepEqual(
      listed.body.data.map(({ id, name }: { id: number; name: string }) => [id, name]),
      [
        [id, 'Renamed'],
        [first.agentId, 'Test agent'],
      ],
    )
    assert.deepEqual(await actionsOf(first), [
      'agent.created',
      'key.created',
      'token.created',
      'agent.changed',
    ])
  })

  it('agents, keys, tokens and people are pages like all lists, newest first', async () => {
    const agent = await service.addAgent()
    const person = (email: string) => ({ email, name: 'Ann', right: 'read' })
    const keys = `/agents/${agent.agentId}/keys`
    for (const name of ['one', 'two']) {
      for (const path of ['/agents', keys, '/tokens'])
        assert.equal((await agent.post(path, { name })).status, 201)
      const { text, status } = await agent.post('/operators', person(`${crypto.randomUUID()}@example.com`))
      assert.equal(status, 201, text)
    }
    for (const path of ['/agents', keys, '/tokens', '/operators']) {
      const all = (await agent.get(path)).body
      assert.deepEqual([all.total, all.page, all.per_page], [all.data.length, 1, 50], path)
      const ids = all.data.map(({ id }: { id: number }) => id)
      assert.ok(ids.length >= 2 && ids[0] > ids[1], path)
      const first = (await agent.get(`${path}?per_page=1`)).body
      const second = (await agent.get(`${path}?per_page=1&cursor=${first.next_cursor}`)).body
      assert.deepEqual([first.data, second.data], [[all.data[0]], [all.data[1]]], path)
      assert.deepEqual((await agent.get(`${path}?page=2&per_page=1`)).body.data, [all.data[1]], path)
    }
  })

  it('secrets of keys and tokens are shown once, and they end at once when they are revoked', async () => {
    const agent = await service.addAgent()
    const at = `/agents/${agent.agentId}/keys`
    const key = (await agent.post(at)).body.data
    const token = (await agent.post('/tokens')).body.data
    assert.equal(token.right, 'manage')
    for (const list of [await agent.get(at), await agent.get('/tokens')]) {
      assert.equal(list.body.data.length, 2)
      assert.doesNotMatch(list.text, /parley_(key|token)_|hash/)
    }
    const made = testAgent(service.app.baseUrl, {
      ...agent,
      apiKey: key.api_key,
      bearerToken: token.bearer_token,
    })
    assert.equal((await made.get('/agent')).status, 200)
    assert.equal((await agent.call('DELETE', `/tokens/${token.id}`)).status, 204)
    assertError(await made.get('/agent'), 403, 'invalid_credentials')
    assert.equal((await agent.call('DELETE', `${at}/${key.id}`)).status, 204)
    assertError(await agent.call('DELETE', `${at}/${key.id}`), 404, 'key_not_found')
    assertError(await agent.call('DELETE', `/tokens/${token.id}`), 404, 'token_not_found')
    const revoked = (await agent.get('/tokens')).body.data.find(({ id }: { id: number }) => id === token.id)
    assert.notEqual(revoked.revoked_at, null)
    assert.deepEqual(await actionsOf(agent), ['key.created', 'token.created', 'token.revoked', 'key.revoked'])
  })

  it('a token expires when it was told to; 400 for a time that is past, another right, an unknown field', async () => {
    const agent = await service.addAgent()
    const expires_at = new Date(Date.now() + 60_000).toISOString()
    const token = (await agent.post('/tokens', { expires_at })).body.data
    assert.equal(token.expires_at, expires_at)
    const made = testAgent(service.app.baseUrl, { ...agent, bearerToken: token.bearer_token })
    assert.equal((await made.get('/agent')).status, 200)
    service.clock = () => Date.now() + 120_000
    assertError(await made.get('/agent'), 403, 'invalid_credentials')
    for (const body of [
      { expires_at: '2020-01-01T00:00:00Z' },
      { expires_at: 'soon' },
      { right: 'everything' },
      { name: '' },
      { secret: 'x' },
    ])
      assertError(await agent.post('/tokens', body), 400, 'invalid_request')
  })

  it('404 for agents, keys and tokens of other teams, and nothing of them changes', async () => {
    const agent = await service.addAgent()
    const other = await service.addAgent()
    const key = (await other.post(`/agents/${other.agentId}/keys`)).body.data
    const token = (await other.post('/tokens')).body.data
    const at = `/agents/${other.agentId}`
    assertError(await agent.patch(at, { name: 'Mine' }), 404, 'agent_not_found')
    assertError(await agent.get(`${at}/keys`), 404, 'agent_not_found')
    assertError(await agent.post(`${at}/keys`), 404, 'agent_not_found')
    assertError(await agent.call('DELETE', `${at}/keys/${key.id}`), 404, 'agent_not_found')
    assertError(await agent.call('DELETE', `/agents/${agent.agentId}/keys/${key.id}`), 404, 'key_not_found')
    assertError(await agent.call('DELETE', `/tokens/${token.id}`), 404, 'token_not_found')
    const theirs = testAgent(service.app.baseUrl, {
      ...other,
      apiKey: key.api_key,
      bearerToken: token.bearer_token,
    })
    assert.equal((await theirs.get('/agent')).body.data.name, 'Test agent')
    assert.deepEqual(await actionsOf(agent), [])
  })

  it('an owner who is signed in does the same without a shell', async () => {
    const { teamId } = await service.addAgent()
    const owner = await signInNew(service.app, { teamId, right: 'own' })
    const { id } = (await owner.call('POST', '/agents', { name: 'Of the console' })).body.data
    const key = await owner.call('POST', `/agents/${id}/keys`, {})
    assert.match(key.body.data.api_key, /^parley_key_/)
    assert.equal((await owner.call('GET', `/agents/${id}/agent`)).body.data.name, 'Of the console')
    assert.equal((await owner.call('GET', '/tokens')).body.data.length, 1)
    assert.equal((await owner.call('GET', '/team')).body.data.id, teamId)
    const { body } = await owner.call('GET', `/audit?actor=operator:${owner.operatorId}&action=key.created`)
    assert.deepEqual(
      body.data.map(({ target }: { target: string }) => target),
      [`key ${key.body.data.id}`],
    )
  })
})
