import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { it } from 'node:test'
import fastify, { type FastifyReply } from 'fastify'
import { sendPieces } from '../../../src/http/send-pieces.ts'
import { agentScope, forAgent } from '../../../src/lib/agent-scope.ts'

const FILE = { type: 'text/plain; charset=utf-8', name: 'a.txt' }

/** A server that sends pieces, and what a client gets first. */
async function ask(pieces: AsyncIterable<string>, stalledMs: number) {
  const server = fastify()
  server.get('/', (_request, reply) => sendPieces(reply, pieces, { ...FILE, stalledMs }))
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  const answer = await new Promise<IncomingMessage>((resolve) => get(`http://127.0.0.1:${port}/`, resolve))
  return { answer, close: () => server.close() }
}

it('a reader that takes nothing is cut off, and nothing more is made for it', async () => {
  let made = 0
  let ended = () => {}
  const isEnded = new Promise<void>((resolve) => {
    ended = resolve
  })
  async function* endless() {
    try {
      for (;;) {
        made++
        yield 'x'.repeat(100_000)
      }
    } finally {
      ended()
    }
  }
  const { answer, close } = await ask(endless(), 100)
  // It has the head and reads nothing of the body.
  await isEnded
  assert.ok(made < 1000, `${made} pieces`)
  answer.resume()
  await once(answer, 'error')
  assert.equal(answer.complete, false)
  await close()
})

it('a slow reader gets all of it', async () => {
  async function* some() {
    for (let n = 0; n < 50; n++) yield 'x'.repeat(100_000)
  }
  const { answer, close } = await ask(some(), 5000)
  let length = 0
  for await (const chunk of answer) {
    length += chunk.length
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.deepEqual([length, answer.complete], [5_000_000, true])
  assert.equal(answer.headers['content-disposition'], 'attachment; filename="a.txt"')
  await close()
})

it('a reader on a slow line gets large pieces, although one takes longer than a stalled reader is given', async () => {
  const stalledMs = 200
  const bytesPerMs = 2048
  let length = 0
  const line = new Writable({
    write(chunk: Uint8Array, _encoding, taken) {
      length += chunk.length
      setTimeout(taken, chunk.length / bytesPerMs)
    },
  })
  async function* some() {
    for (let n = 0; n < 2; n++) yield Buffer.alloc(1024 * 1024)
  }
  const reply = { raw: line, type: () => reply, header: () => reply, send: sends }
  async function sends(pieces: Readable) {
    await pipeline(pieces, line)
  }
  await sendPieces(reply as unknown as FastifyReply, some(), { ...FILE, stalledMs })
  assert.equal(length, 2 * 1024 * 1024)
})

it('an answer of which a piece fails breaks off', async () => {
  async function* failing() {
    yield 'begin'
    throw new Error('no database')
  }
  const { answer, close } = await ask(failing(), 5000)
  answer.resume()
  await once(answer, 'error')
  assert.equal(answer.complete, false)
  await close()
})

it('all pieces are made for the agent of the request, also behind another request on the connection', async () => {
  const scopes: unknown[] = []
  const begun = Promise.withResolvers<void>()
  async function* some() {
    for (let n = 0; n < 20; n++) {
      scopes.push(agentScope())
      begun.resolve()
      yield 'x'.repeat(100_000)
    }
  }
  const server = fastify({ forceCloseConnections: true })
  server.get('/first', (_request, reply) => {
    forAgent(1, () => void begun.promise.then(() => setImmediate(() => reply.send('first'))))
  })
  server.get('/second', (_request, reply) => forAgent(2, () => sendPieces(reply, some(), FILE)))
  await server.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
  const head = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: a\r\n${more}\r\n`
  socket.write(head('/first') + head('/second', 'connection: close\r\n'))
  await once(socket.resume(), 'close')
  await server.close()
  assert.deepEqual(scopes, Array(20).fill(2))
})
