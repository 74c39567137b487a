import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { describe, it } from 'node:test'
import { fetchMedia, MediaUnavailable } from '../../../src/channels/media/fetch-media.ts'
import {
  OutboundError,
  type OutboundStream,
  type OutboundStreamRequest,
} from '../../../src/lib/outbound/outbound.ts'
import { type MediaPlace, MediaRefused } from '../../../src/platforms/media.ts'

interface Answer {
  status?: number
  headers?: IncomingHttpHeaders
  body?: string[]
  error?: Error
}

/** Answers by address, and remembers what was asked of whom. */
function hosts(answers: Record<string, Answer>) {
  const asked: { url: string; token: string | undefined; publicOnly: boolean }[] = []
  const stream = async (target: string | URL, call: OutboundStreamRequest = {}): Promise<OutboundStream> => {
    const url = String(target)
    asked.push({ url, token: call.headers?.authorization, publicOnly: call.publicOnly === true })
    const { status = 200, headers = {}, body = ['hello'], error } = answers[url] ?? { status: 404 }
    if (error) throw error
    const chunks = async function* () {
      for (const text of body) yield [Buffer.from(text)]
    }
    return { status, headers, body: Object.assign(chunks(), { discard() {} }) }
  }
  return { asked, http: { stream } }
}

const to = (location: string, status = 302): Answer => ({ status, headers: { location } })

async function read(
  http: ReturnType<typeof hosts>['http'],
  place: MediaPlace,
  { base, sha256, limit = 100 }: { base?: string; sha256?: string; limit?: number } = {},
): Promise<string> {
  const { signal } = new AbortController()
  const bytes = fetchMedia({ http, base, limit, signal }, place, sha256 === undefined ? {} : { sha256 })
  return Buffer.concat(await Array.fromAsync(bytes)).toString()
}

const refused = (reason: string) => (error: unknown) =>
  error instanceof MediaRefused && error.reason === reason
const unavailable = (reason: string) => (error: unknown) =>
  error instanceof MediaUnavailable && error.reason === reason

const headers = { authorization: 'Bearer secret' }

describe('fetching a file of a platform', () => {
  it('the token goes to hosts of the platform, and stays behind on the way to others', async () => {
    const { http, asked } = hosts({
      'https://api.platform.example/1': to('https://cdn.platform.example/1'),
      'https://cdn.platform.example/1': to('https://files.other.example/1', 307),
      'https://files.other.example/1': to('https://api.platform.example/2'),
      'https://api.platform.example/2': {},
    })
    const place = {
      ...{ url: 'https://api.platform.example/1', headers },
      ...{ tokenHosts: ['api.platform.example', '.platform.example'], otherHosts: ['.other.example'] },
    }
    assert.equal(await read(http, place), 'hello')
    assert.deepEqual(
      asked.map(({ token }) => token),
      ['Bearer secret', undefined, undefined, undefined],
    )
  })

  it('a host that may only have files never gets the token, even when it comes first', async () => {
    const { http, asked } = hosts({ 'https://files.other.example/1': {} })
    const url = 'https://files.other.example/1'
    await read(http, { url, headers, tokenHosts: ['api.platform.example'], otherHosts: 'any' })
    assert.deepEqual(asked, [{ url, token: undefined, publicOnly: true }])
  })

  it('only the host of the base address may be private, on its own port and without TLS', async () => {
    const { http, asked } = hosts({
      'http://10.0.0.1:3000/1': to('/2'),
      'http://10.0.0.1:3000/2': to('http://10.0.0.1:8080/admin'),
    })
    const place = { url: 'http://10.0.0.1:3000/1', headers, otherHosts: 'any' as const }
    await assert.rejects(read(http, place, { base: 'http://10.0.0.1:3000/api' }), refused('address_refused'))
    assert.deepEqual(
      asked.map(({ url, publicOnly }) => [url, publicOnly]),
      [
        ['http://10.0.0.1:3000/1', false],
        ['http://10.0.0.1:3000/2', false],
      ],
    )
    assert.equal(asked.at(-1)?.token, 'Bearer secret')
  })

  it('an address that is unknown or not over TLS is not asked', async () => {
    for (const [url, otherHosts] of [
      ['https://example.com/1', ['.other.example']],
      ['https://other.example.evil.example/1', ['.other.example']],
      ['https://notother.example/1', ['other.example']],
      ['http://files.other.example/1', ['.other.example']],
      ['http://example.com/1', 'any'],
      ['data:text/plain,1', 'any'],
      ['undefined', 'any'],
    ] as const) {
      const { http, asked } = hosts({ [url]: {} })
      await assert.rejects(read(http, { url, otherHosts }), refused('address_refused'), url)
      assert.deepEqual(asked, [])
    }
  })

  it('six redirects are too many', async () => {
    const { http, asked } = hosts({ 'https://example.com/1': to('https://example.com/1') })
    await assert.rejects(
      read(http, { url: 'https://example.com/1', otherHosts: 'any' }),
      refused('address_refused'),
    )
    assert.equal(asked.length, 6)
  })

  it('a file that is too large, empty or has another hash is refused', async () => {
    const url = 'https://example.com/1'
    const place = { url, otherHosts: 'any' as const }
    const of = (answer: Answer) => hosts({ [url]: answer }).http
    await assert.rejects(read(of({ body: ['123', '456'] }), place, { limit: 5 }), refused('too_large'))
    await assert.rejects(
      read(of({ headers: { 'content-length': '6' } }), place, { limit: 5 }),
      refused('too_large'),
    )
    await assert.rejects(read(of({ body: [] }), place), refused('empty'))
    await assert.rejects(read(of({}), place, { sha256: 'x' }), unavailable('damaged'))
    const sha256 = 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ='
    assert.equal(await read(of({}), place, { sha256 }), 'hello')
  })

  it('each failure has its reason', async () => {
    const url = 'https://api.platform.example/1'
    const withToken = { url, headers, tokenHosts: ['api.platform.example'] }
    const signed = { url, otherHosts: 'any' as const }
    for (const [place, answer, reason] of [
      [withToken, { status: 401 }, 'unauthorized'],
      [signed, { status: 403 }, 'gone'],
      [signed, { status: 404 }, 'gone'],
      [signed, { status: 202 }, 'unreachable'],
      [signed, { status: 500 }, 'unreachable'],
      [signed, { error: new OutboundError('timeout', '') }, 'unreachable'],
    ] as const)
      await assert.rejects(read(hosts({ [url]: answer }).http, place), unavailable(reason))
    const blocked = hosts({ [url]: { error: new OutboundError('blocked', '') } })
    await assert.rejects(read(blocked.http, signed), refused('address_refused'))
  })
})
