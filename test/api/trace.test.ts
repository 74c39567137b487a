import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startApp } from '../support/app.ts'
import { startModelServer } from '../support/model-server.ts'
import { startPeer } from '../support/peer.ts'
import { addChannel, startPlatformPeer } from '../support/platform-peer.ts'
import { addNotification, startReceiver } from '../support/receiver.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
/** Traces that callers give to their prompts. */
const SENT = [
  { trace: '1'.repeat(32), flags: '01', tracestate: 'vendor=one' },
  { trace: '2'.repeat(32), flags: '00', tracestate: undefined },
  { trace: '3'.repeat(32), flags: '02', tracestate: 'vendor=three' },
]
const good = `00-${TRACE}-${PARENT}-01`

describe('traces', () => {
  /** Sends a prompt with these headers. */
  async function prompt(headers: Record<string, string>): Promise<void> {
    const messages = [{ role: 'user', content: 'hello' }]
    assert.equal((await service.agent.post('/chat/completions', { messages }, headers)).status, 200)
  }

  let model: Awaited<ReturnType<typeof startModelServer>>
  let service: Awaited<ReturnType<typeof startApp>>
  before(async () => {
    model = await startModelServer()
    service = await startApp('sqlite', { PARLEY_MODEL_URL: model.url })
  })

  it('is told to receivers, in the payload and as a header', async () => {
    await using receiver = await startReceiver()
    await addNotification(service.agent, receiver.url, { events: ['prompt_submit', 'response_end'] })
    await prompt({ traceparent: good })
    const received = await receiver.until(2)
    for (const { payload, headers } of received) {
      assert.equal(payload.trace.trace_id, TRACE)
      assert.match(payload.trace.span_id, /^[0-9a-f]{16}$/)
      assert.match(String(headers.traceparent), new RegExp(`^00-${TRACE}-[0-9a-f]{16}-0[0-3]$`))
    }
    const spans = received.flatMap(({ payload, headers }) => [
      payload.trace.span_id,
      String(headers.traceparent).slice(36, 52),
    ])
    assert.equal(new Set(spans).size, 3, 'one span of the events, and one of each delivery')
  })

  it('goes to receivers as it came, flags and tracestate too, and never with those of another', async () => {
    await using receiver = await startReceiver()
    await addNotification(service.agent, receiver.url, { events: ['prompt_submit'] })
    for (const { trace, flags, tracestate } of SENT)
      await prompt({
        traceparent: `00-${trace}-${PARENT}-${flags}`,
        ...(tracestate ? { tracestate } : {}),
      })
    const received = await receiver.until(SENT.length)
    for (const { trace, flags, tracestate } of SENT) {
      const delivery = received.find(({ payload }) => payload.trace.trace_id === trace)
      const { traceparent, ...headers } = delivery?.headers ?? {}
      assert.match(String(traceparent), new RegExp(`^00-${trace}-[0-9a-f]{16}-${flags}$`))
      assert.equal(headers.tracestate, tracestate)
    }
  })

  it('an example is sent in the trace of the request that asks for it', async () => {
    await using receiver = await startReceiver()
    const { id } = await addNotification(service.agent, receiver.url, { events: ['error'] })
    await service.agent.post(`/notifications/${id}/test`, undefined, { traceparent: good })
    const [example] = await receiver.until(1)
    assert.equal(example?.payload.trace.trace_id, TRACE)
    assert.match(String(example?.headers.traceparent), new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`))
  })

  it('spans are exported over OTLP, named as OpenTelemetry names them, without any text', async () => {
    await using receiver = await startReceiver()
    await using platform = await startPlatformPeer()
    await using collector = await startPeer((response) => {
      response.setHeader('content-type', 'application/json')
      response.end('{}')
    })
    {
      await using traced = await startApp('sqlite', {
        PARLEY_MODEL_URL: model.url,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      })
      await addNotification(traced.agent, receiver.url, { events: ['guardrail_trigger'] })
      const settings = { words: ['zebra'] }
      const evaluator = await traced.agent.post('/evaluators', { name: 'E', kind: 'keywords', settings })
      const evaluator_id = evaluator.body.data.id
      await traced.agent.post('/guardrails', { name: 'G', on: 'prompt', evaluator_id, action: 'flag' })
      await traced.agent.prompt('zebra crossing')
      const channel = await addChannel(traced.agent, 'messenger-three', platform)
      await channel.says('zebra crossing')
      await platform.untilSent(1)
      await receiver.until(2)
    }
    const bodies = collector.requests.filter(({ path }) => path === '/v1/traces').map(({ body }) => body)
    const all = bodies.flatMap((body) =>
      JSON.parse(body).resourceSpans.flatMap((resource: { scopeSpans: { spans: unknown[] }[] }) =>
        resource.scopeSpans.flatMap((scope) => scope.spans),
      ),
    ) as {
      name: string
      traceId: string
      spanId: string
      parentSpanId?: string
      attributes: { key: string; value: { intValue?: number } }[]
    }[]
    // Deliveries of the tests before this one may still be retried. Callers gave them their traces.
    const spans = all.filter(
      ({ traceId }) => traceId !== TRACE && !SENT.some(({ trace }) => trace === traceId),
    )
    const server = spans.find(({ name }) => name === 'POST /api/v1/chat/completions')
    assert.ok(server)
    // The message of the channel has such spans too, in a trace of its own, which may arrive first.
    const within = spans.filter(({ traceId }) => traceId === server.traceId)
    assert.equal(within.find(({ name }) => name.startsWith('chat '))?.parentSpanId, server.spanId)
    assert.equal(within.find(({ name }) => name === 'guardrail')?.parentSpanId, server.spanId)
    const callsTo = ({ port }: { port: number }) =>
      spans.filter(({ attributes }) =>
        attributes.some(({ key, value }) => key === 'server.port' && Number(value.intValue) === port),
      )
    assert.ok(callsTo(receiver).some(({ traceId }) => traceId === server.traceId))
    assert.equal(callsTo(receiver).length, 2)
    const received = receiver.received.map(({ headers }) => String(headers.traceparent).slice(36, 52))
    assert.deepEqual(
      callsTo(receiver)
        .map(({ spanId }) => spanId)
        .toSorted(),
      received.toSorted(),
      'what a receiver does hangs on the call of its delivery',
    )
    assert.ok(callsTo(platform).length >= 1)
    for (const name of ['webhook delivery', 'channel message', 'channel send'])
      assert.ok(
        spans.some((span) => span.name === name),
        name,
      )
    // Whatever hangs on something hangs on what was exported too; deliveries hang on the span of their event.
    const ids = new Set(spans.map(({ spanId }) => spanId))
    const lost = spans.filter(({ parentSpanId }) => parentSpanId && !ids.has(parentSpanId))
    assert.deepEqual(
      lost.map(({ name }) => name),
      [],
      JSON.stringify(
        spans.map(({ name, traceId, spanId, parentSpanId }) => ({ name, traceId, spanId, parentSpanId })),
      ),
    )
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
