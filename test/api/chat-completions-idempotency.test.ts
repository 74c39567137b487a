import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { forget } from '../support/forget.ts'
import { holdJudge } from '../support/hold-judge.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const say = (content: string, fields = {}) => ({ messages: [{ role: 'user', content }], ...fields })

onBothEngines('POST /chat/completions: Idempotency-Key', (service) => {
  const create = (agent: TestAgent, body: unknown, key: string) =>
    agent.post('/chat/completions', body, { 'idempotency-key': key })

  it('200: a repeat gets the first answer and makes nothing new', async () => {
    const agent = await service.addAgent()
    const tool_calls = [
      { id: 'call_1', type: 'function' as const, function: { name: 'look', arguments: '{}' } },
    ]
    service.model.next({ text: 'once', tool_calls }, { text: 'twice' })
    const first = await create(agent, say('hello'), 'k')
    const second = await create(agent, say('hello'), 'k')
    assert.equal(second.status, 200)
    assert.deepEqual(second.body, first.body)
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
    assert.equal(first.headers.get('idempotent-replayed'), null)
    assert.equal(second.headers.get('x-conversation-id'), first.headers.get('x-conversation-id'))
    assert.equal(service.model.requests.length, 1)
    assert.equal((await agent.get('/chat/completions')).body.total, 1)
    assert.equal((await agent.get('/conversations')).body.total, 1)
  })

  it('200: repeated at once, one is made; the others get its answer, or 409 while it is being made', async () => {
    const agent = await service.addAgent()
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(agent, say('hello'), 'k')))
    const done = answers.filter(({ status }) => status === 200)
    assert.ok(done.length >= 1)
    assert.equal(new Set(done.map(({ body }) => body.id)).size, 1)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assertError(answer, 409, 'idempotency_in_progress')
    }
    assert.equal(service.model.requests.length, 1)
    assert.equal((await agent.get('/chat/completions')).body.total, 1)
  })

  it('409: a repeat while the first is being answered, with Retry-After; the answer afterwards', async () => {
    const agent = await service.addAgent()
    const feed = service.model.feed()
    const first = create(agent, say('hello', { stream: true }), 'k')
    await service.model.request(0)
    const early = await create(agent, say('hello', { stream: true }), 'k')
    assertError(early, 409, 'idempotency_in_progress')
    assert.equal(early.headers.get('retry-after'), '1')
    assert.equal(early.headers.get('idempotent-replayed'), null)
    assert.notEqual(early.headers.get('x-should-retry'), 'false')
    feed.push('done')
    feed.end()
    const { text } = await first
    const late = await create(agent, say('hello', { stream: true }), 'k')
    assert.deepEqual(chunksOf(late.text).text, chunksOf(text).text)
    assert.equal(chunksOf(late.text).last.id, chunksOf(text).last.id)
    assert.deepEqual(chunksOf(late.text).last, chunksOf(text).last)
  })

  it('409: another request under the same key', async () => {
    const agent = await service.addAgent()
    await create(agent, say('hello'), 'k')
    assertError(await create(agent, say('something else'), 'k'), 409, 'idempotency_key_reused')
    assert.equal((await agent.get('/chat/completions')).body.total, 1)
  })

  it('200: the same key of another agent is another key', async () => {
    const agent = await service.addAgent()
    const colleague = await service.addAgent({ teamId: agent.teamId })
    const mine = await create(agent, say('hello'), 'k')
    const theirs = await create(colleague, say('hello'), 'k')
    assert.equal(theirs.status, 200)
    assert.notEqual(theirs.body.id, mine.body.id)
  })

  it('502: a repeat after a model failure gets the same error, and no model is asked', async () => {
    const agent = await service.addAgent()
    service.model.next({ status: 500 })
    assertError(await create(agent, say('hello'), 'k'), 502, 'model_failed')
    const repeat = await create(agent, say('hello'), 'k')
    assertError(repeat, 502, 'model_failed')
    assert.equal(repeat.headers.get('x-should-retry'), 'false')
    assert.equal(service.model.requests.length, 1)
    assert.equal((await agent.get('/chat/completions')).body.total, 1)
  })

  it('400 keeps no key: the request corrected is answered', async () => {
    const agent = await service.addAgent()
    const unknown = say('hello', { conversation_id: '019d0000-0000-7000-8000-000000000000' })
    assertError(await create(agent, unknown, 'k'), 404, 'conversation_not_found')
    const answeredOnly = { messages: [{ role: 'assistant', content: 'x' }] }
    assertError(await create(agent, answeredOnly, 'k'), 400, 'invalid_request')
    assert.equal((await create(agent, say('hello'), 'k')).status, 200)
  })

  it('200: a repeat after a scrub brings no text back', async () => {
    const agent = await service.addAgent()
    service.model.next({ text: 'a secret answer' })
    const { body } = await create(agent, say('a secret prompt'), 'k')
    await agent.post(`/chat/completions/${body.id}/scrub`)
    const repeat = await create(agent, say('a secret prompt'), 'k')
    assert.equal(repeat.status, 200)
    assert.equal(repeat.body.id, body.id)
    assert.equal(repeat.body.choices[0].message.content, '[REDACTED]')
    assert.ok(!repeat.text.includes('secret'))
  })

  it('200: a repeat of a prompt that was answered with the pause message', async () => {
    const agent = await service.addAgent({ settings: { pause_message: 'Paused.' } })
    await agent.post('/pause')
    const first = await create(agent, say('hello'), 'k')
    await agent.post('/resume')
    await agent.patch('/agent', { pause_message: 'Gone fishing.' })
    const repeat = await create(agent, say('hello'), 'k')
    assert.deepEqual(repeat.body, first.body)
    assert.equal(repeat.body.choices[0].message.content, 'Paused.')
  })

  it('200: a repeat of a prompt whose answer a pause withheld', async () => {
    const agent = await service.addAgent({ settings: { pause_message: 'Paused.' } })
    await using judge = await holdJudge()
    const evaluator_id = await judge.addTo(agent)
    assert.equal((await agent.post('/ctas', { name: 'C', content: 'Look', evaluator_id })).status, 201)
    const cited = { url: 'https://example.com/', title: 'The', content: 'withheld' }
    const message = {
      role: 'assistant',
      content: 'The withheld answer.',
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'withheld', arguments: '{}' } }],
      annotations: [{ type: 'url_citation', url_citation: cited }],
    }
    const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] })
    service.model.next({ raw: { body, content_type: 'application/json' } })
    const answering = create(agent, say('hello'), 'k')
    // The answer is made and not stored: a pause that came earlier would have stopped it.
    await judge.asked
    await agent.post('/pause')
    const first = await answering
    assert.equal(first.body.choices[0].message.content, 'Paused.')
    assert.ok(!first.text.includes('withheld'))
    const { data } = (await agent.get(`/chat/completions/${first.body.id}`)).body
    assert.deepEqual([data.response, data.agent_paused], ['The withheld answer.', true])
    assert.equal(data.citations.length, 1)
    assert.deepEqual((await create(agent, say('hello'), 'k')).body, first.body)
  })

  for (const [what, message] of [
    ['a refusal', { content: null, refusal: 'I refuse' }],
    ['a refusal beside an empty text', { content: '', refusal: 'I refuse' }],
    ['a refusal beside a text', { content: 'Well.', refusal: 'I refuse' }],
    ['parts of text', { content: [{ type: 'text', text: 'Well.' }] }],
  ] as const) {
    it(`200: a repeat of ${what}, told as such`, async () => {
      const agent = await service.addAgent()
      const annotations = [
        { type: 'url_citation', url_citation: { url: 'https://example.com/', title: 'T', content: 'S' } },
      ]
      const choice = { index: 0, message: { ...message, annotations }, finish_reason: 'stop' }
      const body = JSON.stringify({ choices: [choice] })
      service.model.next({ raw: { body, content_type: 'application/json' } })
      const first = await create(agent, say('hello'), 'k')
      const { content, refusal } = first.body.choices[0].message
      assert.deepEqual({ refusal: null, ...message }, { content, refusal })
      assert.deepEqual((await create(agent, say('hello'), 'k')).body, first.body)
    })
  }

  it('200: a repeat of a stream in which the model refused', async () => {
    const agent = await service.addAgent()
    service.model.next({ pieces: [{ refusal: 'I ' }, { refusal: 'refuse' }] })
    const first = chunksOf((await create(agent, say('hello', { stream: true }), 'k')).text)
    assert.equal(first.refusal, 'I refuse')
    assert.deepEqual(chunksOf((await create(agent, say('hello', { stream: true }), 'k')).text), first)
  })

  it('200: a repeat of a stream during which a pause came says what had left', async () => {
    const agent = await service.addAgent({ settings: { pause_message: 'Paused.' } })
    const feed = service.model.feed({ finish_reason: 'length' })
    const body = say('hello', { stream: true })
    const answering = create(agent, body, 'k')
    await service.model.request(0)
    for (const piece of ['one ', 'two ', 'three']) feed.push(piece)
    await agent.post('/pause')
    feed.end()
    const first = chunksOf((await answering).text)
    assert.deepEqual([first.text, first.last.agent_paused], ['one two three', true])
    assert.deepEqual(chunksOf((await create(agent, body, 'k')).text), first)
  })

  it('200: a repeat of a stream that came while the agent was paused', async () => {
    const agent = await service.addAgent({ settings: { pause_message: 'Paused.' } })
    await agent.post('/pause')
    const body = say('hello', { stream: true })
    const first = chunksOf((await create(agent, body, 'k')).text)
    assert.deepEqual([first.text, first.last.agent_paused], ['Paused.', true])
    await agent.patch('/agent', { pause_message: 'Gone fishing.' })
    assert.deepEqual(chunksOf((await create(agent, body, 'k')).text), first)
  })

  it('200: after a day the key is free again', async () => {
    const agent = await service.addAgent()
    const first = await create(agent, say('hello'), 'k')
    const start = Date.now()
    service.clock = () => start + 24 * 3_600_000 - 60_000
    assert.equal((await create(agent, say('hello'), 'k')).body.id, first.body.id)
    service.clock = () => start + 24 * 3_600_000 + 60_000
    const anew = await create(agent, say('something else'), 'k')
    assert.equal(anew.status, 200)
    assert.notEqual(anew.body.id, first.body.id)
  })

  it('keys that are older than a day are forgotten, others are not', async () => {
    const { db } = service.app.app.foundation.database
    const agent = await service.addAgent()
    const now = Date.now()
    service.clock = () => now - 25 * 3_600_000
    await create(agent, say('old'), 'old')
    service.clock = () => now - 23 * 3_600_000
    await create(agent, say('young'), 'young')
    // More than are forgotten at once.
    const old = await db
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('key', '=', 'old')
      .executeTakeFirstOrThrow()
    const more = Array.from({ length: 1000 }, (_, n) => ({ ...old, key: `old ${n}` }))
    await db.insertInto('idempotency_keys').values(more).execute()
    await forget(db, 'idempotency keys', now)
    const keys = await db
      .selectFrom('idempotency_keys')
      .select('key')
      .where('agent_id', '=', agent.agentId)
      .execute()
    assert.deepEqual(keys, [{ key: 'young' }])
  })

  it('400: a key that is empty or too long', async () => {
    for (const key of ['', 'k'.repeat(256)])
      assertError(await create(service.app.agent, say('hello'), key), 400, 'invalid_request')
  })
})

/** The whole text of a stream, or the refusal in its place, and its last chunk. */
function chunksOf(stream: string) {
  const chunks = stream
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)))
  const whole = (field: 'content' | 'refusal') =>
    chunks.map(({ choices }) => choices[0]?.delta[field] ?? '').join('')
  return { text: whole('content'), refusal: whole('refusal'), last: chunks.at(-1) }
}
