import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../../support/app.ts'
import { addDataset, asks, endOfRun, runOf } from '../../support/datasets.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'
import { spokenIn } from '../../support/spoken-in.ts'

const says = (value: string) => [{ kind: 'contains', value }]
const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }

onBothEngines('repeated runs', (service) => {
  /** Answers each question with the next of its texts, and the last again and again. */
  function answers(texts: Record<string, string[]>): void {
    const left = structuredClone(texts)
    service.model.answerFor = (body) => {
      const own = left[String(spokenIn(body).at(-1)?.content)] ?? []
      const text = own.length > 1 ? own.shift() : own[0]
      return { text: text ?? 'nothing', usage }
    }
  }

  it('POST 201 and GET 200: each case so many times, the spread, and the cases that are flaky', async () => {
    const agent = await service.addAgent()
    const { id, cases } = await addDataset(agent, [
      asks('always', says('yes')),
      asks('sometimes', says('yes')),
      asks('never', says('yes')),
    ])
    answers({ always: ['yes'], sometimes: ['yes', 'no', 'yes', 'yes'], never: ['no'] })
    const run = await runOf(agent, id, { repeats: 4 })
    assert.deepEqual(
      [run.status, run.total, run.repeats, run.done, run.passed, run.failed],
      ['done', 3, 4, 12, 1, 2],
    )
    assert.deepEqual(run.flaky, [cases[1]])
    const { mean, min, max, deviation } = run.pass_rate
    assert.deepEqual(
      [mean, min, max].map((rate) => Number(rate.toFixed(4))),
      [0.5833, 0.3333, 0.6667],
    )
    assert.equal(deviation.toFixed(4), '0.1667')
    const told = run.results.map(
      (result: { status: string; passed: number; ran: number; response: string }) => [
        result.status,
        result.passed,
        result.ran,
        result.response,
      ],
    )
    assert.deepEqual(told, [
      ['passed', 4, 4, 'yes'],
      ['failed', 3, 4, 'no'],
      ['failed', 0, 4, 'no'],
    ])
    assert.equal(service.model.requests.length, 12)
  })

  it('GET 200 of a case: each of its repeats', async () => {
    const agent = await service.addAgent()
    const { id, cases } = await addDataset(agent, [asks('sometimes', says('yes'))])
    answers({ sometimes: ['yes', 'no'] })
    const run = await runOf(agent, id, { repeats: 2 })
    const { status, body } = await agent.get(`/runs/${run.id}/cases/${cases[0]}`)
    assert.equal(status, 200)
    const { case_id, prompt, repeats } = body.data
    assert.deepEqual([case_id, prompt], [cases[0], 'sometimes'])
    const responses = repeats.map(({ repeat, response, dialogue }: Record<string, unknown>) => [
      repeat,
      response,
      dialogue,
    ])
    assert.deepEqual(responses.map(([, response]: unknown[]) => response).toSorted(), ['no', 'yes'])
    assert.deepEqual(
      responses.map(([repeat, , dialogue]: unknown[]) => [repeat, dialogue]),
      [
        [1, null],
        [2, null],
      ],
    )
    assertError(await agent.get(`/runs/${run.id}/cases/999999`), 404, 'case_not_found')
    assertError(await agent.get(`/runs/${run.id}/cases/x`), 404, 'case_not_found')
    assertError(await agent.get(`/runs/999999/cases/${cases[0]}`), 404, 'run_not_found')
    const other = await service.addAgent()
    assertError(await other.get(`/runs/${run.id}/cases/${cases[0]}`), 404, 'run_not_found')
  })

  it('GET 200 with against: whether a difference is larger than the spread', async () => {
    const agent = await service.addAgent()
    const { id, cases } = await addDataset(agent, [asks('a', says('yes')), asks('b', says('yes'))])
    answers({ a: ['yes'], b: ['no'] })
    const half = await runOf(agent, id, { repeats: 3 })
    answers({ a: ['yes'], b: ['yes'] })
    const whole = await runOf(agent, id, { repeats: 3 })
    const clear = await endOfRun(agent, whole.id, `?against=${half.id}`)
    assert.deepEqual(
      [clear.better, clear.worse, clear.difference, clear.beyond_spread, clear.same_documents],
      [[cases[1]], [], 0.5, true, true],
    )
    answers({ a: ['yes'], b: ['no', 'yes', 'no'] })
    const noisy = await runOf(agent, id, { repeats: 3 })
    const within = await endOfRun(agent, noisy.id, `?against=${half.id}`)
    assert.deepEqual([within.better, within.beyond_spread], [[cases[1]], false])
    const once = await runOf(agent, id)
    assert.equal((await endOfRun(agent, once.id, `?against=${half.id}`)).beyond_spread, null)
  })

  it('tokens, cost by the prices of the run, and times', async () => {
    const prices = { 'test-model': { input: 1000, output: 5000 } }
    const agent = await service.addAgent({ settings: { prices } })
    const { id } = await addDataset(agent, [asks('a'), asks('b')])
    answers({ a: ['yes'], b: ['yes'] })
    const run = await runOf(agent, id, { repeats: 2 })
    assert.deepEqual(run.used, {
      calls: 4,
      prompt_tokens: 400,
      completion_tokens: 80,
      cost: 0.8,
      estimated: false,
      customer: null,
    })
    assert.deepEqual([run.results[0].used.calls, run.results[0].used.cost], [1, 0.2])
    const { wall_ms, median_ms, p90_ms } = run.times
    assert.ok(wall_ms >= 0 && median_ms >= 0 && p90_ms >= median_ms)
    const dearer = await runOf(agent, id, {
      settings: { prices: { 'test-model': { input: 2000, output: 5000 } } },
    })
    assert.equal(dearer.used.cost, 0.6)
  })

  it('cost_limit: the run ends once it has cost that, and keeps what it has', async () => {
    const prices = { 'test-model': { input: 1000, output: 5000 } }
    const agent = await service.addAgent({ settings: { prices } })
    const { id } = await addDataset(agent, [asks('a', says('yes'))])
    answers({ a: ['yes'] })
    const run = await runOf(agent, id, { repeats: 20, cost_limit: 0.5 })
    assert.deepEqual(
      [run.status, run.error_code, run.error, run.cost_limit],
      ['failed', 'cost_limit', 'the run reached its limit of cost', 0.5],
    )
    // Up to four answers are under way at once.
    assert.ok(run.done >= 3 && run.done <= 6, String(run.done))
    assert.deepEqual([run.results[0].status, run.results[0].ran], ['waiting', run.done])
    assert.ok(run.used.cost >= 0.5)
  })

  it('POST 400: a cost_limit where only another model has a price', async () => {
    const agent = await service.addAgent({ settings: { prices: { other: { input: 1, output: 1 } } } })
    const { id } = await addDataset(agent, [asks('a')])
    const answer = await agent.post('/runs', { dataset_id: id, cost_limit: 1 })
    assertError(answer, 400, 'invalid_request')
    assert.match(answer.body.error.message, /^cost_limit: .* of the model test-model in `prices`/)
  })

  for (const [body, param] of [
    [{ repeats: 0 }, 'repeats'],
    [{ repeats: 21 }, 'repeats'],
    [{ cost_limit: 0 }, 'cost_limit'],
    [{ cost_limit: 1 }, 'cost_limit'],
  ] as const) {
    it(`POST 400: ${JSON.stringify(body)}`, async () => {
      const agent = await service.addAgent()
      const { id } = await addDataset(agent, [asks('a')])
      const answer = await agent.post('/runs', { dataset_id: id, ...body })
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, param, answer.text)
    })
  }

  it('POST 400: more than 2,000 answers', async () => {
    const agent = await service.addAgent()
    const { id } = await addDataset(agent)
    const { db } = service.app.app.foundation.database
    const row = { agent_id: agent.agentId, dataset_id: id, tags: '{}', created_at: '', updated_at: '' }
    await db
      .insertInto('dataset_cases')
      .values(Array.from({ length: 101 }, () => row))
      .execute()
    const answer = await agent.post('/runs', { dataset_id: id, repeats: 20 })
    assertError(answer, 400, 'invalid_request')
    assert.match(answer.text, /101 cases can be repeated 19 times/)
  })
})
