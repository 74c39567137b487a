import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { startEverything, startMcpPeer, startNewServer } from '../support/mcp-server.ts'
import { calling } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { startPeer } from '../support/peer.ts'
import { addChannel, startPlatformPeer } from '../support/platform-peer.ts'
import { withoutMarks } from '../support/without-marks.ts'

async function give(agent: TestAgent, url: string, more: object = {}) {
  const { status, body, text } = await agent.post('/tools', { kind: 'mcp', name: 'shop', url, ...more })
  assert.equal(status, 201, text)
  return body.data
}

const ask = (agent: TestAgent, more: object = {}) =>
  agent.post('/chat/completions', { messages: [{ role: 'user', content: 'Hello?' }], ...more })

const tool = (name: string, more: object = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: {} },
  ...more,
})

onBothEngines(
  'tools of MCP servers',
  (service) => {
    const offered = (at = -1): string[] =>
      ((service.model.requests.at(at)?.body.tools ?? []) as unknown as { function: { name: string } }[]).map(
        (one) => one.function.name,
      )
    const results = (at = -1) =>
      (service.model.requests.at(at)?.body.messages ?? [])
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => withoutMarks(content))

    it('POST 201, PATCH 200: its fields, headers sealed; fields of the other kind are 400', async () => {
      const agent = await service.addAgent()
      const made = await give(agent, 'http://127.0.0.1:9/mcp', { headers: { 'X-Key': 'secret-token' } })
      const { id, created_at, updated_at, version, ...rest } = made
      assert.deepEqual(rest, {
        kind: 'mcp',
        name: 'shop',
        active: true,
        url: 'http://127.0.0.1:9/mcp',
        allow: null,
        requires: 'none',
        restore: true,
        headers: { 'x-key': { set: true, last_four: 'oken' } },
      })
      const { body } = await agent.patch(`/tools/${id}`, { allow: ['a b'] })
      assert.deepEqual([body.data.allow, Object.keys(body.data.headers)], [['a b'], ['x-key']])
      const moved = await agent.patch(`/tools/${id}`, { url: 'http://127.0.0.1:10/mcp' })
      assert.deepEqual(moved.body.data.headers, {})
      for (const [patch, param] of [
        [{ method: 'GET' }, 'method'],
        [{ idempotent: true }, 'idempotent'],
        [{ description: 'x' }, 'description'],
        [{ url: 'http://10.0.0.1/mcp' }, 'url'],
        [{ url: 'http://u:p@127.0.0.1/mcp' }, 'url'],
      ] as const) {
        const answer = await agent.patch(`/tools/${id}`, patch)
        assertError(answer, 400, 'invalid_request')
        assert.equal(answer.body.error.param, param)
      }
    })

    it('of server-everything are offered and called', async () => {
      await using everything = await startEverything()
      const agent = await service.addAgent()
      const { id } = await give(agent, everything.url, { allow: ['echo', 'get-sum', 'get-tiny-image'] })
      const listed = (await agent.post(`/tools/${id}/try`, {})).body.data
      assert.equal(listed.status, 'ok', listed.result)
      assert.ok(listed.offers.length > 5)
      assert.deepEqual(
        listed.offers.filter(({ problem }: { problem: unknown }) => problem !== null),
        [],
      )
      const echoed = await agent.post(`/tools/${id}/try`, { tool: 'echo', arguments: { message: 'hi' } })
      assert.deepEqual([echoed.body.data.status, echoed.body.data.result], ['ok', 'Echo: hi'], echoed.text)
      service.model.next(
        calling(
          ['shop_echo', { message: 'ä' }],
          ['shop_get-sum', { a: 2, b: 3 }],
          ['shop_get-tiny-image', {}],
        ),
        calling(['shop_get-sum', { a: 'two', b: 3 }]),
        { text: 'Five.' },
      )
      const answer = await ask(agent)
      assert.equal(answer.body.choices[0].message.content, 'Five.', answer.text)
      assert.deepEqual(offered(0).sort(), ['shop_echo', 'shop_get-sum', 'shop_get-tiny-image'])
      const [echo, sum, image, wrong] = results()
      assert.equal(echo, 'Echo: ä')
      assert.match(sum ?? '', /5/)
      assert.match(image ?? '', /\[image, image\/png, \d+ bytes/)
      assert.match(wrong ?? '', /a must be a number/)
    })

    it('of a server that speaks only the protocol of 2026-07-28 are called', async () => {
      await using server = await startNewServer()
      const agent = await service.addAgent()
      const { id } = await give(agent, server.url)
      service.model.next(calling(['shop_find-order', { number: 'B1' }], ['shop_ask', {}]), { text: 'So.' })
      assert.equal((await ask(agent)).body.choices[0].message.content, 'So.')
      const [found, asked] = results()
      assert.equal(found, 'B1 is on its way.')
      assert.match(asked ?? '', /asks for more than its arguments/)
      const methods = server.requests.map(({ headers }) => headers['mcp-method'])
      assert.ok(!methods.includes('initialize'), String(methods))
      const tried = await agent.post(`/tools/${id}/try`, { tool: 'none' })
      assert.deepEqual(
        [tried.body.data.status, tried.body.data.result],
        ['failed', 'Error: the server offers no such tool.'],
      )
    })

    it('what a server repeats of its headers is not passed on', async () => {
      const repeated = 'it was Bearer secret-token'
      await using peer = await startMcpPeer(
        [
          tool('repeat', {
            description: repeated,
            inputSchema: { type: 'object', properties: { x: { const: repeated } } },
          }),
        ],
        ({ answer }) => answer({ content: [{ type: 'text', text: repeated }], isError: true }),
      )
      const agent = await service.addAgent()
      const { id } = await give(agent, peer.url, { headers: { authorization: 'Bearer secret-token' } })
      const listed = await agent.post(`/tools/${id}/try`, {})
      assert.equal(listed.body.data.offers[0].description, 'it was [secret]')
      service.model.next(calling(['shop_repeat', {}]), { text: 'So.' })
      await ask(agent)
      assert.deepEqual(results(), ['Error: it was [secret]'])
      assert.ok(peer.requests.every(({ headers }) => headers.authorization === 'Bearer secret-token'))
      const seen = JSON.stringify([listed.text, service.model.requests.map(({ body }) => body)])
      assert.ok(!seen.includes('secret-token'), seen)
    })

    it('one that is broken costs neither the others nor the model', async () => {
      await using peer = await startMcpPeer([
        tool('find order', {
          inputSchema: {
            type: 'object',
            properties: { of: { $ref: '#/$defs/order' }, tree: { $ref: '#/$defs/tree' } },
            $defs: {
              order: { type: 'string', maxLength: 3 },
              tree: { type: 'object', properties: { child: { $ref: '#/$defs/tree' } } },
            },
          },
          outputSchema: { type: 'object', properties: { x: { type: 'string', pattern: '^(a+)+$' } } },
        }),
        tool('lost', { inputSchema: { type: 'object', properties: { x: { $ref: '#/$defs/none' } } } }),
        tool('far', { inputSchema: { $ref: 'https://example.com/schema' } }),
        tool('none', { inputSchema: null }),
        tool('huge', {
          inputSchema: { type: 'object', properties: { x: { enum: Array(9000).fill('abcdef') } } },
        }),
        { name: 7 },
        tool('find_order'),
        tool('x'.repeat(80)),
      ])
      await using broken = await startPeer((response) => response.writeHead(500).end('x'.repeat(1e6)))
      const agent = await service.addAgent()
      const { id } = await give(agent, peer.url)
      await give(agent, broken.url, { name: 'broken' })
      service.model.next(calling(['shop_find_order', { of: 'long one' }]), { text: 'So.' })
      assert.equal((await ask(agent)).body.choices[0].message.content, 'So.')
      const [first, second, long, ...rest] = offered(0)
      assert.deepEqual(rest, [])
      assert.equal(first, 'shop_find_order')
      assert.match(second ?? '', /^shop_find_order_[0-9a-f]{8}$/)
      assert.match(long ?? '', /^shop_x{50}_[0-9a-f]{8}$/)
      assert.match(results()[0] ?? '', /of must have at most 3 characters/)
      const { offers } = (await agent.post(`/tools/${id}/try`, {})).body.data
      assert.deepEqual(
        offers.map(({ name, problem }: { name: string; problem: string | null }) => [
          name.slice(0, 10),
          problem,
        ]),
        [
          ['find order', null],
          ['lost', 'its schema refers to #/$defs/none, which is not in it'],
          ['far', 'its schema refers to https://example.com/schema, which is not in it'],
          ['none', 'it has no schema of its arguments'],
          ['huge', 'its schema is too large'],
          ['find_order', null],
          ['xxxxxxxxxx', null],
        ],
      )
      assert.deepEqual(offers[0].parameters.properties, {
        of: { type: 'string', maxLength: 3 },
        tree: { type: 'object', properties: { child: {} } },
      })
    })

    it('hostile patterns hang nothing', async () => {
      const evil = { type: 'object', properties: { x: { type: 'string', pattern: '^(a+)+$' } } }
      await using peer = await startMcpPeer(
        [tool('evil', { inputSchema: evil, outputSchema: evil })],
        ({ answer }) =>
          answer({
            content: [{ type: 'text', text: 'fine' }],
            structuredContent: { x: `${'a'.repeat(40)}!` },
          }),
      )
      const agent = await service.addAgent()
      const { id } = await give(agent, peer.url)
      const right = await agent.post(`/tools/${id}/try`, { tool: 'evil', arguments: { x: 'aaa' } })
      assert.deepEqual([right.body.data.status, right.body.data.result], ['ok', 'fine'])
      const hanging = await agent.post(`/tools/${id}/try`, {
        tool: 'evil',
        arguments: { x: `${'a'.repeat(40)}!` },
      })
      assert.match(hanging.body.data.result, /x must match/)
    })

    for (const kind of ['application/json', 'text/event-stream'] as const) {
      it(`a result of 300 MB as ${kind} is not read`, async () => {
        const piece = 'x'.repeat(1024 * 1024)
        let sent = 0
        await using peer = await startMcpPeer([tool('big')], async ({ response }) => {
          response.writeHead(200, { 'content-type': kind })
          response.write(kind === 'application/json' ? '{"jsonrpc":"2.0","x":"' : 'data: {"x":"')
          for (; sent < 300 && !response.destroyed; sent++)
            if (!response.write(piece))
              await new Promise((go) => response.once('drain', go).once('close', go))
          response.end()
        })
        const agent = await service.addAgent()
        const { id } = await give(agent, peer.url)
        const { data } = (await agent.post(`/tools/${id}/try`, { tool: 'big' })).body
        assert.equal(data.status, 'unknown', data.result)
        assert.match(data.result, /too large/)
        assert.ok(sent < 50, `${sent} MB were read`)
      })
    }

    it('endless lists are cut', async () => {
      let pages = 0
      await using peer = await startMcpPeer(() => {
        pages++
        return { tools: [tool(`t${pages}`)], nextCursor: `after ${pages}` }
      })
      const agent = await service.addAgent()
      const { id } = await give(agent, peer.url)
      const { offers } = (await agent.post(`/tools/${id}/try`, {})).body.data
      assert.equal(offers.length, 64)
      await using wide = await startMcpPeer(Array.from({ length: 700 }, (_, at) => tool(`w${at}`)))
      await give(agent, wide.url, { name: 'wide' })
      service.model.next({ text: 'So.' })
      await ask(agent)
      assert.equal(offered().length, 128)
      await agent.patch('/agent', { handoff: true })
      service.model.next({ text: 'So.' })
      await ask(agent)
      assert.deepEqual([offered().length, offered().at(-1)], [128, 'request_person'])
    })

    for (const status of [404, 400]) {
      it(`a session that is lost with ${status} is opened again, and the call is made once`, async () => {
        const peer = await startMcpPeer([tool('order')], ({ answer }) => {
          answer({ content: [{ type: 'text', text: 'ordered' }] })
        })
        await using _ = peer
        const agent = await service.addAgent()
        await give(agent, peer.url)
        service.model.next({ text: 'First.' })
        await ask(agent)
        assert.equal(peer.sessions, 1)
        peer.lose(status)
        service.model.next(calling(['shop_order', {}]), { text: 'Second.' })
        assert.equal((await ask(agent)).body.choices[0].message.content, 'Second.')
        assert.deepEqual(results(), ['ordered'])
        assert.equal(peer.sessions, 2)
        assert.equal(peer.calls.filter(({ method }) => method === 'tools/call').length, 1)
      })
    }

    it('a call whose answer breaks off is not repeated: its outcome is unknown, unless it is idempotent', async () => {
      await using peer = await startMcpPeer(
        [tool('order'), tool('read', { annotations: { readOnlyHint: true } })],
        ({ response }) => response.destroy(),
      )
      const agent = await service.addAgent()
      await give(agent, peer.url)
      service.model.next(calling(['shop_order', {}], ['shop_read', {}]), { text: 'So.' })
      await ask(agent)
      assert.match(results()[0] ?? '', /^outcome unknown/)
      assert.match(results()[1] ?? '', /^Error: the tool could not be reached/)
    })

    it('changed lists show in the next round, and the last good list stays when the server fails', async () => {
      const list = [tool('one')]
      let isDown = false
      await using peer = await startMcpPeer(
        () => (isDown ? { tools: 'none', nextCursor: 7 } : { tools: list }),
        ({ answer }) => {
          list.push(tool('two'))
          answer({ content: [] })
        },
      )
      const agent = await service.addAgent()
      await give(agent, peer.url)
      service.model.next(calling(['shop_one', {}]), { text: 'So.' })
      await ask(agent)
      assert.deepEqual([offered(0), offered(1)], [['shop_one'], ['shop_one', 'shop_two']])
      isDown = true
      peer.lose(503)
      service.model.next(calling(['shop_two', {}]), { text: 'So.' })
      await ask(agent)
      assert.deepEqual(offered(), ['shop_one', 'shop_two'])
    })

    it('redirects to another origin are not followed, and headers go to their own origin only', async () => {
      await using elsewhere = await startPeer()
      await using peer = await startPeer((response) =>
        response.writeHead(307, { location: `${elsewhere.url}/mcp` }).end(),
      )
      const agent = await service.addAgent()
      const { id } = await give(agent, peer.url, { headers: { authorization: 'Bearer secret' } })
      const { data } = (await agent.post(`/tools/${id}/try`, {})).body
      assert.equal(data.status, 'failed')
      assert.equal(elsewhere.requests.length, 0)
      assert.equal(peer.requests[0]?.headers.authorization, 'Bearer secret')
      assert.ok(!data.result.includes('secret'))
    })

    it('are offered in streams and in channels', async () => {
      await using peer = await startMcpPeer([tool('order')])
      const agent = await service.addAgent()
      await give(agent, peer.url)
      service.model.next({ ...calling(['shop_order', {}]), text: 'One moment.' }, { text: ' Done.' })
      const streamed = await ask(agent, { stream: true })
      assert.match(streamed.text, /One.* moment\..* Done\..*"finish_reason":"stop".*\[DONE\]/s)
      assert.deepEqual(results(), ['done'])
      const platform = await startPlatformPeer()
      try {
        const channel = await addChannel(agent, 'helpdesk', platform)
        service.model.next(calling(['shop_order', {}]), { text: 'Ordered.' })
        await channel.says('Order one.')
        await platform.untilSent(1)
        assert.deepEqual(results(), ['done'])
      } finally {
        await platform.close()
      }
    })
  },
  { PARLEY_PRIVATE_TARGETS: '127.0.0.1/32' },
)
