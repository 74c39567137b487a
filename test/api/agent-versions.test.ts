import assert from 'node:assert/strict'
import { it } from 'node:test'
import { endGuiding } from '../../src/agents/first-agent.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { signInNew } from '../support/console.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const SECRET = 'sk-never-in-a-version-1234'

onBothEngines('versions of an agent', (service) => {
  const versionsOf = async (agent: TestAgent) => (await agent.get('/agent/versions')).body.data
  const patch = async (agent: TestAgent, body: object) => {
    const { status, text } = await agent.patch('/agent', body)
    assert.equal(status, 200, text)
  }

  it('200: an agent that was never changed has none', async () => {
    const agent = await service.addAgent()
    assert.deepEqual(await versionsOf(agent), [])
  })

  it('200: each change is one, newest first, behind what the agent was before', async () => {
    const agent = await service.addAgent()
    const before = (await agent.get('/agent')).body.data
    await patch(agent, { instructions: 'Be kind.', history_limit: 20 })
    await patch(agent, { name: 'Ada', model: { url: 'https://1.1.1.1/v1', name: 'm' } })
    const versions = await versionsOf(agent)
    assert.deepEqual(
      versions.map(({ number, changes }: { number: number; changes: string[] }) => [number, changes]),
      [
        [3, ['name', 'model.url', 'model.name']],
        [2, ['instructions', 'history_limit']],
        [1, []],
      ],
    )
    const [newest, second, first] = versions
    assert.deepEqual(first.by, { kind: 'system', id: null, name: null })
    assert.equal(first.at, before.created_at)
    assert.equal(first.settings.instructions, before.instructions)
    assert.equal(second.settings.instructions, 'Be kind.')
    assert.equal(second.settings.model.url, null)
    assert.equal(newest.settings.model.url, 'https://1.1.1.1/v1')
    assert.equal(newest.settings.name, 'Ada')
    assert.equal(newest.by.kind, 'token')
    assert.match(newest.at, /^\d{4}-/)
  })

  it('200: pages', async () => {
    const agent = await service.addAgent()
    for (let limit = 1; limit <= 4; limit++) await patch(agent, { history_limit: limit })
    const first = (await agent.get('/agent/versions?per_page=2')).body
    const second = (await agent.get(`/agent/versions?per_page=2&cursor=${first.next_cursor}`)).body
    const numbers = [...first.data, ...second.data].map(({ number }: { number: number }) => number)
    assert.deepEqual([numbers, first.total], [[5, 4, 3, 2], 5])
  })

  it('what changes nothing makes none', async () => {
    const agent = await service.addAgent()
    await patch(agent, { instructions: 'Be kind.', model: { name: null } })
    await patch(agent, { instructions: 'Be kind.' })
    await patch(agent, {})
    assert.equal((await versionsOf(agent)).length, 2)
  })

  it('a key that is stored already changes nothing, and neither do the same fallbacks', async () => {
    const agent = await service.addAgent()
    const server = { url: 'https://1.1.1.1/v1', api_key: SECRET }
    await patch(agent, { model: { ...server, fallbacks: [server] } })
    await patch(agent, { model: server })
    await patch(agent, { model: { fallbacks: [server] } })
    await patch(agent, { model: { fallbacks: [{ url: server.url }] } })
    await agent.post('/agent/versions/2/restore')
    assert.equal((await versionsOf(agent)).length, 2)
  })

  it('a change by somebody who is signed in tells who it was', async () => {
    const agent = await service.addAgent()
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'own' })
    await person.call('PATCH', `/agents/${agent.agentId}`, { greeting: 'Hi.' })
    const [newest] = await versionsOf(agent)
    assert.deepEqual([newest.by.kind, newest.by.id], ['operator', person.operatorId])
  })

  it('the end of the guide is one, by the service', async () => {
    const agent = await service.addAgent()
    const greeting = 'Hello! I know the documentation of Parley. What would you like to know?'
    await patch(agent, { greeting })
    const { db } = service.app.app.foundation.database
    await endGuiding(db, agent.agentId, Date.now())
    const [newest] = await versionsOf(agent)
    assert.deepEqual([newest.number, newest.changes, newest.by.kind], [3, ['greeting'], 'system'])
  })

  it('secrets are in none, and a change of one is told', async () => {
    const agent = await service.addAgent()
    const server = { url: 'https://1.1.1.1/v1', api_key: SECRET }
    await patch(agent, { model: { ...server, fallbacks: [server] }, embedding: server, redaction: server })
    await patch(agent, { model: { api_key: `${SECRET}-2` } })
    const { text, body } = await agent.get('/agent/versions')
    assert.ok(!text.includes(SECRET.slice(0, -4)) && !text.includes('api_key":'), text)
    assert.deepEqual(body.data[0].changes, ['model.api_key'])
    const { db } = service.app.app.foundation.database
    const rows = await db
      .selectFrom('agent_versions')
      .selectAll()
      .where('agent_id', '=', agent.agentId)
      .execute()
    assert.ok(!JSON.stringify(rows.map(({ settings }) => settings)).includes('api_key'))
  })

  it('changes at the same time are all kept, in order', async () => {
    const agent = await service.addAgent()
    const limits = Array.from({ length: 8 }, (_, at) => at + 1)
    await Promise.all(limits.map((history_limit) => patch(agent, { history_limit })))
    const versions = await versionsOf(agent)
    assert.deepEqual(
      versions.map(({ number }: { number: number }) => number),
      [9, 8, 7, 6, 5, 4, 3, 2, 1],
    )
    const { history_limit } = (await agent.get('/agent')).body.data
    assert.equal(versions[0].settings.history_limit, history_limit)
  })

  it("another agent's are not seen", async () => {
    const [one, other] = [await service.addAgent(), await service.addAgent()]
    await patch(one, { instructions: 'Mine.' })
    assert.deepEqual(await versionsOf(other), [])
    assertError(await other.post('/agent/versions/1/restore'), 404, 'version_not_found')
  })

  it('restore 200: all settings are again what they were, which is a version too', async () => {
    const agent = await service.addAgent()
    await patch(agent, { name: 'First', instructions: 'One.', greeting: null })
    const then = (await agent.get('/agent')).body.data
    await patch(agent, { name: 'Second', instructions: 'Two.', greeting: 'Hi', model: { name: 'other' } })
    const { status, body } = await agent.post('/agent/versions/2/restore')
    assert.equal(status, 200)
    assert.deepEqual(body.data, then)
    const [newest] = await versionsOf(agent)
    assert.deepEqual([newest.number, newest.changes], [4, ['name', 'instructions', 'greeting', 'model.name']])
    const { db } = service.app.app.foundation.database
    const acts = await db
      .selectFrom('audit')
      .selectAll()
      .where('agent_id', '=', agent.agentId)
      .orderBy('id')
      .execute()
    assert.deepEqual(JSON.parse(acts.at(-1)?.details ?? ''), { restored: 2 })
  })

  it('restore 200: a key stays with its origin, and goes to no other', async () => {
    const agent = await service.addAgent()
    const keys = async () => {
      const { model, embedding } = (await agent.get('/agent')).body.data
      const fallbacks = model.fallbacks.map(({ api_key }: { api_key: { set: boolean } }) => api_key.set)
      return [model.api_key.set, embedding.api_key.set, ...fallbacks]
    }
    await patch(agent, {
      model: {
        url: 'https://1.1.1.1/v1',
        api_key: SECRET,
        fallbacks: [{ url: 'https://1.0.0.1/v1', api_key: SECRET }],
      },
      embedding: { url: 'https://1.1.1.1/v1', api_key: SECRET },
    })
    await patch(agent, {
      model: {
        url: 'https://9.9.9.9/v1',
        api_key: SECRET,
        fallbacks: [{ url: 'https://9.9.9.9/v1', api_key: SECRET }],
      },
      embedding: { url: 'https://1.1.1.1/v2' },
    })
    assert.deepEqual(await keys(), [true, true, true])
    await agent.post('/agent/versions/2/restore')
    assert.deepEqual(await keys(), [false, true, false])
  })

  for (const number of ['0', '99', 'x', '-1', '1.5', '99999999999999999999'])
    it(`restore 404: version ${number}`, async () => {
      const agent = await service.addAgent()
      await patch(agent, { instructions: 'Be kind.' })
      assertError(await agent.post(`/agent/versions/${number}/restore`), 404, 'version_not_found')
    })

  it('restore 400: an address that is allowed no more', async () => {
    const agent = await service.addAgent()
    await patch(agent, { instructions: 'Be kind.' })
    const { db } = service.app.app.foundation.database
    const settings = JSON.stringify({ model: { url: 'http://10.0.0.1/v1' } })
    await db.updateTable('agent_versions').set({ settings }).where('agent_id', '=', agent.agentId).execute()
    const refused = await agent.post('/agent/versions/1/restore')
    assertError(refused, 400, 'invalid_request')
    assert.equal(refused.body.error.param, 'model.url')
  })

  it('restore 200: settings that an earlier version of the service had are left out', async () => {
    const agent = await service.addAgent()
    await patch(agent, { instructions: 'Be kind.' })
    const { db } = service.app.app.foundation.database
    const settings = JSON.stringify({ instructions: 'Old.', gone_setting: 1 })
    await db.updateTable('agent_versions').set({ settings }).where('agent_id', '=', agent.agentId).execute()
    const { status, body } = await agent.post('/agent/versions/1/restore')
    assert.deepEqual([status, body.data.instructions], [200, 'Old.'])
  })

  it('restore 200: servers of versions that knew no kinds speak as OpenAI does', async () => {
    const agent = await service.addAgent()
    await patch(agent, { model: { kind: 'anthropic', url: 'https://1.0.0.1' } })
    const { db } = service.app.app.foundation.database
    const server = { url: 'https://1.1.1.1/v1', name: 'm' }
    const settings = JSON.stringify({ model: { ...server, fallbacks: [server] } })
    await db.updateTable('agent_versions').set({ settings }).where('agent_id', '=', agent.agentId).execute()
    const { model } = (await agent.post('/agent/versions/1/restore')).body.data
    assert.deepEqual([model.kind, model.url, model.fallbacks[0].kind], ['openai', server.url, 'openai'])
  })

  it('the newest thousand are kept', async () => {
    const agent = await service.addAgent()
    await patch(agent, { history_limit: 1 })
    const { db } = service.app.app.foundation.database
    const of = db.updateTable('agent_versions').where('agent_id', '=', agent.agentId)
    await of.set({ number: 1001 }).where('number', '=', 2).execute()
    await patch(agent, { history_limit: 2 })
    const numbers = (await versionsOf(agent)).map(({ number }: { number: number }) => number)
    assert.deepEqual(numbers, [1002, 1001])
  })
})
