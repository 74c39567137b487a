import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { it } from 'node:test'
import { sql } from 'kysely'
import { assertError, type TestAgent } from '../support/app.ts'
import { signInNew } from '../support/console.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const user = (content: string) => ({ role: 'user', content })

onBothEngines('POST /playground', (service) => {
  /** The number of rows in each table but `usage_shards`: what model calls used is spent. */
  async function rows(): Promise<Record<string, number>> {
    const { db } = service.app.app.foundation.database
    const counts: Record<string, number> = {}
    for (const { name } of await db.introspection.getTables()) {
      if (name === 'usage_shards') continue
      const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(
        db,
      )
      counts[name] = Number(rows[0]?.count)
    }
    return counts
  }

  it('200: answers as the agent would and tells what was sent, found and decided', async () => {
    const agent = await service.addAgent({ settings: { instructions: 'You sell bicycles.' } })
    await agent.post('/knowledge', { title: 'Returns', content: 'Bicycles can be returned within 30 days.' })
    const words = { name: 'W', kind: 'keywords', settings: { words: ['refund'] } }
    const evaluator = (await agent.post('/evaluators', words)).body.data.id
    await agent.post('/guardrails', { name: 'G', on: 'prompt', evaluator_id: evaluator, action: 'flag' })
    await agent.post('/ctas', {
      name: 'C',
      content: 'Call us',
      condition: {
        all: [
          { field: 'prompt.text', op: 'contains', value: 'returned' },
          { not: { field: 'tags.plan', op: 'eq', value: 'free' } },
        ],
      },
    })
    await agent.post('/automations', {
      name: 'A',
      condition: { field: 'page.path', op: 'eq', value: '/other' },
      actions: [{ type: 'tag', tag: 'x' }],
    })
    service.model.next({ text: 'Within 30 days [1].' })
    const before = await rows()
    const { status, body, text } = await agent.post('/playground', {
      messages: [
        user('Hello'),
        { role: 'assistant', content: 'Hi' },
        user('Can a bicycle be returned? refund'),
      ],
      tags: { plan: 'free' },
      page_url: 'https://example.com/shop',
    })
    assert.equal(status, 200, text)
    assert.deepEqual(await rows(), before, 'nothing is stored')
    const { trace, ...answer } = body.data
    assert.equal(answer.response, 'Within 30 days [1].')
    assert.equal(answer.error, null)
    assert.equal(answer.agent_paused, false)
    const [request] = trace.requests
    assert.deepEqual(request.messages, service.model.requests.at(-1)?.body.messages)
    assert.match(request.messages[0].content, /^You sell bicycles\.\n\n/)
    assert.match(
      request.messages.at(-1).content,
      /<\/passage 1 \w{16}>\n\nCan a bicycle be returned\? refund$/,
    )
    assert.ok(
      request.ms >= 0 && trace.times.model_ms >= request.ms && trace.times.total_ms >= trace.times.model_ms,
    )
    assert.equal(trace.passages[0].title, 'Returns')
    assert.ok(trace.passages[0].score > 0 && trace.retrieval_score > 0)
    const told = trace.rules.map(({ kind, name, acted }: Record<string, unknown>) => [kind, name, acted])
    assert.deepEqual(told, [
      ['guardrail', 'G', true],
      ['cta', 'C', false],
      ['automation', 'A', false],
    ])
    const { held, all } = trace.rules[1].condition
    assert.deepEqual([held, all[0].held, all[1].held, all[1].not.held], [false, true, false, true])
    assert.deepEqual(
      trace.evaluations.map(({ evaluator, passed }: { evaluator: { name: string }; passed: boolean }) => [
        evaluator.name,
        passed,
      ]),
      [['W', true]],
    )
  })

  it('200: a blocked prompt asks no model', async () => {
    const agent = await service.addAgent()
    const words = { name: 'W', kind: 'keywords', settings: { words: ['bomb'] } }
    const evaluator = (await agent.post('/evaluators', words)).body.data.id
    const guardrail = { name: 'G', on: 'prompt', evaluator_id: evaluator, action: 'block', reply: 'No.' }
    await agent.post('/guardrails', guardrail)
    const { body } = await agent.post('/playground', { messages: [user('a bomb')] })
    assert.deepEqual([body.data.response, body.data.finish_reason], ['No.', 'content_filter'])
    assert.deepEqual(body.data.trace.requests, [])
    assert.equal(service.model.requests.length, 0)
  })

  it("200: tells a failing model server's status and words, with what was sent to it", async () => {
    const agent = await service.addAgent()
    const error = JSON.stringify({ error: { message: 'The model is overloaded', code: 'overloaded' } })
    service.model.next({ status: 503, raw: { body: error, content_type: 'application/json' } })
    const { status, body } = await agent.post('/playground', { messages: [user('hello')] })
    assert.equal(status, 200)
    assert.deepEqual(body.data.error, {
      reason: 'status',
      status: 503,
      code: 'overloaded',
      message: 'The model is overloaded',
    })
    assert.equal(body.data.response, null)
    assert.equal(body.data.trace.requests.length, 1)
  })

  it('200: a paused agent answers, and it is said that it is paused', async () => {
    const agent = await service.addAgent()
    await agent.post('/pause')
    const { body } = await agent.post('/playground', { messages: [user('hello')] })
    assert.equal(body.data.agent_paused, true)
    assert.ok(body.data.response)
  })

  it('200 with stream: the pieces as they are made, then the whole; nothing is stored', async () => {
    const agent = await service.addAgent()
    await agent.post('/knowledge', { title: 'Returns', content: 'Bicycles can be returned within 30 days.' })
    const feed = service.model.feed()
    const before = await rows()
    // The stream opens with the first piece.
    feed.push('Within ')
    const events = await openTried(agent, 'Can a bicycle be returned?')
    // White space waits for what follows: a citation of no passage is removed with the space before it.
    assert.deepEqual(await events.next(), { delta: 'Within' })
    feed.push('30 days [1].')
    assert.deepEqual(await events.next(), { delta: ' 30 days [1].' })
    feed.end()
    const { data } = await events.next()
    assert.equal(data.response, 'Within 30 days [1].')
    assert.equal(data.citations[0].title, 'Returns')
    assert.equal(data.trace.requests.length, 1)
    assert.ok(data.trace.times.model_ms > 0)
    assert.equal(await events.next(), '[DONE]')
    assert.deepEqual(await rows(), before, 'nothing is stored')
  })

  it('200 with stream: what a guardrail blocks never leaves', async () => {
    const agent = await service.addAgent()
    const words = { name: 'W', kind: 'keywords', settings: { words: ['bomb'] } }
    const evaluator = (await agent.post('/evaluators', words)).body.data.id
    const guardrail = { name: 'G', on: 'response', evaluator_id: evaluator, action: 'block', reply: 'No.' }
    await agent.post('/guardrails', guardrail)
    service.model.next({ pieces: ['Well. ', 'You make a bomb', ' so.'] })
    const events = await openTried(agent, 'How?')
    const told: { delta?: string; data?: { response: string } }[] = []
    for (let event = await events.next(); event !== '[DONE]'; event = await events.next()) told.push(event)
    const whole = told.pop()
    const text = told.map(({ delta }) => delta).join('')
    assert.doesNotMatch(text, /bomb/)
    assert.equal(whole?.data?.response, text)
    assert.match(text, /No\./)
  })

  it('200 with stream: a model that fails is told of with the whole', async () => {
    const agent = await service.addAgent()
    service.model.next({ status: 503 })
    const events = await openTried(agent, 'hello')
    const { data } = await events.next()
    assert.deepEqual([data.response, data.error.status], [null, 503])
    assert.equal(await events.next(), '[DONE]')
  })

  /** Asks with `stream`; gives its events one at a time. */
  async function openTried(agent: TestAgent, content: string) {
    const response = await fetch(`${agent.baseUrl}/playground`, {
      method: 'POST',
      headers: { ...agent.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [user(content)], stream: true }),
    })
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
    const lines = createInterface({ input: Readable.fromWeb(response.body as ReadableStream) })
    const read = lines[Symbol.asyncIterator]()
    return {
      async next() {
        for (let line = await read.next(); !line.done; line = await read.next()) {
          if (line.value === 'data: [DONE]') return '[DONE]'
          if (line.value.startsWith('data: ')) return JSON.parse(line.value.slice(6))
        }
        throw new Error('the stream has ended')
      },
    }
  }

  it('a person who may only read can try, and one who leaves stops the model', async () => {
    const person = await signInNew(service.app, { teamId: service.app.agent.teamId, right: 'read' })
    const path = `/agents/${service.app.agent.agentId}/playground`
    const answer = await person.call('POST', path, { messages: [user('hello')] })
    assert.equal(answer.status, 200, answer.text)
    const held = Promise.withResolvers<void>()
    service.model.next({ after: held.promise })
    const leaving = new AbortController()
    const asked = fetch(`${service.app.baseUrl}/playground`, {
      method: 'POST',
      headers: { ...service.app.agent.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [user('hello')] }),
      signal: leaving.signal,
    })
    await service.model.request(1)
    leaving.abort()
    await assert.rejects(asked, { name: 'AbortError' })
    held.resolve()
  })

  for (const [name, body] of Object.entries({
    'no messages': { messages: [] },
    'a last message that is not of the user': { messages: [{ role: 'assistant', content: 'Hi' }] },
    'an unknown field': { messages: [user('hello')], conversation_id: 'x' },
  }))
    it(`400 with ${name}`, async () => {
      assertError(await service.app.agent.post('/playground', body), 400, 'invalid_request')
    })
})

