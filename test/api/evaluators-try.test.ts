import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { startPeer } from '../support/peer.ts'

/** Makes an evaluator and tries it. */
async function attempt(agent: TestAgent, evaluator: object, body: unknown) {
  const made = await agent.post('/evaluators', { name: 'E', ...evaluator })
  assert.equal(made.status, 201, made.text)
  return agent.post(`/evaluators/${made.body.data.id}/try`, body)
}

onBothEngines('POST /evaluators/{id}/try', (service) => {
  const refunds = { kind: 'keywords', settings: { words: ['refund'] } }

  it('200: score, passed, content and how long it took; nothing is stored or raised', async () => {
    const agent = await service.addAgent()
    const { status, body } = await attempt(agent, refunds, { text: 'A refund, please' })
    assert.equal(status, 200)
    const { duration_ms, ...rest } = body.data
    assert.ok(duration_ms >= 0 && duration_ms < 10_000)
    assert.deepEqual(rest, { score: 1, passed: true, content: 'refund', error: null })
    assert.deepEqual(await service.eventsOf(agent), [])
  })

  it('200: threshold, invert and a changed evaluator count at once', async () => {
    const agent = await service.addAgent()
    const { id } = (await agent.post('/evaluators', { name: 'E', ...refunds, invert: true })).body.data
    const passed = async (text: string) =>
      (await agent.post(`/evaluators/${id}/try`, { text })).body.data.passed
    assert.equal(await passed('a refund'), false)
    await agent.patch(`/evaluators/${id}`, { settings: { words: ['money'] } })
    assert.equal(await passed('a refund'), true)
    await agent.patch(`/evaluators/${id}`, { invert: false })
    assert.equal(await passed('money'), true)
  })

  it('200: facts are given by the names of condition fields; the text is the prompt', async () => {
    const agent = await service.addAgent()
    const condition = {
      all: [
        { field: 'prompt.text', op: 'contains', value: 'price' },
        { field: 'language', op: 'eq', value: 'en' },
        { field: 'page.path', op: 'starts_with', value: '/pricing' },
        { not: { field: 'tags.plan', op: 'in', value: ['pro', 'team'] } },
      ],
    }
    const evaluator = { kind: 'condition', settings: { condition } }
    const passed = async (facts: object) =>
      (await attempt(agent, evaluator, { text: 'What is the price?', facts })).body.data.passed
    assert.equal(await passed({ 'page.path': '/pricing/all' }), true)
    assert.equal(await passed({ 'page.path': '/pricing/all', 'tags.plan': 'pro' }), false)
    assert.equal(await passed({ 'page.path': '/pricing/all', 'prompt.text': 'Hello' }), false)
    assert.equal(await passed({}), false)
  })

  it('200: a model judges, told the prompt that a response answers', async () => {
    const agent = await service.addAgent()
    service.model.next({ text: '{"reason": "Kind words.", "score": 0.9}' })
    const evaluator = { kind: 'model_judge', settings: { criteria: 'It is kind.' } }
    const facts = { 'prompt.text': 'Are you kind?', 'response.text': 'I try.' }
    const { body } = await attempt(agent, evaluator, { text: 'I try.', facts })
    assert.deepEqual([body.data.score, body.data.passed, body.data.content], [0.9, true, 'Kind words.'])
    const [request] = service.model.requests
    assert.match(JSON.stringify(request?.body.messages), /Are you kind\?/)
  })

  it('200: a failed evaluator has no score, counts as on_error says and tells why', async () => {
    const agent = await service.addAgent()
    service.model.answer = { text: 'no idea' }
    const judge = { kind: 'model_judge', settings: { criteria: 'It is kind.' } }
    for (const [on_error, passed] of [
      ['fail', false],
      ['pass', true],
    ] as const) {
      const { body } = await attempt(agent, { ...judge, on_error }, { text: 'x' })
      const { duration_ms: _, ...rest } = body.data
      assert.deepEqual(rest, { score: null, passed, content: null, error: 'bad_answer' })
    }
  })

  it('200: a webhook is asked, signed with the secret that was given', async () => {
    await using peer = await startPeer((response) => response.end('{"passed": true, "reason": "fine"}'))
    const settings = { url: peer.url, secret: 'between us two' }
    const { body } = await attempt(await service.addAgent(), { kind: 'webhook', settings }, { text: 'x' })
    assert.deepEqual([body.data.score, body.data.content], [1, 'fine'])
    assert.match(String(peer.requests[0]?.headers['x-webhook-signature']), /^sha256=[0-9a-f]{64}$/)
  })

  it('200: a prompt that the client no longer waits for is judged no further', async () => {
    const agent = await service.addAgent()
    service.model.answer = { hang: true }
    const evaluator = { name: 'E', kind: 'model_judge', settings: { criteria: 'It is kind.' } }
    const { id } = (await agent.post('/evaluators', evaluator)).body.data
    const gone = new AbortController()
    const asked = fetch(`${agent.baseUrl}/evaluators/${id}/try`, {
      method: 'POST',
      headers: { ...agent.headers, 'content-type': 'application/json' },
      body: '{"text":"x"}',
      signal: gone.signal,
    })
    await service.model.request(0)
    gone.abort()
    await assert.rejects(asked, { name: 'AbortError' })
    await service.model.aborted()
  })

  for (const [body, param] of [
    [{}, 'text'],
    [{ text: 7 }, 'text'],
    [{ text: 'x'.repeat(100_001) }, 'text'],
    [{ text: 'x', facts: { nope: 1 } }, 'facts.nope'],
    [{ text: 'x', facts: { 'evaluator.1.score': 1 } }, 'facts.evaluator.1.score'],
    [{ text: 'x', facts: { hour: {} } }, 'facts.hour'],
    [{ text: 'x', more: 1 }, 'more'],
  ] as const) {
    it(`400: ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const answer = await attempt(await service.addAgent(), refunds, body)
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, param)
    })
  }
})

onBothEngines(
  'POST /evaluators/{id}/try with the built-in answerer',
  (service) => {
    it('200: a model judge has no model', async () => {
      const evaluator = { kind: 'model_judge', settings: { criteria: 'It is kind.' } }
      const { body } = await attempt(await service.addAgent(), evaluator, { text: 'x' })
      assert.equal(body.data.error, 'no_model')
    })
  },
  { PARLEY_MODEL_URL: '' },
)

onBothEngines(
  'POST /evaluators/{id}/try without PARLEY_PRIVATE_TARGETS',
  (service) => {
    it('200: a webhook whose address is allowed no more is not called', async () => {
      await using peer = await startPeer()
      const agent = await service.addAgent()
      const evaluator = { name: 'E', kind: 'webhook', settings: { url: 'https://1.1.1.1/' } }
      const { id } = (await agent.post('/evaluators', evaluator)).body.data
      const { db } = service.app.app.foundation.database
      const settings = JSON.stringify({ url: peer.url, secret: null })
      await db.updateTable('evaluators').set({ settings }).where('id', '=', id).execute()
      assert.equal((await agent.post(`/evaluators/${id}/try`, { text: 'x' })).body.data.error, 'blocked')
      assert.equal(peer.requests.length, 0)
    })
  },
  { PARLEY_PRIVATE_TARGETS: '' },
)
