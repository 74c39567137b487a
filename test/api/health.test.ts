import assert from 'node:assert/strict'
import { it } from 'node:test'
import pino from 'pino'
import { Registry } from 'prom-client'
import { serveMetrics } from '../../src/app/metrics/serve-metrics.ts'
import { healthRoutes } from '../../src/http/health.ts'
import { createServer } from '../../src/http/server.ts'
import { signInNew } from '../support/console.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('GET /healthz, /readyz and /metrics', (service) => {
  const get = (path: string) => fetch(service.app.url + path)

  for (const path of ['/healthz', '/readyz']) {
    it(`${path} 200`, async () => {
      const response = await get(path)
      assert.equal(response.status, 200)
      assert.deepEqual(await response.json(), { status: 'ok' })
    })
  }

  it('/metrics 200: requests by route and status, latencies, model calls by outcome, backlog', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('zebra')
    await agent.get('/conversations?giraffe=1')
    service.model.next({ status: 500 })
    await agent.post('/chat/completions', { messages: [{ role: 'user', content: 'zebra' }] })
    await get('/no/such/path')
    const response = await get('/metrics')
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
    const text = await response.text()
    for (const line of [
      'parley_http_requests_total{method="POST",route="/api/v1/chat/completions",status="200"} 1',
      'parley_http_requests_total{method="POST",route="/api/v1/chat/completions",status="502"} 1',
      'parley_http_requests_total{method="GET",route="/api/v1/conversations",status="200"} 1',
      'parley_http_requests_total{method="GET",route="unknown",status="404"} 1',
      'parley_http_request_seconds_count{route="/api/v1/chat/completions"} 2',
      'parley_model_call_seconds_count{purpose="answer",outcome="ok"} 1',
      'parley_model_call_seconds_count{purpose="answer",outcome="status"} 1',
      'parley_backlog{kind="prompts"} 0',
      'parley_backlog{kind="events"} 0',
    ]) {
      assert.ok(text.split('\n').includes(line), line)
    }
    for (const secret of [conversation_id, 'giraffe', 'zebra', 'parley_key', '/no/such']) {
      assert.ok(!text.includes(secret), `no label holds ${secret}`)
    }
  })

  it('/metrics tells no costs and budgets where no token is set', async () => {
    const agent = await service.addAgent()
    const prices = { 'test-model': { input: 1_000_000, output: 0 } }
    assert.equal((await agent.patch('/agent', { prices, budget: { day: 100 } })).status, 200)
    await agent.prompt('zebra')
    assert.doesNotMatch(await (await get('/metrics')).text(), /cost|budget|agent_id/)
  })

  it('/metrics: what a model judges is counted too', async () => {
    const agent = await service.addAgent()
    const evaluator = { name: 'J', kind: 'model_judge', settings: { criteria: 'polite' } }
    const { id } = (await agent.post('/evaluators', evaluator)).body.data
    service.model.next({ text: '{"score": 1}' }, { status: 500 })
    for (const text of ['hello', 'hello again']) await agent.post(`/evaluators/${id}/try`, { text })
    const metrics = (await (await get('/metrics')).text()).split('\n')
    for (const outcome of ['ok', 'status'])
      assert.ok(metrics.includes(`parley_model_call_seconds_count{purpose="judge",outcome="${outcome}"} 1`))
  })

  it('/metrics: sessions of people that have not ended', async () => {
    const sessions = async () => /^parley_sessions (\d+)$/m.exec(await (await get('/metrics')).text())?.[1]
    assert.equal(await sessions(), '0')
    const person = await signInNew(service.app, { teamId: service.app.agent.teamId, right: 'read' })
    assert.equal(await sessions(), '1')
    service.clock = () => Date.now() + 13 * 60 * 60_000
    assert.equal(await sessions(), '0')
    service.clock = Date.now
    await person.call('DELETE', '/session')
    assert.equal(await sessions(), '0')
  })

  it('/metrics: the backlog counts prompts that wait for their answer', async () => {
    const agent = await service.addAgent()
    const held = Promise.withResolvers<void>()
    service.model.next({ after: held.promise })
    const answering = agent.prompt('hello')
    await service.model.request(0)
    assert.match(await (await get('/metrics')).text(), /^parley_backlog\{kind="prompts"\} 1$/m)
    held.resolve()
    await answering
    assert.match(await (await get('/metrics')).text(), /^parley_backlog\{kind="prompts"\} 0$/m)
  })

  it('/metrics: conversations that wait for a person, and for how long the first of them has', async () => {
    const agent = await service.addAgent()
    const read = async () => (await get('/metrics')).text()
    const count = async () => Number(/^parley_waiting_conversations (\d+)$/m.exec(await read())?.[1])
    const present = await count()
    // Before any other test of this file had one wait.
    service.clock = () => Date.parse('2001-01-01T00:00:00.000Z')
    const { conversation_id: id } = await agent.prompt('hello')
    await agent.post(`/conversations/${id}/wait`)
    service.clock = () => Date.parse('2001-01-01T00:01:30.000Z')
    assert.equal(await count(), present + 1)
    assert.match(await read(), /^parley_waiting_oldest_seconds 90$/m)
  })
})

it('/metrics 403 without its token, when one is set', async () => {
  const server = createServer({
    logger: pino({ level: 'silent' }),
    bodyLimit: 1024,
    trustedProxies: [],
    isUnavailable: () => false,
  })
  serveMetrics(server, new Registry(), 'a-token')
  await server.ready()
  for (const [authorization, status] of [
    ['Bearer a-token', 200],
    ['Bearer a-tokem', 403],
    ['a-token', 403],
    [undefined, 403],
  ] as const) {
    const headers = authorization === undefined ? {} : { authorization }
    const { statusCode } = await server.inject({ url: '/metrics', headers })
    assert.equal(statusCode, status, `authorization: ${authorization}`)
  }
  await server.close()
})

const pings: Record<string, () => Promise<void>> = {
  'refuses to answer': () => Promise.reject(new Error('the password of the database')),
  'does not answer within two seconds': () => new Promise(() => {}),
}
for (const [what, ping] of Object.entries(pings)) {
  it(`GET /readyz 503: the database ${what}; /healthz still does`, async (t) => {
    const server = createServer({
      logger: pino({ level: 'silent' }),
      bodyLimit: 1024,
      trustedProxies: [],
      isUnavailable: () => false,
    })
    const asked = Promise.withResolvers<void>()
    healthRoutes(server, 'mark', () => {
      asked.resolve()
      return ping()
    })
    await server.ready()
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const pending = server.inject('/readyz')
    await asked.promise
    t.mock.timers.tick(2000)
    const ready = await pending
    assert.equal(ready.statusCode, 503)
    assert.deepEqual(ready.json(), { status: 'unavailable' })
    assert.equal((await server.inject('/healthz')).statusCode, 200)
    await server.close()
  })
}
