import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parsePrivateTargets } from '../../../src/lib/outbound/outbound.ts'
import { startPeer } from '../../support/peer.ts'
import { allowing, failure, open, resolved, resolveTo } from './open-outbound.ts'

describe('a guarded call', () => {
  const blocked = [
    'http://127.0.0.1/',
    'http://127.0.0.1./',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://017700000001/',
    'http://0177.0.0.1/',
    'http://①②⑦.0.0.1/',
    'http://127。0。0。1/',
    'http://%31%32%37.0.0.1/',
    'http://0/',
    'http://10.0.0.1:8080/x?y#z',
    'http://[::1]/',
    'http://[::]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fe80::1]/',
    'http://[fe80::1%25eth0]/',
    'https://192.168.0.1/',
    'http:127.0.0.1/',
    'http:\\\\127.0.0.1\\',
    ' http://127.0.0.1/ ',
    'http://user@example.com/',
    'http://user:secret@example.com/',
    'http://:secret@example.com/',
    'http://metadata.google.internal/',
    'http://METADATA.google.internal./',
    'http://metadata/',
    'http://metadata.goog/',
    'http://instance-data/',
    'http://instance-data.ec2.internal/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'javascript:0',
    'unix:/run/x.sock',
    'nonsense',
    '',
  ]
  for (const url of blocked) {
    test(`to ${JSON.stringify(url)} is blocked, at save and at call`, async () => {
      const outbound = open({ resolve: async () => assert.fail('asked DNS') })
      await assert.rejects(outbound.checkTarget(url), failure('blocked'))
      await assert.rejects(outbound.request(url), failure('blocked'))
      await assert.rejects(outbound.stream(url), failure('blocked'))
    })
  }

  const names: Record<string, string[]> = {
    'a private address': ['10.0.0.1'],
    'a private address beside public ones': ['8.8.8.8', '2606:4700::1', '127.0.0.1'],
    'a private IPv6 address': ['::1'],
    'a scoped address': ['fe80::1%lo'],
    'a mapped address': ['::ffff:127.0.0.1'],
    'a metadata address': ['169.254.169.254'],
  }
  for (const [what, addresses] of Object.entries(names)) {
    test(`to a name with ${what} is blocked, at save and at call`, async () => {
      const outbound = open({ resolve: resolveTo(...addresses) })
      await assert.rejects(outbound.checkTarget('http://name.example/'), failure('blocked'))
      await assert.rejects(outbound.request('http://name.example/'), failure('blocked'))
      await assert.rejects(outbound.request('https://name.example/'), failure('blocked'))
    })
  }

  test('to a name that is public at save and private at connect is blocked', async () => {
    await using peer = await startPeer()
    let asked = 0
    const outbound = open({ resolve: async () => resolved(asked++ === 0 ? '8.8.8.8' : '127.0.0.1') })
    const url = `http://rebind.example:${peer.port}/`
    await outbound.checkTarget(url)
    await assert.rejects(outbound.request(url), failure('blocked'))
    assert.equal(peer.connections, 0)
  })

  test('asks for the address once a connection, and connects to what was judged', async () => {
    await using peer = await startPeer()
    const asked: string[] = []
    const outbound = open({
      privateTargets: parsePrivateTargets('name.example'),
      resolve: async (host) => {
        asked.push(host)
        return resolved(asked.length === 1 ? '127.0.0.1' : '127.0.0.2')
      },
    })
    const { status } = await outbound.request(`http://name.example:${peer.port}/`)
    assert.deepEqual([status, asked], [200, ['name.example']])
    assert.equal(peer.requests[0]?.headers.host, `name.example:${peer.port}`)
  })

  test('never rides on a connection of a trusted one', async () => {
    await using peer = await startPeer()
    const outbound = open({ resolve: resolveTo('127.0.0.1') })
    const url = `http://localhost:${peer.port}/`
    await outbound.request(url, { trusted: true })
    await assert.rejects(outbound.request(url), failure('blocked'))
    assert.equal(peer.requests.length, 1)
  })

  test('to a name that does not resolve is unreachable, and may be saved', async () => {
    const unknown = open({ resolve: async () => Promise.reject(new Error('ENOTFOUND')) })
    const empty = open({ resolve: async () => [] })
    for (const outbound of [unknown, empty]) {
      await outbound.checkTarget('http://name.example/')
      await assert.rejects(outbound.request('http://name.example/'), failure('unreachable'))
    }
  })

  test('to public targets passes the check', async () => {
    const outbound = open({ resolve: resolveTo('8.8.8.8', '2606:4700::1') })
    await outbound.checkTarget('https://example.com/path?query')
    await outbound.checkTarget('http://8.8.8.8:8080/')
    await outbound.checkTarget('http://[2606:4700::1]/')
  })

  test('does not follow a redirect', async () => {
    await using inner = await startPeer()
    await using peer = await startPeer((response) => response.writeHead(302, { location: inner.url }).end())
    const { status } = await allowing().request(peer.url)
    assert.deepEqual([status, inner.connections], [302, 0])
  })
})

