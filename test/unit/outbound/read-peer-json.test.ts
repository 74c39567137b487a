import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createOutbound, parsePrivateTargets } from '../../../src/lib/outbound/outbound.ts'
import { PeerJsonError, readPeerJson } from '../../../src/lib/outbound/read-peer-json.ts'
import { openEmbedder } from '../../../src/model/embedder.ts'
import { openReranker } from '../../../src/model/reranker.ts'
import { servedModel } from '../../../src/model/served-model.ts'
import { identityProvider } from '../../../src/operators/oidc/provider.ts'
import { platforms } from '../../../src/platforms/platforms.ts'
import { createPresidioRedactor } from '../../../src/redaction/presidio.ts'
import { mcpServer } from '../../../src/tools/mcp/mcp-server.ts'
import { startMcpPeer } from '../../support/mcp-server.ts'
import { type Peer, startPeer } from '../../support/peer.ts'
import { evaluate, evaluatorRow } from '../evaluators/judge.ts'

const list = (items: number, item: (n: number) => string) =>
  `[${Array.from({ length: items }, (_, n) => item(n)).join()}]`
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** JSON values that take long to parse. The second part of each is one that does not. */
const costly: Record<string, [tooMuch: string, still: string]> = {
  'lists within each other': [nested(500_000), nested(90)],
  'lists beside each other': [list(40_000, () => '[]'), list(20_000, () => '[]')],
  'objects with names of their own': [list(20_000, (n) => `{"k${n}":1}`), list(10_000, (n) => `{"k${n}":1}`)],
  texts: [list(40_000, (n) => `"${n}"`), list(20_000, (n) => `"${n}"`)],
}

describe('readPeerJson', () => {
  it('takes what keeps the bounds, as bytes and as text, and tells what is no JSON', () => {
    for (const json of [...Object.values(costly).map(([, still]) => still), '{"a": "[[[é"}', ' 1 ']) {
      assert.deepEqual(readPeerJson(json), JSON.parse(json))
      assert.deepEqual(readPeerJson(Buffer.from(json)), JSON.parse(json))
    }
    for (const json of ['', '{', '<html>', '[1,]'])
      assert.throws(() => readPeerJson(json), { name: 'PeerJsonError', message: 'the answer is not JSON' })
  })

  it('refuses each bound by count, before anything is parsed', () => {
    const refused = (json: string, bounds: Parameters<typeof readPeerJson>[1], message: RegExp) =>
      assert.throws(
        // The text is cut off, so that parsing it would fail.
        () => readPeerJson(json.slice(0, -1), bounds),
        (error: Error) => error instanceof PeerJsonError && message.test(error.message),
      )
    refused('"éé"x', { bytes: 5 }, /more than 5 bytes/)
    refused('[[[1]]]', { depth: 2 }, /more than 2 levels/)
    refused('[1,2,3]', { values: 3 }, /more than 3 values/)
    refused('{"a":"b"}', { parts: 2 }, /more than 2 texts, names, objects and lists/)
    refused('{"a":1,"b":2}', { fields: 1 }, /more than 1 fields in an object/)
    for (const [tooMuch] of Object.values(costly)) refused(tooMuch, {}, /more than/)
    refused(nested(4_500_000), {}, /bytes/)
  })
})

