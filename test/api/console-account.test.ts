import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { bySystem } from '../../src/audit/record.ts'
import { resetOperator } from '../../src/operators/team-operators.ts'
import { assertError } from '../support/app.ts'
import { aroundQueries } from '../support/around-queries.ts'
import { openConsole, PASSWORD, signInNew } from '../support/console.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const NEW_PASSWORD = 'an even longer password'

onBothEngines("one's own account", (service) => {
  // All tests come from one address, whose failures would add up.
  beforeEach(async () => {
    await service.app.app.foundation.database.db.deleteFrom('sign_in_failures').execute()
  })

  const person = () => signInNew(service.app, { teamId: service.app.agent.teamId, right: 'read' })
  const signIn = (fields: { email: string; password?: string; code?: string }) =>
    openConsole(service.app).call('POST', '/session', { password: PASSWORD, ...fields })

  /** A person with a second factor, and its codes. */
  async function withTwoFactor() {
    const console = await person()
    const begun = await console.call('POST', '/two-factor', { present: PASSWORD })
    assert.equal(begun.status, 200, begun.text)
    const totp = new TOTP({ secret: Secret.fromBase32(begun.body.data.secret) })
    const code = () => totp.generate({ timestamp: service.clock() })
    const confirmed = await console.call('PUT', '/two-factor', { present: PASSWORD, code: code() })
    assert.equal(confirmed.status, 200, confirmed.text)
    service.clock = () => Date.now() + 60_000
    return { console, code, begun, recoveryCodes: confirmed.body.data.recovery_codes as string[] }
  }

  it('PATCH /profile 200 changes the names', async () => {
    const console = await person()
    const patch = { name: 'Grace Hopper', display_name: 'Amazing Grace' }
    const { status, body } = await console.call('PATCH', '/profile', patch)
    assert.equal(status, 200)
    assert.equal(body.data.name, 'Grace Hopper')
    assert.equal(body.data.display_name, 'Amazing Grace')
    const back = await console.call('PATCH', '/profile', { display_name: null })
    assert.equal(back.body.data.display_name, 'Grace')
  })

  it('PATCH /profile 409 for an outdated version, which changes nothing', async () => {
    const console = await person()
    const { version } = (await console.call('PATCH', '/profile', { name: 'Grace' })).body.data
    const changed = await console.call('PATCH', '/profile', { name: 'Grace Hopper', version })
    assert.equal(changed.status, 200, changed.text)
    const outdated = await console.call('PATCH', '/profile', { name: 'Ada', version })
    assertError(outdated, 409, 'version_outdated')
    assert.deepEqual((await console.call('PATCH', '/profile', {})).body.data, changed.body.data)
  })

  it('PATCH /profile 400 for a right: nobody raises their own', async () => {
    const console = await person()
    assertError(await console.call('PATCH', '/profile', { right: 'own' }), 400, 'invalid_request')
  })

  it('PUT /password 204: the old one is gone, and all other sessions with it', async () => {
    const console = await person()
    const elsewhere = openConsole(service.app)
    await elsewhere.call('POST', '/session', { email: console.email, password: PASSWORD })
    const changed = await console.call('PUT', '/password', { present: PASSWORD, password: NEW_PASSWORD })
    assert.equal(changed.status, 204, changed.text)
    assertError(await elsewhere.call('GET', '/session'), 403, 'no_session')
    assert.equal((await console.call('GET', '/session')).status, 200)
    assertError(await signIn({ email: console.email }), 403, 'invalid_login')
    assert.equal((await signIn({ email: console.email, password: NEW_PASSWORD })).status, 200)
  })

  it('PUT /password 403 for a wrong present one, 400 for a new one that will not do, 429 after ten failures', async () => {
    const console = await person()
    const wrong = { present: 'wrong', password: NEW_PASSWORD }
    assertError(
      await console.call('PUT', '/password', { present: PASSWORD, password: 'short' }),
      400,
      'invalid_request',
    )
    for (let failure = 0; failure < 10; failure++)
      assertError(await console.call('PUT', '/password', wrong), 403, 'invalid_login')
    assertError(await console.call('PUT', '/password', wrong), 429, 'rate_limited')
  })

  for (const [method, path, more] of [
    ['PUT', '/password', () => ({ password: NEW_PASSWORD })],
    ['POST', '/two-factor', () => ({})],
    ['PUT', '/two-factor', (code: string) => ({ code })],
    ['DELETE', '/two-factor', () => ({})],
  ] as const)
    it(`${method} ${path} 403 while an owner resets the account: nothing of it is changed`, async () => {
      const { db } = service.app.app.foundation.database
      const { console: mine } = await withTwoFactor()
      const begun = await mine.call('POST', '/two-factor', { present: PASSWORD })
      const totp = new TOTP({ secret: Secret.fromBase32(begun.body.data.secret) })
      const code = totp.generate({ timestamp: service.clock() })
      let row: unknown
      const stop = aroundQueries(db, async (query, run) => {
        const done = await run()
        // The password was right: its attempt is forgotten.
        if (row || !query.sql.startsWith('delete from "sign_in_failures"')) return done
        row = true
        const links = { db, mailLink: async () => {} }
        const { teamId } = service.app.agent
        row = (await resetOperator(links, teamId, mine.operatorId, bySystem, service.clock())).operator
        return done
      })
      const answer = await mine.call(method, path, { present: PASSWORD, ...more(code) })
      stop()
      assertError(answer, 403, 'no_session')
      const operators = db.selectFrom('operators').selectAll()
      assert.deepEqual(await operators.where('id', '=', mine.operatorId).executeTakeFirst(), row)
    })

  it('a second factor is on once a code of it was shown, and its address is for apps', async () => {
    const { console, begun, recoveryCodes } = await withTwoFactor()
    assert.match(begun.body.data.address, /^otpauth:\/\/totp\/Parley:person-.*secret=/)
    assert.equal(new Set(recoveryCodes).size, 10)
    assert.equal((await console.call('GET', '/session')).body.data.operator.two_factor, true)
  })

  it('PUT /two-factor 403 for a wrong code, and for one without a prepared secret', async () => {
    const console = await person()
    const confirm = { present: PASSWORD, code: '000000' }
    assertError(await console.call('PUT', '/two-factor', confirm), 403, 'invalid_login')
    await console.call('POST', '/two-factor', { present: PASSWORD })
    assertError(await console.call('PUT', '/two-factor', confirm), 403, 'invalid_login')
    assert.equal((await console.call('GET', '/session')).body.data.operator.two_factor, false)
  })

  it('sign-in needs a code: 403 code_needed without, invalid_login with a wrong one, 200 with the right one', async () => {
    const { console, code } = await withTwoFactor()
    const { email } = console
    assertError(await signIn({ email }), 403, 'code_needed')
    assertError(await signIn({ email, code: '000000' }), 403, 'invalid_login')
    assertError(await signIn({ email, password: 'wrong password!', code: code() }), 403, 'invalid_login')
    assert.equal((await signIn({ email, code: code() })).status, 200)
  })

  it('a code works once, also for two at once', async () => {
    const { console, code } = await withTwoFactor()
    const { email } = console
    const once = code()
    const answers = await Promise.all([1, 2].map(() => signIn({ email, code: once })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403])
    assertError(await signIn({ email, code: once }), 403, 'invalid_login')
    service.clock = () => Date.now() + 120_000
    assert.equal((await signIn({ email, code: code() })).status, 200)
  })

  it('a recovery code stands in for a code, once', async () => {
    const { console, recoveryCodes } = await withTwoFactor()
    const { email } = console
    const [code = ''] = recoveryCodes
    assert.equal((await signIn({ email, code: code.toUpperCase() })).status, 200)
    assertError(await signIn({ email, code }), 403, 'invalid_login')
  })

  it('wrong codes count as failures: 429 after ten', async () => {
    const { console, code } = await withTwoFactor()
    const { email } = console
    for (let failure = 0; failure < 10; failure++)
      assertError(await signIn({ email, code: String(failure).padStart(6, '0') }), 403, 'invalid_login')
    assertError(await signIn({ email, code: code() }), 429, 'rate_limited')
  })

  it('DELETE /two-factor 403 without the password, 204 with it', async () => {
    const { console } = await withTwoFactor()
    assertError(await console.call('DELETE', '/two-factor', { present: 'wrong' }), 403, 'invalid_login')
    assert.equal((await console.call('DELETE', '/two-factor', { present: PASSWORD })).status, 204)
    assert.equal((await signIn({ email: console.email })).status, 200)
  })

  it('what is stored of passwords, codes, sessions and links is neither of them', async () => {
    const { console, begun, recoveryCodes } = await withTwoFactor()
    const { db } = service.app.app.foundation.database
    const operator = await db
      .selectFrom('operators')
      .selectAll()
      .where('id', '=', console.operatorId)
      .executeTakeFirstOrThrow()
    const sessions = await db.selectFrom('operator_sessions').selectAll().execute()
    const stored = JSON.stringify([operator, sessions])
    const secrets = [PASSWORD, begun.body.data.secret, recoveryCodes[0], console.cookie.split('=')[1]]
    for (const secret of secrets) assert.ok(secret && !stored.includes(secret), 'a secret is stored as it is')
  })
})
