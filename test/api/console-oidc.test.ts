import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { assertError, startApp, type TestApp } from '../support/app.ts'
import { openBrowser } from '../support/browser.ts'
import { openConsole, PASSWORD, signInNew } from '../support/console.ts'
import { type Account, startIdentityProvider } from '../support/identity-provider.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { type Peer, startPeer } from '../support/peer.ts'

/** The address at which browsers reach the services of this test, as their provider knows it. */
const PUBLIC_URL = 'http://127.0.0.1:1'
const CALLBACK = `${PUBLIC_URL}/console/api/oidc/callback`
const START = `${PUBLIC_URL}/console/api/oidc/start`

const idp = await startIdentityProvider(CALLBACK)
after(() => idp.close())

const newAccount = (more: Partial<Account> = {}): Account => {
  const sub = crypto.randomUUID()
  return { sub, email: `${sub}@guests.example`, email_verified: true, name: 'Ada Lovelace', ...more }
}
const browserOf = ({ url }: TestApp) => openBrowser({ [PUBLIC_URL]: url })

/** Signs in at the provider. Returns where the browser ends and, once in, the console. */
async function signIn(app: TestApp, account: Account | null) {
  idp.account = account
  const browser = browserOf(app)
  const end = await browser.open(START)
  const console = openConsole(app)
  console.cookie = browser.cookiesOf(app.url)
  return { browser, end, console }
}

