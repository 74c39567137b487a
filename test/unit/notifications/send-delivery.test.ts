import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { after, afterEach, beforeEach, describe, it, mock } from 'node:test'
import { createOutbound, parsePrivateTargets } from '../../../src/lib/outbound/outbound.ts'
import { sendDelivery } from '../../../src/notifications/send-delivery.ts'
import { startPeer } from '../../support/peer.ts'

describe('sendDelivery', () => {
  const outbound = createOutbound({
    privateTargets: parsePrivateTargets('127.0.0.1/32'),
    resolve: async (name) =>
      (name === 'turned.example' ? ['10.0.0.1'] : ['127.0.0.1']).map((address) => ({ address, family: 4 })),
  })
  after(() => outbound.close())
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  const send = (url: string) => sendDelivery(outbound.of(1), { url, headers: {}, body: '{}', trace: null })

  it('failed: a receiver that hangs has ten seconds and no more', async () => {
    const asked = Promise.withResolvers<void>()
    await using peer = await startPeer(() => asked.resolve())
    let isOver = false
    const sending = send(peer.url).finally(() => {
      isOver = true
    })
    await asked.promise
    mock.timers.tick(9_999)
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(isOver, false)
    mock.timers.tick(1)
    const { state, status, failure, answer } = await sending
    assert.deepEqual(
      { state, status, failure, answer },
      { state: 'failed', status: null, failure: 'timeout', answer: null },
    )
  })

  it('delivered: one that accepts and then drips a byte a second has no more than ten seconds either', async () => {
    const asked = Promise.withResolvers<ServerResponse>()
    await using peer = await startPeer((response) => asked.resolve(response))
    const begun = Promise.withResolvers<void>()
    const onHeaders = () => begun.resolve()
    subscribe('undici:request:headers', onHeaders)
    const sending = send(peer.url)
    const response = await asked.promise
    for (let second = 0; second < 10; second++) {
      await new Promise<void>((resolve) => response.write('x', () => resolve()))
      await begun.promise
      mock.timers.tick(1000)
    }
    unsubscribe('undici:request:headers', onHeaders)
    const { state, status, failure } = await sending
    assert.deepEqual({ state, status, failure }, { state: 'delivered', status: 200, failure: null })
  })

  for (const [name, answer] of Object.entries({
    'shorter than it says': (response: ServerResponse) => {
      response.writeHead(202, { 'content-length': 100 }).write('short', () => response.destroy())
    },
    'that breaks off between chunks': (response: ServerResponse) => {
      response.writeHead(202).write('short', () => response.destroy())
    },
    'without an end': (response: ServerResponse) => {
      response.writeHead(202)
      const writeOn = () => {
        while (response.writable && response.write('short'.repeat(1000)));
      }
      response.on('drain', writeOn)
      writeOn()
    },
  }))
    it(`delivered: the status counts, also with a body ${name}`, async () => {
      await using peer = await startPeer(answer)
      const { state, status, failure, answer: kept } = await send(peer.url)
      assert.deepEqual({ state, status, failure }, { state: 'delivered', status: 202, failure: null })
      assert.match(kept ?? '', /^short/)
    })

  it('rejected: a refusal with a body that breaks off is told with its status', async () => {
    await using peer = await startPeer((response) => {
      response.writeHead(422, { 'content-length': 100 }).write('short', () => response.destroy())
    })
    const { state, status } = await send(peer.url)
    assert.deepEqual({ state, status }, { state: 'rejected', status: 422 })
  })

  it('failed: a receiver that is not what its https address says', async () => {
    await using peer = await startPeer()
    const { state, failure } = await send(peer.url.replace('http:', 'https:'))
    assert.deepEqual({ state, failure }, { state: 'failed', failure: 'tls' })
    assert.equal(peer.requests.length, 0)
  })

  it('failed: an answer that is no HTTP, and one that is cut in its head', async () => {
    for (const [answer, failure] of [
      ['SSH-2.0-OpenSSH\r\n', 'protocol'],
      ['HTTP/1.1 200 OK\r\nContent-Le', 'unreachable'],
    ] as const) {
      const server = createServer((socket: Socket) => {
        socket.once('data', () => socket.end(answer))
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as { port: number }
      const attempt = await send(`http://127.0.0.1:${port}/`)
      server.close()
      assert.deepEqual([attempt.state, attempt.failure], ['failed', failure], answer)
    }
  })

  it('blocked: a name that has turned to a private address is not connected to', async () => {
    const { state, failure } = await send('http://turned.example/')
    assert.deepEqual({ state, failure }, { state: 'blocked', failure: 'blocked' })
  })

  it('an answer of any bytes becomes text that both databases take', async () => {
    await using peer = await startPeer(
      (response) => void response.end(Buffer.from([0x61, 0, 0xff, 0xc3, 0x62])),
    )
    const { answer } = await send(peer.url)
    assert.equal(answer, 'a\ufffd\ufffdb')
  })

  it('each delivery has a connection of its own', async () => {
    await using peer = await startPeer()
    for (let count = 1; count <= 3; count++) {
      await send(peer.url)
      assert.equal(peer.connections, count)
    }
  })
})
