import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, testAgent } from '../support/app.ts'
import { signInNew } from '../support/console.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines(
  'rate limits',
  (service) => {
    it('429: above PARLEY_RATE_LIMIT requests a minute a credential, with Retry-After', async () => {
      const agent = await service.addAgent()
      for (let n = 0; n < 5; n++) assert.equal((await agent.get('/agent')).status, 200)
      for (const path of ['/agent', '/conversations']) {
        const answer = await agent.get(path)
        assertError(answer, 429, 'rate_limited')
        const wait = Number(answer.headers.get('retry-after'))
        assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= 60, `${wait}`)
      }
      const prompt = { messages: [{ role: 'user', content: 'hello' }] }
      assertError(await agent.post('/chat/completions', prompt), 429, 'rate_limited')
      assert.equal(service.model.requests.length, 0)
    })

    it('each key and each token has a limit of its own, whatever it comes with', async () => {
      const agent = await service.addAgent()
      const colleague = await service.addAgent({ teamId: agent.teamId })
      for (let n = 0; n < 6; n++) await agent.get('/agent')
      const ask = ({ apiKey, bearerToken }: { apiKey: string; bearerToken: string }) =>
        testAgent(agent.baseUrl, { ...agent, apiKey, bearerToken }).get('/agent')
      assertError(await ask({ ...agent, bearerToken: colleague.bearerToken }), 429, 'rate_limited')
      assertError(await ask({ ...agent, apiKey: colleague.apiKey }), 429, 'rate_limited')
      assert.equal((await ask(colleague)).status, 200)
    })

    it('429: each session in the console has the same limit of its own', async () => {
      const [one, other] = [
        await signInNew(service.app, { teamId: 1, right: 'read' }),
        await signInNew(service.app, { teamId: 1, right: 'read' }),
      ]
      for (let n = 0; n < 5; n++) assert.equal((await one.call('GET', '/session')).status, 200)
      for (const path of ['/session', '/agents/1/conversations']) {
        const answer = await one.call('GET', path)
        assertError(answer, 429, 'rate_limited')
        assert.ok(Number(answer.headers.get('retry-after')) >= 1)
      }
      assert.equal((await other.call('GET', '/session')).status, 200)
    })

    it('200: health, metrics and document are not limited', async () => {
      for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json']) {
        for (let n = 0; n < 7; n++) assert.equal((await fetch(service.app.url + path)).status, 200)
      }
    })
  },
  { PARLEY_RATE_LIMIT: '5' },
)

onBothEngines('requests of nobody in the console', (service) => {
  for (const [name, path, status] of [
    ['without a session', '/session', 403],
    ['for the ways to sign in', '/sign-in', 200],
  ] as const)
    it(`429: from 600 a minute an address on, ${name}; people still pass`, async () => {
      const person = await signInNew(service.app, { teamId: 1, right: 'read' })
      const ask = async () => {
        const response = await fetch(`${service.app.url}/console/api${path}`)
        await response.arrayBuffer()
        return response.status
      }
      const statuses: number[] = []
      for (let n = 0; n < 10; n++) statuses.push(...(await Promise.all(Array.from({ length: 61 }, ask))))
      assert.ok(statuses.slice(0, 500).every((one) => one === status))
      assert.equal(statuses.at(-1), 429)
      assert.equal((await person.call('GET', '/session')).status, 200)
    })
})

onBothEngines('refused credentials', (service) => {
  it('429: from 600 a minute an address on, whatever address a caller names; valid ones still pass', async () => {
    const agent = await service.addAgent()
    let guesses = 0
    const guess = () =>
      agent.call('GET', '/agent', undefined, {
        'x-api-key': 'nonsense',
        'x-forwarded-for': `203.0.113.${guesses++ % 250}`,
      })
    const statuses: number[] = []
    for (let n = 0; n < 10; n++) {
      statuses.push(...(await Promise.all(Array.from({ length: 60 }, async () => (await guess()).status))))
    }
    assert.deepEqual(statuses, Array(600).fill(403))
    const answer = await guess()
    assertError(answer, 429, 'rate_limited')
    assert.ok(Number(answer.headers.get('retry-after')) >= 1)
    assert.equal((await agent.get('/agent')).status, 200)
  })
})

onBothEngines(
  'behind a trusted proxy',
  (service) => {
    it('429: refusals are counted for the address that the proxy tells', async () => {
      const { agent } = service.app
      const ask = (address: string) =>
        agent.call('GET', '/agent', undefined, { 'x-api-key': '', 'x-forwarded-for': address })
      for (let n = 0; n < 10; n++) await Promise.all(Array.from({ length: 60 }, () => ask('203.0.113.1')))
      assertError(await ask('203.0.113.1'), 429, 'rate_limited')
      assertError(await ask('203.0.113.2'), 403, 'invalid_credentials')
      assertError(await ask('::ffff:203.0.113.1'), 429, 'rate_limited')
    })

    it('429: the addresses of an IPv6 /64 are counted together', async () => {
      const { agent } = service.app
      const ask = (address: string) =>
        agent.call('GET', '/agent', undefined, { 'x-api-key': '', 'x-forwarded-for': address })
      for (let n = 0; n < 10; n++)
        await Promise.all(Array.from({ length: 60 }, (_, m) => ask(`2001:db8:0:1:${n}::${m}`)))
      assertError(await ask('2001:db8:0:1:ffff::1'), 429, 'rate_limited')
      assertError(await ask('2001:db8:0:2::1'), 403, 'invalid_credentials')
    })
  },
  { PARLEY_TRUSTED_PROXIES: '127.0.0.1/32' },
)
