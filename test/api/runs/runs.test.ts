import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { SERVERS } from '../../../src/agents/settings.ts'
import { assertError, type TestAgent } from '../../support/app.ts'
import { becomes } from '../../support/becomes.ts'
import { addDataset, asks, endOfRun, runOf, startRun } from '../../support/datasets.ts'
import { type Answer, startModelServer } from '../../support/model-server.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'
import { startPeer } from '../../support/peer.ts'
import { spokenIn } from '../../support/spoken-in.ts'

interface Result {
  case_id: number
  status: string
  response: string | null
  failures: { expectation: { kind: string } | null; reason: string }[]
}

const calls = (name: string, args = '{}'): Answer => ({
  tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: args } }],
})

onBothEngines('test runs', (service) => {
  /** Runs a dataset of one case, for which the model gives these answers, and returns the case's result. */
  async function resultOf(agent: TestAgent, given: object, ...answers: Answer[]): Promise<Result> {
    const { id } = await addDataset(agent, [given])
    service.model.next(...answers)
    const run = await runOf(agent, id)
    assert.equal(run.status, 'done')
    return run.results[0]
  }

  const reasons = ({ failures }: Result) => failures.map(({ reason }) => reason)

  it('a fallback is asked with its own key, in whatever order a run has them', async () => {
    const agent = await service.addAgent()
    const first = await startModelServer()
    const spare = await startModelServer()
    try {
      first.answer = { status: 500 }
      const spareOf = (name: string) => ({ url: spare.url, name })
      const { status, text } = await agent.patch('/agent', {
        model: {
          url: first.url,
          name: 'usual',
          fallbacks: ['a', 'b'].map((name) => ({ ...spareOf(name), api_key: `sk-of-${name}` })),
        },
      })
      assert.equal(status, 200, text)
      const { id } = await addDataset(agent, [asks('Say yes')])
      const run = await runOf(agent, id, { settings: { model: { fallbacks: [spareOf('b')] } } })
      assert.equal(run.passed, 1)
      const [request] = spare.requests
      assert.deepEqual([request?.body.model, request?.headers.authorization], ['b', 'Bearer sk-of-b'])
    } finally {
      await Promise.all([first.close(), spare.close()])
    }
  })

  it('POST 201 and GET 200: passed and failed, a result a case with what was said', async () => {
    const agent = await service.addAgent()
    const { id, cases } = await addDataset(agent, [
      asks('Say yes', [{ kind: 'contains', value: 'YES' }]),
      asks('Say no', [{ kind: 'contains', value: 'maybe' }]),
    ])
    const { status, body, text } = await agent.post('/runs', { dataset_id: id })
    assert.equal(status, 201, text)
    assert.deepEqual([body.data.status, body.data.total, body.data.dataset_id], ['queued', 2, id])
    const run = await endOfRun(agent, body.data.id)
    assert.deepEqual([run.status, run.total, run.passed, run.failed, run.error], ['done', 2, 1, 1, null])
    assert.ok(run.started_at >= run.created_at && run.finished_at >= run.started_at)
    const { ms, used, ...first } = run.results[0]
    assert.ok(ms >= 0)
    assert.deepEqual(
      [used.calls, used.cost, used.estimated, used.customer, used.prompt_tokens > 0],
      [1, null, false, null, true],
    )
    assert.deepEqual(first, {
      case_id: cases[0],
      status: 'passed',
      prompt: 'Say yes',
      response: 'Say yes',
      failures: [],
      citations: [],
      tools: [],
      model: 'test-model',
      customer: false,
      turns: 1,
      ranks: [],
      documents_changed: false,
      passed: 1,
      ran: 1,
      repeat: 1,
    })
    assert.deepEqual(
      [run.results[1].status, run.results[1].failures],
      [
        'failed',
        [
          {
            expectation: { kind: 'contains', value: 'maybe' },
            code: 'not_contained',
            values: {},
            reason: 'The answer does not contain this text.',
          },
        ],
      ],
    )
  })

  it('expectations of texts, sources and models that know nothing', async () => {
    const agent = await service.addAgent({ settings: { instructions: 'You sell bicycles.' } })
    await agent.post('/knowledge', {
      title: 'Returns',
      url: 'https://example.com/returns',
      content: 'Bicycles can be returned within 30 days.',
    })
    const ask = (...expectations: object[]) => asks('Can bicycles be returned?', expectations)
    const said = { text: 'Within 30 days [1].' }
    const all = await resultOf(
      agent,
      ask(
        { kind: 'contains', value: 'within 30  DAYS' },
        { kind: 'not_contains', value: 'sorry' },
        { kind: 'cites', value: 'returns' },
        { kind: 'cites', value: 'https://example.com/returns' },
        { kind: 'abstains', value: false },
      ),
      said,
    )
    assert.deepEqual(all.failures, [])
    const none = await resultOf(
      agent,
      ask(
        { kind: 'not_contains', value: 'days' },
        { kind: 'cites', value: 'Opening hours' },
        { kind: 'abstains' },
      ),
      said,
    )
    assert.deepEqual(reasons(none), [
      'The answer contains this text.',
      'The answer cites: Returns',
      'The agent had an answer.',
    ])
    const unknown = asks('Where do llamas sleep?', [{ kind: 'abstains' }])
    assert.deepEqual((await resultOf(agent, unknown, { text: 'I do not know.' })).failures, [])
  })

  it('what was said before and the tags are part of what is asked', async () => {
    const agent = await service.addAgent()
    const messages = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi' },
      { role: 'user', content: 'And now?' },
    ]
    const { failures } = await resultOf(agent, { messages }, { text: 'Now.' })
    assert.deepEqual(failures, [])
    assert.deepEqual(spokenIn(service.model.requests.at(-1)?.body), messages)
  })

  it('an evaluator must pass; one that is a webhook is not called', async () => {
    const agent = await service.addAgent()
    await using peer = await startPeer((response) => response.end('{"score":1}'))
    const made = async (body: object) => (await agent.post('/evaluators', body)).body.data.id as number
    const polite = await made({ name: 'Polite', kind: 'keywords', settings: { words: ['please'] } })
    const remote = await made({
      name: 'Remote',
      kind: 'webhook',
      settings: { url: peer.url, secret: 's3cret' },
    })
    await agent.post('/guardrails', {
      name: 'G',
      on: 'response',
      evaluator_id: remote,
      action: 'block',
      reply: 'No.',
      on_failure: 'block',
    })
    const gone = await made({ name: 'Gone', kind: 'keywords', settings: { words: ['please'] } })
    const expectations = [polite, remote, gone].map((value) => ({ kind: 'evaluator', value }))
    const { id } = await addDataset(agent, [asks('Ask', expectations)])
    await agent.call('DELETE', `/evaluators/${gone}`)
    service.model.next({ text: 'please ask' })
    const [result] = (await runOf(agent, id)).results
    assert.equal(result.response, 'please ask', 'a guardrail with a webhook does not act')
    assert.deepEqual(reasons(result), [
      'Evaluator “Remote” is a webhook, which test runs do not call.',
      `The agent has no evaluator ${gone}.`,
    ])
    const rude = await resultOf(agent, asks('Ask', expectations.slice(0, 1)), { text: 'no' })
    assert.deepEqual(reasons(rude), ['Evaluator “Polite”: not found (0).'])
    assert.equal(peer.requests.length, 0)
    const { db } = service.app.app.foundation.database
    const { rows } = await sql<{ evaluators: string }>`select evaluators from test_runs`.execute(db)
    assert.ok(rows.every(({ evaluators }) => !evaluators.includes('secret')))
  })

  it('tools are not called: they answer what the case says, and a call without that fails it', async () => {
    const agent = await service.addAgent({ settings: { handoff: true } })
    await using peer = await startPeer()
    await agent.post('/tools', {
      kind: 'http',
      name: 'look_up',
      description: 'Looks up an order.',
      parameters: { type: 'object', properties: { id: { type: 'string' } } },
      url: `${peer.url}/orders/{id}`,
    })
    const given = asks('Where is order 7?', [{ kind: 'tool', value: 'look_up' }], {
      tool_results: [
        { name: 'look_up', arguments: { id: '8' }, result: 'lost' },
        { name: 'look_up', result: 'packed' },
        { name: 'look_up', result: 'sent' },
      ],
    })
    const ask = calls('look_up', '{"id":"7"}')
    const passed = await resultOf(agent, given, ask, ask, { text: 'It is sent.' })
    assert.deepEqual(passed.failures, [])
    const told = service.model.requests
      .at(-1)
      ?.body.messages.filter(({ role }) => role === 'tool')
      .map(({ content }) => /^<result (\w{16})>\n(.*)\n<\/result \1>$/.exec(String(content))?.[2])
    assert.deepEqual(told, ['packed', 'sent'])
    const missing = asks('Where is order 7?', [{ kind: 'tool', value: 'request_person' }])
    const failed = await resultOf(agent, missing, ask, { text: 'I do not know.' })
    assert.deepEqual(reasons(failed), [
      'The model called look_up, for which the case has no result.',
      'The model called look_up.',
    ])
    const person = await resultOf(agent, missing, calls('request_person'), { text: 'Somebody comes.' })
    assert.deepEqual(person.failures, [], 'the built-in tool needs no result')
    assert.equal(peer.requests.length, 0)
  })

  it('a tool that requires a user is offered, and answers what the case says', async () => {
    const agent = await service.addAgent()
    await using peer = await startPeer()
    const made = await agent.post('/tools', {
      kind: 'http',
      name: 'my_orders',
      description: 'Lists the orders of who is writing.',
      url: `${peer.url}/customers/{user.id}/orders`,
    })
    assert.equal(made.body.data?.requires, 'verified', made.text)
    const given = asks('Where are my orders?', [{ kind: 'tool', value: 'my_orders' }], {
      tool_results: [{ name: 'my_orders', result: 'none' }],
    })
    const { failures } = await resultOf(agent, given, calls('my_orders'), { text: 'You have none.' })
    assert.deepEqual(failures, [])
    assert.match(JSON.stringify(service.model.requests[0]?.body.tools), /"my_orders"/)
    assert.match(JSON.stringify(service.model.requests[1]?.body.messages), /none/)
    assert.equal(peer.requests.length, 0)
  })

  it('a model that fails fails its case, in words without credentials', async () => {
    const agent = await service.addAgent()
    const error = JSON.stringify({ error: { message: 'The model is overloaded', code: 'overloaded' } })
    const broken = { status: 503, raw: { body: error, content_type: 'application/json' } }
    const result = await resultOf(agent, asks('hello', [{ kind: 'contains', value: 'x' }]), broken)
    assert.deepEqual(result.failures, [
      {
        expectation: null,
        code: 'model_failed',
        values: { message: 'The model is overloaded', reason: 'status' },
        reason: 'The model failed: The model is overloaded',
      },
    ])
    assert.equal(result.response, null)
  })

  it('a budget stops no run, and what a run costs counts for it', async () => {
    const agent = await service.addAgent()
    const { id } = await addDataset(agent, [asks('Say yes', [{ kind: 'contains', value: 'yes' }])])
    const prices = { 'test-model': { input: 1000, output: 1000 } }
    const budget = { day: 0.001 }
    const { status, text } = await agent.patch('/agent', { prices, budget, pause_message: 'Back soon.' })
    assert.equal(status, 200, text)
    assert.equal((await runOf(agent, id)).passed, 1)
    await becomes(async () => (await agent.prompt('hello')).choices[0].message.content, 'Back soon.')
    const asked = service.model.requests.length
    const run = await runOf(agent, id)
    assert.deepEqual([run.results[0].response, run.passed], ['Say yes', 1])
    assert.equal(service.model.requests.length, asked + 1)
  })

  it('settings are a patch for this run alone; the run keeps settings and cases of its beginning', async () => {
    const agent = await service.addAgent({ settings: { instructions: 'Be short.' } })
    const { id, cases } = await addDataset(agent, [asks('One'), asks('Two')])
    const go = Promise.withResolvers<void>()
    service.model.answer = { after: go.promise }
    const run = await startRun(agent, id, {
      settings: { instructions: 'Be long.', model: { parameters: { temperature: 0 } } },
    })
    await service.model.request(1)
    await agent.patch('/agent', { instructions: 'Be rude.' })
    await agent.patch(
      `/datasets/${id}/cases/${cases[0]}`,
      asks('Changed', [{ kind: 'contains', value: 'x' }]),
    )
    await agent.call('DELETE', `/datasets/${id}/cases/${cases[1]}`)
    go.resolve()
    const { results } = await endOfRun(agent, run)
    assert.deepEqual(
      results.map(({ prompt, status }: { prompt: string; status: string }) => [prompt, status]),
      [
        ['One', 'passed'],
        ['Two', 'passed'],
      ],
    )
    for (const { body } of service.model.requests) {
      assert.match(String(body.messages[0]?.content), /^Be long\.\n\n/)
      assert.equal(body.temperature, 0)
    }
    assert.equal((await agent.get('/agent')).body.data.instructions, 'Be rude.')
  })

  it('version: its settings; without one the newest is kept with the run', async () => {
    const agent = await service.addAgent()
    const { id } = await addDataset(agent, [asks('One')])
    assert.equal((await runOf(agent, id)).version, null, 'the agent was never changed')
    await agent.patch('/agent', { instructions: 'Be short.' })
    await agent.patch('/agent', { instructions: 'Be long.' })
    const newest = await runOf(agent, id)
    assert.equal(newest.version, 3)
    assert.equal(spokenIn(service.model.requests.at(-1)?.body)[0]?.content, 'Be long.')
    const earlier = await runOf(agent, id, { version: 2 })
    assert.equal(earlier.version, 2)
    assert.equal(spokenIn(service.model.requests.at(-1)?.body)[0]?.content, 'Be short.')
    assert.equal((await runOf(agent, id, { settings: { instructions: 'x' } })).version, null)
    assertError(await agent.post('/runs', { dataset_id: id, version: 9 }), 404, 'version_not_found')
    const both = await agent.post('/runs', { dataset_id: id, version: 2, settings: {} })
    assertError(both, 400, 'invalid_request')
    assert.equal(both.body.error.param, 'settings')
  })

  it("another server gets no key of the agent's own", async () => {
    const agent = await service.addAgent()
    await using peer = await startPeer((response) => response.writeHead(500).end())
    await agent.patch('/agent', { model: { url: service.model.url, api_key: 'k3y', name: 'own' } })
    const { id } = await addDataset(agent, [asks('One')])
    await runOf(agent, id)
    assert.equal(service.model.requests.at(-1)?.headers.authorization, 'Bearer k3y')
    await runOf(agent, id, { settings: { model: { url: `${peer.url}/v1` } } })
    assert.ok(peer.requests.length > 0)
    assert.ok(peer.requests.every(({ headers }) => headers.authorization === undefined))
    const { db } = service.app.app.foundation.database
    const { rows } = await sql<{ settings: string }>`
      select settings from test_runs where agent_id = ${agent.agentId}`.execute(db)
    assert.ok(rows.every(({ settings }) => JSON.parse(settings).model.api_key === null))
  })

  it('GET 200 with against: what got better and worse', async () => {
    const agent = await service.addAgent()
    const say = (value: string) => asks('?', [{ kind: 'contains', value }])
    const { id, cases } = await addDataset(agent, [say('a'), say('b'), say('a')])
    service.model.answer = { text: 'a' }
    const first = await runOf(agent, id)
    service.model.answer = { text: 'b' }
    const second = await runOf(agent, id)
    const compared = await endOfRun(agent, second.id, `?against=${first.id}`)
    assert.deepEqual(
      [compared.against, compared.better, compared.worse],
      [first.id, [cases[1]], [cases[0], cases[2]]],
    )
    assertError(await agent.get(`/runs/${second.id}?against=999999`), 404, 'run_not_found')
    assertError(await agent.get(`/runs/${second.id}?against=x`), 400, 'invalid_request')
  })

  it('GET 200: those of the agent, or of a dataset, newest first', async () => {
    const agent = await service.addAgent()
    const one = await addDataset(agent, [asks('One')])
    const two = await addDataset(agent, [asks('Two')])
    const runs = [await startRun(agent, one.id), await startRun(agent, two.id), await startRun(agent, one.id)]
    const ids = async (query: string) =>
      (await agent.get(`/runs${query}`)).body.data.map((run: { id: number }) => run.id)
    assert.deepEqual(await ids(''), runs.toReversed())
    assert.deepEqual(await ids(`?dataset_id=${one.id}`), [runs[2], runs[0]])
    assertError(await (await service.addAgent()).get(`/runs/${runs[0]}`), 404, 'run_not_found')
    for (const run of runs) await endOfRun(agent, run)
  })

  it('DELETE 204: one that is under way ends', async () => {
    const agent = await service.addAgent()
    const { id } = await addDataset(agent, [asks('One')])
    const go = Promise.withResolvers<void>()
    service.model.answer = { after: go.promise }
    const run = await startRun(agent, id)
    await service.model.request(0)
    assert.equal((await agent.get(`/runs/${run}`)).body.data.status, 'running')
    assert.equal((await agent.call('DELETE', `/runs/${run}`)).status, 204)
    go.resolve()
    assertError(await agent.get(`/runs/${run}`), 404, 'run_not_found')
    assertError(await agent.call('DELETE', `/runs/${run}`), 404, 'run_not_found')
  })

  it('POST 400: no cases, keys, an address that may not be called', async () => {
    const agent = await service.addAgent()
    const { id: empty } = await addDataset(agent)
    const { id } = await addDataset(agent, [asks('One')])
    for (const [body, param] of [
      [{}, 'dataset_id'],
      [{ dataset_id: empty }, 'dataset_id'],
      ...SERVERS.map(
        (name) =>
          [{ dataset_id: id, settings: { [name]: { api_key: 'k' } } }, `settings.${name}.api_key`] as const,
      ),
      [{ dataset_id: id, settings: { model: { url: 'http://10.0.0.1/v1' } } }, 'model.url'],
      [{ dataset_id: id, settings: { colour: 'red' } }, 'settings.colour'],
    ] as const) {
      const answer = await agent.post('/runs', body)
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, param, answer.text)
    }
  })

  it('POST: a run keeps no key, and other settings of a server stay as they are', async () => {
    const agent = await service.addAgent()
    const server = { url: 'http://127.0.0.1:9/v1', api_key: 'sk-secret' }
    for (const name of SERVERS) {
      const changed = await agent.patch('/agent', {
        [name]: name === 'model' ? { api_key: 'sk-secret' } : server,
      })
      assert.equal(changed.status, 200, changed.text)
    }
    const { id } = await addDataset(agent, [asks('One')])
    const { db } = service.app.app.foundation.database
    for (const settings of [{}, { transcription: { name: 'other' } }]) {
      const run = await startRun(agent, id, { settings })
      const kept = await db
        .selectFrom('test_runs')
        .select('settings')
        .where('id', '=', run)
        .executeTakeFirstOrThrow()
      const stored = JSON.parse(kept.settings)
      for (const name of SERVERS) assert.equal(stored[name].api_key, null, name)
      assert.equal(stored.transcription.url, server.url)
      await endOfRun(agent, run)
    }
  })

  it('POST 409: more than ten wait', async () => {
    const agent = await service.addAgent()
    const { id } = await addDataset(agent, [asks('One')])
    const go = Promise.withResolvers<void>()
    service.model.answer = { after: go.promise }
    const runs: number[] = []
    for (let count = 0; count < 10; count++) runs.push(await startRun(agent, id))
    assertError(await agent.post('/runs', { dataset_id: id }), 409, 'too_many_runs')
    go.resolve()
    for (const run of runs) assert.equal((await endOfRun(agent, run)).status, 'done')
  })
})
