import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const lookUp = {
  kind: 'http',
  name: 'look_up',
  description: 'Looks up an order.',
  parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  url: 'http://127.0.0.1:9/orders/{id}',
}

async function create(agent: TestAgent, body: object = lookUp) {
  const { status, body: answer, text } = await agent.post('/tools', body)
  assert.equal(status, 201, text)
  return answer.data
}

onBothEngines('tools', (service) => {
  it('POST 201: with its defaults, and headers only as set', async () => {
    const agent = await service.addAgent()
    const made = await create(agent, { ...lookUp, headers: { Authorization: 'Bearer secret-token' } })
    const { id, created_at, updated_at, version, ...rest } = made
    assert.deepEqual(rest, {
      ...lookUp,
      method: 'GET',
      body: null,
      active: true,
      idempotent: true,
      restore: true,
      requires: 'none',
      headers: { authorization: { set: true, last_four: 'oken' } },
    })
    assert.deepEqual((await agent.get('/tools')).body.data, [made])
    assert.ok(!(await agent.get('/tools')).text.includes('secret-token'))
    const post = await create(agent, { ...lookUp, name: 'order', method: 'POST', body: { id: '{id}' } })
    assert.equal(post.idempotent, false)
  })

  it('PATCH 400: more headers than a tool may have, with those that are stored', async () => {
    const agent = await service.addAgent()
    const named = (from: number, most: number) =>
      Object.fromEntries(Array.from({ length: most }, (_, at) => [`x-${from + at}`, 'value']))
    const { id } = await create(agent, { ...lookUp, headers: named(0, 15) })
    const answer = await agent.patch(`/tools/${id}`, { headers: named(15, 6) })
    assertError(answer, 400, 'invalid_request')
    assert.equal(answer.body.error.param, 'headers')
    const exchanged = await agent.patch(`/tools/${id}`, { headers: { ...named(15, 6), 'x-0': null } })
    assert.equal(Object.keys(exchanged.body.data.headers).length, 20)
  })

  for (const [change, param] of [
    [{ kind: 'magic' }, 'kind'],
    [{ name: '' }, 'name'],
    [{ name: 'look up' }, 'name'],
    [{ name: 'request_person' }, 'name'],
    [{ name: 'x'.repeat(65) }, 'name'],
    [{ description: '' }, 'description'],
    [{ url: 'ftp://example.com/{id}' }, 'url'],
    [{ url: '{id}' }, 'url'],
    [{ url: 'http://{id}.example.com/' }, 'url'],
    [{ url: 'http://127.0.0.1:{id}/' }, 'url'],
    [{ url: 'http://user:pass@127.0.0.1/{id}' }, 'url'],
    [{ url: 'http://127.0.0.1:9/{other}' }, 'url'],
    [{ url: 'http://127.0.0.1:9/{id}{id}' }, 'url'],
    [{ url: 'http://127.0.0.1:9/?{id}=1' }, 'url'],
    [{ url: 'http://127.0.0.1:9/#{id}' }, 'url'],
    [{ url: 'http://127.0.0.1:9/../{id}' }, 'url'],
    [{ url: 'http://10.0.0.1/{id}' }, 'url'],
    [{ url: 'http://169.254.169.254/{id}' }, 'url'],
    [{ method: 'TRACE' }, 'method'],
    [{ body: '{"id": "{id}"}' }, 'body'],
    [{ method: 'POST', body: '{"id": {id}}' }, 'body'],
    [{ method: 'POST', body: { id: '{other}' } }, 'body'],
    [{ method: 'POST', body: { '{id}': '1' } }, 'body'],
    [{ parameters: { type: 'array' } }, 'parameters'],
    [{ parameters: { properties: { id: { type: 'string', pattern: '(?=a)' } } } }, 'parameters'],
    [{ parameters: { patternProperties: { '(?=a)': {} } } }, 'parameters'],
    [{ parameters: { properties: { id: { $ref: '#id' } } } }, 'parameters'],
    [{ parameters: { properties: { id: { $ref: '#/$defs/none' } } } }, 'parameters'],
    [{ headers: { Host: 'example.com' } }, 'headers.Host'],
    [{ headers: { a: 'x\ny' } }, 'headers.a'],
    [{ id: 7 }, 'id'],
  ] as const) {
    it(`POST 400: ${JSON.stringify(change).slice(0, 90)}`, async () => {
      const agent = await service.addAgent()
      const answer = await agent.post('/tools', { ...lookUp, ...change })
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, param, answer.text)
    })
  }

  it('POST and PATCH 409: a name that another tool has', async () => {
    const agent = await service.addAgent()
    await create(agent)
    assertError(await agent.post('/tools', lookUp), 409, 'tool_name_taken')
    const other = await create(agent, { ...lookUp, name: 'other' })
    assertError(await agent.patch(`/tools/${other.id}`, { name: 'look_up' }), 409, 'tool_name_taken')
  })

  it('PATCH 200: field by field; headers one by one, and dropped with their origin', async () => {
    const agent = await service.addAgent()
    const { id } = await create(agent, { ...lookUp, headers: { a: 'secret-a', b: 'secret-b' } })
    const headers = async (patch: object) => {
      const { status, body, text } = await agent.patch(`/tools/${id}`, patch)
      assert.equal(status, 200, text)
      return Object.keys(body.data.headers)
    }
    assert.deepEqual(await headers({ headers: { b: null, c: 'secret-c' } }), ['a', 'c'])
    assert.deepEqual(await headers({ url: 'http://127.0.0.1:9/others/{id}', active: false }), ['a', 'c'])
    assert.deepEqual(await headers({ url: 'http://127.0.0.1:10/{id}', headers: { d: 'secret-d' } }), ['d'])
    assert.deepEqual(await headers({ url: 'http://127.0.0.1:9/{id}' }), [])
  })

  it('PATCH 200: a call with another method is not taken for one that can be made twice', async () => {
    const agent = await service.addAgent()
    const { id, idempotent } = await create(agent, lookUp)
    assert.equal(idempotent, true)
    const { body } = await agent.patch(`/tools/${id}`, { method: 'POST' })
    assert.equal(body.data.idempotent, false)
    assert.equal((await agent.patch(`/tools/${id}`, { idempotent: true })).body.data.idempotent, true)
    assert.equal((await agent.patch(`/tools/${id}`, { active: false })).body.data.idempotent, true)
  })

  it('PATCH 400: what does not fit together, and fields of the other kind', async () => {
    const agent = await service.addAgent()
    const { id } = await create(agent)
    for (const [patch, param] of [
      [{ parameters: { properties: {} } }, 'url'],
      [{ body: { id: '{id}' } }, 'body'],
      [{ allow: ['x'] }, 'allow'],
      [{ kind: 'http' }, 'kind'],
    ] as const) {
      const answer = await agent.patch(`/tools/${id}`, patch)
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, param)
    }
  })

  it('PATCH, DELETE and try 404; DELETE 204', async () => {
    const agent = await service.addAgent()
    const other = await service.addAgent()
    const { id } = await create(other)
    assertError(await agent.patch(`/tools/${id}`, {}), 404, 'tool_not_found')
    assertError(await agent.call('DELETE', `/tools/${id}`), 404, 'tool_not_found')
    assertError(await agent.post(`/tools/${id}/try`, {}), 404, 'tool_not_found')
    assert.equal((await other.call('DELETE', `/tools/${id}`)).status, 204)
    assert.deepEqual((await other.get('/tools')).body.data, [])
  })
})

onBothEngines('the address of a tool', (service) => {
  for (const url of ['http:10.0.0.1/mcp', 'http:\\\\10.0.0.1/mcp', 'https:/10.0.0.1/mcp'])
    it(`400: ${url}, which URL parsers take for that of a host`, async () => {
      const agent = await service.addAgent()
      assertError(await agent.post('/tools', { kind: 'mcp', name: 'orders', url }), 400, 'invalid_request')
    })
})
