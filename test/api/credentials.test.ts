import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { bySystem } from '../../src/audit/record.ts'
import { writeCredential } from '../../src/credentials/credential-text.ts'
import { assertError, type TestAgent, testAgent } from '../support/app.ts'
import { documentOf } from '../support/conforms.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const named = (expiresAt: number | null) => ({ name: 'test', right: 'own', expiresAt }) as const

onBothEngines('credentials', (service) => {
  let agent: TestAgent
  let stranger: TestAgent
  let completion: string

  before(async () => {
    agent = await service.addAgent()
    stranger = await service.addAgent()
    completion = (await agent.prompt('hello')).id
  })

  const endpoints = () =>
    [
      ['GET', '/conversations'],
      ['POST', `/chat/completions/${completion}/scrub`],
      ['POST', `/chat/completions/${completion}/anonymize`],
      ['POST', '/pause'],
    ] as const

  /** Headers that are refused, by what is wrong with them. */
  async function refused(): Promise<Record<string, Record<string, string>>> {
    const { db } = service.app.app.foundation.database
    const { credentials } = service.app.app.foundation
    const issueKey = async () => {
      const key = await credentials.issueKey(db, agent.agentId, 'test', bySystem)
      assert.ok(key)
      return key
    }
    const issueToken = async (expires: number | null) => {
      const token = await credentials.issueToken(db, agent.teamId, named(expires), bySystem)
      assert.ok(token)
      return token
    }
    const revokedKey = await issueKey()
    const revokedToken = await issueToken(null)
    assert.ok(await credentials.revokeKey({ id: revokedKey.key_id }, bySystem))
    assert.ok(await credentials.revokeToken({ id: revokedToken.token_id }, bySystem))
    const { apiKey: key, bearerToken: token } = agent
    const bearer = (text: string) => ({ 'x-api-key': key, authorization: `Bearer ${text}` })
    const withKey = (text: string) => ({ 'x-api-key': text, authorization: `Bearer ${token}` })
    const lastChanged = (text: string) => text.slice(0, -1) + (text.endsWith('a') ? 'b' : 'a')
    return {
      'no credentials': {},
      'no key': { authorization: `Bearer ${token}` },
      'no token': { 'x-api-key': key },
      'an empty key': withKey(''),
      'an empty token': bearer(''),
      'a malformed key': withKey('nonsense'),
      'a malformed token': bearer('nonsense'),
      'a key with a wrong checksum': withKey(lastChanged(key)),
      'a token with a wrong checksum': bearer(lastChanged(token)),
      'a key that was never issued, its id in use': withKey(
        writeCredential('key', Number(key.split('_')[2])),
      ),
      'a token that was never issued, its id in use': bearer(
        writeCredential('token', Number(token.split('_')[2])),
      ),
      'a key of an unknown id': withKey(writeCredential('key', 2_147_483_647)),
      'a key of a huge id': withKey(writeCredential('key', 999_999_999_999_999)),
      'a token of a huge id': bearer(writeCredential('token', 999_999_999_999_999)),
      'a key with another id in it': withKey(key.replace(/_(\d+)_/, '_1$1_')),
      'a revoked key': withKey(revokedKey.api_key),
      'a revoked token': bearer(revokedToken.bearer_token),
      'an expired token': bearer((await issueToken(Date.now() - 1)).bearer_token),
      "a stranger's key": withKey(stranger.apiKey),
      "a stranger's token": bearer(stranger.bearerToken),
      'key and token swapped': { 'x-api-key': token, authorization: `Bearer ${key}` },
      'the key as the token too': bearer(key),
      'the token without its scheme': { 'x-api-key': key, authorization: token },
      'another scheme': { 'x-api-key': key, authorization: `Basic ${token}` },
      'a token with more behind it': bearer(`${token} x`),
      'a key with more behind it': withKey(`${key}x`),
      'the key twice': withKey(`${key}, ${key}`),
      'the key in the query': { authorization: `Bearer ${token}` },
    }
  }

  it('403: whatever is wrong, on all endpoints, the answer is one and the same', async () => {
    const bodies = new Set<string>()
    for (const [name, headers] of Object.entries(await refused())) {
      for (const [method, path] of endpoints()) {
        const query = name.endsWith('in the query')
          ? `?api_key=${agent.apiKey}&x-api-key=${agent.apiKey}`
          : ''
        const response = await fetch(agent.baseUrl + path + query, { method, headers })
        const text = await response.text()
        const body = JSON.parse(text)
        assertError(
          { status: response.status, headers: response.headers, text, body },
          403,
          'invalid_credentials',
        )
        bodies.add(JSON.stringify({ ...body, request_id: '' }))
        assert.ok(!text.includes('parley_'), `${name}: no credential is echoed`)
        const shown = [...response.headers.keys()].filter(
          (header) => !['date', 'x-request-id'].includes(header),
        )
        bodies.add(shown.map((header) => `${header}: ${response.headers.get(header)}`).join('\n'))
      }
    }
    assert.equal(bodies.size, 2, 'one body and one set of headers')
    assert.equal((await agent.get('/agent')).body.data.is_paused, false)
    assert.equal((await agent.get(`/chat/completions/${completion}`)).body.data.prompt, 'hello')
  })

  it('403: on every endpoint that the document gives a security requirement, and that is all of them', async () => {
    const { paths } = await documentOf(agent.baseUrl)
    let asked = 0
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const { security, tags } = operation as { security?: unknown; tags?: string[] }
        // Platforms call these: they have a proof of their own, or tell nothing but whether a channel is there.
        if (tags?.includes('channel webhooks')) {
          assert.match(
            path,
            /^\/api\/v1\/channels\/\{id\}\/(messenger-(one|two|three)|helpdesk|telegram|instagram|sms)$/,
          )
          continue
        }
        // Their addresses are signed.
        if (/^\/api\/v1\/((files|mail)\/\{agent_id\}|notice-mails)\//.test(path)) continue
        // A person's own account, behind a session.
        if (tags?.includes('console')) {
          assert.match(path, /^\/console\/api\//)
          continue
        }
        // A visitor of a widget, with the token of their session.
        if (tags?.includes('widget protocol')) {
          assert.match(path, /^\/widget\/v1\/\{public_key\}\//)
          continue
        }
        assert.deepEqual(security, [{ apiKey: [], bearerToken: [] }], `${method} ${path}`)
        const response = await fetch(service.app.url + path.replace('{id}', completion), {
          method: method.toUpperCase(),
        })
        assert.equal(response.status, 403, `${method} ${path}`)
        asked++
      }
    }
    assert.ok(asked >= 20)
  })

  it('200: the scheme in any case of its letters, and more than one space behind it', async () => {
    for (const authorization of [`bearer ${agent.bearerToken}`, `BEARER   ${agent.bearerToken}`]) {
      assert.equal((await agent.call('GET', '/conversations', undefined, { authorization })).status, 200)
    }
  })

  it("200: any key of the team's agents with any token of the team", async () => {
    const colleague = await service.addAgent({ teamId: agent.teamId })
    const mixed = testAgent(agent.baseUrl, { ...agent, bearerToken: colleague.bearerToken })
    const { body } = await mixed.get('/agent')
    assert.equal(body.data.id, agent.agentId, 'the key names the agent')
  })

  it('200 until revoked or expired, then 403 at once', async () => {
    const { database, credentials } = service.app.app.foundation
    const start = Date.now()
    const key = await credentials.issueKey(database.db, agent.agentId, 'test', bySystem)
    const token = await credentials.issueToken(database.db, agent.teamId, named(start + 60_000), bySystem)
    assert.ok(key && token)
    const caller = testAgent(agent.baseUrl, {
      ...agent,
      apiKey: key.api_key,
      bearerToken: token.bearer_token,
    })
    assert.equal((await caller.get('/agent')).status, 200)
    service.clock = () => start + 60_000
    assert.equal((await caller.get('/agent')).status, 403)
    service.clock = () => start
    assert.equal((await caller.get('/agent')).status, 200)
    await credentials.revokeKey({ id: key.key_id }, bySystem)
    assert.equal((await caller.get('/agent')).status, 403)
  })

  it('of no agent or team there is no list, however large its number', async () => {
    const { credentials } = service.app.app.foundation
    const { agentId, teamId } = await service.addAgent()
    assert.equal((await credentials.listKeys(agentId))?.length, 1)
    assert.equal((await credentials.listTokens(teamId))?.length, 1)
    for (const id of [999_999, 3_000_000_000, 999_999_999_999_999])
      assert.deepEqual([await credentials.listKeys(id), await credentials.listTokens(id)], [null, null])
  })

  it('credentials are stored as keyed hashes alone', async () => {
    const { db } = service.app.app.foundation.database
    const rows = JSON.stringify([
      await db.selectFrom('api_keys').selectAll().execute(),
      await db.selectFrom('bearer_tokens').selectAll().execute(),
      await db.selectFrom('installation').selectAll().execute(),
    ])
    for (const text of [agent.apiKey, agent.bearerToken]) {
      assert.ok(!rows.includes(text.slice(-20)))
    }
  })
})
