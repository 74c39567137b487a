import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { checkPublicAddress } from '../../src/commands/check-public-address.ts'
import { SETTINGS_MARK } from '../../src/http/health.ts'
import { startApp, type TestApp } from '../support/app.ts'

/** The faults of a proxy, each of which changes what passes. */
interface Habits {
  largestBody?: number
  /** Streams leave when they have ended. */
  buffers?: boolean
  dropsOrigin?: boolean
}

describe('the public address', () => {
  let app: TestApp
  let mark: string
  before(async () => {
    app = await startApp('sqlite')
    mark = (await fetch(`${app.url}/healthz`)).headers.get(SETTINGS_MARK) ?? ''
  })
  after(() => app.close())

  const look = (url: string, largestBody = 50 * 1024 * 1024) =>
    checkPublicAddress({ url, largestBody, mark }).catch((error: Error) => `failed: ${error.message}`)

  it('is well when it leads to this service', async () => {
    assert.match(await look(app.url), /leads here, takes sign-ins and bodies of 52428800 bytes/)
    await using proxy = await startProxy(app.url, {})
    // The proxy's own address is no origin of the service, unless PARLEY_PUBLIC_URL says so.
    assert.match(await look(proxy.url), /sign-in is refused as cross_site/)
  })

  for (const [name, habits, named] of [
    ['refuses large bodies', { largestBody: 1024 * 1024 }, /body of 52428800 bytes is refused/],
    ['holds streams back', { buffers: true }, /holds streams back until they end/],
    ['takes the origin away', { dropsOrigin: true }, /takes away or changes the headers Origin/],
  ] as const)
    it(`tells of a proxy that ${name}`, async () => {
      await using proxy = await startProxy(app.url, habits)
      assert.match(await look(proxy.url), named)
    })

  it('tells when nothing answers, another program does, or another Parley', async () => {
    assert.match(await look('http://127.0.0.1:9'), /^failed: http:\/\/127\.0\.0\.1:9 cannot be reached/)
    await using stranger = await serve((_, response) => void response.writeHead(404).end())
    assert.match(await look(stranger.url), /is no Parley \(status 404/)
    await using other = await serve((_, response) => void response.setHeader(SETTINGS_MARK, 'x').end())
    assert.match(await look(other.url), /is another one, or runs with other settings/)
  })
})

async function startProxy(target: string, { largestBody = Infinity, buffers, dropsOrigin }: Habits) {
  const isTooLarge = (length: string | undefined, response: ServerResponse) => {
    const isSo = Number(length) > largestBody
    if (isSo) response.writeHead(413).end('Too large')
    return isSo
  }
  const pass: RequestListener = (asked, response) => {
    if (isTooLarge(asked.headers['content-length'], response)) return
    const { host, origin, ...rest } = asked.headers
    const headers = { ...rest, ...(origin && !dropsOrigin ? { origin } : {}) }
    const onward = request(target + asked.url, { method: asked.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      if (!buffers) return void answer.pipe(response)
      const pieces: Buffer[] = []
      answer.on('data', (piece) => pieces.push(piece)).on('end', () => response.end(Buffer.concat(pieces)))
    })
    onward.on('error', () => response.destroy())
    asked.pipe(onward)
  }
  return serve(pass, (asked, response) => {
    if (!isTooLarge(asked.headers['content-length'], response)) response.writeContinue()
  })
}

async function serve(listener: RequestListener, onExpect?: RequestListener) {
  const server = createServer(listener)
  if (onExpect) server.on('checkContinue', onExpect)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
