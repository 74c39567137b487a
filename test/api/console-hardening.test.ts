import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { request as httpRequest } from 'node:http'
import { beforeEach, describe, it } from 'node:test'
import { openDatabase } from '../../src/storage/database.ts'
import { assertError, startApp } from '../support/app.ts'
import { openConsole, PASSWORD, signInNew } from '../support/console.ts'
import { engines } from '../support/databases.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

/** Returns the number of passwords that are hashed during the work. */
async function hashesIn(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const hook = createHook({
    init(_id, type) {
      if (type === 'ARGON2REQUEST') count++
    },
  }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return count
}

onBothEngines('the console against attacks', (service) => {
  beforeEach(async () => {
    await service.app.app.foundation.database.db.deleteFrom('sign_in_failures').execute()
  })
  const person = () => signInNew(service.app, { teamId: service.app.agent.teamId, right: 'respond' })
  const signIn = (body: { email: string; password: string }, headers?: Record<string, string>) =>
    openConsole(service.app).call('POST', '/session', body, headers)

  it('fixation: a session that an attacker planted is not the one that a sign-in opens, and never becomes valid', async () => {
    const { email } = await person()
    const victim = openConsole(service.app)
    const planted = `parley_session=${'A'.repeat(43)}`
    victim.cookie = planted
    const first = await victim.call('POST', '/session', { email, password: PASSWORD })
    assert.equal(first.status, 200)
    assert.notEqual(victim.cookie, planted)
    const attacker = openConsole(service.app)
    attacker.cookie = planted
    assertError(await attacker.call('GET', '/session'), 403, 'no_session')
  })

  it('fixation: signing in over an open session of somebody else opens a new one', async () => {
    const attacker = await person()
    const victim = await person()
    const browser = openConsole(service.app)
    browser.cookie = attacker.cookie
    await browser.call('POST', '/session', { email: victim.email, password: PASSWORD })
    assert.notEqual(browser.cookie, attacker.cookie)
    assert.equal((await browser.call('GET', '/session')).body.data.operator.id, victim.operatorId)
    assert.equal((await attacker.call('GET', '/session')).body.data.operator.id, attacker.operatorId)
  })

  it('timing: a password is hashed once whoever is named, so that the time tells nothing of accounts', async () => {
    const known = await person()
    const disabled = await person()
    const invited = `invited-${crypto.randomUUID()}@example.com`
    const owner = await signInNew(service.app, { teamId: service.app.agent.teamId, right: 'own' })
    await owner.call('PATCH', `/operators/${disabled.operatorId}`, { active: false })
    await owner.call('POST', '/operators', { email: invited, right: 'read' })
    for (const [name, email, password] of [
      ['right', known.email, PASSWORD],
      ['wrong', known.email, 'wrong password!'],
      ['unknown', 'nobody@example.com', PASSWORD],
      ['disabled', disabled.email, PASSWORD],
      ['has not joined', invited, PASSWORD],
    ] as const)
      assert.equal(await hashesIn(() => signIn({ email, password })), 1, name)
  })

  it('brute force: ten failures of an account are all, whatever addresses a proxy names, and none costs a hash then', async () => {
    const { email } = await person()
    const guess = (n: number) =>
      signIn({ email, password: `wrong ${n}` }, { 'x-forwarded-for': `203.0.113.${n}` })
    for (let n = 0; n < 10; n++) assertError(await guess(n), 403, 'invalid_login')
    const hashes = await hashesIn(async () => assertError(await guess(11), 429, 'rate_limited'))
    assert.equal(hashes, 0)
  })

  it('brute force: ten failures from an address are all, whatever accounts they are for', async () => {
    for (let n = 0; n < 10; n++)
      assertError(await signIn({ email: `guess-${n}@example.com`, password: PASSWORD }), 403, 'invalid_login')
    const { email } = await person()
    assertError(await signIn({ email, password: PASSWORD }), 429, 'rate_limited')
  })

  it('brute force: failures are counted for all replicas', async () => {
    const { email } = await person()
    for (let n = 0; n < 10; n++) await signIn({ email, password: `wrong ${n}` })
    const { config } = service.app.app.foundation
    const database = await openDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir })
    const { count } = await database.db
      .selectFrom('sign_in_failures')
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    assert.equal(Number(count), 20, 'one for the account and one for the address each')
    await database.close()
  })

  it('brute force: a link that nobody made costs no hash', async () => {
    const join = () =>
      openConsole(service.app).call('POST', '/join', { token: 'guessed', password: PASSWORD })
    assert.equal(await hashesIn(async () => assertError(await join(), 403, 'invalid_invitation')), 0)
  })

  describe('another site', () => {
    /** Changes a name as a browser would, with exactly these headers. */
    async function change(cookie: string, headers: Record<string, string>): Promise<number> {
      const body = JSON.stringify({ name: 'Changed by another site' })
      const sent = { cookie, 'content-type': 'application/json', ...headers }
      const request = httpRequest(`${service.app.url}/console/api/profile`, {
        method: 'PATCH',
        headers: sent,
      })
      const { promise, resolve, reject } = Promise.withResolvers<number>()
      request.on('response', (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      request.on('error', reject)
      request.end(body)
      return promise
    }
    const mark = { 'x-parley-console': '1' }

    for (const [name, expected, headers] of [
      ['neither Origin nor Sec-Fetch-Site', 403, mark],
      ['no Origin, cross-site', 403, { ...mark, 'sec-fetch-site': 'cross-site' }],
      [
        'no Origin, same-site: a neighbour under the same domain',
        403,
        { ...mark, 'sec-fetch-site': 'same-site' },
      ],
      ['no Origin, none: the address bar', 403, { ...mark, 'sec-fetch-site': 'none' }],
      ['no Origin, same-origin without the header of the console', 403, { 'sec-fetch-site': 'same-origin' }],
      ['no Origin, same-origin', 200, { ...mark, 'sec-fetch-site': 'same-origin' }],
      [
        'another Origin, same-origin',
        403,
        { ...mark, origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
      ],
      ['Origin null', 403, { ...mark, origin: 'null' }],
      ['an Origin that begins like the own one', 403, { ...mark, origin: 'OWN.evil.example' }],
      ['the own Origin with https', 403, { ...mark, origin: 'OWN'.replace('OWN', 'HTTPS') }],
      ['the own Origin', 200, { ...mark, origin: 'OWN' }],
      ['the own Origin without the header of the console', 403, { origin: 'OWN' }],
    ] as [string, number, Record<string, string>][])
      it(`${expected} with ${name}`, async () => {
        const { cookie } = await person()
        const { url } = service.app
        const own = Object.fromEntries(
          Object.entries(headers).map(([header, value]) => [
            header,
            value.replace('OWN', url).replace('HTTPS', url.replace('http:', 'https:')),
          ]),
        )
        assert.equal(await change(cookie, own), expected)
      })

    it('gets no permission to read answers', async () => {
      const { cookie } = await person()
      for (const method of ['GET', 'OPTIONS']) {
        const response = await fetch(`${service.app.url}/console/api/session`, {
          method,
          headers: { cookie, origin: 'https://evil.example', 'access-control-request-method': 'PATCH' },
        })
        await response.arrayBuffer()
        const names = [...response.headers.keys()].filter((name) => name.startsWith('access-control'))
        assert.deepEqual(names, [], method)
      }
    })
  })
})

describe('the console behind a proxy that speaks TLS', () => {
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'parley.example.com' }
  const origin = 'https://parley.example.com'

  it('with PARLEY_PUBLIC_URL every cookie is Secure, named so and taken back so, whatever the proxy forwards', async () => {
    await using app = await startApp('sqlite', { PARLEY_PUBLIC_URL: origin })
    const person = await signInNew(app, { teamId: app.agent.teamId, right: 'read' })
    const answer = await person.call(
      'POST',
      '/session',
      { email: person.email, password: PASSWORD },
      { origin },
    )
    assert.equal(answer.status, 200, answer.text)
    const out = await person.call('DELETE', '/session', undefined, { origin })
    assert.equal(out.status, 204)
    for (const { headers } of [answer, out]) {
      const [cookie = ''] = headers.getSetCookie()
      assert.match(cookie, /^__Secure-parley_session=/)
      for (const part of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/console'])
        assert.ok(cookie.split('; ').includes(part), `${part}: ${cookie}`)
    }
    const plain = openConsole(app)
    plain.cookie = person.cookie.replace('__Secure-', '')
    assertError(await plain.call('GET', '/session'), 403, 'no_session')
  })

  it('the forwarded host and protocol are the own ones behind a trusted proxy only', async () => {
    for (const [proxies, expected] of [
      ['127.0.0.1/32', 200],
      ['', 403],
    ] as const) {
      await using app = await startApp('sqlite', { PARLEY_TRUSTED_PROXIES: proxies })
      const person = await signInNew(app, { teamId: app.agent.teamId, right: 'read' })
      const answer = await person.call('PATCH', '/profile', { name: 'Ada' }, { ...forwarded, origin })
      assert.equal(answer.status, expected, proxies)
    }
  })

  for (const engine of engines)
    it(`failures count for the address that a trusted proxy names, on ${engine}`, async () => {
      await using app = await startApp(engine, { PARLEY_TRUSTED_PROXIES: '127.0.0.1/32' })
      const guess = (address: string, email: string) =>
        openConsole(app).call(
          'POST',
          '/session',
          { email, password: PASSWORD },
          { 'x-forwarded-for': address },
        )
      for (let n = 0; n < 10; n++) await guess('203.0.113.1', `guess-${n}@example.com`)
      assertError(await guess('203.0.113.1', 'other@example.com'), 429, 'rate_limited')
      assertError(await guess('203.0.113.2', 'other@example.com'), 403, 'invalid_login')
    })

  for (const engine of engines)
    it(`strangers lock nobody out of a device that is known, however many addresses they have, on ${engine}`, async () => {
      await using app = await startApp(engine, { PARLEY_TRUSTED_PROXIES: '127.0.0.1/32' })
      const { email } = await signInNew(app, { teamId: app.agent.teamId, right: 'own' })
      const attempt = (address: string, password: string, cookie = '') =>
        openConsole(app).call(
          'POST',
          '/session',
          { email, password },
          { 'x-forwarded-for': address, ...(cookie ? { cookie } : {}) },
        )
      const cookies = (await attempt('203.0.113.250', PASSWORD)).headers.getSetCookie()
      const device = cookies.find((one) => one.startsWith('parley_device_'))?.split(';')[0] ?? ''
      for (const part of ['HttpOnly', 'SameSite=Lax']) assert.ok(cookies.at(-1)?.includes(part))

      // Ten failures from one /64 lock only that network.
      for (let n = 0; n < 10; n++) await attempt(`2001:db8::${n}`, 'wrong password!')
      assertError(await attempt('2001:db8::ffff', PASSWORD), 429, 'rate_limited')
      assert.equal((await attempt('203.0.113.251', PASSWORD)).status, 200)

      // Guesses from many addresses lock the account, but the known device can still sign in.
      const { db } = app.app.foundation.database
      const [row] = await db
        .selectFrom('sign_in_failures')
        .selectAll()
        .where('scope', 'like', 'account %')
        .execute()
      assert.ok(row)
      const more = Array.from({ length: 90 }, () => ({ scope: row.scope, at: row.at }))
      await db.insertInto('sign_in_failures').values(more).execute()
      assertError(await attempt('203.0.113.251', PASSWORD), 429, 'rate_limited')
      assert.equal((await attempt('2001:db8::1', PASSWORD, device)).status, 200)

      // A known device has a count of its own, and a forged device is not known.
      const forged = `${device.slice(0, -2)}AA`
      assertError(await attempt('203.0.113.252', PASSWORD, forged), 429, 'rate_limited')
      for (let n = 0; n < 10; n++)
        assertError(await attempt('203.0.113.252', `wrong ${n}`, device), 403, 'invalid_login')
      assertError(await attempt('203.0.113.252', PASSWORD, device), 429, 'rate_limited')
    })

  for (const engine of engines)
    it(`wrong passwords of somebody who is signed in lock the session and not the account; a changed one ends known devices, on ${engine}`, async () => {
      await using app = await startApp(engine, { PARLEY_TRUSTED_PROXIES: '127.0.0.1/32' })
      const person = await signInNew(app, { teamId: app.agent.teamId, right: 'own' })
      const elsewhere = openConsole(app)
      const signedIn = await elsewhere.call('POST', '/session', { email: person.email, password: PASSWORD })
      const device = signedIn.headers.getSetCookie().find((one) => one.startsWith('parley_device_')) ?? ''
      const password = 'another long password'
      for (let n = 0; n < 10; n++)
        await elsewhere.call('PUT', '/password', { present: `wrong ${n}`, password })
      assertError(
        await elsewhere.call('PUT', '/password', { present: PASSWORD, password }),
        429,
        'rate_limited',
      )
      assert.equal((await person.call('PUT', '/password', { present: PASSWORD, password })).status, 204)
      const { db } = app.app.foundation.database
      for (let n = 0; n < 10; n++)
        await openConsole(app).call('POST', '/session', { email: person.email, password: `wrong ${n}` })
      assert.ok((await db.selectFrom('sign_in_failures').selectAll().execute()).length > 0)
      const again = { email: person.email, password }
      const [cookie = ''] = device.split(';')
      assertError(await openConsole(app).call('POST', '/session', again, { cookie }), 429, 'rate_limited')
    })
})
