import assert from 'node:assert/strict'
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, it } from 'node:test'
import { sql } from 'kysely'
import { assertError } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { signInNew } from '../support/console.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

interface Pushed {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/**
 * A push service on loopback: it answers each address with its status, 201 unless told otherwise, perhaps only after a
 * while, or takes the message and hangs up.
 */
const service_ = createServer(async (request, response) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const path = request.url ?? ''
  pushed.push({ path, headers: request.headers, body: Buffer.concat(parts) })
  const mood = (await moods.get(path)) ?? 201
  if (mood === 'hangs up') request.socket.destroy()
  else response.writeHead(mood).end()
})
const pushed: Pushed[] = []
const moods = new Map<string, number | Promise<number> | 'hangs up'>()
service_.listen(0, '127.0.0.1')
await once(service_, 'listening')
after(() => {
  service_.closeAllConnections()
  service_.close()
})
const ORIGIN = `http://127.0.0.1:${(service_.address() as AddressInfo).port}`
const MINUTE_MS = 60_000
let browsers = 0

/** A subscription as a browser makes it. */
function subscribe() {
  const keys = createECDH('prime256v1')
  const p256dh = keys.generateKeys('base64url')
  const auth = randomBytes(16)
  const path = `/push/${++browsers}`
  const body = { endpoint: `${ORIGIN}${path}`, keys: { p256dh, auth: auth.toString('base64url') } }
  const received = () =>
    pushed.filter((one) => one.path === path).map(({ body }) => decrypt(body, keys, auth))
  return { path, body, received, told: () => pushed.filter((one) => one.path === path) }
}

/** Reads a message of RFC 8291 as the browser does. */
function decrypt(message: Buffer, keys: ECDH, auth: Buffer): Record<string, unknown> {
  const [salt, theirs] = [message.subarray(0, 16), message.subarray(21, 21 + (message[20] ?? 0))]
  const derive = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), theirs])
  const secret = derive(keys.computeSecret(theirs), auth, info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const sealed = message.subarray(21 + theirs.length)
  const cipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
  const open = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
  return JSON.parse(open.subarray(0, open.lastIndexOf(2)).toString())
}

