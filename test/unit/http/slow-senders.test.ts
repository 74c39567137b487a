import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import multipart from '@fastify/multipart'
import pino from 'pino'
import { requireMultipart } from '../../../src/http/multipart.ts'
import { createServer } from '../../../src/http/server.ts'

const ARRIVES_MS = 400

describe('a body that arrives slowly', { concurrency: true }, () => {
  const server = createServer({
    logger: pino({ level: 'silent' }),
    bodyLimit: 10_000,
    trustedProxies: [],
    isUnavailable: () => false,
    arrivesMs: ARRIVES_MS,
  })
  before(async () => {
    server.post('/json', async (_request, reply) => reply.code(201).send())
    server.post('/slow', async (_request, reply) => {
      await wait(3 * ARRIVES_MS)
      return reply.code(201).send()
    })
    server.register(async (scope) => {
      scope.register(multipart)
      scope.post('/file', async (request, reply) => {
        requireMultipart(request, 10_000)
        const file = await request.file()
        return reply.code(201).send({ size: (await file?.toBuffer())?.length })
      })
      scope.post('/refused', async (_request, reply) => reply.code(403).send())
    })
    await server.listen({ port: 0, host: '127.0.0.1' })
  })
  after(() => server.close())

  const FORM = [
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n',
    ...'said slowly',
    '\r\n--x--\r\n',
  ]
  const JSON_BODY = ['{"text":"', ...'said slowly', '"}']

  /** Sends the pieces of a body over three times as long as one may take. Returns what is answered until the end. */
  async function send(
    path: string,
    type: string,
    pieces: string[],
    { sent = pieces.length, connection = 'close' } = {},
  ): Promise<string> {
    const { port } = server.server.address() as AddressInfo
    const client = connect({ port, host: '127.0.0.1' })
    client.on('error', () => {})
    await once(client, 'connect')
    const answers = text(client).catch(String)
    const length = Buffer.byteLength(pieces.join(''))
    client.write(
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: ${connection}\r\n${type && `content-type: ${type}\r\n`}content-length: ${length}\r\n\r\n`,
    )
    for (const piece of pieces.slice(0, sent)) {
      client.write(piece)
      await wait((3 * ARRIVES_MS) / pieces.length)
    }
    return answers
  }

  it('is taken if it is an upload of which some arrives all the time', async () => {
    const answer = await send('/file', 'multipart/form-data; boundary=x', FORM)
    assert.match(answer, /^HTTP\/1.1 201 /)
    assert.match(answer, /"size":11/)
  })

  it('is cut off if it is an upload that stands still', async () => {
    const answer = await send('/file', 'multipart/form-data; boundary=x', FORM, { sent: 3 })
    assert.match(answer, /^HTTP\/1.1 400 .*The request took too long/s)
  })

  it('is cut off if it is no upload, or one that was refused', async () => {
    assert.match(await send('/json', 'application/json', JSON_BODY), /^HTTP\/1.1 400 .*took too long/s)
    const refused = await send('/refused', 'multipart/form-data; boundary=x', FORM, {
      connection: 'keep-alive',
    })
    assert.match(refused, /^HTTP\/1.1 403 .*took too long/s)
  })

  for (const [type, pieces] of [
    ['', []],
    ['application/json', ['{}']],
  ] as const)
    it(`an answer that takes long is waited for, behind ${type || 'no body'}`, async () => {
      assert.match(await send('/slow', type, [...pieces]), /^HTTP\/1.1 201/)
    })
})
