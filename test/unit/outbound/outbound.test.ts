import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { inspect } from 'node:util'
import { parsePrivateTargets } from '../../../src/lib/outbound/outbound.ts'
import { createAwaited } from '../../support/awaited.ts'
import { startPeer } from '../../support/peer.ts'
import { untrusted } from '../../support/untrusted-certificate.ts'
import { allowing, failure, open, resolveTo } from './open-outbound.ts'

describe('a call', () => {
  test('sends method, path, headers and body, and gives status, headers and body', async () => {
    await using peer = await startPeer((response) =>
      response.writeHead(201, { 'x-answer': 'yes' }).end('héllo'),
    )
    const call = { method: 'POST' as const, headers: { 'x-a': 'b' }, body: 'sent', trusted: true }
    const answer = await open({}).request(`${peer.url}/p/a?q=1`, call)
    assert.deepEqual([answer.status, answer.headers['x-answer']], [201, 'yes'])
    assert.deepEqual([answer.body.toString(), answer.truncated], ['héllo', false])
    const [request] = peer.requests
    assert.deepEqual([request?.method, request?.path, request?.body], ['POST', '/p/a?q=1', 'sent'])
    assert.equal(request?.headers['x-a'], 'b')
  })

  test('to a trusted address sends the user name and password in it', async () => {
    await using peer = await startPeer()
    const url = peer.url.replace('//', '//us%20er:p%3Aw@')
    await open({}).request(url, { trusted: true })
    assert.equal(peer.requests[0]?.headers.authorization, `Basic ${btoa('us er:p:w')}`)
    await open({}).request(peer.url.replace('//', '//user:50%25%x@'), { trusted: true })
    assert.equal(peer.requests[1]?.headers.authorization, `Basic ${btoa('user:50%25%x')}`)
  })

  test('keeps its connection unless a fresh one is asked for', async () => {
    await using peer = await startPeer()
    const outbound = allowing()
    for (let n = 0; n < 5; n++) {
      await outbound.request(peer.url)
      await new Promise(setImmediate)
    }
    assert.equal(peer.connections, 1)
    for (let n = 0; n < 5; n++) await outbound.request(peer.url, { freshConnection: true })
    assert.equal(peer.connections, 6)
    assert.equal(peer.requests.at(-1)?.headers.connection, 'close')
  })

  test('loses nothing on fresh connections to a peer that closes each one', async () => {
    await using peer = await startPeer((response) => {
      response.shouldKeepAlive = true
      response.end('{}', () => response.socket?.destroy())
    })
    const outbound = allowing()
    for (let n = 0; n < 20; n++)
      await outbound.request(peer.url, { method: 'POST', body: '{}', freshConnection: true })
    assert.equal(peer.requests.length, 20)
  })

  test('is bounded in what it reads', async () => {
    await using peer = await startPeer((response) => response.end('x'.repeat(100_000)))
    const outbound = allowing()
    await assert.rejects(outbound.request(peer.url, { maxResponseBytes: 99_999 }), failure('too_large'))
    const cut = await outbound.request(peer.url, { maxResponseBytes: 99_999, truncate: true })
    assert.deepEqual([cut.body.length, cut.truncated], [99_999, true])
    const whole = await outbound.request(peer.url, { maxResponseBytes: 100_000 })
    assert.deepEqual([whole.body.length, whole.truncated], [100_000, false])
  })

  test('may be content with a body that breaks off or takes too long; otherwise it fails', async () => {
    for (const breakOff of [true, false]) {
      const call = { timeoutMs: breakOff ? 10_000 : 1000 }
      await using peer = await startPeer((response) =>
        response.writeHead(201).write('begun', () => breakOff && response.destroy()),
      )
      const cut = await allowing().request(peer.url, { ...call, truncate: true })
      assert.deepEqual([cut.status, cut.body.toString(), cut.truncated], [201, 'begun', true])
      await assert.rejects(allowing().request(peer.url, call), failure(breakOff ? 'unreachable' : 'timeout'))
    }
  })

  test('that is stopped fails, also when the beginning of its answer would do', async () => {
    const stop = new AbortController()
    await using peer = await startPeer((response) =>
      response.writeHead(201).write('begun', () => stop.abort()),
    )
    const call = { truncate: true, signal: stop.signal }
    await assert.rejects(allowing().request(peer.url, call), failure('aborted'))
  })

  test('is not held by an answer without end', async () => {
    let open = 0
    await using peer = await startPeer((response) => {
      open++
      response.on('close', () => open--)
      writeOn(response)
    })
    await allowing().request(peer.url, { maxResponseBytes: 1000, truncate: true })
    await until(() => open === 0)
  })
})

