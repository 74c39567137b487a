import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { startEmbeddingServer } from '../support/embedding-server.ts'
import { readWholeStream } from '../support/event-stream.ts'
import { startModelServer } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const say = (content: string) => ({ messages: [{ role: 'user', content }] })
const usage = { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 }
const today = () => new Date().toISOString().slice(0, 10)

interface Row {
  day: string
  model: string
  kind: string
  calls: number
  prompt_tokens: number
  completion_tokens: number
  cost: number | null
  estimated: boolean
}

const rowsOf = async (agent: TestAgent, query = ''): Promise<Row[]> =>
  (await agent.get(`/usage${query}`)).body.data

onBothEngines('GET /usage', (service) => {
  it('200: an agent that asked no model has none', async () => {
    assert.deepEqual(await rowsOf(await service.addAgent()), [])
  })

  for (const stream of [false, true])
    it(`200: what the server says that an answer used${stream ? ', in a stream' : ''}`, async () => {
      const agent = await service.addAgent()
      service.model.answer = { text: 'Hello.', usage }
      for (const text of ['one', 'two'])
        if (stream) await readWholeStream(agent, say(text))
        else await agent.post('/chat/completions', say(text))
      const expected = { calls: 2, prompt_tokens: 2000, completion_tokens: 400, cost: null, estimated: false }
      await becomes(() => rowsOf(agent), [{ day: today(), model: 'test-model', kind: 'answer', ...expected }])
    })

  for (const stream of [false, true])
    it(`200: zeros are taken for nothing said${stream ? ', in a stream' : ''}`, async () => {
      const agent = await service.addAgent()
      const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
      service.model.answer = { text: 'ok', usage: zeros }
      if (stream) await readWholeStream(agent, say('hello'))
      else await agent.post('/chat/completions', say('hello'))
      await becomes(
        async () => (await rowsOf(agent)).map((row) => [row.estimated, row.prompt_tokens > 0]),
        [[true, true]],
      )
      const { data } = (await agent.get('/chat/completions')).body
      assert.ok(data[0].usage.prompt_tokens > 0)
    })

  for (const stream of [false, true])
    it(`200: what it says nothing of is estimated, and marked${stream ? ', in a stream' : ''}`, async () => {
      await using server = await startModelServer()
      const agent = await service.addAgent()
      await agent.patch('/agent', { model: { url: server.url, name: 'silent' } })
      const text = 'This is an answer of ten words or some more.'
      const choice = {
        index: 0,
        finish_reason: 'stop',
        [stream ? 'delta' : 'message']: { role: 'assistant', content: text },
      }
      const json = JSON.stringify({ choices: [choice] })
      server.answer = {
        raw: stream ? { body: `data: ${json}\n\n` } : { body: json, content_type: 'application/json' },
      }
      if (stream) await readWholeStream(agent, say('hello'))
      else assert.equal((await agent.post('/chat/completions', say('hello'))).status, 200)
      await becomes(
        async () => (await rowsOf(agent)).map(({ model, estimated }) => [model, estimated]),
        [['silent', true]],
      )
      const [row] = await rowsOf(agent)
      assert.ok(row && row.completion_tokens > 5 && row.completion_tokens < 20, JSON.stringify(row))
      assert.ok(row.prompt_tokens > 0)
    })

  it('200: the cost by the prices of the model that was asked, also of one that stood in', async () => {
    await using other = await startModelServer()
    other.answer = { text: 'ok', usage }
    const agent = await service.addAgent()
    await agent.patch('/agent', {
      prices: { 'test-model': { input: 2, output: 10 }, spare: { input: 1, output: 0 } },
      model: { fallbacks: [{ url: other.url, name: 'spare' }] },
    })
    service.model.answer = { text: 'ok', usage }
    await agent.post('/chat/completions', say('one'))
    service.model.next({ status: 500 })
    await agent.post('/chat/completions', say('two'))
    await becomes(
      async () => (await rowsOf(agent)).map(({ model, calls, cost }) => [model, calls, cost]),
      [
        ['spare', 1, 0.001],
        ['test-model', 1, 0.004],
      ],
    )
    await agent.patch('/agent', { prices: { 'test-model': { input: 0, output: 0 } } })
    assert.deepEqual(
      (await rowsOf(agent)).map(({ cost }) => cost),
      [null, 0],
      'no price is not free',
    )
  })

  it('200: judges, embeddings and the playground count too', async () => {
    await using embeddings = await startEmbeddingServer()
    const agent = await service.addAgent()
    service.model.answer = { text: '{"reason":"fine","score":1}', usage }
    const { body } = await agent.post('/evaluators', {
      name: 'j',
      kind: 'model_judge',
      settings: { criteria: 'kind' },
    })
    await agent.post(`/evaluators/${body.data.id}/try`, { text: 'hello' })
    await agent.post('/playground', say('hello'))
    await agent.patch('/agent', { embedding: { url: embeddings.url, name: 'vectors' } })
    await agent.post('/knowledge', { title: 'Opening hours', content: 'We open at nine.' })
    const kinds = async () =>
      (await rowsOf(agent)).map(({ kind, model, calls }) => [kind, model, calls > 0]).sort()
    await becomes(kinds, [
      ['answer', 'test-model', true],
      ['embedding', 'vectors', true],
      ['judge', 'test-model', true],
    ])
  })

  it('a call that failed, and one of the built-in answerer, counts nothing', async () => {
    const agent = await service.addAgent()
    service.model.next({ status: 500 })
    await agent.post('/chat/completions', say('one'))
    service.model.answer = { text: 'ok', usage }
    await agent.post('/chat/completions', say('two'))
    await becomes(async () => (await rowsOf(agent)).map(({ calls }) => calls), [1])
  })

  it('calls at the same time are all counted, and those of other agents are not', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    service.model.answer = { text: 'ok', usage }
    await Promise.all(Array.from({ length: 40 }, () => agent.post('/chat/completions', say('hello'))))
    await becomes(
      async () => (await rowsOf(agent)).map(({ calls, prompt_tokens }) => [calls, prompt_tokens]),
      [[40, 40_000]],
    )
    assert.deepEqual(await rowsOf(other), [])
  })

  it('200: from and to', async () => {
    const agent = await service.addAgent()
    service.model.answer = { text: 'ok', usage }
    for (const day of ['2026-03-01', '2026-03-02', '2026-03-04']) {
      service.clock = () => Date.parse(`${day}T12:00:00Z`)
      await agent.post('/chat/completions', say(day))
    }
    const days = async (query: string) => (await rowsOf(agent, query)).map(({ day }) => day)
    await becomes(() => days('?from=2026-03-01&to=2026-03-04'), ['2026-03-04', '2026-03-02', '2026-03-01'])
    assert.deepEqual(await days('?from=2026-03-02&to=2026-03-03'), ['2026-03-02'])
    assert.deepEqual(await days('?to=2026-02-28'), [])
  })

  for (const query of [
    'from=x',
    'to=2026-13-01',
    'from=2026-03-02&to=2026-03-01',
    'from=2020-01-01&to=2026-01-01',
  ])
    it(`400: ${query}`, async () => {
      assertError(await (await service.addAgent()).get(`/usage?${query}`), 400, 'invalid_request')
    })

  for (const [name, body, param] of [
    ['a price without output', { prices: { m: { input: 1 } } }, 'prices.m.output'],
    ['a price below 0', { prices: { m: { input: -1, output: 1 } } }, 'prices.m.input'],
    ['an empty budget', { budget: {} }, 'budget'],
    ['a budget of a week', { budget: { week: 1 } }, 'budget'],
    ['a budget that is no number', { budget: { day: '1' } }, 'budget.day'],
  ] as const)
    it(`PATCH /agent 400: ${name}`, async () => {
      const refused = await (await service.addAgent()).patch('/agent', body)
      assertError(refused, 400, 'invalid_request')
      assert.ok(refused.body.error.param.startsWith(param), refused.body.error.param)
    })
})