describe('an answer that would take long to parse', () => {
  const outbound = createOutbound({ privateTargets: parsePrivateTargets('127.0.0.1/32') })
  const http = outbound.of(1)
  after(() => outbound.close())
  const peer = (body: string, type = 'application/json') =>
    startPeer((response) => response.writeHead(200, { 'content-type': type }).end(body))
  const signal = new AbortController().signal
  const request = { model: 'm', messages: [{ role: 'user' as const, content: 'Hi' }], parameters: {} }

  /** By peer: asks it, and gives what shows that its answer was taken. `more` is a JSON value beside the answer. */
  const peers: Record<string, (more: string) => Promise<unknown>> = {
    'model server': (more) => complete(completion(`"usage":null,"more":${more}`)),
    'model server, in its usage': (more) => complete(completion(`"usage":{"total_tokens":1,"more":${more}}`)),
    'model server that does not stream as asked': (more) =>
      stream(completion(`"more":${more}`), 'application/json'),
    'model server that streams': (more) => {
      const chunk = `{"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":"stop"}],"more":${more}}`
      return stream(`data: ${chunk}\n\ndata: [DONE]\n\n`, 'text/event-stream')
    },
    'embedding server': (more) =>
      using(peer(`{"data":[{"index":0,"embedding":[3,4]}],"more":${more}}`), async ({ url }) => {
        const embedder = openEmbedder({ url, apiKey: null, name: 'm', trusted: true }, http)
        return [...((await embedder.embed(['x'], { timeoutMs: 30_000 })).vectors[0] ?? [])].length
      }),
    'reranking server': (more) =>
      using(peer(`{"results":[{"index":0,"relevance_score":1}],"more":${more}}`), ({ url }) =>
        openReranker({ url, apiKey: null, name: null, trusted: true }, outbound).rank(1, 'x', ['y'], {
          timeoutMs: 30_000,
        }),
      ),
    'redaction service': (more) => {
      const body = `[{"entity_type":"ANIMAL","start":2,"end":7,"score":1,"more":${more}}]`
      const options = { url: 'http://x', apiKey: null, language: null, threshold: null, entities: null }
      const request = async () => ({ status: 200, body })
      return createPresidioRedactor({ ...options, request }).redact(['A zebra'])
    },
    'evaluator behind a webhook': (more) =>
      using(peer(`{"score":1,"more":${more}}`), async ({ url }) => {
        const { error } = await evaluate(evaluatorRow('webhook', { url }), 'Hi', { outbound })
        if (error) throw new Error(error.reason)
        return true
      }),
    helpdesk: (more) =>
      using(peer(`{"name":"Parley","more":${more}}`), async ({ url }) => {
        const { account } = await platforms.helpdesk.check(http, { api_base: url, access_token: 'x' })
        assert.equal(account, 'Parley')
        return true
      }),
    'identity provider': (more) => {
      const starting = startPeer((response, { headers }) => {
        const issuer = `http://${headers.host}`
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(`{"issuer":"${issuer}","authorization_endpoint":"${issuer}/a","more":${more}}`)
      })
      return using(starting, ({ url }) => {
        const settings = { issuer: url, clientId: 'x', clientSecret: 'x', newcomers: null }
        return identityProvider(settings, { outbound, clock: Date.now }).check()
      })
    },
    'MCP server': (more) => callTool(more, 'application/json'),
    'MCP server with events': (more) => callTool(more, 'text/event-stream'),
  }

  const completion = (rest: string) =>
    `{"choices":[{"index":0,"message":{"role":"assistant","content":"Hello"}}],${rest}}`

  async function using<T>(starting: Promise<Peer>, work: (peer: Peer) => Promise<T>): Promise<T> {
    await using started = await starting
    return await work(started)
  }

  const modelAt = (url: string) => servedModel({ kind: 'openai', url, apiKey: null, http, trusted: true })

  const complete = (body: string) =>
    using(peer(body), async ({ url }) => (await modelAt(url).complete(request, signal)).content)

  const stream = (body: string, type: string) =>
    using(peer(body, type), async ({ url }) => {
      const said: unknown[] = []
      for await (const pieces of modelAt(url).stream(request, signal))
        said.push(...pieces.map(({ delta }) => delta.content))
      return said
    })

  async function callTool(more: string, type: string): Promise<string> {
    await using peer = await startMcpPeer(
      [{ name: 'order', inputSchema: { type: 'object', properties: {} } }],
      ({ response, request }) => {
        const { id } = JSON.parse(request.body)
        const result = `{"content":[{"type":"text","text":"done"}],"_meta":{"more":${more}}}`
        const json = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
        response.writeHead(200, { 'content-type': type })
        response.end(type === 'application/json' ? json : `event: message\ndata: ${json}\n\n`)
      },
    )
    const server = mcpServer({ http, url: peer.url, sealed: {} })
    try {
      await server.offers()
      return await server.call('order', {}, { signal, timeoutMs: 30_000 })
    } finally {
      server.close()
    }
  }

  for (const [name, ask] of Object.entries(peers)) {
    it(`counts as a bad one: ${name}`, async () => {
      assert.ok(await ask('[[{"a":"b"}]]'), 'a normal answer passes')
      for (const [what, [tooMuch]] of Object.entries(costly)) await assert.rejects(ask(tooMuch), Error, what)
    })
  }

  it('of 9 MB nested in its usage is refused, and of a normal usage only the counts are passed on', async () => {
    await assert.rejects(complete(completion(`"usage":{"total_tokens":1,"more":${nested(4_500_000)}}`)), {
      reason: 'protocol',
    })
    const usage = {
      prompt_tokens: 3,
      completion_tokens: 5,
      total_tokens: 8,
      prompt_tokens_details: { cached_tokens: 2, audio_tokens: 'none', text: { deep: 'x' } },
      completion_tokens_details: { reasoning_tokens: 4, accepted_prediction_tokens: -1 },
      cost_details: { more: ['x'.repeat(1000)] },
    }
    const kept = {
      prompt_tokens: 3,
      completion_tokens: 5,
      total_tokens: 8,
      prompt_tokens_details: { cached_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 4 },
    }
    const usageOf = (given: unknown) =>
      using(peer(completion(`"usage":${JSON.stringify(given)}`)), async ({ url }) => {
        return (await modelAt(url).complete(request, signal)).usage
      })
    assert.deepEqual(await usageOf(usage), kept)
    assert.deepEqual(await usageOf({ prompt_tokens: 3, completion_tokens: 5 }), {
      prompt_tokens: 3,
      completion_tokens: 5,
      total_tokens: 8,
    })
    assert.equal(await usageOf({ total_tokens: 'many', more: 1 }), null)
  })
})