describe('a failure', () => {
  test('is that the target is blocked when it must be public, whatever is allowed otherwise', async () => {
    await using peer = await startPeer()
    await assert.rejects(allowing().stream(peer.url, { publicOnly: true }), failure('blocked'))
    const named = open({
      privateTargets: parsePrivateTargets('name.example'),
      resolve: resolveTo('10.0.0.1'),
    })
    await assert.rejects(named.stream('http://name.example/', { publicOnly: true }), failure('blocked'))
    assert.equal(peer.connections, 0)
  })

  test('is a timeout when nothing comes', async () => {
    await using peer = await startPeer(() => {})
    await assert.rejects(allowing().request(peer.url, { timeoutMs: 30 }), failure('timeout'))
  })

  test('is a timeout when the answer drips', async () => {
    await using peer = await startPeer((response) => {
      const drip = setInterval(() => response.write('x'), 5)
      response.on('close', () => clearInterval(drip))
    })
    const readAll = async () => {
      const { body } = await allowing().stream(peer.url, { timeouts: { totalMs: 60 } })
      for await (const _ of body);
    }
    await assert.rejects(readAll(), failure('timeout'))
    await assert.rejects(allowing().request(peer.url, { timeoutMs: 300 }), failure('timeout'))
  })

  test('is a timeout when the name is not resolved in time', async () => {
    const outbound = open({ resolve: () => new Promise(() => {}) })
    await assert.rejects(outbound.request('http://name.example/', { timeoutMs: 30 }), failure('timeout'))
  })

  test('is a timeout when every connection is taken', async () => {
    await using peer = await startPeer(() => {})
    const outbound = open({ privateTargets: parsePrivateTargets('127.0.0.1'), callsToOrigin: 1 })
    const first = assert.rejects(outbound.request(peer.url, { timeoutMs: 500 }), failure('timeout'))
    await assert.rejects(outbound.request(peer.url, { timeoutMs: 30 }), failure('timeout'))
    await first
    assert.equal(peer.requests.length, 1)
  })

  test('is unreachable when nobody listens', async () => {
    const peer = await startPeer()
    await peer.close()
    await assert.rejects(allowing().request(peer.url), failure('unreachable'))
  })

  test('is unreachable when the connection is cut', async () => {
    await using peer = await startPeer((response) =>
      response.writeHead(200).write('x', () => response.destroy()),
    )
    await assert.rejects(allowing().request(peer.url), failure('unreachable'))
  })

  test('is protocol when the peer speaks no HTTP', async () => {
    await using peer = await startPeer((response) => response.socket?.end('no HTTP at all\r\n\r\n'))
    await assert.rejects(allowing().request(peer.url), (error) => {
      assert.doesNotMatch(inspect(error, { depth: 5 }), /no HTTP at all/, 'no log tells what the peer sent')
      return failure('protocol')(error)
    })
  })

  test('is protocol when a header cannot be sent', async () => {
    await using peer = await startPeer()
    const headers = { 'x-a': 'line\r\nbreak' }
    await assert.rejects(allowing().request(peer.url, { headers }), failure('protocol'))
    assert.equal(peer.requests.length, 0)
  })

  test('is tls when the peer speaks no TLS', async () => {
    await using peer = await startPeer()
    await assert.rejects(allowing().request(peer.url.replace('http:', 'https:')), failure('tls'))
  })

  test('is tls when nobody vouches for the certificate of the peer, and nothing is sent', async () => {
    let requests = 0
    const peer = createServer(untrusted, (_request, response) => {
      requests++
      response.end()
    })
    peer.listen(0, '127.0.0.1')
    await once(peer, 'listening')
    const { port } = peer.address() as AddressInfo
    const call = { method: 'POST' as const, body: 'secret' }
    await assert.rejects(allowing().request(`https://127.0.0.1:${port}`, call), failure('tls'))
    assert.equal(requests, 0)
    peer.close()
  })

  test('is aborted when the signal fires, and the connection is closed', async () => {
    const closed = Promise.withResolvers<void>()
    const came = Promise.withResolvers<void>()
    await using peer = await startPeer((response) => {
      response.on('close', closed.resolve)
      came.resolve()
    })
    const stop = new AbortController()
    const aborted = assert.rejects(allowing().request(peer.url, { signal: stop.signal }), failure('aborted'))
    await came.promise
    stop.abort()
    await Promise.all([aborted, closed.promise])
  })

  test('before its turn has come means that nothing is sent', async () => {
    const go = Promise.withResolvers<void>()
    const came = Promise.withResolvers<void>()
    await using peer = await startPeer(async (response) => {
      came.resolve()
      await go.promise
      response.end()
    })
    const outbound = open({ privateTargets: parsePrivateTargets('127.0.0.1'), callsToOrigin: 1 })
    const stop = new AbortController()
    const first = outbound.request(`${peer.url}/first`)
    await came.promise
    const aborted = assert.rejects(
      outbound.request(`${peer.url}/aborted`, { signal: stop.signal }),
      failure('aborted'),
    )
    const last = outbound.request(`${peer.url}/last`)
    stop.abort()
    await aborted
    go.resolve()
    await Promise.all([first, last])
    assert.deepEqual(
      peer.requests.map((request) => request.path),
      ['/first', '/last'],
    )
  })

  test('tells no credential, query or address', async () => {
    const outbound = open({ resolve: resolveTo('10.9.8.7') })
    const url = 'http://name.example/hook-path?token=secret'
    await assert.rejects(
      outbound.request(url, { headers: { authorization: 'Bearer secret' } }),
      (error: Error) => {
        assert.doesNotMatch(error.message, /secret|token|hook-path|10\.9/)
        return true
      },
    )
  })
})

