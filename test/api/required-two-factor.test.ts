import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import type { OperatorRight } from '../../src/operators/operator.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { documentOf } from '../support/conforms.ts'
import { openConsole, PASSWORD, signInNew, type TestConsole } from '../support/console.ts'
import { type LiveStream, openLive } from '../support/live-stream.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

/** Operations that people may call before their second factor is on. */
const OPEN = ['DELETE /session', 'GET /session', 'POST /two-factor', 'PUT /two-factor']
const TEAM = /^\/(operators|groups|team|agents|tokens|audit)\b/

onBothEngines('a team that requires a second factor', (service) => {
  const streams: LiveStream[] = []
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.leave()
  })

  const personOf = ({ teamId }: TestAgent, right: OperatorRight = 'respond') =>
    signInNew(service.app, { teamId, right })
  const require = (agent: TestAgent, require_two_factor = true) =>
    agent.patch('/team', { require_two_factor })
  const signIn = async (email: string) => {
    const console = openConsole(service.app)
    return { console, ...(await console.call('POST', '/session', { email, password: PASSWORD })) }
  }

  async function setUp(console: TestConsole): Promise<void> {
    const begun = await console.call('POST', '/two-factor', { present: PASSWORD })
    assert.equal(begun.status, 200, begun.text)
    const totp = new TOTP({ secret: Secret.fromBase32(begun.body.data.secret) })
    const code = totp.generate({ timestamp: service.clock() })
    const { status, text } = await console.call('PUT', '/two-factor', { present: PASSWORD, code })
    assert.equal(status, 200, text)
  }

  /** Every operation that a session may call, below /console/api. */
  async function operationsOf({ agentId }: TestAgent): Promise<[method: string, path: string][]> {
    const { paths } = await documentOf(service.app.url)
    return Object.entries(paths).flatMap(([path, methods]) => {
      const below = path.replace(/^\/(api\/v1|console\/api)/, '')
      const isOfAgent = path.startsWith('/api/v1') && !TEAM.test(below)
      const place = (isOfAgent ? `/agents/${agentId}${below}` : below).replaceAll(/\{\w+\}/g, '0')
      return Object.entries(methods)
        .filter(([, operation]) => {
          const schemes = (operation as { security?: object[] }).security ?? []
          return schemes.some((scheme) => 'session' in scheme || 'apiKey' in scheme)
        })
        .map(([method]): [string, string] => [method.toUpperCase(), place])
    })
  }

  it('403 for all that a session may ask but to see who it is, set it up and sign out', async () => {
    const agent = await service.addAgent()
    const begunBefore = await personOf(agent, 'own')
    const { email } = begunBefore
    assert.equal((await begunBefore.call('GET', `/agents/${agent.agentId}/conversations`)).status, 200)
    assert.equal((await require(agent)).status, 200)
    const later = await signIn(email)
    assert.equal(later.status, 200, later.text)
    const operations = await operationsOf(agent)
    assert.ok(operations.length > 150, String(operations.length))
    for (const { cookie } of [begunBefore, later.console]) {
      for (const [method, path] of operations) {
        const name = `${method} ${path}`
        if (OPEN.includes(name)) continue
        const response = await fetch(`${service.app.url}/console/api${path}`, {
          method,
          headers: {
            cookie,
            'x-parley-console': '1',
            origin: service.app.url,
            ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
          },
          ...(method === 'GET' ? {} : { body: '{}' }),
        })
        const text = await response.text()
        assert.equal(response.status, 403, `${name}: ${text}`)
        assert.equal(JSON.parse(text).error.code, 'two_factor_required', name)
      }
    }
    for (const name of OPEN) assert.ok(operations.map((one) => one.join(' ')).includes(name), name)
    for (const { body } of [later, await begunBefore.call('GET', '/session')]) {
      assert.equal(body.data.needs_two_factor, true)
      assert.deepEqual(body.data.agents, [])
    }
    assert.equal((await later.console.call('DELETE', '/session')).status, 204)
  })

  it('opens everything once it is set up, and asks for it at the next sign-in', async () => {
    const agent = await service.addAgent()
    await require(agent)
    const person = await personOf(agent)
    await setUp(person)
    const { body } = await person.call('GET', '/session')
    assert.equal(body.data.needs_two_factor, false)
    assert.deepEqual(
      body.data.agents.map(({ id }: { id: number }) => id),
      [agent.agentId],
    )
    assert.equal((await person.call('GET', `/agents/${agent.agentId}/inbox`)).status, 200)
    assertError(await signIn(person.email), 403, 'code_needed')
  })

  it('403 for turning it off while the team requires it, 204 afterwards', async () => {
    const agent = await service.addAgent()
    await require(agent)
    const person = await personOf(agent)
    await setUp(person)
    const turnOff = () => person.call('DELETE', '/two-factor', { present: PASSWORD })
    assertError(await turnOff(), 403, 'two_factor_required')
    assert.equal((await person.call('GET', '/session')).body.data.operator.two_factor, true)
    await require(agent, false)
    assert.equal((await turnOff()).status, 204)
    assert.equal((await person.call('GET', `/agents/${agent.agentId}/inbox`)).status, 200)
  })

  it('a reset leads to it again: the link signs in, and opens nothing', async () => {
    const agent = await service.addAgent()
    await require(agent)
    const person = await personOf(agent)
    await setUp(person)
    const reset = await agent.post(`/operators/${person.operatorId}/reset`)
    const token = reset.body.data.join_url.split('#')[1]
    const console = openConsole(service.app)
    const joined = await console.call('POST', '/join', { token, password: PASSWORD })
    assert.equal(joined.body.data.needs_two_factor, true)
    assertError(await console.call('GET', `/agents/${agent.agentId}/inbox`), 403, 'two_factor_required')
  })

  it('ends live streams of those who have none', async () => {
    const agent = await service.addAgent()
    const [without, withIt] = [await personOf(agent), await personOf(agent)]
    await setUp(withIt)
    const listen = async ({ cookie }: TestConsole) => {
      const url = `${service.app.url}/console/api/agents/${agent.agentId}/live`
      const stream = await openLive(url, { cookie })
      assert.equal(stream.status, 200)
      streams.push(stream)
      return stream
    }
    const [ends, stays] = [await listen(without), await listen(withIt)]
    await require(agent)
    let hasEnded = false
    void ends.ended.then(() => {
      hasEnded = true
    })
    await becomes(() => hasEnded, true)
    await agent.prompt('Hello')
    assert.equal((await stays.next()).type, 'conversation')
  })

  it('PATCH /team 409 for an owner without one, 200 with one or with a token; 403 below own', async () => {
    const agent = await service.addAgent()
    const owner = await personOf(agent, 'own')
    const require_two_factor = true
    const refused = await owner.call('PATCH', '/team', { require_two_factor })
    assertError(refused, 409, 'two_factor_missing')
    assert.equal(refused.body.error.param, 'require_two_factor')
    assert.equal((await agent.get('/team')).body.data.require_two_factor, false)
    const manager = await personOf(agent, 'manage')
    assertError(await manager.call('PATCH', '/team', { require_two_factor }), 403, 'insufficient_right')
    await setUp(owner)
    const { version } = (await owner.call('GET', '/team')).body.data
    const changed = await owner.call('PATCH', '/team', { require_two_factor, version })
    assert.equal(changed.status, 200, changed.text)
    assert.equal(changed.body.data.require_two_factor, true)
    const outdated = await owner.call('PATCH', '/team', { require_two_factor: false, version })
    assertError(outdated, 409, 'version_outdated')
    assert.equal((await require(agent, false)).status, 200)
    assert.equal((await require(agent)).status, 200)
    const acts = (await agent.get('/audit?action=team.changed')).body.data
    assert.deepEqual(
      acts.map(({ actor, details }: { actor: { kind: string }; details: object }) => [actor.kind, details]),
      [
        ['token', { changed: ['require_two_factor'], require_two_factor: true }],
        ['token', { changed: ['require_two_factor'], require_two_factor: false }],
        ['operator', { changed: ['require_two_factor'], require_two_factor: true }],
      ],
    )
  })

  it('changes nothing for key and token, and for other teams', async () => {
    const agent = await service.addAgent()
    const other = await service.addAgent()
    const elsewhere = await personOf(other)
    await require(agent)
    assert.equal((await agent.get('/conversations')).status, 200)
    assert.equal((await elsewhere.call('GET', `/agents/${other.agentId}/inbox`)).status, 200)
    assert.equal((await elsewhere.call('GET', '/session')).body.data.needs_two_factor, false)
  })
})
