import assert from 'node:assert/strict'
import { it } from 'node:test'
import { FIRST_EMAIL } from '../../src/operators/first-operator.ts'
import { makeLink } from '../../src/operators/links.ts'
import { assertError } from '../support/app.ts'
import { firstLink, openConsole, PASSWORD, signInNew } from '../support/console.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const DAY_MS = 24 * 60 * 60_000

onBothEngines('POST /console/api/join', (service) => {
  async function invited() {
    const owner = await signInNew(service.app, { teamId: service.app.agent.teamId, right: 'own' })
    const email = `new-${crypto.randomUUID()}@example.com`
    const answer = await owner.call('POST', '/operators', { email, right: 'respond', name: 'Ada Lovelace' })
    assert.equal(answer.status, 201, answer.text)
    return { owner, email, token: answer.body.data.join_url.split('#')[1] as string, answer }
  }

  it('200: sets the password, signs in and tells who, which team and which agents', async () => {
    const { token, email, answer } = await invited()
    assert.match(answer.body.data.join_url, /\/console\/join#[\w-]{43}$/)
    const console = openConsole(service.app)
    const joined = await console.call('POST', '/join', { token, password: PASSWORD, name: 'Ada King' })
    assert.equal(joined.status, 200, joined.text)
    const { operator, team, agents } = joined.body.data
    assert.equal(operator.email, email)
    assert.equal(operator.name, 'Ada King')
    assert.equal(operator.display_name, 'Ada')
    assert.equal(operator.right, 'respond')
    assert.equal(team.id, service.app.agent.teamId)
    assert.ok(agents.some(({ id }: { id: number }) => id === service.app.agent.agentId))
    assert.equal((await console.call('GET', '/session')).status, 200)
  })

  it('403 for a link that was used', async () => {
    const { token } = await invited()
    assert.equal(
      (await openConsole(service.app).call('POST', '/join', { token, password: PASSWORD })).status,
      200,
    )
    const again = await openConsole(service.app).call('POST', '/join', { token, password: PASSWORD })
    assertError(again, 403, 'invalid_invitation')
  })

  it('403 for one of two at once with the same link', async () => {
    const { token } = await invited()
    const answers = await Promise.all(
      [1, 2].map(() => openConsole(service.app).call('POST', '/join', { token, password: PASSWORD })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403])
  })

  it('403 for a link that is too old, and for one that nobody made', async () => {
    const { token } = await invited()
    service.clock = () => Date.now() + 8 * DAY_MS
    const old = await openConsole(service.app).call('POST', '/join', { token, password: PASSWORD })
    assertError(old, 403, 'invalid_invitation')
    const unknown = await openConsole(service.app).call('POST', '/join', { token: 'x', password: PASSWORD })
    assertError(unknown, 403, 'invalid_invitation')
  })

  it('403 for a person who was disabled meanwhile', async () => {
    const { owner, token, answer } = await invited()
    await owner.call('PATCH', `/operators/${answer.body.data.id}`, { active: false })
    const joined = await openConsole(service.app).call('POST', '/join', { token, password: PASSWORD })
    assertError(joined, 403, 'invalid_invitation')
  })

  for (const [name, password] of Object.entries({
    'too short': 'short',
    'one of the commonest': '123456789012',
    'one letter again and again': 'aaaaaaaaaaaa',
    'too long': 'ab1!'.repeat(300),
  })) {
    it(`400 for a password that is ${name}, with the link still good`, async () => {
      const { token } = await invited()
      const refused = await openConsole(service.app).call('POST', '/join', { token, password })
      assertError(refused, 400, 'invalid_request')
      assert.equal(refused.body.error.param, 'password')
      const joined = await openConsole(service.app).call('POST', '/join', { token, password: PASSWORD })
      assert.equal(joined.status, 200)
    })
  }

  it('a link tells whom it lets in until it is used, and then that it is no longer valid', async () => {
    const { token } = await invited()
    const look = () => openConsole(service.app).call('POST', '/join/link', { token })
    const first = await look()
    assert.deepEqual([first.status, first.body.data.has_joined], [200, false], first.text)
    assert.match(first.body.data.email, /@/)
    const joined = await openConsole(service.app).call('POST', '/join', { token, password: PASSWORD })
    assert.equal(joined.body.data.operator.email, first.body.data.email)
    assertError(await look(), 403, 'invalid_invitation')
  })

  it('a new session text replaces what an attacker has set in the browser', async () => {
    const { token } = await invited()
    const console = openConsole(service.app)
    console.cookie = 'parley_session=planted'
    await console.call('POST', '/join', { token, password: PASSWORD })
    assert.notEqual(console.cookie, 'parley_session=planted')
  })

  it('a reset link ends all sessions, removes the second factor and lets a new password be chosen', async () => {
    const owner = await signInNew(service.app, { teamId: service.app.agent.teamId, right: 'own' })
    const person = await signInNew(service.app, { teamId: service.app.agent.teamId, right: 'read' })
    const reset = await owner.call('POST', `/operators/${person.operatorId}/reset`)
    assert.equal(reset.status, 200, reset.text)
    assertError(await person.call('GET', '/session'), 403, 'no_session')
    const token = reset.body.data.join_url.split('#')[1]
    const joined = await openConsole(service.app).call('POST', '/join', {
      token,
      password: 'another long password',
    })
    assert.equal(joined.status, 200)
    assert.equal(joined.body.data.operator.two_factor, false)
    const old = await openConsole(service.app).call('POST', '/session', {
      email: person.email,
      password: PASSWORD,
    })
    assertError(old, 403, 'invalid_login')
  })

  it('the link of the first start makes an owner', async () => {
    const { database, clock } = service.app.app.foundation
    const token = await firstLink(service.app, service.app.agent.teamId)
    const joined = await openConsole(service.app).call('POST', '/join', { token, password: PASSWORD })
    assert.equal(joined.status, 200, joined.text)
    assert.equal(joined.body.data.operator.right, 'own')
    assert.equal(joined.body.data.operator.email, FIRST_EMAIL)
    const rows = await database.db
      .selectFrom('audit')
      .select(['action', 'actor_kind', 'details'])
      .where('target', '=', `operator ${joined.body.data.operator.id}`)
      .orderBy('id')
      .execute()
    assert.deepEqual(rows[0], {
      action: 'operator.invited',
      actor_kind: 'system',
      details: '{"right":"own","scope":"all"}',
    })
    assert.equal(rows[1]?.action, 'operator.joined')
    // Its link is the newest: those made before end.
    const { id } = joined.body.data.operator
    const first = await makeLink(database.db, id, clock(), DAY_MS)
    await makeLink(database.db, id, clock(), DAY_MS)
    const late = await openConsole(service.app).call('POST', '/join', { token: first, password: PASSWORD })
    assertError(late, 403, 'invalid_invitation')
  })
})