describe('PARLEY_PRIVATE_TARGETS', () => {
  test('lets a network be reached', async () => {
    await using peer = await startPeer()
    const outbound = open({ privateTargets: parsePrivateTargets('127.0.0.0/8') })
    assert.equal((await outbound.request(peer.url)).status, 200)
    await outbound.checkTarget(peer.url)
  })

  test('lets an IPv6 address be reached', async () => {
    await open({ privateTargets: parsePrivateTargets('::1') }).checkTarget('http://[::1]/')
    await assert.rejects(open({}).checkTarget('http://[::1]/'), failure('blocked'))
  })

  test('lets exactly the host it names be reached', async () => {
    await using peer = await startPeer()
    const outbound = open({
      privateTargets: parsePrivateTargets('hooks.internal'),
      resolve: resolveTo('127.0.0.1'),
    })
    assert.equal((await outbound.request(`http://HOOKS.internal:${peer.port}/`)).status, 200)
    assert.equal((await outbound.request(`http://hooks.internal.:${peer.port}/`)).status, 200)
    for (const host of ['x.hooks.internal', 'internal', 'hooks.internal.example', '127.0.0.1']) {
      await assert.rejects(outbound.request(`http://${host}:${peer.port}/`), failure('blocked'))
    }
  })

  test('never lets metadata be reached', async () => {
    const targets = 'metadata.google.internal, x.internal, 169.254.169.254/32, 0.0.0.0/0'
    const outbound = open({
      privateTargets: parsePrivateTargets(targets),
      resolve: resolveTo('169.254.169.254'),
    })
    for (const host of ['metadata.google.internal', 'x.internal', '169.254.169.254', '[::ffff:a9fe:a9fe]']) {
      await assert.rejects(outbound.checkTarget(`http://${host}/`), failure('blocked'))
      await assert.rejects(outbound.request(`http://${host}/`), failure('blocked'))
    }
  })
})

describe('addresses for other protocols than HTTP', () => {
  const resolving = (...addresses: string[]) =>
    open({ privateTargets: parsePrivateTargets('10.0.0.0/8'), resolve: resolveTo(...addresses) })

  test('are judged as targets are, and told from public ones', async () => {
    assert.deepEqual(await resolving('93.184.216.34').addressOf('mail.example'), {
      address: '93.184.216.34',
      isPublic: true,
    })
    assert.deepEqual(await resolving('10.0.0.7').addressOf('mail.example'), {
      address: '10.0.0.7',
      isPublic: false,
    })
    assert.deepEqual(await resolving().addressOf('2606:4700::1'), { address: '2606:4700::1', isPublic: true })
    for (const addresses of [['127.0.0.1'], ['93.184.216.34', '192.168.0.1'], ['169.254.169.254']])
      await assert.rejects(resolving(...addresses).addressOf('mail.example'), failure('blocked'))
    for (const host of ['127.0.0.1', '::1', 'metadata.google.internal', 'a.example/b', 'user@a.example'])
      await assert.rejects(resolving('93.184.216.34').addressOf(host), failure('blocked'), host)
    await assert.rejects(resolving().addressOf('mail.example'), failure('unreachable'))
  })
})
