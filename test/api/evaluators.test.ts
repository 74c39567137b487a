import assert from 'node:assert/strict'
import { it } from 'node:test'
import { bySystem } from '../../src/audit/record.ts'
import { deleteEvaluator } from '../../src/evaluators/delete-evaluator.ts'
import { requireEvaluators } from '../../src/evaluators/find-evaluator.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const keywords = { name: 'Refunds', kind: 'keywords', settings: { words: ['refund'] } }

async function create(agent: TestAgent, body: object = keywords) {
  const { status, body: answer, text } = await agent.post('/evaluators', body)
  assert.equal(status, 201, text)
  return answer.data
}

onBothEngines('evaluators', (service) => {
  it('POST 201: each kind, with its defaults', async () => {
    const agent = await service.addAgent()
    const condition = { any: [{ field: 'language', op: 'in', value: ['de'] }] }
    for (const [kind, settings, stored, threshold] of [
      ['keywords', { words: ['a'] }, { words: ['a'], match: 'any', exact: false }, 1],
      ['regex', { pattern: 'a+' }, { pattern: 'a+', ignore_case: true }, 1],
      ['similarity', { examples: ['hello'] }, { examples: ['hello'] }, 0.6],
      ['personal_data', {}, { types: null }, 1],
      ['personal_data', undefined, { types: null }, 1],
      ['language', { languages: ['de'] }, { languages: ['de'] }, 0.5],
      ['length', { max: 9 }, { max: 9, unit: 'characters' }, 1],
      ['condition', { condition }, { condition }, 1],
      ['model_judge', { criteria: 'polite' }, { criteria: 'polite', model: null, timeout_ms: 15_000 }, 0.5],
      [
        'webhook',
        { url: 'https://1.1.1.1/x' },
        { url: 'https://1.1.1.1/x', secret: { set: false, last_four: null } },
        0.5,
      ],
    ] as const) {
      const data = await create(agent, { name: 'E', kind, ...(settings && { settings }) })
      const { id, created_at, updated_at, version, ...rest } = data
      assert.ok(Number.isInteger(id) && id > 0)
      assert.match(created_at, /^\d{4}-.*\.\d{3}Z$/)
      assert.equal(updated_at, created_at)
      const expected = { name: 'E', kind, settings: stored, threshold, invert: false, on_error: null }
      assert.deepEqual(rest, expected)
      assert.deepEqual((await agent.get(`/evaluators/${id}`)).body.data, data)
    }
  })

  for (const [body, param] of [
    [{}, 'kind'],
    [{ ...keywords, kind: 'magic' }, 'kind'],
    [{ ...keywords, name: '' }, 'name'],
    [{ ...keywords, name: 'a\u0000' }, 'name'],
    [{ ...keywords, settings: {} }, 'settings.words'],
    [{ ...keywords, settings: { words: ['a'], pattern: 'x' } }, 'settings.pattern'],
    [{ name: 'E', kind: 'keywords' }, 'settings'],
    [{ ...keywords, threshold: 1.1 }, 'threshold'],
    [{ ...keywords, threshold: '1' }, 'threshold'],
    [{ ...keywords, invert: 1 }, 'invert'],
    [{ ...keywords, on_error: 'block' }, 'on_error'],
    [{ ...keywords, id: 7 }, 'id'],
    [{ name: 'E', kind: 'regex', settings: { pattern: '(?=x)y' } }, 'settings.pattern'],
    [{ name: 'E', kind: 'regex', settings: { pattern: '(x)\\1' } }, 'settings.pattern'],
    [
      {
        name: 'E',
        kind: 'condition',
        settings: { condition: { all: [{ field: 'hour', op: 'contains', value: 'x' }] } },
      },
      'settings.condition.all.0.op',
    ],
    [{ name: 'E', kind: 'webhook', settings: { url: 'http://10.0.0.1/x' } }, 'settings.url'],
    [{ name: 'E', kind: 'webhook', settings: { url: 'http://169.254.169.254/' } }, 'settings.url'],
    [{ name: 'E', kind: 'webhook', settings: { url: 'file:///etc/passwd' } }, 'settings.url'],
  ] as const) {
    it(`POST 400: ${JSON.stringify(body).slice(0, 90)}`, async () => {
      const agent = await service.addAgent()
      const answer = await agent.post('/evaluators', body)
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, param)
      assert.equal((await agent.get('/evaluators')).body.total, 0)
    })
  }

  it('POST 400: a condition deeper than a recursion bears', async () => {
    const depth = 100_000
    const condition = `${'{"not":'.repeat(depth)}{"field":"hour","op":"gt","value":1}${'}'.repeat(depth)}`
    const body = `{"name":"E","kind":"condition","settings":{"condition":${condition}}}`
    const answer = await service.app.agent.post('/evaluators', body)
    assertError(answer, 400, 'invalid_request')
    assert.match(answer.body.error.message, /deep/)
  })

  it('POST 400 and 415: no JSON', async () => {
    const { agent } = service.app
    assertError(await agent.post('/evaluators', '{'), 400, 'invalid_json')
    const answer = await agent.call('POST', '/evaluators', '{}', { 'content-type': 'text/plain' })
    assertError(answer, 415, 'unsupported_media_type')
  })

  it('GET 200: pages, newest first, of this agent alone', async () => {
    const agent = await service.addAgent()
    const other = await service.addAgent()
    await create(other)
    const ids = []
    for (const name of ['a', 'b', 'c']) ids.unshift((await create(agent, { ...keywords, name })).id)
    const { body } = await agent.get('/evaluators?per_page=2')
    assert.deepEqual(
      body.data.map(({ id }: { id: number }) => id),
      ids.slice(0, 2),
    )
    assert.deepEqual([body.total, body.page, body.per_page], [3, 1, 2])
    const second = (await agent.get('/evaluators?per_page=2&page=2')).body
    assert.deepEqual(
      second.data.map(({ id }: { id: number }) => id),
      ids.slice(2),
    )
    assert.deepEqual((await agent.get('/evaluators?page=9')).body.data, [])
    assertError(await agent.get('/evaluators?page=x'), 400, 'invalid_request')
  })

  it('PATCH 200: each field alone; settings are merged field by field', async () => {
    const agent = await service.addAgent()
    service.clock = () => Date.UTC(2026, 0, 1)
    let expected = await create(agent)
    service.clock = () => Date.UTC(2026, 0, 2)
    expected.updated_at = '2026-01-02T00:00:00.000Z'
    for (const patch of [
      { name: 'Money' },
      { threshold: 0.5 },
      { invert: true },
      { invert: false },
      { on_error: 'pass' },
      {},
      { settings: { match: 'all' } },
      { settings: { words: ['refund', 'money'] } },
    ]) {
      const { status, body } = await agent.patch(`/evaluators/${expected.id}`, patch)
      assert.equal(status, 200)
      const { settings = {}, ...rest } = patch as { settings?: object }
      const { version } = body.data
      expected = { ...expected, ...rest, settings: { ...expected.settings, ...settings }, version }
      assert.deepEqual(body.data, expected)
      assert.deepEqual((await agent.get(`/evaluators/${expected.id}`)).body.data, expected)
    }
    const { body } = await agent.patch(`/evaluators/${expected.id}`, { settings: { match: null } })
    assert.equal(body.data.settings.match, 'any', 'null takes a field away')
  })

  for (const [patch, param] of [
    [{ name: null }, 'name'],
    [{ kind: 'regex' }, 'kind'],
    [{ threshold: -1 }, 'threshold'],
    [{ settings: { words: [] } }, 'settings.words'],
    [{ settings: { words: null } }, 'settings.words'],
    [{ settings: { pattern: 'x' } }, 'settings.pattern'],
    [{ settings: null }, 'settings'],
  ] as const) {
    it(`PATCH 400: ${JSON.stringify(patch)}`, async () => {
      const agent = await service.addAgent()
      const before = await create(agent)
      const answer = await agent.patch(`/evaluators/${before.id}`, patch)
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, param)
      assert.deepEqual((await agent.get(`/evaluators/${before.id}`)).body.data, before)
    })
  }

  it('PATCH 200: patches of different fields at once are all kept', async () => {
    const agent = await service.addAgent()
    const { id } = await create(agent)
    await Promise.all([
      agent.patch(`/evaluators/${id}`, { name: 'Money' }),
      agent.patch(`/evaluators/${id}`, { threshold: 0.25 }),
      agent.patch(`/evaluators/${id}`, { settings: { match: 'all' } }),
      agent.patch(`/evaluators/${id}`, { settings: { words: ['money'] } }),
    ])
    const { data } = (await agent.get(`/evaluators/${id}`)).body
    assert.deepEqual([data.name, data.threshold], ['Money', 0.25])
    assert.deepEqual(data.settings, { words: ['money'], match: 'all', exact: false })
  })

  it('a secret is sealed, never answered, and goes when the address moves', async () => {
    const agent = await service.addAgent()
    const secret = 'very-secret-1234'
    const created = await agent.post('/evaluators', {
      name: 'Hook',
      kind: 'webhook',
      settings: { url: 'https://1.1.1.1/a', secret },
    })
    const { id } = created.body.data
    const set = { set: true, last_four: '1234' }
    const unset = { set: false, last_four: null }
    assert.deepEqual(created.body.data.settings.secret, set)
    const { db } = service.app.app.foundation.database
    const rows = await db.selectFrom('evaluators').selectAll().where('id', '=', id).execute()
    for (const text of [created.text, JSON.stringify(rows)]) assert.ok(!text.includes('very-secret'))

    const patched = async (settings: object) =>
      (await agent.patch(`/evaluators/${id}`, { settings })).body.data.settings.secret
    assert.deepEqual(await patched({ url: 'https://1.1.1.1/b' }), set)
    assert.deepEqual(await patched({ secret: 'another-secret-9' }), {
      set: true,
      last_four: 'et-9',
    })
    assert.deepEqual(await patched({ url: 'https://8.8.8.8/b' }), unset)
    assert.deepEqual(await patched({ url: 'https://1.1.1.1/b', secret }), set)
    assert.deepEqual(await patched({ secret: null }), unset)
    const answer = await agent.patch(`/evaluators/${id}`, { settings: { url: 'http://192.168.0.1/' } })
    assertError(answer, 400, 'invalid_request')
    assert.equal(answer.body.error.param, 'settings.url')
  })

  it('DELETE 204, then 404', async () => {
    const agent = await service.addAgent()
    const { id } = await create(agent)
    const kept = await create(agent)
    assert.equal((await agent.call('DELETE', `/evaluators/${id}`)).status, 204)
    assertError(await agent.get(`/evaluators/${id}`), 404, 'evaluator_not_found')
    assertError(await agent.call('DELETE', `/evaluators/${id}`), 404, 'evaluator_not_found')
    assert.deepEqual((await agent.get('/evaluators')).body.data, [kept])
  })

  it('an evaluator that a rule needs is neither deleted nor missed', async () => {
    const agent = await service.addAgent()
    const { id } = await create(agent)
    const { db } = service.app.app.foundation.database
    const needed = async (_db: unknown, evaluatorId: number) => evaluatorId === id
    const by = { ...bySystem, teamId: agent.teamId }
    const now = new Date().toISOString()
    await assert.rejects(deleteEvaluator(db, agent.agentId, id, needed, now, by), {
      code: 'evaluator_in_use',
      status: 409,
    })
    assert.equal((await agent.get(`/evaluators/${id}`)).status, 200)

    const required = (ids: number[], agentId = agent.agentId) =>
      db.transaction().execute((db) => requireEvaluators(db, agentId, ids, 'evaluator_id'))
    await required([])
    await required([id, id])
    const refusal = { code: 'invalid_request', param: 'evaluator_id', message: /no evaluator/ }
    await assert.rejects(required([id, 999_999]), refusal)
    await assert.rejects(required([id], (await service.addAgent()).agentId), refusal)
  })

  it("404: another agent's, unknown, and what is no id", async () => {
    const { id } = await create(await service.addAgent())
    const agent = await service.addAgent()
    for (const path of [id, 999_999, 0, -1, '1.5', 'x', '9'.repeat(30)].map((id) => `/evaluators/${id}`)) {
      assertError(await agent.get(path), 404, 'evaluator_not_found')
      assertError(await agent.patch(path, {}), 404, 'evaluator_not_found')
      assertError(await agent.call('DELETE', path), 404, 'evaluator_not_found')
      assertError(await agent.post(`${path}/try`, { text: 'x' }), 404, 'evaluator_not_found')
    }
  })

  it('403: without credentials', async () => {
    const { agent } = service.app
    for (const [method, path] of [
      ['POST', '/evaluators'],
      ['GET', '/evaluators'],
      ['GET', '/evaluators/1'],
      ['PATCH', '/evaluators/1'],
      ['DELETE', '/evaluators/1'],
      ['POST', '/evaluators/1/try'],
    ] as const) {
      assertError(await agent.call(method, path, undefined, { 'x-api-key': '' }), 403, 'invalid_credentials')
    }
  })
})
