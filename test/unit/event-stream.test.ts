import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { it, type TestContext } from 'node:test'
import type { FastifyReply } from 'fastify'
import { openEventStream } from '../../src/http/server-sent-events.ts'

/** The response to a client that does not read yet; time stands still from here on. */
async function responseToClient(t: TestContext) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => {})
  client.pause()
  client.write('GET / HTTP/1.1\r\nhost: test\r\n\r\n')
  const [, raw] = (await once(server, 'request')) as [unknown, ServerResponse]
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] })
  const reply = { raw, hijack() {}, getHeaders: () => ({}) } as unknown as FastifyReply
  const close = () => {
    client.destroy()
    server.close()
  }
  return { reply, raw, client, close }
}

async function streamToClient(t: TestContext) {
  const opened = await responseToClient(t)
  return { ...opened, stream: openEventStream(opened.reply) }
}

it('a stream that is idle for fifteen seconds gets a comment, so that nobody between closes it', async (t) => {
  const { stream, client, close } = await streamToClient(t)
  let text = ''
  client
    .resume()
    .setEncoding('utf8')
    .on('data', (data) => {
      text += data
    })
  stream.send(['first'])
  t.mock.timers.tick(14_000)
  stream.send(['second'])
  t.mock.timers.tick(1000)
  t.mock.timers.tick(15_000)
  stream.send(['third'])
  while (!text.includes('third')) await once(client, 'data')
  close()
  assert.deepEqual(text.match(/^(data: |: ).*/gm), [
    'data: first',
    'data: second',
    ': keep-alive',
    'data: third',
  ])
})

it('a stream waits for its reader, and is closed for one that takes nothing for two minutes', async (t) => {
  const { stream, raw, client, close } = await streamToClient(t)
  const megabyte = 'x'.repeat(1024 * 1024)
  const fill = () => {
    while (!raw.writableNeedDrain) stream.send([megabyte])
    return stream.drained()
  }
  const closed = once(raw, 'close')
  let waited = fill()
  t.mock.timers.tick(110_000)
  client.resume()
  await waited
  client.pause()
  assert.equal(raw.destroyed, false)
  waited = fill()
  t.mock.timers.tick(110_000)
  assert.equal(raw.destroyed, false, 'each wait has its own two minutes')
  t.mock.timers.tick(10_000)
  await Promise.all([waited, closed])
  close()
})

it('a stream whose client had gone before it was opened keeps nothing going', async (t) => {
  const { reply, raw, client, close } = await responseToClient(t)
  const closed = once(raw, 'close')
  client.destroy()
  await closed
  const write = t.mock.method(raw, 'write')
  openEventStream(reply)
  t.mock.timers.tick(60_000)
  assert.equal(write.mock.callCount(), 0)
  close()
})
