import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createOutbound, parsePrivateTargets } from '../../../../src/lib/outbound/outbound.ts'
import { mcpServer } from '../../../../src/tools/mcp/mcp-server.ts'
import { ToolError } from '../../../../src/tools/tool.ts'
import { until } from '../../../support/becomes.ts'
import { type McpCall, startMcpPeer } from '../../../support/mcp-server.ts'
import { startPeer } from '../../../support/peer.ts'

const outbound = createOutbound({ privateTargets: parsePrivateTargets('127.0.0.1/32') })
const http = outbound.of(1)
const TOOLS = [{ name: 'order', inputSchema: { type: 'object', properties: {} } }]
const serverAt = (url: string, failed?: (reason: string) => void) =>
  mcpServer({ http, url, sealed: {}, ...(failed ? { failed } : {}) })
const bounds = (timeoutMs: number, signal = new AbortController().signal) => ({ timeoutMs, signal })
const done = { content: [{ type: 'text', text: 'done' }] }

describe('an MCP server', () => {
  it('that never answers is waited for as long as the call may take: nothing was called', async () => {
    await using peer = await startPeer(() => {})
    const server = serverAt(`${peer.url}/mcp`)
    const expected = { message: 'the tool did not answer in time.', mayHaveHappened: false }
    await assert.rejects(server.list(bounds(150)), expected)
    await assert.rejects(server.call('order', {}, bounds(150)), expected)
    server.close()
  })

  it('that never answers a call, or only with progress: the outcome is unknown', async () => {
    for (const silent of [true, false]) {
      await using peer = await startMcpPeer(TOOLS, ({ response, params }) => {
        if (silent) return
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const token = (params._meta as { progressToken?: unknown } | undefined)?.progressToken ?? 0
        const message = {
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: token, progress: 1 },
        }
        const timer = setInterval(() => response.write(`data: ${JSON.stringify(message)}\n\n`), 20)
        response.on('close', () => clearInterval(timer))
      })
      const server = serverAt(peer.url)
      await server.offers()
      await assert.rejects(server.call('order', {}, bounds(200)), (error: ToolError) => {
        assert.deepEqual([error.message, error.mayHaveHappened], ['the tool did not answer in time.', true])
        return true
      })
      server.close()
    }
  })

  it('is left when nobody waits for the call any more', async () => {
    await using peer = await startMcpPeer(TOOLS, () => {})
    const server = serverAt(peer.url)
    const stop = new AbortController()
    const calling = server.call('order', {}, bounds(30_000, stop.signal))
    await until(async () => peer.calls.some(({ method }) => method === 'tools/call'))
    stop.abort()
    await assert.rejects(calling, (error) => !(error instanceof ToolError))
    server.close()
  })

  it('that loses its session under calls beside each other gets one new session', async () => {
    await using peer = await startMcpPeer(TOOLS)
    const server = serverAt(peer.url)
    await server.offers()
    peer.lose(404)
    const calls = Array.from({ length: 5 }, () => server.call('order', {}, bounds(10_000)))
    assert.deepEqual(await Promise.all(calls), Array(5).fill('done'))
    assert.equal(peer.sessions, 2)
    server.close()
  })

  it('that fails to list does not end a call under way', async () => {
    const open: McpCall[] = []
    let isBroken = false
    await using peer = await startMcpPeer(
      () => (isBroken ? { tools: [], nextCursor: 'x'.repeat(3 * 1024 * 1024) } : { tools: TOOLS }),
      (call) => void open.push(call),
    )
    const reasons: string[] = []
    const server = serverAt(peer.url, (reason) => reasons.push(reason))
    // A call that ends makes the list stale.
    const first = server.call('order', {}, bounds(10_000))
    await until(async () => open.length === 1)
    const second = server.call('order', {}, bounds(10_000))
    await until(async () => open.length === 2)
    open[0]?.answer(done)
    await first
    isBroken = true
    assert.deepEqual(await server.offers(), [])
    assert.deepEqual(reasons, ['the answer of the tool is too large.'])
    open[1]?.answer(done)
    assert.equal(await second, 'done')
    server.close()
  })

  it('that does not list in time: the first turn goes on with the last list, and none waits until it lists again', async () => {
    const lists = Array.from({ length: 4 }, () => Promise.withResolvers<object>())
    const [first, second, third, fourth] = lists
    let asked = 0
    await using peer = await startMcpPeer(() => lists[asked++]?.promise ?? {})
    let tooLate = Promise.withResolvers<void>()
    const reasons: string[] = []
    let now = 0
    const server = mcpServer({
      http,
      url: peer.url,
      sealed: {},
      failed: (reason) => reasons.push(reason),
      now: () => now,
      waited: () => tooLate.promise,
    })
    const named = (...names: string[]) => ({ tools: names.map((name) => ({ ...TOOLS[0], name })) })
    const offered = async () => (await server.offers()).map(({ name }) => name)
    const offeredAtOnce = () => Promise.race([offered(), setImmediate('it is waited for')])

    first?.resolve(named('one'))
    assert.deepEqual(await offered(), ['one'])
    now += 31_000
    const turns = [offered(), offered()]
    await until(async () => asked === 2)
    tooLate.resolve()
    assert.deepEqual(await Promise.all(turns), [['one'], ['one']], 'it has not listed')
    assert.deepEqual(await offeredAtOnce(), ['one'], 'it still lists')
    tooLate = Promise.withResolvers()
    second?.resolve({ tools: [], nextCursor: 'x'.repeat(3 * 1024 * 1024) })
    await until(async () => reasons.length === 1)
    assert.deepEqual(await offeredAtOnce(), ['one'], 'it has failed')
    now += 16_000
    assert.deepEqual(await offeredAtOnce(), ['one'], 'it is asked again')
    await until(async () => asked === 3)
    third?.resolve(named('two'))
    await until(async () => String(await offeredAtOnce()) === 'two')
    now += 31_000
    const turn = offered()
    await until(async () => asked === 4)
    fourth?.resolve(named('three'))
    assert.deepEqual(await turn, ['three'], 'it is waited for again')
    server.close()
  })

  for (const [name, line] of [
    ['events', 'data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n'],
    ['questions', 'data: {"jsonrpc":"2.0","id":"a","method":"ping"}\n\n'],
  ] as const)
    it(`that sends very many ${name} is not read to the end`, async () => {
      await using peer = await startMcpPeer(TOOLS, ({ response }) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(line.repeat(20_000)),
      )
      const server = serverAt(peer.url)
      const expected = { message: 'the answer of the tool is too large.', mayHaveHappened: true }
      await assert.rejects(server.call('order', {}, bounds(10_000)), expected)
      assert.ok(peer.requests.length < 1000, `${peer.requests.length} answers`)
      server.close()
    })

  it('whose result has very many odd parts is read up to a bound', async () => {
    const results = [14_000, 150_000].map((count) => ({ content: Array(count).fill({ a: 1 }) }))
    await using peer = await startMcpPeer(TOOLS, ({ answer }) => answer(results.shift() ?? {}))
    const server = serverAt(peer.url)
    await server.offers()
    assert.match(await server.call('order', {}, bounds(10_000)), /^\[a part of a kind that is not known\]/)
    await assert.rejects(server.call('order', {}, bounds(10_000)), {
      message: 'the answer of the tool is too large.',
    })
    server.close()
  })
})