onBothEngines(
  '/console/api/oidc',
  (service) => {
    const invite = async (more: { email?: string; right?: string } = {}) => {
      const owner = await signInNew(service.app, { teamId: service.app.agent.teamId, right: 'own' })
      const account = newAccount(more)
      const body = { email: account.email?.toUpperCase(), right: more.right ?? 'respond', name: 'Invited' }
      const invited = await owner.call('POST', '/operators', body)
      assert.equal(invited.status, 201, invited.text)
      return {
        owner,
        account,
        id: invited.body.data.id as number,
        token: invited.body.data.join_url.split('#')[1],
      }
    }
    const auditOf = async (operatorId: number) => {
      const rows = await service.app.app.foundation.database.db
        .selectFrom('audit')
        .select(['action', 'details', 'target'])
        .where('actor_kind', '=', 'operator')
        .where('actor_id', '=', operatorId)
        .orderBy('id')
        .execute()
      return rows.map(({ action, details }) => ({ action, ...JSON.parse(details ?? '{}') }))
    }

    it('GET /sign-in tells that there is an identity provider', async () => {
      const { body } = await openConsole(service.app).call('GET', '/sign-in')
      assert.deepEqual(body.data, { password: true, openid_connect: { start: '/console/api/oidc/start' } })
    })

    it('a second factor that the team requires is the matter of the provider', async () => {
      const agent = await service.addAgent()
      const owner = await signInNew(service.app, { teamId: agent.teamId, right: 'own' })
      const account = newAccount()
      const body = { email: account.email, right: 'own', name: 'Invited' }
      assert.equal((await owner.call('POST', '/operators', body)).status, 201)
      const { console } = await signIn(service.app, account)
      const required = await console.call('PATCH', '/team', { require_two_factor: true })
      assert.equal(required.status, 200, required.text)
      const { data } = (await console.call('GET', '/session')).body
      assert.deepEqual([data.needs_two_factor, data.operator.single_sign_on], [false, true])
      assert.equal((await console.call('GET', `/agents/${agent.agentId}/inbox`)).status, 200)
      assertError(await owner.call('GET', '/team'), 403, 'two_factor_required')
    })

    it('302 signs an invited person in, whose link is then used up, and knows them again by their subject', async () => {
      const { account, id, token } = await invite()
      const first = await signIn(service.app, account)
      assert.equal(first.end, '/console/')
      const { body } = await first.console.call('GET', '/session')
      assert.equal(body.data.operator.id, id)
      assert.equal(body.data.operator.name, 'Invited')
      assert.equal(body.data.operator.right, 'respond')
      const late = await openConsole(service.app).call('POST', '/join', { token, password: PASSWORD })
      assertError(late, 403, 'invalid_invitation')
      // From now on the subject counts, and the provider's e-mail address does not.
      const again = await signIn(service.app, {
        ...account,
        email: 'changed@guests.example',
        email_verified: false,
      })
      assert.equal(again.end, '/console/')
      assert.equal((await again.console.call('GET', '/session')).body.data.operator.id, id)
      assert.deepEqual(await auditOf(id), [
        { action: 'operator.joined', by: 'openid_connect', right: 'respond' },
        { action: 'session.created', by: 'openid_connect' },
      ])
    })

    it('the session has the flags of one with a password, and the flow is forgotten', async () => {
      const { account } = await invite()
      const { browser } = await signIn(service.app, account)
      const session = browser.set.find((line) => line.startsWith('parley_session='))
      assert.match(session ?? '', /^parley_session=[\w-]{43};/)
      for (const part of ['HttpOnly', 'SameSite=Lax', 'Path=/console'])
        assert.ok(session?.includes(part), part)
      const [begun] = browser.set.filter((line) => line.startsWith('parley_oidc='))
      for (const part of ['HttpOnly', 'SameSite=Lax', 'Path=/console/api/oidc', 'Max-Age=600'])
        assert.ok(begun?.includes(part), `${part}: ${begun}`)
      assert.ok(!browser.cookiesOf(service.app.url).includes('parley_oidc'))
    })

    it('what is sent to the provider has state, nonce and PKCE, and what is kept is sealed', async () => {
      const browser = browserOf(service.app)
      const response = await browser.step(START)
      const { searchParams } = new URL(response.headers.get('location') ?? '')
      assert.equal(searchParams.get('redirect_uri'), CALLBACK)
      assert.equal(searchParams.get('code_challenge_method'), 'S256')
      for (const name of ['state', 'nonce', 'code_challenge'])
        assert.match(searchParams.get(name) ?? '', /^[\w-]{43}$/, name)
      const { state, nonce } = Object.fromEntries(searchParams)
      const kept = Buffer.from(
        /=(.*)/.exec(browser.cookiesOf(service.app.url))?.[1] ?? '',
        'base64url',
      ).toString()
      assert.ok(state && nonce && !kept.includes(state) && !kept.includes(nonce))
    })

    it('an address of one of the domains becomes a person of the team, once, also twice at once', async () => {
      const account = newAccount({
        email: `Grace-${crypto.randomUUID()}@Example.com`,
        name: '\u0000 Grace Hopper ',
      })
      idp.account = account
      const browsers = [browserOf(service.app), browserOf(service.app)]
      const ends = await Promise.all(browsers.map((browser) => browser.open(START)))
      assert.deepEqual(ends, ['/console/', '/console/'])
      const people = await Promise.all(
        browsers.map(async (browser) => {
          const console = openConsole(service.app)
          console.cookie = browser.cookiesOf(service.app.url)
          return (await console.call('GET', '/session')).body.data
        }),
      )
      assert.equal(people[0].operator.id, people[1].operator.id)
      const { name, email, right } = people[0].operator
      assert.deepEqual(
        { name, email, right },
        { name: 'Grace Hopper', email: account.email?.toLowerCase(), right: 'respond' },
      )
      assert.equal(people[0].team.id, 1)
    })

    for (const [name, account, reason] of [
      ['an unverified address', { email_verified: false }, 'email_not_verified'],
      ['no address', { email: '' }, 'email_not_verified'],
      ['an address that nobody invited', {}, 'not_invited'],
      ['a domain that only ends like one of them', { email: 'eve@evil-example.com' }, 'not_invited'],
      ['a domain below one of them', { email: 'eve@sub.example.com' }, 'not_invited'],
      ['two @', { email: 'eve@evil.example@example.com' }, 'email_not_verified'],
    ] as const) {
      it(`302 to the sign-in page with ${reason} for ${name}`, async () => {
        const { end, console } = await signIn(service.app, newAccount(account))
        assert.equal(end, `/console/sign-in?error=${reason}`)
        assert.equal(console.cookie, '')
      })
    }

    it('302 email_not_verified for an invited address that is not verified: nobody takes over an invitation', async () => {
      const { account } = await invite()
      const { end } = await signIn(service.app, { ...account, email_verified: false })
      assert.equal(end, '/console/sign-in?error=email_not_verified')
    })

    it('302 account_exists for an account with a password, until an owner resets it', async () => {
      const email = `${crypto.randomUUID()}@guests.example`
      const person = await signInNew(service.app, { teamId: 1, right: 'read', email })
      const account = newAccount({ email })
      assert.equal((await signIn(service.app, account)).end, '/console/sign-in?error=account_exists')
      const owner = await signInNew(service.app, { teamId: 1, right: 'own' })
      assert.equal((await owner.call('POST', `/operators/${person.operatorId}/reset`)).status, 200)
      assert.equal((await signIn(service.app, account)).end, '/console/')
      const login = await openConsole(service.app).call('POST', '/session', { email, password: PASSWORD })
      assertError(login, 403, 'invalid_login')
    })

    it('302 account_exists once the invitation has expired', async () => {
      const { account } = await invite()
      service.clock = () => Date.now() + 8 * 24 * 60 * 60_000
      assert.equal((await signIn(service.app, account)).end, '/console/sign-in?error=account_exists')
    })

    it('302 account_disabled for a disabled person, with a row in the audit; a reset unlinks', async () => {
      const { account, owner, id } = await invite()
      await signIn(service.app, account)
      await owner.call('PATCH', `/operators/${id}`, { active: false })
      const { end, console } = await signIn(service.app, account)
      assert.equal(end, '/console/sign-in?error=account_disabled')
      assert.equal(console.cookie, '')
      assert.equal((await auditOf(id)).at(-1)?.action, 'session.refused')
      await owner.call('PATCH', `/operators/${id}`, { active: true })
      assert.equal((await signIn(service.app, account)).end, '/console/')
      await owner.call('POST', `/operators/${id}/reset`)
      const other = { ...account, email: 'other@guests.example' }
      assert.equal((await signIn(service.app, other)).end, '/console/sign-in?error=not_invited')
    })

    it('302 sign_in_cancelled when the person does not consent', async () => {
      assert.equal((await signIn(service.app, null)).end, '/console/sign-in?error=sign_in_cancelled')
    })

    describe('a callback that is not the one that was begun', () => {
      /** Signs in up to the callback, which is not opened. */
      async function untilCallback() {
        const { account } = await invite()
        idp.account = account
        const browser = browserOf(service.app)
        let at = START
        while (!at.startsWith(CALLBACK)) {
          const response = await browser.step(at)
          await response.arrayBuffer()
          at = new URL(response.headers.get('location') ?? '', at).href
        }
        return { browser, callback: new URL(at) }
      }
      const changed = (callback: URL, change: Record<string, string>) => {
        const url = new URL(callback)
        for (const [name, value] of Object.entries(change)) url.searchParams.set(name, value)
        return url.href
      }

      it('sign_in_expired with another state, and the code is not used', async () => {
        const { browser, callback } = await untilCallback()
        const end = await browser.open(changed(callback, { state: 'guessed' }))
        assert.equal(end, '/console/sign-in?error=sign_in_expired')
        assert.ok(!browser.cookiesOf(service.app.url).includes('parley_session'))
      })

      it('sign_in_expired in another browser, where nothing was begun', async () => {
        const { callback } = await untilCallback()
        assert.equal(
          await browserOf(service.app).open(callback.href),
          '/console/sign-in?error=sign_in_expired',
        )
      })

      it('sign_in_expired after ten minutes', async () => {
        const { browser, callback } = await untilCallback()
        service.clock = () => Date.now() + 11 * 60_000
        assert.equal(await browser.open(callback.href), '/console/sign-in?error=sign_in_expired')
      })

      it('sign_in_expired when it is opened again, provider_failed when its code is tried with the old cookie', async () => {
        const { browser, callback } = await untilCallback()
        const kept = browser.cookiesOf(service.app.url)
        assert.equal(await browser.open(callback.href), '/console/')
        assert.equal(await browser.open(callback.href), '/console/sign-in?error=sign_in_expired')
        const thief = await fetch(callback.href.replace(PUBLIC_URL, service.app.url), {
          redirect: 'manual',
          headers: { cookie: kept },
        })
        assert.equal(thief.headers.get('location'), '/console/sign-in?error=provider_failed')
        assert.ok(!thief.headers.getSetCookie().some((line) => line.startsWith('parley_session=')))
      })

      for (const [name, change] of Object.entries({
        'another issuer': { iss: 'https://evil.example' },
        'another code': { code: 'guessed' },
        'an error and a code': { error: 'server_error' },
      })) {
        it(`provider_failed with ${name}`, async () => {
          const { browser, callback } = await untilCallback()
          assert.equal(
            await browser.open(changed(callback, change)),
            '/console/sign-in?error=provider_failed',
          )
        })
      }

      it('provider_failed with a parameter twice, sign_in_expired with none', async () => {
        const { browser, callback } = await untilCallback()
        assert.equal(
          await browser.open(`${callback.href}&code=another`),
          '/console/sign-in?error=provider_failed',
        )
        assert.equal(await browser.open(CALLBACK), '/console/sign-in?error=sign_in_expired')
      })
    })
  },
  {
    PARLEY_PUBLIC_URL: PUBLIC_URL,
    PARLEY_OIDC_DOMAINS: 'example.com, example.org',
    PARLEY_OIDC_TEAM: '1',
    PARLEY_OIDC_RIGHT: 'respond',
    ...idp.env,
  },
)