describe('a streamed answer', () => {
  test('comes as it arrives', async () => {
    const go = Promise.withResolvers<void>()
    await using peer = await startPeer(async (response) => {
      response.write('one')
      await go.promise
      response.end('two')
    })
    const { body } = await allowing().stream(peer.url)
    const seen: string[] = []
    for await (const chunks of body) {
      seen.push(Buffer.concat(chunks).toString())
      go.resolve()
    }
    assert.deepEqual(seen, ['one', 'two'])
  })

  test('is a timeout when it stops', async () => {
    await using peer = await startPeer((response) => void response.write('one'))
    const { body } = await allowing().stream(peer.url, { timeouts: { idleMs: 30 } })
    await assert.rejects(async () => {
      for await (const _ of body);
    }, failure('timeout'))
  })

  test('makes the peer wait for a slow reader, and arrives whole', async (t) => {
    const size = 8 * 1024 * 1024
    let finished = false
    await using peer = await startPeer((response) => {
      response.on('finish', () => (finished = true))
      response.end(Buffer.alloc(size, 'x'))
    })
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { body } = await allowing().stream(peer.url, { timeouts: { idleMs: 20 } })
    // Many times the turns in which a reader who takes everything would have it all.
    for (let turn = 0; turn < 2000; turn++) await new Promise(setImmediate)
    assert.equal(finished, false)
    for (let wait = 0; wait < 3; wait++) t.mock.timers.tick(20)
    let read = 0
    for await (const chunks of body) for (const chunk of chunks) read += chunk.length
    assert.equal(read, size)
  })

  test('that is discarded gives its connection back when short, and closes it when long', async () => {
    await using peer = await startPeer((response, request) =>
      response.end('x'.repeat(Number(request.path.slice(1)))),
    )
    const outbound = allowing()
    for (let n = 0; n < 4; n++) {
      const { body } = await outbound.stream(`${peer.url}/1000`)
      body.discard()
      await until(() => peer.requests.length === n + 1)
      await new Promise(setImmediate)
    }
    assert.ok(peer.connections <= 2)
    const closed = Promise.withResolvers<void>()
    await using endless = await startPeer((response) => {
      response.on('close', closed.resolve)
      writeOn(response)
    })
    const { body } = await allowing().stream(endless.url)
    body.discard()
    await closed.promise
  })
})