onBothEngines('budget', (service) => {
  const prices = { 'test-model': { input: 1000, output: 0 } }

  /** An agent each of whose answers costs 1. */
  async function withBudget(budget: object): Promise<TestAgent> {
    const agent = await service.addAgent()
    const { status, text } = await agent.patch('/agent', { prices, budget, pause_message: 'Back soon.' })
    assert.equal(status, 200, text)
    service.model.answer = { text: 'ok', usage }
    return agent
  }

  const ask = async (agent: TestAgent) =>
    (await agent.post('/chat/completions', say('hello'))).body.choices[0].message.content

  for (const period of ['day', 'month'])
    it(`that of the ${period} is not overrun: then the pause message answers, and one error event tells it`, async () => {
      const agent = await withBudget({ [period]: 2 })
      assert.deepEqual([await ask(agent), await ask(agent)], ['ok', 'ok'])
      assert.deepEqual([await ask(agent), await ask(agent)], ['Back soon.', 'Back soon.'])
      assert.equal(service.model.requests.length, 2)
      assert.equal((await readWholeStream(agent, say('hello'))).text, 'Back soon.')
      const { data } = (await agent.get('/chat/completions')).body
      assert.deepEqual(
        [data[0].response, data[0].finish_reason, data[0].agent_paused],
        ['Back soon.', 'stop', false],
      )
      assert.equal((await agent.get('/agent')).body.data.is_paused, false)
      const events = await service.eventsOf(agent)
      assert.equal(events.filter((key) => key === 'error').length, 1)
      const { data: waiting } = (await agent.get('/inbox?view=waiting')).body
      assert.deepEqual(
        waiting.map(({ waiting_reason }: { waiting_reason: string }) => waiting_reason),
        ['unanswered', 'unanswered', 'unanswered'],
      )
      assert.deepEqual((await agent.get('/knowledge/unanswered')).body.data, [])
    })

  it('a new day has a new budget, and so has one that is raised', async () => {
    const agent = await withBudget({ day: 1 })
    service.clock = () => Date.parse('2026-03-01T23:59:00Z')
    assert.deepEqual([await ask(agent), await ask(agent)], ['ok', 'Back soon.'])
    service.clock = () => Date.parse('2026-03-02T00:01:00Z')
    assert.deepEqual([await ask(agent), await ask(agent)], ['ok', 'Back soon.'])
    await agent.patch('/agent', { budget: { day: 2 } })
    assert.deepEqual([await ask(agent), await ask(agent)], ['ok', 'Back soon.'])
    const events = await service.eventsOf(agent)
    assert.equal(events.filter((key) => key === 'error').length, 3)
  })

  it('many at once overrun it by no more than what is under way', async () => {
    const agent = await withBudget({ day: 5 })
    for (let round = 0; round < 6; round++) await Promise.all(Array.from({ length: 4 }, () => ask(agent)))
    assert.ok(service.model.requests.length <= 5 + 3, `${service.model.requests.length}`)
    assert.equal(await ask(agent), 'Back soon.')
  })

  it('a budget of 0 asks no model, and the built-in answerer needs none', async () => {
    const agent = await withBudget({ day: 0 })
    assert.equal(await ask(agent), 'Back soon.')
    assert.equal(service.model.requests.length, 0)
  })

  it('models without a price cost nothing', async () => {
    const agent = await withBudget({ day: 1 })
    await agent.patch('/agent', { prices: {} })
    assert.deepEqual([await ask(agent), await ask(agent), await ask(agent)], ['ok', 'ok', 'ok'])
  })

  it('automations ask no model either: their judge has no result, and those without one run', async () => {
    const agent = await withBudget({ day: 0 })
    const settings = { criteria: 'kind' }
    const { body } = await agent.post('/evaluators', { name: 'j', kind: 'model_judge', settings })
    const add = (tag: string, condition: object) =>
      agent.post('/automations', { name: tag, condition, actions: [{ type: 'tag', tag }] })
    await add('judged', { field: `evaluator.${body.data.id}.passed`, op: 'eq', value: true })
    await add('plain', { field: 'prompt.text', op: 'eq', value: 'hello' })
    assert.equal(await ask(agent), 'Back soon.')
    const jobs = () =>
      service.app.app.foundation.database.db
        .selectFrom('automation_jobs')
        .select('state')
        .where('agent_id', '=', agent.agentId)
        .execute()
    await becomes(jobs, [{ state: 'done' }])
    assert.equal(service.model.requests.length, 0)
    const { data } = (await agent.get('/chat/completions')).body
    assert.deepEqual(
      data[0].evaluations.map(({ passed }: { passed: boolean | null }) => passed),
      [null],
    )
    assert.deepEqual(
      data[0].automations.map(({ name }: { name: string }) => name),
      ['plain'],
    )
  })

  it('rules do not judge what is said in its place', async () => {
    const agent = await withBudget({ day: 0 })
    const { body } = await agent.post('/evaluators', {
      name: 'j',
      kind: 'model_judge',
      settings: { criteria: 'kind' },
    })
    await agent.post('/guardrails', {
      name: 'g',
      on: 'response',
      evaluator_id: body.data.id,
      action: 'block',
    })
    assert.equal(await ask(agent), 'Back soon.')
    assert.equal(service.model.requests.length, 0)
  })
})

onBothEngines('budget in the playground', (service) => {
  it('that is used up asks no model there either, and one error event tells it', async () => {
    const agent = await service.addAgent()
    const patch = { prices: { 'test-model': { input: 1000, output: 0 } }, budget: { day: 1 } }
    assert.equal((await agent.patch('/agent', { ...patch, pause_message: 'Back soon.' })).status, 200)
    service.model.answer = { text: 'ok', usage }
    const tried = async () =>
      (await agent.post('/playground', { messages: [{ role: 'user', content: 'hello' }] })).body.data.response
    assert.deepEqual([await tried(), await tried(), await tried()], ['ok', 'Back soon.', 'Back soon.'])
    assert.equal(service.model.requests.length, 1)
    assert.deepEqual(await service.eventsOf(agent), ['error'])
  })
})
