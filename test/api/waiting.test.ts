import assert from 'node:assert/strict'
import { it } from 'node:test'
import { endAbandonedTurns } from '../../src/turns/end-abandoned-turns.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { until } from '../support/becomes.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { onChannels } from '../support/on-channels.ts'
import { addChannel, mediaOf } from '../support/platform-peer.ts'

const words = { kind: 'keywords', name: 'Words', settings: { words: ['parrot'] } }

/** A picture without a word, as WhatsApp posts it. */
const picture = () =>
  mediaOf('messenger-one', '991', { type: 'image', image: { id: '1', mime_type: 'image/jpeg' } })

onChannels('waiting for a person', (service, chats) => {
  /** The reason why a conversation, named by its UUID or external id, waits; null if it does not. */
  async function reasonOf(agent: TestAgent, id: string): Promise<string | null> {
    const { body } = await agent.get(`/conversations/${encodeURIComponent(id)}`)
    const row = await chats
      .database()
      .db.selectFrom('conversations')
      .select(['waiting_since', 'waiting_reason'])
      .where('id', '=', body.data.id)
      .executeTakeFirstOrThrow()
    assert.equal(row.waiting_since === null, row.waiting_reason === null)
    return row.waiting_reason
  }

  const opened = async (agent: TestAgent) => (await agent.prompt('hello')).conversation_id

  it('POST wait 200: asked, or for the reason given; the first reason and time stay', async () => {
    const agent = await service.addAgent()
    const id = await opened(agent)
    assert.equal(await reasonOf(agent, id), null)
    service.clock = () => Date.parse('2030-01-01T00:00:00.000Z')
    const first = await agent.post(`/conversations/${id}/wait`)
    const data = { conversation_id: id, waiting_since: '2030-01-01T00:00:00.000Z', waiting_reason: 'asked' }
    assert.deepEqual([first.status, first.body], [200, { data }])
    service.clock = () => Date.parse('2030-01-02T00:00:00.000Z')
    assert.deepEqual((await agent.post(`/conversations/${id}/wait`, { reason: 'failed' })).body, { data })
    const other = await opened(agent)
    const second = await agent.post(`/conversations/${other}/wait`, { reason: 'flagged' })
    assert.equal(second.body.data.waiting_reason, 'flagged')
  })

  it('POST wait 200: an ended conversation opens again', async () => {
    const agent = await service.addAgent()
    const id = await opened(agent)
    await agent.post(`/conversations/${id}/end`)
    await agent.post(`/conversations/${id}/wait`)
    assert.equal((await agent.get(`/conversations/${id}`)).body.data.ended_at, null)
    assert.equal(await reasonOf(agent, id), 'asked')
  })

  it('POST wait 400, 403 and 404', async () => {
    const agent = await service.addAgent()
    const id = await opened(agent)
    for (const [body, param] of [
      [{ reason: 'bored' }, 'reason'],
      [{ why: 'asked' }, 'why'],
    ] as const) {
      const answer = await agent.post(`/conversations/${id}/wait`, body)
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, param)
    }
    const stranger = await service.addAgent()
    assertError(await stranger.post(`/conversations/${id}/wait`), 404, 'conversation_not_found')
    const { agentId, teamId } = agent
    const reader = await service.app.issue({ agentId, teamId, right: 'read' })
    assertError(await reader.post(`/conversations/${id}/wait`), 403, 'insufficient_right')
    assert.equal(await reasonOf(agent, id), null)
  })

  it("an automation's request_person: asked", async () => {
    const agent = await service.addAgent()
    const action = { type: 'request_person' }
    const made = await agent.post('/automations', { name: 'Person', actions: [action] })
    assert.equal(made.status, 201, made.text)
    const id = await opened(agent)
    await until(async () => (await reasonOf(agent, id)) === 'asked')
  })

  it('the user wrote while the agent was paused, there or everywhere: paused', async () => {
    const agent = await service.addAgent()
    const id = await opened(agent)
    await agent.post(`/conversations/${id}/pause`)
    assert.equal(await reasonOf(agent, id), null)
    await agent.prompt('are you there?', { conversation_id: id })
    assert.equal(await reasonOf(agent, id), 'paused')
    await agent.post('/pause')
    const other = await opened(agent)
    assert.equal(await reasonOf(agent, other), 'paused')
  })

  it('the pause came while the answer was made: the user had not written to a paused agent', async () => {
    const agent = await service.addAgent()
    const id = await opened(agent)
    service.model.next({ hang: true })
    const answering = agent.prompt('one moment', { conversation_id: id })
    await service.model.request(1)
    await agent.post(`/conversations/${id}/pause`)
    assert.equal((await answering).agent_paused, true)
    assert.equal(await reasonOf(agent, id), 'unanswered')
  })

  it('the model failed: failed; not so when the client went away', async () => {
    const agent = await service.addAgent()
    service.model.next({ status: 500 })
    const answer = await agent.post('/chat/completions', {
      messages: [{ role: 'user', content: 'hello' }],
      external_id: 'broken',
    })
    assertError(answer, 502, 'model_failed')
    assert.equal(await reasonOf(agent, 'broken'), 'failed')
    const gone = new AbortController()
    service.model.next({ hang: true })
    const left = fetch(`${agent.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { ...agent.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'hello' }], external_id: 'left' }),
      signal: gone.signal,
    }).catch(() => {})
    await service.model.request(1)
    gone.abort()
    await left
    await until(async () => (await agent.get('/chat/completions')).body.data[0].finish_reason === 'cancelled')
    assert.equal(await reasonOf(agent, 'left'), null)
  })

  it('the process died between prompt and answer: failed', async () => {
    const agent = await service.addAgent()
    const held = Promise.withResolvers<void>()
    service.model.next({ after: held.promise })
    const messages = [{ role: 'user', content: 'hello' }]
    const answering = agent.post('/chat/completions', { messages, external_id: 'lost' })
    await service.model.request(0)
    const late = Date.now() + 16 * 60_000
    await endAbandonedTurns({ database: chats.database(), clock: () => late })
    assert.equal(await reasonOf(agent, 'lost'), 'failed')
    held.resolve()
    assertError(await answering, 503, 'unavailable')
  })

  it('a guardrail acted: flagged, whatever the action', async () => {
    for (const action of ['block', 'replace', 'flag']) {
      const agent = await service.addAgent()
      const { body } = await agent.post('/evaluators', words)
      const guardrail = { name: 'G', on: 'prompt', evaluator_id: body.data.id, action }
      assert.equal((await agent.post('/guardrails', guardrail)).status, 201)
      const { conversation_id: id } = await agent.prompt('my parrot is dead')
      assert.equal(await reasonOf(agent, id), 'flagged', action)
      assert.equal(await reasonOf(agent, await opened(agent)), null)
    }
  })

  it("the user's flag: flagged, once, and not in an ended conversation", async () => {
    const agent = await service.addAgent()
    const { id: completion, conversation_id: id } = await agent.prompt('hello')
    const flag = (flagged: boolean) => agent.post(`/chat/completions/${completion}/flag`, { flagged })
    await flag(false)
    assert.equal(await reasonOf(agent, id), null)
    await flag(true)
    assert.equal(await reasonOf(agent, id), 'flagged')
    await agent.post(`/conversations/${id}/resume`)
    await flag(true)
    assert.equal(await reasonOf(agent, id), null)
    await flag(false)
    await agent.post(`/conversations/${id}/end`)
    await flag(true)
    assert.equal(await reasonOf(agent, id), null)
  })

  for (const [name, stop] of [
    [
      "a person's answer",
      (agent: TestAgent, id: string) => agent.post(`/conversations/${id}/messages`, { content: 'hi' }),
    ],
    [
      'resume, also where the agent was not paused',
      (agent: TestAgent, id: string) => agent.post(`/conversations/${id}/resume`),
    ],
    ['end', (agent: TestAgent, id: string) => agent.post(`/conversations/${id}/end`)],
  ] as const) {
    it(`${name} ends the waiting; the agent's own answers and a pause do not`, async () => {
      const agent = await service.addAgent()
      const id = await opened(agent)
      await agent.post(`/conversations/${id}/wait`)
      await agent.prompt('and?', { conversation_id: id })
      await agent.post(`/conversations/${id}/pause`)
      if (name.startsWith('resume'))
        await chats
          .database()
          .db.updateTable('conversations')
          .set({ agent_paused: 0 })
          .where('id', '=', id)
          .execute()
      assert.equal(await reasonOf(agent, id), 'asked')
      await stop(agent, id)
      assert.equal(await reasonOf(agent, id), null)
    })
  }

  it('on a channel: a message and a picture while the agent is paused; an answer that does not arrive', async () => {
    const agent = await service.addAgent({ settings: { pause_message: 'We are closed.' } })
    const channel = await addChannel(agent, 'messenger-one', chats.peer)
    const chat = chats.externalId(channel)
    await channel.says('hello')
    await chats.peer.untilSent(1)
    const sayText = () => channel.says('are you there?')
    for (const writes of [sayText, () => channel.post(picture())]) {
      await agent.post(`/conversations/${encodeURIComponent(chat)}/pause`)
      await writes()
      await chats.settled(channel)
      assert.equal(await reasonOf(agent, chat), 'paused', writes === sayText ? 'text' : 'picture')
      await agent.post(`/conversations/${encodeURIComponent(chat)}/resume`)
      assert.equal(await reasonOf(agent, chat), null)
    }
    chats.peer.failNext((response) =>
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"code":131047}}'),
    )
    await channel.says('hello again')
    await until(async () => (await reasonOf(agent, chat)) === 'failed')
  })

  it('on a channel: a model that fails at every attempt', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-two', chats.peer)
    service.model.answer = { status: 500 }
    await channel.says('hello')
    const chat = chats.externalId(channel)
    const state = async () => (await chats.states(channel))[0]
    for (let attempt = 1; attempt < 5; attempt++) {
      await until(async () => (await state())?.attempts === attempt && (await chats.isFree(channel)))
      assert.equal(await reasonOf(agent, chat), null, `attempt ${attempt}`)
      chats.pass(120_000)
    }
    await until(async () => (await state())?.state === 'parked')
    assert.equal(await reasonOf(agent, chat), 'failed')
  })
})

onBothEngines(
  'waiting for a person, with the built-in answerer',
  (service) => {
    it('the agent had no answer: unanswered', async () => {
      const agent = await service.addAgent()
      await agent.post('/knowledge', { title: 'Returns', content: '# Returns\n\nWithin 30 days.' })
      const { db } = service.app.app.foundation.database
      const reasonOf = async (text: string) => {
        const { conversation_id: id } = await agent.prompt(text)
        const row = await db
          .selectFrom('conversations')
          .select('waiting_reason')
          .where('id', '=', id)
          .executeTakeFirst()
        return row?.waiting_reason
      }
      assert.equal(await reasonOf('How long do returns take?'), null)
      assert.equal(await reasonOf('What is the airspeed of an unladen swallow?'), 'unanswered')
    })
  },
  { PARLEY_MODEL_URL: '', PARLEY_MODEL: '' },
)
