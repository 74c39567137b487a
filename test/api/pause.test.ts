import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const settings = { pause_message: 'Paused.', resume_message: 'Back again.' }
const START = 1_800_000_000_000
const at = (n: number) => new Date(START + n * 1000).toISOString()

onBothEngines('POST /pause and POST /resume', (service) => {
  /** An agent with open conversations a, b and c, one that has ended, and one paused itself. */
  async function agentWithConversations(given: Parameters<typeof service.addAgent>[0] = { settings }) {
    const agent = await service.addAgent(given)
    for (const external_id of ['a', 'b', 'c', 'ended', 'paused']) await agent.prompt('hello', { external_id })
    await agent.post('/conversations/ended/end')
    await agent.post('/conversations/paused/pause')
    return agent
  }

  /** The texts of the transition messages of a conversation. */
  async function transitions(agent: TestAgent, id: string): Promise<string[]> {
    const { data } = (await agent.get(`/conversations/${id}/messages`)).body
    return data.flatMap(({ role, content }: { role: string; content: string }) =>
      role === 'transition' ? [content] : [],
    )
  }

  it('pause 200: exactly the fields of the result, the time, and exact counts', async () => {
    const agent = await agentWithConversations()
    service.clock = () => START
    const { status, body } = await agent.post('/pause')
    assert.equal(status, 200)
    assert.deepEqual(body, {
      data: { is_paused: true, paused_at: at(0), resumed_at: null, emitted: 3, skipped: 1 },
    })
    const { data } = (await agent.get('/agent')).body
    assert.deepEqual([data.is_paused, data.paused_at, data.resumed_at], [true, at(0), null])
  })

  it('pause 200: the pause message is in open conversations alone, once', async () => {
    const agent = await agentWithConversations()
    await agent.post('/pause')
    for (const id of ['a', 'b', 'c']) assert.deepEqual(await transitions(agent, id), ['Paused.'])
    for (const id of ['ended', 'paused']) assert.deepEqual(await transitions(agent, id), [])
    const message = (await agent.get('/conversations/a/messages')).body.data.at(-1)
    assert.deepEqual([message.completion_id, message.author, message.redacted], [null, null, null])
  })

  it("pause 200: conversations' own flags are not changed", async () => {
    const agent = await agentWithConversations()
    await agent.post('/pause')
    const { data } = (await agent.get('/conversations')).body
    const paused = data.filter(({ agent_paused }: { agent_paused: boolean }) => agent_paused)
    assert.deepEqual(
      paused.map(({ external_id }: { external_id: string }) => external_id),
      ['paused'],
    )
  })

  it('pause 200 again: nothing changes, every open conversation counts as skipped', async () => {
    const agent = await agentWithConversations()
    service.clock = () => START
    await agent.post('/pause')
    service.clock = () => START + 60_000
    const { data } = (await agent.post('/pause')).body
    assert.deepEqual(data, { is_paused: true, paused_at: at(0), resumed_at: null, emitted: 0, skipped: 4 })
    assert.deepEqual(await transitions(agent, 'a'), ['Paused.'])
  })

  it('resume 200, again, and pause anew', async () => {
    const agent = await agentWithConversations()
    service.clock = () => START
    await agent.post('/pause')
    service.clock = () => START + 1000
    assert.deepEqual((await agent.post('/resume')).body.data, {
      is_paused: false,
      paused_at: at(0),
      resumed_at: at(1),
      emitted: 3,
      skipped: 1,
    })
    service.clock = () => START + 2000
    assert.deepEqual((await agent.post('/resume')).body.data, {
      is_paused: false,
      paused_at: at(0),
      resumed_at: at(1),
      emitted: 0,
      skipped: 4,
    })
    service.clock = () => START + 3000
    const { data } = (await agent.post('/pause')).body
    assert.deepEqual([data.paused_at, data.resumed_at, data.emitted], [at(3), at(1), 3])
    assert.deepEqual(await transitions(agent, 'a'), ['Paused.', 'Back again.', 'Paused.'])
  })

  it('resume 200: one that was never paused stays as it is', async () => {
    const agent = await agentWithConversations()
    const { data } = (await agent.post('/resume')).body
    assert.deepEqual(data, { is_paused: false, paused_at: null, resumed_at: null, emitted: 0, skipped: 4 })
  })

  it('200: without a message nothing is emitted, and the flag changes all the same', async () => {
    const agent = await agentWithConversations({ settings: { pause_message: null, resume_message: null } })
    const paused = (await agent.post('/pause')).body.data
    assert.deepEqual([paused.is_paused, paused.emitted, paused.skipped], [true, 0, 4])
    const resumed = (await agent.post('/resume')).body.data
    assert.deepEqual([resumed.is_paused, resumed.emitted, resumed.skipped], [false, 0, 4])
    assert.deepEqual(await transitions(agent, 'a'), [])
  })

  it('200: an agent without conversations', async () => {
    const agent = await service.addAgent()
    const { data } = (await agent.post('/pause')).body
    assert.deepEqual([data.is_paused, data.emitted, data.skipped], [true, 0, 0])
  })

  it('200: other agents are not paused, and their conversations get nothing', async () => {
    const agent = await service.addAgent({ settings })
    const colleague = await agentWithConversations({ teamId: agent.teamId, settings })
    await agent.prompt('hello')
    const { data } = (await agent.post('/pause')).body
    assert.deepEqual([data.emitted, data.skipped], [1, 0])
    assert.equal((await colleague.get('/agent')).body.data.is_paused, false)
    assert.deepEqual(await transitions(colleague, 'a'), [])
  })

  it('GET 200: tells whom the next press would tell, and tells nobody', async () => {
    const agent = await agentWithConversations()
    const { data } = (await agent.get('/pause')).body
    assert.deepEqual(data, {
      is_paused: false,
      next: 'pause',
      message: 'Paused.',
      would_emit: 3,
      would_skip: 1,
      would_skip_by_reason: [{ reason: 'paused', count: 1 }],
    })
    assert.deepEqual(await transitions(agent, 'a'), [])
    const paused = (await agent.post('/pause')).body.data
    assert.deepEqual([paused.emitted, paused.skipped], [data.would_emit, data.would_skip])
    assert.deepEqual((await agent.get('/pause')).body.data, {
      is_paused: true,
      next: 'resume',
      message: 'Back again.',
      would_emit: 3,
      would_skip: 1,
      would_skip_by_reason: [{ reason: 'paused', count: 1 }],
    })
    const silent = await agentWithConversations({ settings: { pause_message: null } })
    const { message, would_emit, would_skip, would_skip_by_reason } = (await silent.get('/pause')).body.data
    assert.deepEqual([message, would_emit, would_skip], [null, 0, 4])
    assert.deepEqual(would_skip_by_reason, [
      { reason: 'paused', count: 1 },
      { reason: 'no_message', count: 3 },
    ])
  })

  it('200: ten pauses at once are one pause, and ten resumes one resume', async () => {
    const agent = await agentWithConversations()
    for (const [verb, message] of [
      ['pause', 'Paused.'],
      ['resume', 'Back again.'],
    ] as const) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => agent.post(`/${verb}`)))
      const results = answers.map(({ status, body }) => {
        assert.equal(status, 200)
        return body.data
      })
      assert.deepEqual(results.map(({ emitted }) => emitted).sort(), [...Array(9).fill(0), 3])
      assert.equal(new Set(results.map(({ paused_at, resumed_at }) => `${paused_at} ${resumed_at}`)).size, 1)
      assert.equal((await transitions(agent, 'a')).filter((text) => text === message).length, 1)
    }
  })

  it('200: conversations opened while pausing get the message once, by the pause or by their prompt', async () => {
    const agent = await service.addAgent({ settings })
    const opening = Array.from({ length: 12 }, (_, n) => agent.prompt('hello', { external_id: `o-${n}` }))
    const { data } = (await agent.post('/pause')).body
    const answers = await Promise.all(opening)
    const told = await Promise.all(answers.map(({ conversation_id }) => transitions(agent, conversation_id)))
    const open = (await agent.get('/conversations')).body.total
    assert.equal(open, 12)
    assert.ok(data.emitted <= 12)
    answers.forEach(({ agent_paused }, n) => {
      assert.ok((told[n]?.length ?? 0) <= 1)
      if (agent_paused === false) assert.ok(data.emitted > 0 || told[n]?.length === 0)
    })
    assert.ok(told.filter((texts) => texts.length === 1).length >= data.emitted)
  })

  for (const verb of ['pause', 'resume']) {
    for (const [type, body] of [
      [undefined, undefined],
      [undefined, ''],
      ['application/json', ''],
      ['application/json', '{}'],
      ['application/json', '{broken'],
      ['application/json; charset=utf-8', 'null'],
      ['text/plain', 'x'],
      ['application/x-www-form-urlencoded', 'a=b'],
      ['multipart/form-data', 'x'],
      ['application/octet-stream', '\u0000'],
      ['nonsense', 'x'],
      [';;;', ''],
    ] as const) {
      it(`${verb} 200: body ${JSON.stringify(body)} of content type ${type}`, async () => {
        const { status } = await service.app.agent.post(
          `/${verb}`,
          body,
          type === undefined ? {} : { 'content-type': type },
        )
        assert.equal(status, 200)
      })
    }

    it(`${verb} 403: without credentials, and nothing changes`, async () => {
      const agent = await service.addAgent()
      assertError(await agent.post(`/${verb}`, undefined, { 'x-api-key': '' }), 403, 'invalid_credentials')
      const { data } = (await agent.get('/agent')).body
      assert.deepEqual([data.is_paused, data.paused_at, data.resumed_at], [false, null, null])
    })
  }
})
