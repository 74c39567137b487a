import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { allowing, failure } from './open-outbound.ts'

/** Answers each request on a connection with the pieces given, each in a packet of its own. */
async function startAnswering(...pieces: string[]) {
  const server = createServer((socket: Socket) => {
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('data', async () => {
      for (const piece of pieces) {
        await new Promise((resolve) => socket.write(piece, () => setImmediate(resolve)))
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  let connections = 0
  server.on('connection', () => connections++)
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/`,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n'
const ANSWER = 'HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\nok'

describe('interim responses', () => {
  for (const [name, pieces] of Object.entries({
    'an unsolicited 100 before the answer': [CONTINUE + ANSWER],
    'a 100 in a packet of its own': [CONTINUE, ANSWER],
    '100, 102 and 103, and a 199 that nobody knows': [
      CONTINUE,
      `HTTP/1.1 102 Processing\r\n\r\n${HINTS}`,
      `HTTP/1.1 199 Odd\r\n\r\n${ANSWER}`,
    ],
    'a 100 byte by byte': [...CONTINUE, ANSWER],
    'an answer byte by byte': [...ANSWER],
    'as many as are taken': [CONTINUE.repeat(32) + ANSWER],
  })) {
    test(`are skipped: ${name}`, async () => {
      await using server = await startAnswering(...pieces)
      const outbound = allowing()
      for (const freshConnection of [false, true]) {
        const call = { method: 'POST' as const, body: '{}', freshConnection }
        const { status, body } = await outbound.request(server.url, call)
        assert.deepEqual([status, body.toString()], [201, 'ok'])
      }
    })
  }

  test('are skipped before each answer of a connection that is kept, and text like one in a body is not', async () => {
    const text = `${CONTINUE}x`
    await using server = await startAnswering(
      CONTINUE,
      `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n`,
      text,
    )
    const outbound = allowing()
    for (let n = 0; n < 3; n++) {
      const { body } = await outbound.request(server.url)
      assert.equal(body.toString(), text)
      await new Promise(setImmediate)
    }
    assert.equal(server.connections(), 1)
  })

  test('break the rules when there are too many, or one has no end', async () => {
    for (const pieces of [
      [CONTINUE.repeat(33) + ANSWER],
      [`HTTP/1.1 103 Early Hints\r\nlink: ${'x'.repeat(17_000)}`],
    ]) {
      await using server = await startAnswering(...pieces)
      await assert.rejects(allowing().request(server.url), failure('protocol'))
    }
  })

  test('101 is refused: nobody asked for another protocol', async () => {
    await using server = await startAnswering('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n')
    await assert.rejects(allowing().request(server.url), failure('unreachable'))
  })
})
