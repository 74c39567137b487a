import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createOutbound, type Outbound, parsePrivateTargets } from '../../../src/lib/outbound/outbound.ts'
import { type ChannelSettings, PlatformError, type PlatformFailure } from '../../../src/platforms/platform.ts'
import { platforms } from '../../../src/platforms/platforms.ts'
import { type Peer, startPeer } from '../../support/peer.ts'
import { type Kind, PERSON } from '../../support/platform-peer.ts'

const kinds = Object.keys(platforms) as Kind[]
const TOKEN = 'a-token-that-must-not-be-told'

describe('platforms send', () => {
  let http: Outbound
  let peer: Peer
  let respond: (response: ServerResponse) => void
  before(async () => {
    http = createOutbound({ privateTargets: parsePrivateTargets('127.0.0.1/32') })
    peer = await startPeer((response) => respond(response))
  })
  after(() => Promise.all([http.close(), peer.close()]))
  beforeEach(() => {
    peer.requests.length = 0
    respond = (response) => response.end('{}')
  })

  const settingsOf = (api_base = peer.url): ChannelSettings => ({
    api_base,
    access_token: TOKEN,
    phone_number_id: '1',
    page_id: '2',
    account_id: '7',
  })
  const message = (kind: Kind, more = {}) => ({
    thread: PERSON[kind],
    texts: ['a text of a person'] as const,
    replyToken: null,
    retryKey: '11111111-1111-4111-8111-111111111111',
    isRetry: false,
    byPerson: false,
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
      ['401', (response) => response.writeHead(401).end(), 'unauthorized'],
      ['403', (response) => response.writeHead(403).end('{}'), 'unauthorized'],
      ['429', (response) => response.writeHead(429, { 'retry-after': '7' }).end(), 'retry'],
      ['500', (response) => response.writeHead(500).end('nonsense'), 'retry'],
      ['503', (response) => response.writeHead(503).end(), 'retry'],
      ['400', (response) => response.writeHead(400).end('{"error":{"code":100}}'), 'permanent'],
      ['404', (response) => response.writeHead(404).end(), 'permanent'],
      [
        'a cut connection',
        (response) => response.destroy(),
        kind === 'messenger-three' ? 'retry' : 'unknown',
      ],
    ] as [string, (response: ServerResponse) => void, PlatformFailure][]) {
      it(`${kind}: ${name} is ${expected}`, async () => {
        respond = answer
        const error = await failure(send(http, settingsOf(), message(kind)))
        assert.equal(error.failure, expected)
        if (name === '429') assert.equal(error.retryAfterMs, 7000)
        assert.equal(peer.requests.length, 1)
      })
    }

    it(`${kind}: no answer within ten seconds is ${kind === 'messenger-three' ? 'retry' : 'unknown'}`, async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout'] })
      const asked = Promise.withResolvers<void>()
      respond = () => asked.resolve()
      const failed = failure(send(http, settingsOf(), message(kind)))
      await asked.promise
      t.mock.timers.tick(10_000)
      assert.equal((await failed).failure, kind === 'messenger-three' ? 'retry' : 'unknown')
      assert.equal(peer.requests.length, 1)
    })

    it(`${kind}: a connection that is refused was not used: retry`, async () => {
      const error = await failure(send(http, settingsOf('http://127.0.0.1:9'), message(kind)))
      assert.equal(error.failure, 'retry')
    })

    it(`${kind}: an address that is not allowed: permanent`, async () => {
      assert.equal(
        (await failure(send(http, settingsOf('http://10.0.0.1'), message(kind)))).failure,
        'permanent',
      )
    })

    it(`${kind}: without a token nothing is asked`, async () => {
      const { access_token: _, ...settings } = settingsOf()
      assert.equal((await failure(send(http, settings, message(kind)))).failure, 'unauthorized')
      assert.equal((await failure(check(http, settings))).failure, 'unauthorized')
      assert.equal(peer.requests.length, 0)
    })

    it(`${kind}: the token is in a header, never in an address`, async () => {
      await send(http, settingsOf(), message(kind))
      await check(http, settingsOf())
      for (const { path, headers, body } of peer.requests) {
        assert.ok(!path.includes(TOKEN) && !body.includes(TOKEN))
        assert.ok(JSON.stringify(headers).includes(TOKEN))
      }
    })
  }

  for (const [kind, code, subcode, expected] of [
    ['messenger-one', 131047, 0, 'window_closed'],
    ['messenger-one', 130429, 0, 'retry'],
    ['messenger-one', 190, 0, 'unauthorized'],
    ['messenger-two', 10, 2018278, 'window_closed'],
    ['messenger-two', 613, 0, 'retry'],
    ['messenger-two', 190, 0, 'unauthorized'],
  ] as const) {
    it(`${kind}: the platform's code ${code} is ${expected}`, async () => {
      respond = (response) =>
        response.writeHead(400).end(JSON.stringify({ error: { code, error_subcode: subcode } }))
      assert.equal((await failure(platforms[kind].send(http, settingsOf(), message(kind)))).failure, expected)
    })
  }

  it('messenger-three: a retry key that was accepted before is success', async () => {
    respond = (response) => response.writeHead(409).end('{}')
    await platforms['messenger-three'].send(http, settingsOf(), message('messenger-three'))
  })

  it('messenger-three: a reply that may have gone out is not pushed after', async () => {
    respond = (response) => response.writeHead(400).end('{"message":"Invalid reply token"}')
    const sent = message('messenger-three', { replyToken: 'used', isRetry: true })
    const error = await failure(platforms['messenger-three'].send(http, settingsOf(), sent))
    assert.equal(error.failure, 'unknown')
    assert.deepEqual(
      peer.requests.map(({ path }) => path),
      ['/v2/bot/message/reply'],
    )
    assert.equal(peer.requests[0]?.headers['x-line-retry-key'], undefined)
  })
})
