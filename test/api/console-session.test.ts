import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'
import { assertError, startApp } from '../support/app.ts'
import { openConsole, PASSWORD, signInNew } from '../support/console.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const HOUR_MS = 60 * 60_000

onBothEngines('/console/api/session', (service) => {
  // All tests come from one address, whose failures would add up.
  beforeEach(async () => {
    await service.app.app.foundation.database.db.deleteFrom('sign_in_failures').execute()
  })

  const person = () => signInNew(service.app, { teamId: service.app.agent.teamId, right: 'respond' })
  const signIn = (email: string, password: string, headers?: Record<string, string>) =>
    openConsole(service.app).call('POST', '/session', { email, password }, headers)

  it('POST 200 with the right password, whatever the case of the address', async () => {
    const { email } = await person()
    const answer = await signIn(email.toUpperCase(), PASSWORD)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.data.operator.email, email)
    assert.ok(answer.body.data.operator.last_seen_at)
  })

  it('POST sets a cookie that scripts cannot read and that goes to the console only', async () => {
    const { email } = await person()
    const [cookie = ''] = (await signIn(email, PASSWORD)).headers.getSetCookie()
    assert.match(cookie, /^parley_session=[\w-]{43};/)
    for (const part of ['HttpOnly', 'SameSite=Lax', 'Path=/console']) assert.ok(cookie.includes(part), cookie)
    assert.ok(!cookie.includes('Secure'))
  })

  it('POST 403 for a wrong password, an unknown address and a disabled person, all the same', async () => {
    const known = await person()
    const disabled = await person()
    const owner = await signInNew(service.app, { teamId: service.app.agent.teamId, right: 'own' })
    await owner.call('PATCH', `/operators/${disabled.operatorId}`, { active: false })
    const answers = [
      await signIn(known.email, 'wrong password!'),
      await signIn('nobody@example.com', PASSWORD),
      await signIn(disabled.email, PASSWORD),
    ]
    for (const answer of answers) assertError(answer, 403, 'invalid_login')
    assert.equal(new Set(answers.map(({ body }) => body.error.message)).size, 1)
  })

  it('POST 429 with Retry-After after ten failures of an account, also for the right password', async () => {
    const { email } = await person()
    for (let failure = 0; failure < 10; failure++)
      assertError(await signIn(email, `wrong ${failure}`), 403, 'invalid_login')
    const limited = await signIn(email, PASSWORD)
    assertError(limited, 429, 'rate_limited')
    const wait = Number(limited.headers.get('retry-after'))
    assert.ok(wait > 0 && wait <= 900, `${wait} seconds`)
    service.clock = () => Date.now() + 16 * 60_000
    assert.equal((await signIn(email, PASSWORD)).status, 200)
  })

  it('POST 429 for attempts at once: no more are looked at than one after the other', async () => {
    const { email } = await person()
    service.clock = () => Date.now() + HOUR_MS
    const answers = await Promise.all(Array.from({ length: 15 }, (_, at) => signIn(email, `wrong ${at}`)))
    const looked = answers.filter(({ status }) => status === 403)
    assert.ok(looked.length <= 10, `${looked.length} were looked at`)
  })

  it('GET 200 tells who is signed in', async () => {
    const console = await person()
    const { body } = await console.call('GET', '/session')
    assert.equal(body.data.operator.id, console.operatorId)
    assert.equal(body.data.operator.two_factor, false)
  })

  it('GET 403 without a session, and with one that nobody opened', async () => {
    assertError(await openConsole(service.app).call('GET', '/session'), 403, 'no_session')
    const guessed = openConsole(service.app)
    guessed.cookie = 'parley_session=guessed'
    assertError(await guessed.call('GET', '/session'), 403, 'no_session')
  })

  it('a session ends after twelve hours without use, and after thirty days in any case', async () => {
    const idle = await person()
    service.clock = () => Date.now() + 11 * HOUR_MS
    assert.equal((await idle.call('GET', '/session')).status, 200)
    service.clock = () => Date.now() + 22 * HOUR_MS
    assert.equal((await idle.call('GET', '/session')).status, 200)
    service.clock = () => Date.now() + 35 * HOUR_MS
    assertError(await idle.call('GET', '/session'), 403, 'no_session')

    service.clock = Date.now
    const busy = await person()
    for (let hours = 8; hours < 30 * 24; hours += 8) {
      service.clock = () => Date.now() + hours * HOUR_MS
      assert.equal((await busy.call('GET', '/session')).status, 200, `after ${hours} hours`)
    }
    service.clock = () => Date.now() + 30 * 24 * HOUR_MS + 1000
    assertError(await busy.call('GET', '/session'), 403, 'no_session')
  })

  it('DELETE 204 signs out and takes the cookie back', async () => {
    const console = await person()
    const { cookie } = console
    assert.equal((await console.call('DELETE', '/session')).status, 204)
    assert.equal(console.cookie, '')
    console.cookie = cookie
    assertError(await console.call('GET', '/session'), 403, 'no_session')
  })

  it('GET and DELETE /sessions: one sees where one is signed in, and ends it elsewhere', async () => {
    const here = await person()
    const elsewhere = openConsole(service.app)
    await elsewhere.call(
      'POST',
      '/session',
      { email: here.email, password: PASSWORD },
      { 'user-agent': 'Elsewhere/1' },
    )
    const { body } = await here.call('GET', '/sessions')
    const [other, mine] = body.data
    assert.equal(body.data.length, 2)
    assert.equal(mine.current, true)
    assert.equal(other.current, false)
    assert.equal(other.user_agent, 'Elsewhere/1')
    const stranger = await person()
    assertError(await stranger.call('DELETE', `/sessions/${other.id}`), 404, 'session_not_found')
    assert.equal((await here.call('DELETE', `/sessions/${other.id}`)).status, 204)
    assertError(await elsewhere.call('GET', '/session'), 403, 'no_session')
    assertError(await here.call('DELETE', `/sessions/${other.id}`), 404, 'session_not_found')
  })

  it('rights are read at every request: whoever is disabled is out at once', async () => {
    const console = await person()
    const owner = await signInNew(service.app, { teamId: service.app.agent.teamId, right: 'own' })
    await owner.call('PATCH', `/operators/${console.operatorId}`, { right: 'read' })
    assert.equal((await console.call('GET', '/session')).body.data.operator.right, 'read')
    await owner.call('PATCH', `/operators/${console.operatorId}`, { active: false })
    assertError(await console.call('GET', '/session'), 403, 'no_session')
  })

  for (const [name, headers] of Object.entries({
    'without the console header': { 'x-parley-console': '' },
    'from another origin': { origin: 'https://evil.example' },
    'from an origin that hides itself': { origin: 'null' },
    'from another origin that says it is the same site': {
      origin: 'https://evil.example',
      'sec-fetch-site': 'same-origin',
    },
  })) {
    it(`POST 403 cross_site ${name}`, async () => {
      const { email } = await person()
      const answer = await signIn(email, PASSWORD, headers)
      assertError(answer, 403, 'cross_site')
      assert.match(answer.body.error.message, /PARLEY_PUBLIC_URL/)
    })
  }

  it('without Origin: 403 cross_site, unless the browser says that it is the same origin', async () => {
    const { email } = await person()
    const send = (headers: Record<string, string>) =>
      fetch(`${service.app.url}/console/api/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-parley-console': '1', ...headers },
        body: JSON.stringify({ email, password: PASSWORD }),
      })
    const without = await send({})
    assert.equal(without.status, 403)
    assert.equal(((await without.json()) as { error: { code: string } }).error.code, 'cross_site')
  })

  it('the API never looks at the cookie', async () => {
    const console = await person()
    const answer = await fetch(`${service.app.baseUrl}/conversations`, {
      headers: { cookie: console.cookie },
    })
    assert.equal(answer.status, 403)
  })

  it('sign-ins and refusals of known accounts are in the audit, refusals once a minute with a count', async () => {
    const { email, operatorId } = await person()
    for (let failure = 0; failure < 3; failure++) await signIn(email, 'wrong password!')
    service.clock = () => Date.now() + 61_000
    await signIn(email, 'wrong password!')
    await signIn(email, PASSWORD)
    const rows = await service.app.app.foundation.database.db
      .selectFrom('audit')
      .select(['action', 'details'])
      .where('actor_id', '=', operatorId)
      .where('actor_kind', '=', 'operator')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      rows.map(({ action, details }) => [action, JSON.parse(details ?? '{}').count ?? null]),
      [
        ['operator.joined', null],
        ['session.refused', 1],
        ['session.refused', 3],
        ['session.created', null],
      ],
    )
  })
})

it('behind a public https address the cookie is Secure and named so, and that origin is the own one', async () => {
  const publicUrl = 'https://parley.example.com'
  await using app = await startApp('sqlite', { PARLEY_PUBLIC_URL: publicUrl })
  const person = await signInNew(app, { teamId: app.agent.teamId, right: 'read' })
  assert.match(person.cookie, /^__Secure-parley_session=/)
  const answer = await openConsole(app).call(
    'POST',
    '/session',
    { email: person.email, password: PASSWORD },
    { origin: publicUrl },
  )
  assert.equal(answer.status, 200, answer.text)
  assert.match(answer.headers.getSetCookie()[0] ?? '', /; Secure/)
})
