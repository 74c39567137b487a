import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, it } from 'node:test'
import {
  createOutbound,
  type Outbound,
  parsePrivateTargets,
  type TeamHttp,
} from '../../../src/lib/outbound/outbound.ts'
import { type ChannelSettings, PlatformError, ReplyTokenRefused } from '../../../src/platforms/platform.ts'
import { platforms } from '../../../src/platforms/platforms.ts'
import { type Peer, startPeer } from '../../support/peer.ts'
import { type Kind, kinds, PERSON } from '../../support/platform-peer.ts'

const TOKEN = 'a-token-that-must-not-be-told'

describe('platforms send', () => {
  let outbound: Outbound
  let http: TeamHttp
  let peer: Peer
  let respond: (response: ServerResponse) => void
  before(async () => {
    outbound = createOutbound({ privateTargets: parsePrivateTargets('127.0.0.1/32') })
    http = outbound.of(1)
    peer = await startPeer((response) => respond(response))
  })
  after(() => Promise.all([outbound.close(), peer.close()]))
  beforeEach(() => {
    peer.requests.length = 0
    respond = (response) => response.end('{}')
  })

  const settingsOf = (api_base = peer.url): ChannelSettings => ({
    api_base,
    access_token: TOKEN,
    bot_token: TOKEN,
    auth_token: TOKEN,
    account_sid: 'AC1',
    from: '+15550100',
    instagram_id: '3',
    phone_number_id: '1',
    page_id: '2',
    account_id: '7',
  })
  const message = (kind: Kind, more = {}) => ({
    thread: PERSON[kind],
    texts: ['a text of a person'] as const,
    replyToken: null,
    retryKey: '11111111-1111-4111-8111-111111111111',
    byPerson: false,
    webhookUrl: 'https://parley.example/api/v1/channels/1/x',
    ...more,
  })

  async function failure(work: Promise<unknown>): Promise<PlatformError> {
    const error = await work.then(
      () => assert.fail('nothing failed'),
      (reason: unknown) => reason,
    )
    assert.ok(error instanceof PlatformError)
    assert.ok(!error.message.includes(TOKEN) && !error.message.includes('a text of a person'))
    return error
  }

  for (const kind of kinds) {
    const { send, check } = platforms[kind]

    for (const [name, answer, expected] of [
      ['401', (response) => response.writeHead(401).end(), 'refused unauthorized'],
      ['403', (response) => response.writeHead(403).end('{}'), 'refused unauthorized'],
      ['429', (response) => response.writeHead(429, { 'retry-after': '7' }).end(), 'not_sent rejected'],
      ['500', (response) => response.writeHead(500).end('nonsense'), 'unknown unreachable'],
      ['502', (response) => response.writeHead(502).end('<html>'), 'unknown unreachable'],
      ['503', (response) => response.writeHead(503).end(), 'unknown unreachable'],
      ['504', (response) => response.writeHead(504).end(), 'unknown too_slow'],
      ['400', (response) => response.writeHead(400).end('{"error":{"code":100}}'), 'refused rejected'],
      ['404', (response) => response.writeHead(404).end(), 'refused rejected'],
      ['a cut connection', (response) => response.destroy(), 'unknown unreachable'],
    ] as [string, (response: ServerResponse) => void, string][]) {
      it(`${kind}: ${name} is ${expected}`, async () => {
        respond = answer
        const error = await failure(send(http, settingsOf(), message(kind)))
        assert.equal(wordsOf(error), expected)
        if (name === '429') assert.equal(error.retryAfterMs, 7000)
        assert.equal(peer.requests.length, 1)
      })
    }

    it(`${kind}: no answer within ten seconds is unknown`, async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout'] })
      const asked = Promise.withResolvers<void>()
      respond = () => asked.resolve()
      const failed = failure(send(http, settingsOf(), message(kind)))
      await asked.promise
      t.mock.timers.tick(10_000)
      assert.equal(wordsOf(await failed), 'unknown too_slow')
      assert.equal(peer.requests.length, 1)
    })

    it(`${kind}: a refused connection means that nothing was sent`, async () => {
      const error = await failure(send(http, settingsOf('http://127.0.0.1:9'), message(kind)))
      assert.equal(wordsOf(error), 'not_sent unreachable')
    })

    it(`${kind}: an address that may not be called`, async () => {
      const error = await failure(send(http, settingsOf('http://10.0.0.1'), message(kind)))
      assert.equal(wordsOf(error), 'refused unreachable')
    })

    it(`${kind}: without a token nothing is asked`, async () => {
      const { access_token: _, bot_token: __, auth_token: ___, ...settings } = settingsOf()
      assert.equal((await failure(send(http, settings, message(kind)))).reason, 'unauthorized')
      assert.equal((await failure(check(http, settings))).reason, 'unauthorized')
      assert.equal(peer.requests.length, 0)
    })

    // Telegram's is part of the address.
    if (kind !== 'telegram')
      it(`${kind}: the token is in a header, never in an address`, async () => {
        await send(http, settingsOf(), message(kind))
        await check(http, settingsOf())
        for (const { path, headers, body } of peer.requests) {
          assert.ok(!path.includes(TOKEN) && !body.includes(TOKEN))
          const [, basic = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
          const told = `${JSON.stringify(headers)} ${Buffer.from(basic, 'base64')}`
          assert.ok(told.includes(TOKEN))
        }
      })
  }

  for (const [kind, error, expected] of [
    ['messenger-one', { code: 131047 }, 'refused window_closed'],
    ['messenger-one', { code: 130429 }, 'not_sent rejected'],
    ['messenger-one', { code: 190 }, 'refused unauthorized'],
    ['messenger-one', { code: 2, is_transient: true }, 'not_sent rejected'],
    ['messenger-two', { code: 10, error_subcode: 2018278 }, 'refused window_closed'],
    ['messenger-two', { code: 613 }, 'not_sent rejected'],
    ['messenger-two', { code: 190 }, 'refused unauthorized'],
    ['messenger-two', { code: 2, is_transient: true }, 'not_sent rejected'],
    ['instagram', { code: 10, error_subcode: 2534022 }, 'refused window_closed'],
    ['instagram', { code: 190 }, 'refused unauthorized'],
  ] as const) {
    it(`${kind}: the platform's error ${JSON.stringify(error)} is ${expected}, whatever its status`, async () => {
      for (const status of [400, 500, 503]) {
        respond = (response) => response.writeHead(status).end(JSON.stringify({ error }))
        assert.equal(
          wordsOf(await failure(platforms[kind].send(http, settingsOf(), message(kind)))),
          expected,
        )
      }
    })
  }

  for (const [error_code, more, expected] of [
    [401, {}, 'refused unauthorized'],
    [404, {}, 'refused unauthorized'],
    [403, { description: 'Forbidden: bot was blocked by the user' }, 'refused rejected'],
    [400, { description: 'Bad Request: chat not found' }, 'refused rejected'],
    [409, {}, 'not_sent rejected'],
    [429, { parameters: { retry_after: 7 } }, 'not_sent rejected'],
  ] as const)
    it(`telegram: the platform's error ${error_code} is ${expected}`, async () => {
      respond = (response) =>
        response.writeHead(error_code).end(JSON.stringify({ ok: false, error_code, ...more }))
      const error = await failure(platforms.telegram.send(http, settingsOf(), message('telegram')))
      assert.equal(wordsOf(error), expected)
      assert.equal(error.retryAfterMs, error_code === 429 ? 7000 : null)
    })

  for (const [code, status, expected] of [
    [20003, 401, 'refused unauthorized'],
    [21610, 400, 'refused rejected'],
    [21211, 400, 'refused rejected'],
    [20429, 429, 'not_sent rejected'],
    [30001, 400, 'not_sent rejected'],
  ] as const)
    it(`sms: the platform's error ${code} is ${expected}`, async () => {
      respond = (response) => response.writeHead(status).end(JSON.stringify({ code, status }))
      assert.equal(wordsOf(await failure(platforms.sms.send(http, settingsOf(), message('sms')))), expected)
    })

  it('telegram: a message to a group that has a new id goes there, once', async () => {
    const parameters = { migrate_to_chat_id: -1001 }
    respond = (response) => {
      const { chat_id } = JSON.parse(peer.requests.at(-1)?.body ?? '{}')
      if (chat_id === '-1001') response.end('{"ok":true,"result":{"message_id":5}}')
      else response.writeHead(400).end(JSON.stringify({ ok: false, error_code: 400, parameters }))
    }
    await platforms.telegram.send(http, settingsOf(), message('telegram', { thread: '-5' }))
    assert.deepEqual(
      peer.requests.map(({ body }) => JSON.parse(body).chat_id),
      ['-5', '-1001'],
    )
    respond = (response) =>
      response.writeHead(400).end(JSON.stringify({ ok: false, error_code: 400, parameters }))
    await failure(platforms.telegram.send(http, settingsOf(), message('telegram', { thread: '-5' })))
    assert.equal(peer.requests.length, 4)
  })

  it('telegram: a topic of a group is named in calls', async () => {
    await platforms.telegram.send(http, settingsOf(), message('telegram', { thread: '-100:9' }))
    const { chat_id, message_thread_id } = JSON.parse(peer.requests[0]?.body ?? '{}')
    assert.deepEqual([chat_id, message_thread_id], ['-100', 9])
  })

  it('telegram: a pressed button is answered, and nothing else is', async () => {
    await platforms.telegram.acknowledge?.(http, settingsOf(), 'callback:44')
    await platforms.telegram.acknowledge?.(http, settingsOf(), 'update:45')
    await platforms.telegram.showTyping?.(http, settingsOf(), '7', 'callback:44')
    assert.deepEqual(
      peer.requests.map(({ path, body }) => [path.split('/').at(-1), JSON.parse(body)]),
      [
        ['answerCallbackQuery', { callback_query_id: '44' }],
        ['sendChatAction', { chat_id: '7', action: 'typing' }],
      ],
    )
  })

  it('messenger-three: a retry key that was accepted before is success', async () => {
    respond = (response) => response.writeHead(409).end('{}')
    await platforms['messenger-three'].send(http, settingsOf(), message('messenger-three'))
  })

  it('messenger-three: a reply token that is refused is told, and not followed by a push', async () => {
    respond = (response) => response.writeHead(400).end('{"message":"Invalid reply token"}')
    const sent = message('messenger-three', { replyToken: 'used' })
    await assert.rejects(platforms['messenger-three'].send(http, settingsOf(), sent), ReplyTokenRefused)
    assert.deepEqual(
      peer.requests.map(({ path }) => path),
      ['/v2/bot/message/reply'],
    )
    assert.equal(peer.requests[0]?.headers['x-line-retry-key'], undefined)
  })
})

const wordsOf = ({ outcome, reason }: PlatformError) => `${outcome} ${reason}`