test('closing ends calls under way', async () => {
  const came = Promise.withResolvers<void>()
  await using peer = await startPeer(() => came.resolve())
  const outbound = allowing()
  const failed = assert.rejects(outbound.request(peer.url), failure('unreachable'))
  await came.promise
  await outbound.close()
  await failed
})

/** Writes for as long as somebody reads. */
function writeOn(response: ServerResponse): void {
  response.write('x'.repeat(65_536), (error) => error ?? writeOn(response))
}

/** Lets the event loop turn until something has happened there. */
async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise(setImmediate)
}

describe('calls of several teams to one origin', () => {
  const HANGING = { timeoutMs: 100_000 }

  test('a team whose calls are never answered leaves connections to the others', async () => {
    const arrived = createAwaited()
    await using peer = await startPeer((response, { path }) => {
      if (path !== '/hangs') response.end('{}')
      arrived.tell()
    })
    const hanging = () => peer.requests.filter(({ path }) => path === '/hangs').length
    const outbound = open({ privateTargets: parsePrivateTargets('127.0.0.1'), callsToOrigin: 10 })
    const [stopped, left] = [new AbortController(), new AbortController()]
    const hang = ({ signal }: AbortController) =>
      outbound.of(1).request(`${peer.url}/hangs`, { ...HANGING, signal })
    const first = Array.from({ length: 12 }, () => assert.rejects(hang(stopped), failure('aborted')))
    const later = Array.from({ length: 9 }, () => assert.rejects(hang(left), failure('aborted')))
    await arrived.until(() => hanging() >= 7, 'seven of ten calls')
    for (const team of [2, 3, null])
      for (let count = 0; count < 3; count++)
        assert.equal((await outbound.of(team).request(peer.url)).status, 200, `team ${team}`)
    assert.equal(hanging(), 7)
    // A call that is stopped gives its place to one that waits. A waiting call that is stopped takes no place.
    stopped.abort()
    await Promise.all(first)
    await arrived.until(() => hanging() >= 14, 'seven of those that waited')
    assert.equal((await outbound.of(2).request(peer.url)).status, 200)
    assert.equal(hanging(), 14)
    left.abort()
    await Promise.all(later)
  })

  test('an answer keeps its place until it has been read', async () => {
    await using peer = await startPeer((response, { path }) => {
      if (path === '/begins') response.write('begun')
      else response.end('{}')
    })
    const outbound = open({ privateTargets: parsePrivateTargets('127.0.0.1'), callsToOrigin: 1 })
    const { body } = await outbound.of(1).stream(`${peer.url}/begins`)
    await assert.rejects(outbound.of(1).request(peer.url, { timeoutMs: 30 }), failure('timeout'))
    for await (const _piece of body) break
    assert.equal((await outbound.of(1).request(peer.url)).status, 200)
  })
})