onBothEngines('notices by push', (service) => {
  beforeEach(() => moods.clear())

  /** A person with a browser, and a conversation that can be given to them. */
  async function begin() {
    const agent = await service.addAgent()
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const { conversation_id: id } = await agent.prompt('Where is my parcel?', { user: 'grace' })
    const browser = subscribe()
    const added = await person.call('POST', '/notices/push', browser.body)
    assert.equal(added.status, 201, added.text)
    const give = (to: number | null = person.operatorId, conversation = id) =>
      agent.put(`/conversations/${conversation}/assignee`, { operator_id: to })
    const list = async () => (await person.call('GET', '/notices/push')).body.data
    return { agent, person, id, browser, browserId: added.body.data.id as number, give, list }
  }
  const db = () => service.app.app.foundation.database.db
  const left = async (agentId: number) =>
    (await db().selectFrom('notice_pushes').select('id').where('agent_id', '=', agentId).execute()).length
  const mine = (agentId: number) =>
    db().selectFrom('notice_pushes').selectAll().where('agent_id', '=', agentId).executeTakeFirst()

  it('a notice reaches the browser encrypted, without words or names, and signed with the key it was given', async () => {
    const { agent, id, browser, give, list } = await begin()
    await give()
    await becomes(() => browser.received().length, 1)
    const [message] = browser.received()
    assert.deepEqual(
      { ...message, id: typeof message?.id },
      {
        type: 'notice',
        id: 'number',
        text: 'There is something new for you.',
        path: `/console/agents/${agent.agentId}/inbox/${id}`,
      },
    )
    const [{ headers } = { headers: {} as IncomingHttpHeaders }] = browser.told()
    const { key } = await list()
    const [, jwt = '', given] = /^vapid t=(\S+), k=(\S+)$/.exec(headers.authorization ?? '') ?? []
    assert.equal(given, key)
    const [head, claims = '', signature = ''] = jwt.split('.')
    assert.equal(JSON.parse(Buffer.from(claims, 'base64url').toString()).aud, ORIGIN)
    const point = Buffer.from(key, 'base64url')
    const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)]
    const dsa = {
      key: createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' }),
      dsaEncoding: 'ieee-p1363',
    } as const
    assert.ok(verify('sha256', Buffer.from(`${head}.${claims}`), dsa, Buffer.from(signature, 'base64url')))
    const stored = await db()
      .selectFrom('installation')
      .select('value')
      .where('name', '=', 'push_key')
      .executeTakeFirst()
    assert.ok(stored && !stored.value.includes(key), 'the keys are sealed')
  })

  it('read anywhere, it is taken back on every browser; each is told once', async () => {
    const { agent, person, id, browser, give } = await begin()
    const phone = subscribe()
    await person.call('POST', '/notices/push', phone.body)
    await give()
    for (const one of [browser, phone]) await becomes(() => one.received().length, 1)
    // What happens again before it is read is in the same notice.
    await give(null)
    await give()
    await becomes(async () => (await person.call('GET', '/notices')).body.data[0].count, 2)
    await person.call('POST', `/agents/${agent.agentId}/conversations/${id}/presence`, {})
    for (const one of [browser, phone]) {
      await becomes(() => one.received().length, 2)
      const [shown, gone] = one.received()
      assert.deepEqual(gone, { type: 'read', id: shown?.id })
      const [first, second] = one.told()
      assert.equal(first?.headers.topic, second?.headers.topic)
    }
    await becomes(() => left(agent.agentId), 0)
  })

  it('what was read before it could leave is not pushed; a service that is busy is asked again', async () => {
    const { agent, person, id, browser, give } = await begin()
    moods.set(browser.path, 503)
    await give()
    await becomes(() => browser.told().length, 1)
    await becomes(
      async () =>
        (
          await db()
            .selectFrom('notice_pushes')
            .select('attempts')
            .where('agent_id', '=', agent.agentId)
            .execute()
        )[0]?.attempts,
      1,
    )
    const second = (await agent.prompt('Where is my order?')).conversation_id
    await give(person.operatorId, second)
    await becomes(() => browser.told().length, 2)
    await person.call('POST', `/agents/${agent.agentId}/conversations/${id}/presence`, {})
    moods.clear()
    service.pass(2 * MINUTE_MS)
    await becomes(() => browser.told().length, 3)
    assert.equal(browser.received()[2]?.path, `/console/agents/${agent.agentId}/inbox/${second}`)
    await becomes(() => left(agent.agentId), 1)
  })

  it('a notice that a push service does not take back is given up after half a day', async () => {
    const { agent, person, browser, give } = await begin()
    await give()
    await becomes(async () => typeof (await mine(agent.agentId))?.shown_at, 'string')
    moods.set(browser.path, 503)
    await person.call('PUT', '/notices/read')
    for (let hours = 0; ; hours++) {
      const row = await mine(agent.agentId)
      if (!row) break
      assert.ok(hours < 20, `it was tried ${row.attempts} times`)
      service.pass(60 * MINUTE_MS)
      await becomes(async () => (await mine(agent.agentId))?.attempts !== row.attempts, true)
    }
    const asked = browser.told().length - 1
    assert.ok(asked >= 12 && asked <= 20, `it was asked ${asked} times`)
  })

  it('one that may have arrived goes again in place of the first, and is taken back if it was read meanwhile', async () => {
    for (const isRead of [false, true]) {
      const { agent, person, browser, give } = await begin()
      moods.set(browser.path, 'hangs up')
      await give()
      await becomes(async () => (await mine(agent.agentId))?.attempts, 1)
      moods.clear()
      if (isRead) await person.call('PUT', '/notices/read')
      service.pass(2 * MINUTE_MS)
      await becomes(() => browser.told().length, 2)
      const [first, second] = browser.received()
      assert.deepEqual(second, isRead ? { type: 'read', id: first?.id } : first)
      const [topic, topicAgain] = browser.told().map(({ headers }) => headers.topic)
      assert.equal(topic, topicAgain)
      await becomes(async () => (await mine(agent.agentId))?.due_at, isRead ? undefined : null)
    }
  })

  it('one that was refused and read meanwhile has nothing to be taken back', async () => {
    const { agent, person, browser, give } = await begin()
    moods.set(browser.path, 503)
    await give()
    await becomes(async () => (await mine(agent.agentId))?.attempts, 1)
    await person.call('PUT', '/notices/read')
    moods.clear()
    service.pass(2 * MINUTE_MS)
    await becomes(() => left(agent.agentId), 0)
    assert.equal(browser.told().length, 1)
  })

  it('one that is read in the moment in which it is shown is taken back', async () => {
    // SQLite has one writer at a time.
    if (service.engine !== 'postgres') return
    const { agent, browser, give } = await begin()
    const answer = Promise.withResolvers<number>()
    moods.set(browser.path, answer.promise)
    await give()
    await becomes(() => browser.told().length, 1)
    const waits = async (): Promise<boolean> => {
      const query = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (await query.execute(db())).rows.length > 0
    }
    await db()
      .transaction()
      .execute(async (reading) => {
        await reading
          .updateTable('notices')
          .set({ unread: 0 })
          .where('agent_id', '=', agent.agentId)
          .execute()
        moods.clear()
        answer.resolve(201)
        await becomes(async () => (await waits()) || (await mine(agent.agentId))?.due_at === null, true)
      })
    await becomes(() => left(agent.agentId), 0)
    assert.equal(browser.received()[1]?.type, 'read')
  })

  it('a browser that is gone is removed, and one whose session is signed out', async () => {
    const { person, browser, give, list } = await begin()
    for (const status of [404, 410]) {
      const gone = subscribe()
      moods.set(gone.path, status)
      await person.call('POST', '/notices/push', gone.body)
    }
    assert.equal((await list()).browsers.length, 3)
    await give()
    await becomes(async () => (await list()).browsers.length, 1)
    await becomes(() => browser.received().length, 1)
    const rows = db().selectFrom('push_browsers').select('id').where('operator_id', '=', person.operatorId)
    await person.call('DELETE', '/session')
    assert.deepEqual(await rows.execute(), [])
  })

  it('people choose kinds and details; what is outside of their scope is not pushed', async () => {
    const { agent, person, browser, give } = await begin()
    const { mail: _, ...settings } = (await person.call('GET', '/notices/settings')).body.data
    assert.deepEqual(settings.kinds.assigned, { page: true, mail: true, push: true })
    assert.equal(settings.kinds.waiting.push, false)
    const set = (part: object) => person.call('PUT', '/notices/settings', { ...settings, ...part })
    assert.equal((await set({ details: true })).status, 200)
    await give()
    await becomes(() => browser.received().length, 1)
    assert.equal(browser.received()[0]?.text, 'You were given a conversation, Test agent')
    await person.call('PUT', '/notices/read')
    await becomes(() => left(agent.agentId), 0)
    const kinds = { ...settings.kinds, assigned: { page: true, mail: false, push: false } }
    await set({ kinds })
    await give(null)
    await give()
    await becomes(async () => (await person.call('GET', '/notices')).body.unread, 1)
    assert.equal(await left(agent.agentId), 0)
    await set({})
    await agent.patch(`/operators/${person.operatorId}`, { scope: 'own' })
    moods.set(browser.path, 503)
    const other = (await agent.prompt('Where is my order?')).conversation_id
    const before = browser.told().length
    await give(person.operatorId, other)
    await becomes(() => browser.told().length, before + 1)
    await give(null, other)
    service.pass(2 * MINUTE_MS)
    await becomes(() => left(agent.agentId), 0)
    assert.equal(browser.told().length, before + 1)
  })

  it('400 for what is no subscription or an address that may not be called, 404 for the browsers of others', async () => {
    const { agent, person, browserId, list } = await begin()
    const { body } = subscribe()
    for (const [param, wrong] of [
      ['endpoint', { ...body, endpoint: 'ftp://127.0.0.1/push' }],
      ['endpoint', { ...body, endpoint: 'http://169.254.169.254/latest' }],
      ['keys.p256dh', { ...body, keys: { ...body.keys, p256dh: Buffer.alloc(65, 4).toString('base64url') } }],
      ['keys.auth', { ...body, keys: { ...body.keys, auth: 'AA' } }],
    ] as const) {
      const refused = await person.call('POST', '/notices/push', wrong)
      assertError(refused, 400, 'invalid_request')
      assert.equal(refused.body.error.param, param)
    }
    const other = await signInNew(service.app, { teamId: agent.teamId, right: 'read' })
    assertError(await other.call('DELETE', `/notices/push/${browserId}`), 404, 'push_browser_not_found')
    assert.equal((await person.call('DELETE', `/notices/push/${browserId}`)).status, 204)
    assert.deepEqual((await list()).browsers, [])
    // A browser that somebody else signs in with is theirs.
    await person.call('POST', '/notices/push', body)
    await other.call('POST', '/notices/push', body)
    assert.deepEqual((await list()).browsers, [])
  })
})
