import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import pino from 'pino'
import { createServer } from '../../../src/http/server.ts'
import { becomes } from '../../support/becomes.ts'

// Most of their time is waiting.
describe('connections of clients that never close their end', { concurrency: true }, () => {
  for (const [title, sent] of [
    ['that send nothing', ''],
    ['that send half a request', 'GET / HTTP/1.1\r\nhost: localhost\r\n'],
    ['that send no HTTP', 'hello\r\n\r\n'],
  ] as const)
    it(`${title}: are closed`, async () => {
      const logger = pino({ level: 'silent' })
      const server = createServer({
        logger,
        bodyLimit: 1000,
        trustedProxies: [],
        isUnavailable: () => false,
      })
      await server.listen({ port: 0, host: '127.0.0.1' })
      // The rule is the same as with the service's own, longer times.
      server.server.headersTimeout = 50
      const { port } = server.server.address() as AddressInfo
      const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      client.on('error', () => {})
      await once(client, 'connect')
      if (sent !== '') client.write(sent)
      client.resume()
      await once(client, 'end')
      const open = () =>
        new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)))
      await becomes(open, 0)
      assert.equal(client.writable, true, 'the client has not closed its end')
      client.destroy()
      await server.close()
    })
})

it('a request on a connection that is open while the server closes is answered, as the last of it', async () => {
  const logger = pino({ level: 'silent' })
  const server = createServer({ logger, bodyLimit: 1000, trustedProxies: [], isUnavailable: () => false })
  const begun = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  server.get('/slow', async () => {
    begun.resolve()
    await gate.promise
    return 'slow'
  })
  server.get('/quick', async () => 'quick')
  await server.listen({ port: 0, host: '127.0.0.1' })
  const client = connect({ port: (server.server.address() as AddressInfo).port, host: '127.0.0.1' })
  const answers = text(client)
  client.write('GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await begun.promise
  const closed = server.close()
  await becomes(async () => server.server.listening, false)
  client.write('GET /quick HTTP/1.1\r\nhost: localhost\r\n\r\n')
  gate.resolve()
  assert.match(await answers, /200 OK[\s\S]*slow[\s\S]*200 OK[\s\S]*connection: close[\s\S]*quick$/i)
  await closed
})