onBothEngines('POST /agent/test-model', (service) => {
  it('200: the model answers', async () => {
    const agent = await service.addAgent()
    const { body } = await agent.post('/agent/test-model')
    const { ok, model, status } = body.data
    assert.deepEqual([ok, model, status], [true, 'test-model', null])
  })

  it("200: the server's status and message as they are, without the key", async () => {
    const agent = await service.addAgent()
    const key = 'sk-hunter2-hunter2'
    await agent.patch('/agent', { model: { url: service.model.url, api_key: key, name: 'wrong' } })
    const error = {
      error: { message: `The model \`wrong\` does not exist for ${key}`, code: 'model_not_found' },
    }
    service.model.next({
      status: 404,
      raw: { body: JSON.stringify(error), content_type: 'application/json' },
    })
    const { body } = await agent.post('/agent/test-model')
    const { ok, status, code, message } = body.data
    assert.deepEqual(
      { ok, status, code, message },
      {
        ok: false,
        status: 404,
        code: 'model_not_found',
        message: 'The model `wrong` does not exist for [key]',
      },
    )
  })

  it('200: a server that refuses tools is not ok when the agent offers some', async () => {
    const agent = await service.addAgent()
    service.model.answerFor = ({ tools }) =>
      tools
        ? { status: 400, raw: { body: '{"error":{"message":"m does not support tools"}}' } }
        : { text: 'Hello' }
    const tested = async () => (await agent.post('/agent/test-model')).body.data
    assert.equal((await tested()).ok, true)
    await agent.patch('/agent', { handoff: true })
    const { ok, status, message } = await tested()
    assert.deepEqual([ok, status], [false, 400])
    assert.match(message, /^test-model answers, but refuses tools, .*: m does not support tools$/)
    service.model.reset()
    assert.equal((await tested()).ok, true)
  })

  it('200: what is about to be saved is asked, without the saved key where the address is another', async () => {
    const agent = await service.addAgent()
    await agent.patch('/agent', { model: { url: 'http://127.0.0.1:9/v1', api_key: 'sk-saved', name: 'm' } })
    const { body } = await agent.post('/agent/test-model', { url: service.model.url, name: 'other' })
    assert.equal(body.data.ok, true, body.data.message)
    const asked = service.model.requests.at(-1)
    assert.equal(asked?.body.model, 'other')
    assert.equal(asked?.headers.authorization, undefined)
    await agent.post('/agent/test-model', { url: service.model.url, api_key: 'sk-typed' })
    assert.equal(service.model.requests.at(-1)?.headers.authorization, 'Bearer sk-typed')
    assert.equal((await agent.post('/agent/test-model')).body.data.ok, false)
    assert.equal((await agent.get('/agent')).body.data.model.name, 'm')
  })

  it('200: an address that may not be called is said to be one', async () => {
    const agent = await service.addAgent()
    const { body } = await agent.post('/agent/test-model', { url: 'http://169.254.169.254/v1' })
    assert.equal(body.data.ok, false)
    assert.equal(body.data.status, null)
  })
})

