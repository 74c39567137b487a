import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { type EngineKind, engines, type FreshDatabase } from '../support/databases.ts'
import { type LiveStream, openLive } from '../support/live-stream.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import {
  databaseWithAgent,
  firstAgentOf,
  type ServiceProcess,
  settingsOn,
  startService,
} from '../support/service-process.ts'
import { addWidget } from '../support/widget-visitors.ts'

describe('a live stream of one replica on postgres', () => {
  let model: ModelServer
  let database: FreshDatabase
  let services: ServiceProcess[]
  /** The agent by way of the replica that the streams are not of. */
  let agent: TestAgent
  let conversation: string
  const open: LiveStream[] = []

  before(async () => {
    model = await startModelServer()
    database = await databaseWithAgent('postgres')
    const env = settingsOn(database, { PARLEY_MODEL_URL: model.url })
    const first = await startService(env)
    services = [first, await startService(env)]
    agent = firstAgentOf(first)(first)
    conversation = (await agent.prompt('Hello')).conversation_id
  })
  after(async () => {
    for (const stream of open) stream.leave()
    await Promise.all(services.map((service) => service.end('SIGTERM')))
    await database.remove()
    await model[Symbol.asyncDispose]()
  })

  async function listenElsewhere(headers = agent.headers, query = ''): Promise<LiveStream> {
    const stream = await openLive(`${services[1]?.url}/api/v1/live${query}`, headers)
    assert.equal(stream.status, 200)
    open.push(stream)
    return stream
  }

  it('tells what an answer of the other one says while it is made', async () => {
    const stream = await listenElsewhere()
    const pieces = ['The answer ', 'is 42 ', '🙂'.repeat(800)]
    const messages = [{ role: 'user', content: 'What is it?' }]
    // The other one hears soon that somebody watches.
    for (;;) {
      model.next({ pieces })
      await agent.post('/chat/completions', { messages, stream: true })
      // An answer of the turn before may not be read yet.
      let prompt = await stream.nextOf('message')
      while (prompt.message.role !== 'user') prompt = await stream.nextOf('message')
      const answered = stream.events.find(isAnswer(prompt)) ?? (await nextAnswer(stream, prompt))
      const { completion_id } = answered.message
      const deltas = () =>
        stream.events.filter(
          (event) => event.type === 'message_delta' && event.completion_id === completion_id,
        )
      if (deltas()[0]?.offset !== 0) continue
      const said = () =>
        deltas()
          .map(({ content }) => content)
          .join('')
      // Deltas, which are not stored, and stored events arrive by different ways.
      while (said() !== answered.message.content) await stream.next()
      let offset = 0
      for (const delta of deltas()) {
        assert.equal(delta.offset, offset)
        offset += delta.content.length
      }
      return
    }
  })

  it('tells who writes at the other one, and the counts of the inbox', async () => {
    const stream = await listenElsewhere(agent.headers, '')
    const writing = () => stream.events.find(({ type }) => type === 'typing')
    while (!writing()) {
      await agent.post(`/conversations/${conversation}/typing`, { author: 'Ann' })
      await wait(20)
    }
    assert.deepEqual([writing()?.typing, writing()?.by.name], [true, 'Ann'])
    const before = stream.counts.at(-1)?.counts.waiting ?? 0
    await agent.post(`/conversations/${conversation}/wait`, { reason: 'asked' })
    while ((stream.counts.at(-1)?.counts.waiting ?? 0) <= before) await wait(20)
  })

  it('tells that a visitor writes at the other one', async () => {
    const widget = await addWidget({ url: services[0]?.url ?? '' }, agent)
    const visitor = await widget.visit()
    const { conversation_id } = (await visitor.say('Hello')).first
    const stream = await listenElsewhere()
    const writing = () =>
      stream.events.find((event) => event.type === 'typing' && event.conversation_id === conversation_id)
    assert.equal((await visitor.post('/typing')).status, 200)
    await becomes(() => [writing()?.typing, writing()?.by.kind], [true, 'user'])
  })

  it('ends when its key or token is revoked at the other one; others go on', async () => {
    const { id: keyId, api_key } = (await agent.post('/agents/1/keys', { name: 'site' })).body.data
    const { id: tokenId, ...token } = (await agent.post('/tokens', { name: 'reader', right: 'read' })).body
      .data
    const byKey = await listenElsewhere({ ...agent.headers, 'x-api-key': api_key })
    const byToken = await listenElsewhere(bearer(token))
    const ofConversation = await listenElsewhere(bearer(token), `?conversation_id=${conversation}`)
    const untouched = await listenElsewhere()
    assert.equal((await agent.call('DELETE', `/agents/1/keys/${keyId}`)).status, 204)
    assert.equal((await agent.call('DELETE', `/tokens/${tokenId}`)).status, 204)
    await Promise.all([byKey.ended, byToken.ended, ofConversation.ended])
    await agent.prompt('Is anybody there?')
    await untouched.nextOf('message')

    function bearer({ bearer_token }: { bearer_token: string }) {
      return { ...agent.headers, authorization: `Bearer ${bearer_token}` }
    }
  })
})

const isAnswer =
  (prompt: { conversation_id: string | null }) =>
  ({ message, conversation_id }: { conversation_id: string | null; message?: { role: string } }) =>
    message?.role === 'assistant' && conversation_id === prompt.conversation_id

async function nextAnswer(stream: LiveStream, prompt: { conversation_id: string | null }) {
  for (;;) {
    const event = await stream.next()
    if (isAnswer(prompt)(event)) return event
  }
}

for (const engine of engines) {
  it(`a stop ends live streams at once, and they go on elsewhere without loss or doubles, on ${engine}`, () =>
    stopAndGoOn(engine))
}

async function stopAndGoOn(engine: EngineKind): Promise<void> {
  await using model = await startModelServer()
  const database = await databaseWithAgent(engine)
  const env = settingsOn(database, { PARLEY_MODEL_URL: model.url })
  const first = await startService(env)
  const agentOf = firstAgentOf(first)
  const { headers } = agentOf(first)
  const isShared = engine === 'postgres'
  const second = isShared ? await startService(env) : null
  const { conversation_id } = await agentOf(first).prompt('Hello')
  const heard: number[] = []
  const listen = (url: string, last = '') =>
    openLive(
      `${url}/api/v1/live`,
      { ...headers, ...(last ? { 'last-event-id': last } : {}) },
      ({ message }) => void (message && heard.push(message.id)),
    )
  const stream = await listen(first.url)
  await agentOf(first).prompt('before', { conversation_id })
  while (heard.length < 2) await stream.next()
  // An answer under way keeps the process for a while, but no stream.
  const going = Promise.withResolvers<void>()
  model.next({ text: 'at last', after: going.promise })
  const asked = agentOf(first).prompt('during', { conversation_id })
  await model.request(2)
  const stopped = first.end('SIGTERM')
  await stream.ended
  assert.equal(first.child.exitCode, null, 'the stream ends before the process does')
  going.resolve()
  await asked
  assert.deepEqual(await stopped, { code: 0, signal: null })

  const other = second ?? (await startService(env))
  const resumed = await listen(other.url, stream.lastId)
  await agentOf(other).prompt('after', { conversation_id })
  const { data } = (await agentOf(other).get(`/conversations/${conversation_id}/messages?per_page=100`)).body
  const expected = data.map(({ id }: { id: number }) => id).slice(2)
  while (heard.at(-1) !== expected.at(-1)) await resumed.next()
  assert.deepEqual(heard, expected)
  resumed.leave()
  await other.end('SIGTERM')
  await database.remove()
}
