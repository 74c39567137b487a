import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { it } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { goneSignal } from '../../src/http/gone-signal.ts'

it('a client that went away before anybody asked is gone', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nhost: test\r\n\r\n')
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  const asked = () =>
    goneSignal({ raw: request } as FastifyRequest, { raw: response } as unknown as FastifyReply)
  const early = asked()
  assert.equal(early.aborted, false)
  client.destroy()
  await once(response, 'close')
  assert.equal(early.aborted, true)
  assert.equal(asked().aborted, true)
  server.close()
})