onBothEngines('POST /redaction/try', (service) => {
  it("200: the text redacted with the agent's settings, and what was found", async () => {
    const agent = await service.addAgent()
    const text = 'Write to ada@example.org about ORDER-1234'
    const first = await agent.post('/redaction/try', { text })
    assert.equal(first.status, 200, first.text)
    assert.deepEqual(first.body.data, {
      redacted: 'Write to [EMAIL_ADDRESS] about ORDER-1234',
      findings: [{ type: 'EMAIL_ADDRESS', start: 9, end: 24 }],
      hosted: null,
    })
    await agent.patch('/agent', { redaction_patterns: [{ name: 'ORDER', pattern: 'ORDER-\\d+' }] })
    const { redacted } = (await agent.post('/redaction/try', { text })).body.data
    assert.equal(redacted, 'Write to [EMAIL_ADDRESS] about [ORDER]')
  })

  it('200: what the patterns do is told when the hosted service fails', async () => {
    const agent = await service.addAgent()
    await agent.patch('/agent', { hosted_redaction: true, redaction: { url: 'http://127.0.0.1:9' } })
    const { data } = (await agent.post('/redaction/try', { text: 'Ada: ada@example.org' })).body
    assert.deepEqual([data.redacted, data.hosted], ['Ada: [EMAIL_ADDRESS]', false])
  })

  it('400 for an empty text and one that is too long, 403 for a person who may only respond', async () => {
    for (const text of ['', 'x'.repeat(20_001)])
      assertError(await service.app.agent.post('/redaction/try', { text }), 400, 'invalid_request')
    const person = await signInNew(service.app, { teamId: service.app.agent.teamId, right: 'respond' })
    const path = `/agents/${service.app.agent.agentId}/redaction/try`
    assertError(await person.call('POST', path, { text: 'x' }), 403, 'insufficient_right')
  })
})
