import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startApp } from '../support/app.ts'
import { startModelServer } from '../support/model-server.ts'
import { startPeer } from '../support/peer.ts'
import { addNotification, startReceiver } from '../support/receiver.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const good = `00-${TRACE}-${PARENT}-01`

describe('traces', () => {
  /** What a model server is sent when a prompt comes with these headers; some more than once. */
  async function carried(
    pairs: [string, string][],
  ): Promise<{ traceparent: string; tracestate: string | undefined }> {
    model.reset()
    const headers = [
      ...Object.entries(service.agent.headers),
      ['host', 'parley.test'],
      ['content-type', 'application/json'],
      ...pairs,
    ].flat()
    const { request } = await import('node:http')
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${service.baseUrl}/chat/completions`, { method: 'POST', headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode))
      })
      sent.on('error', reject)
      sent.end(JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] }))
    })
    assert.equal(status, 200)
    const { headers: seen } = await model.request(0)
    return { traceparent: String(seen.traceparent), tracestate: seen.tracestate as string | undefined }
  }

  let model: Awaited<ReturnType<typeof startModelServer>>
  let service: Awaited<ReturnType<typeof startApp>>
  before(async () => {
    model = await startModelServer()
    service = await startApp('sqlite', { PARLEY_MODEL_URL: model.url })
  })

  const continued: [string, [string, string][], string | undefined][] = [
    ['a valid header', [['traceparent', good]], undefined],
    ['a header in other case', [['TraceParent', good]], undefined],
    ['not sampled', [['traceparent', `00-${TRACE}-${PARENT}-00`]], undefined],
    ['a later version', [['traceparent', `cc-${TRACE}-${PARENT}-01`]], undefined],
    ['a later version with more behind', [['traceparent', `cc-${TRACE}-${PARENT}-01-what-comes`]], undefined],
    ['blanks around', [['traceparent', ` ${good} `]], undefined],
    [
      'with tracestate',
      [
        ['traceparent', good],
        ['tracestate', 'foo=1,bar=2'],
      ],
      'foo=1,bar=2',
    ],
    [
      'tracestate in two headers',
      [
        ['traceparent', good],
        ['tracestate', 'foo=1'],
        ['tracestate', 'bar=2'],
      ],
      'foo=1,bar=2',
    ],
    [
      'tracestate with empty members',
      [
        ['traceparent', good],
        ['tracestate', 'foo=1,,bar=2, '],
      ],
      'foo=1,bar=2',
    ],
    [
      'a tracestate that is wrong',
      [
        ['traceparent', good],
        ['tracestate', 'foo 1'],
      ],
      undefined,
    ],
    [
      'thirty-two members',
      [
        ['traceparent', good],
        ['tracestate', members(32)],
      ],
      members(32),
    ],
    [
      'thirty-three members',
      [
        ['traceparent', good],
        ['tracestate', members(33)],
      ],
      undefined,
    ],
    [
      'a key of 256 characters',
      [
        ['traceparent', good],
        ['tracestate', `${'z'.repeat(256)}=1`],
      ],
      `${'z'.repeat(256)}=1`,
    ],
    [
      'a key of 257 characters',
      [
        ['traceparent', good],
        ['tracestate', `${'z'.repeat(257)}=1`],
      ],
      undefined,
    ],
    [
      'a tenant',
      [
        ['traceparent', good],
        ['tracestate', 't@v=1'],
      ],
      't@v=1',
    ],
    [
      'a value of 257 characters',
      [
        ['traceparent', good],
        ['tracestate', `a=${'z'.repeat(257)}`],
      ],
      undefined,
    ],
  ]
  for (const [name, headers, tracestate] of continued) {
    it(`is continued: ${name}`, async () => {
      const seen = await carried(headers)
      assert.match(seen.traceparent, new RegExp(`^00-${TRACE}-[0-9a-f]{16}-0[0-3]$`))
      assert.ok(!seen.traceparent.includes(PARENT))
      assert.equal(seen.tracestate, tracestate)
      const flags = headers
        .find(([header]) => header.toLowerCase() === 'traceparent')?.[1]
        .trim()
        .slice(53, 55)
      assert.equal(
        Number.parseInt(seen.traceparent.slice(-2), 16) & 1,
        Number.parseInt(String(flags), 16) & 1,
      )
    })
  }

  for (const [name, headers] of [
    ['no header', []],
    [
      'the header twice',
      [
        ['traceparent', good],
        ['traceparent', good],
      ],
    ],
    ['version ff', [['traceparent', `ff-${TRACE}-${PARENT}-01`]]],
    ['version 00 with more behind', [['traceparent', `${good}-x`]]],
    ['a version that is too short', [['traceparent', good.slice(1)]]],
    ['a version that is no number', [['traceparent', `.0-${TRACE}-${PARENT}-01`]]],
    ['a later version with something glued on', [['traceparent', `cc-${TRACE}-${PARENT}-01x`]]],
    ['a trace id of zeros', [['traceparent', `00-${'0'.repeat(32)}-${PARENT}-01`]]],
    ['a trace id in capitals', [['traceparent', `00-${TRACE.toUpperCase()}-${PARENT}-01`]]],
    ['a trace id that is too long', [['traceparent', `00-${TRACE}0-${PARENT}-01`]]],
    ['a trace id that is too short', [['traceparent', `00-${TRACE.slice(1)}-${PARENT}-01`]]],
    ['a parent of zeros', [['traceparent', `00-${TRACE}-${'0'.repeat(16)}-01`]]],
    ['a parent that is no number', [['traceparent', `00-${TRACE}-.${PARENT.slice(1)}-01`]]],
    ['flags that are too long', [['traceparent', `00-${TRACE}-${PARENT}-011`]]],
    ['flags that are no number', [['traceparent', `00-${TRACE}-${PARENT}-.1`]]],
  ] as [string, [string, string][]][]) {
    it(`is begun anew: ${name}`, async () => {
      const seen = await carried([...headers, ['tracestate', 'foo=1']])
      assert.match(seen.traceparent, /^00-[0-9a-f]{32}-[0-9a-f]{16}-0[13]$/)
      assert.ok(!seen.traceparent.includes(TRACE))
      assert.equal(seen.tracestate, undefined)
    })
  }

  it('several calls of one trace have spans of their own', async () => {
    const [first, second] = [await carried([['traceparent', good]]), await carried([['traceparent', good]])]
    assert.notEqual(first.traceparent.slice(36, 52), second.traceparent.slice(36, 52))
  })

  it('is told to receivers, in the payload and as a header', async () => {
    await using receiver = await startReceiver()
    await addNotification(service.agent, receiver.url, { events: ['prompt_submit', 'response_end'] })
    await carried([['traceparent', good]])
    for (const { payload, headers } of await receiver.until(2)) {
      assert.equal(payload.trace.trace_id, TRACE)
      assert.match(payload.trace.span_id, /^[0-9a-f]{16}$/)
      assert.match(String(headers.traceparent), new RegExp(`^00-${TRACE}-[0-9a-f]{16}-0[0-3]$`))
    }
  })

  it('goes to receivers as it came, flags and tracestate too, and never with those of another', async () => {
    await using receiver = await startReceiver()
    await addNotification(service.agent, receiver.url, { events: ['prompt_submit'] })
    const sent = [
      { trace: '1'.repeat(32), flags: '01', tracestate: 'vendor=one' },
      { trace: '2'.repeat(32), flags: '00', tracestate: undefined },
      { trace: '3'.repeat(32), flags: '02', tracestate: 'vendor=three' },
    ]
    for (const { trace, flags, tracestate } of sent)
      await carried([
        ['traceparent', `00-${trace}-${PARENT}-${flags}`],
        ...(tracestate ? [['tracestate', tracestate] as [string, string]] : []),
      ])
    const received = await receiver.until(sent.length)
    for (const { trace, flags, tracestate } of sent) {
      const delivery = received.find(({ payload }) => payload.trace.trace_id === trace)
      const { traceparent, ...headers } = delivery?.headers ?? {}
      assert.equal(traceparent, `00-${trace}-${delivery?.payload.trace.span_id}-${flags}`)
      assert.equal(headers.tracestate, tracestate)
    }
  })

  it('an example is sent in the trace of the request that asks for it', async () => {
    await using receiver = await startReceiver()
    const { id } = await addNotification(service.agent, receiver.url, { events: ['error'] })
    await service.agent.post(`/notifications/${id}/test`, undefined, { traceparent: good })
    const [example] = await receiver.until(1)
    assert.equal(example?.payload.trace.trace_id, TRACE)
    assert.equal(example?.headers.traceparent, `00-${TRACE}-${example?.payload.trace.span_id}-01`)
  })

  it('spans are exported over OTLP, named as OpenTelemetry names them, without any text', async () => {
    await using collector = await startPeer((response) => {
      response.setHeader('content-type', 'application/json')
      response.end('{}')
    })
    {
      await using traced = await startApp('sqlite', {
        PARLEY_MODEL_URL: model.url,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      })
      await traced.agent.prompt('zebra crossing')
    }
    const bodies = collector.requests.filter(({ path }) => path === '/v1/traces').map(({ body }) => body)
    const spans = bodies.flatMap((body) =>
      JSON.parse(body).resourceSpans.flatMap((resource: { scopeSpans: { spans: unknown[] }[] }) =>
        resource.scopeSpans.flatMap((scope) => scope.spans),
      ),
    ) as { name: string; traceId: string; spanId: string; parentSpanId?: string }[]
    const server = spans.find(({ name }) => name === 'POST /api/v1/chat/completions')
    const chat = spans.find(({ name }) => name.startsWith('chat '))
    assert.ok(server && chat)
    assert.equal(chat.traceId, server.traceId)
    assert.equal(chat.parentSpanId, server.spanId)
    assert.match(bodies.join(''), /gen_ai\.usage\.input_tokens/)
    for (const attribute of [
      '{"key":"gen_ai.provider.name","value":{"stringValue":"openai"}}',
      '{"key":"gen_ai.response.finish_reasons","value":{"arrayValue":{"values":[{"stringValue":"stop"}]}}}',
    ])
      assert.ok(bodies.join('').includes(attribute), attribute)
    assert.ok(!bodies.join('').includes('zebra'))
  })

  after(async () => {
    await service.close()
    await model.close()
  })
})

function members(count: number): string {
  return Array.from({ length: count }, (_, index) => `k${index}=1`).join(',')
}
