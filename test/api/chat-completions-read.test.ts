import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { assertError, type PromptAnswer, type TestAgent } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const UNKNOWN = '019d0000-0000-7000-8000-000000000000'

onBothEngines('GET /chat/completions and /chat/completions/{id}', (service) => {
  let agent: TestAgent
  const made: PromptAnswer[] = []
  const START = 1_800_000_000_000

  before(async () => {
    made.length = 0
    agent = await service.addAgent()
    for (const [n, fields] of [
      { external_id: 'c-1', user: 'u-1', device_id: 'd-1', session_id: 's-1' },
      { external_id: 'c-1', user: 'u-1', device_id: 'd-2', session_id: 's-2' },
      { external_id: 'c-2', user: 'u-2', device_id: 'd-1', session_id: 's-3' },
      {},
    ].entries()) {
      service.clock = () => START + n * 1000
      made.push(await agent.prompt(`prompt ${n}`, fields))
    }
    await agent.post(`/chat/completions/${made[0]?.id}/like`, { liked: true })
    await agent.post(`/chat/completions/${made[1]?.id}/like`, { liked: false })
    await agent.post(`/chat/completions/${made[2]?.id}/flag`, { flagged: true })
  })

  it('GET one 200: exactly the fields of a completion, by number, UUID and UUID in capitals', async () => {
    const [first] = made
    const { status, body } = await agent.get(`/chat/completions/${first?.id}`)
    assert.equal(status, 200)
    const { messages, ...completion } = body.data
    assert.deepEqual(completion, {
      id: first?.id,
      number: first?.number,
      conversation_id: first?.conversation_id,
      created_at: new Date(START).toISOString(),
      model: 'test-model',
      prompt: 'prompt 0',
      response: 'prompt 0',
      finish_reason: 'stop',
      liked: true,
      flagged: false,
      flag_reason: null,
      feedback: null,
      score: null,
      tags: [],
      citations: [],
      ctas: [],
      automations: [],
      evaluations: [],
      usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
      user_id: 'u-1',
      device_id: 'd-1',
      session_id: 's-1',
      page_url: null,
      channel_id: null,
      language: null,
      agent_paused: false,
    })
    assert.equal(messages.length, 2)
    assert.deepEqual((await agent.get(`/chat/completions/${first?.number}`)).body, body)
    assert.deepEqual((await agent.get(`/chat/completions/${first?.id.toUpperCase()}`)).body, body)
  })

  it('GET trace 200: the trace of the prompt, also in a request that began it elsewhere', async () => {
    const trace = '0af7651916cd43dd8448eb211c80319c'
    const other = await service.addAgent()
    const answer = await other.post(
      '/chat/completions',
      { messages: [{ role: 'user', content: 'traced' }] },
      { traceparent: `00-${trace}-b7ad6b7169203331-01` },
    )
    const traceOf = async (by: TestAgent, id: unknown) =>
      (await by.get(`/chat/completions/${id}/trace`)).body.data
    assert.equal((await traceOf(other, answer.body.id)).trace_id, trace)
    const others = await Promise.all(made.map(({ id }) => traceOf(agent, id)))
    const ids = others.map(({ trace_id }) => trace_id)
    for (const id of ids) assert.match(id, /^[0-9a-f]{32}$/)
    assert.equal(new Set([trace, ...ids]).size, made.length + 1)
    assertError(await agent.get(`/chat/completions/${UNKNOWN}/trace`), 404, 'completion_not_found')
  })

  it('GET one 200: response and finish_reason are null while the answer is being made', async () => {
    const busy = await service.addAgent()
    const held = Promise.withResolvers<void>()
    service.model.next({ after: held.promise })
    const answering = busy.prompt('hello')
    await service.model.request(0)
    const [open] = (await busy.get('/chat/completions')).body.data
    assert.deepEqual([open.prompt, open.response, open.finish_reason], ['hello', null, null])
    held.resolve()
    await answering
  })

  const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
  for (const [what, messages, prompt] of [
    ['an earlier answer', [said('user', 'A'), said('assistant', 'B'), said('user', 'C')], 'C'],
    [
      'several questions, and instructions behind them',
      [said('assistant', 'B'), said('user', 'C'), said('user', 'D'), said('developer', 'Be kind.')],
      'C\nD',
    ],
    [
      "a tool's result",
      [
        said('user', 'A'),
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'T' },
      ],
      null,
    ],
  ] as const) {
    it(`GET one 200: of a request with ${what}, the response is what was made alone`, async () => {
      const agent = await service.addAgent()
      service.model.next({ text: 'R' }, { status: 500 })
      const { id } = await agent.prompt('', { messages })
      const answered = (await agent.get(`/chat/completions/${id}`)).body.data
      assert.deepEqual([answered.prompt, answered.response], [prompt, 'R'])
      assertError(await agent.post('/chat/completions', { messages }), 502, 'model_failed')
      const [failed] = (await agent.get('/chat/completions')).body.data
      assert.deepEqual([failed.prompt, failed.response, failed.finish_reason], [prompt, null, 'error'])
    })
  }

  it("GET one 200: a person's answer is no response", async () => {
    const agent = await service.addAgent()
    await agent.prompt('hello', { external_id: 'both' })
    await agent.post('/conversations/both/messages', { content: 'before' })
    await agent.post('/conversations/both/resume')
    service.model.next({ text: 'R' })
    const { id } = await agent.prompt('Q', { external_id: 'both' })
    await agent.post('/conversations/both/messages', { content: 'after' })
    const { data } = (await agent.get(`/chat/completions/${id}`)).body
    assert.deepEqual([data.prompt, data.response], ['Q', 'R'])
    assert.deepEqual(
      data.messages.map(({ content }: { content: string }) => content),
      ['Q', 'R', 'after'],
    )
  })

  for (const id of [
    UNKNOWN,
    '0',
    '-1',
    '01',
    '1.5',
    'x',
    '%00',
    '999999999999999',
    '99999999999999999999',
    '2147483648',
  ]) {
    it(`GET one 404: ${id}`, async () => {
      assertError(await agent.get(`/chat/completions/${id}`), 404, 'completion_not_found')
    })
  }

  it("GET one 404: another agent's, by UUID and by number", async () => {
    const colleague = await service.addAgent({ teamId: agent.teamId })
    for (const id of [made[0]?.id, made[0]?.number]) {
      assertError(await colleague.get(`/chat/completions/${id}`), 404, 'completion_not_found')
    }
  })

  it('GET list 200: newest first, in pages', async () => {
    const { status, body } = await agent.get('/chat/completions')
    assert.equal(status, 200)
    assert.deepEqual(numbersOf(body), made.map(({ number }) => number).reverse())
    assert.deepEqual([body.total, body.page, body.per_page], [4, 1, 50])
    const second = (await agent.get('/chat/completions?per_page=3&page=2')).body
    assert.deepEqual(numbersOf(second), [made[0]?.number])
    const beyond = (await agent.get('/chat/completions?page=999999999999999&per_page=1000')).body
    assert.deepEqual([beyond.data, beyond.total, beyond.per_page], [[], 4, 100])
  })

  const iso = (n: number) => encodeURIComponent(new Date(START + n * 1000).toISOString())
  for (const [query, expected] of [
    ['conversation_id=c-1', [1, 0]],
    ['user_id=u-1', [1, 0]],
    ['user_id=nobody', []],
    ['device_id=d-1', [2, 0]],
    ['session_id=s-3', [2]],
    ['device_id=d-1&user_id=u-2', [2]],
    ['liked=true', [0]],
    ['liked=false', [1]],
    ['flagged=true', [2]],
    ['flagged=false', [3, 1, 0]],
    [`min_timestamp=${iso(2)}`, [3, 2]],
    [`max_timestamp=${iso(1)}`, [1, 0]],
    [`min_timestamp=${iso(1)}&max_timestamp=${iso(2)}`, [2, 1]],
    [`min_timestamp=${encodeURIComponent('2027-01-15T09:00:02+01:00')}`, [3, 2]],
    // With their offsets these are beyond the years 9999 and 0.
    [`max_timestamp=${encodeURIComponent('9999-12-31T23:59:59-09:00')}`, [3, 2, 1, 0]],
    [`min_timestamp=${encodeURIComponent('9999-12-31T23:59:59-09:00')}`, []],
    [`min_timestamp=${encodeURIComponent('0000-01-01T00:00:00+09:00')}`, [3, 2, 1, 0]],
    [`max_timestamp=${encodeURIComponent('0000-01-01T00:00:00+09:00')}`, []],
    ['language=de', []],
    ['channel_id=1', []],
    ['channel_id=999999999999999', []],
  ] as const) {
    it(`GET list 200: ${query}`, async () => {
      const { status, body } = await agent.get(`/chat/completions?${query}`)
      assert.equal(status, 200)
      assert.deepEqual(
        numbersOf(body),
        expected.map((n) => made[n]?.number),
      )
      assert.equal(body.total, expected.length)
    })
  }

  it('GET list 200: by the language of the prompt', async () => {
    const reader = await service.addAgent()
    const german = await reader.prompt('Wo ist meine Bestellung? Ich warte schon seit einer Woche.')
    await reader.prompt('Where is my order? I have been waiting for a week.')
    const { body } = await reader.get('/chat/completions?language=de')
    assert.equal(body.data[0].language, 'de')
    assert.deepEqual(numbersOf(body), [german.number])
  })

  it('GET list 200: conversation_id as a UUID', async () => {
    const { body } = await agent.get(`/chat/completions?conversation_id=${made[2]?.conversation_id}`)
    assert.deepEqual(numbersOf(body), [made[2]?.number])
  })

  for (const query of [
    'page=x',
    'per_page=1.5',
    'liked=maybe',
    'flagged=1',
    'min_timestamp=yesterday',
    'max_timestamp=2026-11-20',
    'channel_id=one',
    'user_id=',
    'user_id=%00',
    'language=%00',
  ]) {
    it(`GET list 400: ${query}`, async () => {
      assertError(await agent.get(`/chat/completions?${query}`), 400, 'invalid_request')
    })
  }

  it('GET list 404: an unknown conversation_id', async () => {
    for (const id of [UNKNOWN, 'unknown']) {
      assertError(await agent.get(`/chat/completions?conversation_id=${id}`), 404, 'conversation_not_found')
    }
  })

  it("GET list 200: another agent's completions are not listed", async () => {
    const colleague = await service.addAgent({ teamId: agent.teamId })
    assert.equal((await colleague.get('/chat/completions')).body.total, 0)
    assertError(await colleague.get('/chat/completions?conversation_id=c-1'), 404, 'conversation_not_found')
  })

  it('403: without credentials', async () => {
    for (const path of ['/chat/completions', `/chat/completions/${made[0]?.id}`]) {
      assertError(await agent.call('GET', path, undefined, { 'x-api-key': '' }), 403, 'invalid_credentials')
    }
  })
})

function said(role: string, content: string) {
  return { role, content }
}

function numbersOf(body: { data: { number: number }[] }): number[] {
  return body.data.map(({ number }) => number)
}