describe('/console/api/oidc with other providers', () => {
  const settings = (issuer: string) => ({
    ...idp.env,
    PARLEY_PUBLIC_URL: PUBLIC_URL,
    PARLEY_OIDC_ISSUER: issuer,
  })

  it('404 without a provider, and /sign-in says so', async () => {
    await using app = await startApp('sqlite')
    assertError(await openConsole(app).call('GET', '/oidc/start'), 404, 'not_found')
    assertError(await openConsole(app).call('GET', '/oidc/callback?code=x'), 404, 'not_found')
    const { body } = await openConsole(app).call('GET', '/sign-in')
    assert.equal(body.data.openid_connect, null)
  })

  it('a provider that is down does not stop the start; signing in says so, and works once it is back', async () => {
    let isUp = false
    await using peer = await startPeer((response, request) => {
      if (!isUp) return response.destroy()
      assert.equal(request.path, '/.well-known/openid-configuration')
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ issuer: peer.url, authorization_endpoint: `${peer.url}/authorize` }))
    })
    await using app = await startApp('sqlite', settings(peer.url))
    assert.equal(peer.requests.length, 0)
    const browser = browserOf(app)
    assert.equal(await browser.open(START), '/console/sign-in?error=provider_unreachable')
    isUp = true
    const response = await browser.step(START)
    assert.ok(response.headers.get('location')?.startsWith(`${peer.url}/authorize?`))
  })

  it('a provider that says it is another one is not believed', async () => {
    await using peer = await startPeer((response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ issuer: idp.issuer, authorization_endpoint: `${idp.issuer}/auth` }))
    })
    await using app = await startApp('sqlite', settings(peer.url))
    assert.equal(await browserOf(app).open(START), '/console/sign-in?error=provider_failed')
  })

  it('an endpoint of the provider that is private and not on its own address is not called', async () => {
    await using inner = await startPeer()
    await using peer = await startPeer((response) => {
      response.setHeader('content-type', 'application/json')
      const metadata = {
        issuer: peer.url,
        authorization_endpoint: `${PUBLIC_URL}/authorize`,
        token_endpoint: inner.url,
        jwks_uri: inner.url,
      }
      response.end(JSON.stringify(metadata))
    })
    await using app = await startApp('sqlite', { ...settings(peer.url), PARLEY_PRIVATE_TARGETS: '' })
    const browser = browserOf(app)
    const begun = await browser.step(START)
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state')
    assert.equal(
      await browser.open(`${CALLBACK}?code=x&state=${state}`),
      '/console/sign-in?error=provider_failed',
    )
    assert.equal(inner.requests.length, 0)
  })

  describe('an ID token', () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    /** Claims that the next token has besides, or instead of, the right ones. */
    let claims: Record<string, unknown> = {}
    let key: KeyObject | null = pair.privateKey
    let nonce = ''
    let peer: Peer
    /** The server of the provider's token and key endpoints. */
    let elsewhere: Peer
    let issuer = ''
    let app: TestApp

    before(async () => {
      const respond: Parameters<typeof startPeer>[0] = (response, { path }) => {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(answerTo(path)))
      }
      peer = await startPeer(respond)
      elsewhere = await startPeer(respond)
      issuer = `${peer.url}/realms/support`
      app = await startApp('sqlite', {
        ...settings(issuer),
        PARLEY_OIDC_DOMAINS: 'example.com',
        PARLEY_OIDC_TEAM: '1',
      })
    })
    after(async () => {
      await app.close()
      await Promise.all([peer.close(), elsewhere.close()])
    })

    function answerTo(path: string): object {
      const now = Math.floor(Date.now() / 1000)
      const right = { iss: issuer, aud: 'parley', sub: 'ada', nonce, iat: now, exp: now + 60 }
      const said = { ...right, email: 'ada@example.com', email_verified: 'true', ...claims }
      if (path === '/keys')
        return { keys: [{ ...pair.publicKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: '1' }] }
      if (path === '/token') return { access_token: 'a', token_type: 'Bearer', id_token: jwt(said, key) }
      assert.equal(path, '/realms/support/.well-known/openid-configuration')
      return {
        issuer,
        authorization_endpoint: `${peer.url}/authorize`,
        token_endpoint: `${elsewhere.url}/token`,
        jwks_uri: `${elsewhere.url}/keys`,
        token_endpoint_auth_methods_supported: ['client_secret_post'],
        id_token_signing_alg_values_supported: ['ES256'],
      }
    }

    async function signInWith(change: { claims?: Record<string, unknown>; key?: KeyObject | null }) {
      claims = change.claims ?? {}
      key = change.key === undefined ? pair.privateKey : change.key
      const browser = browserOf(app)
      const begun = await browser.step(START)
      const asked = new URL(begun.headers.get('location') ?? '').searchParams
      nonce = asked.get('nonce') ?? ''
      return browser.open(`${CALLBACK}?code=x&state=${asked.get('state')}`)
    }

    it('is believed when all of it is right, and the secret is sent as the provider takes it', async () => {
      assert.equal(await signInWith({}), '/console/')
      const { body } = elsewhere.requests.find(({ path }) => path === '/token') ?? {}
      assert.equal(new URLSearchParams(body).get('client_secret'), idp.env.PARLEY_OIDC_CLIENT_SECRET)
    })

    for (const [name, change] of Object.entries<Parameters<typeof signInWith>[0]>({
      'of another issuer': { claims: { iss: 'https://evil.example' } },
      'for another client': { claims: { aud: 'another' } },
      'of another sign-in': { claims: { nonce: 'another' } },
      'without a nonce': { claims: { nonce: undefined } },
      'that has expired': { claims: { exp: 1 } },
      'without a subject': { claims: { sub: undefined } },
      'signed with another key': { key: other.privateKey },
      'without a signature': { key: null },
    })) {
      it(`${name} is not`, async () => {
        assert.equal(await signInWith(change), '/console/sign-in?error=provider_failed')
      })
    }
  })
})

function jwt(claims: Record<string, unknown>, key: KeyObject | null): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: key ? 'ES256' : 'none', kid: '1', typ: 'JWT' })}.${part(claims)}`
  const signature = key
    ? sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
    : Buffer.alloc(0)
  return `${text}.${signature.toString('base64url')}`
}
