import { exportSpans, type FinishedSpan } from './tracing.ts'

/** The longest time that the end of the process waits for the last spans. */
const FLUSH_LIMIT_MS = 3000

/**
 * Exports spans over OTLP/HTTP, in batches and with a bounded queue, so that an unreachable collector disturbs nothing.
 * Loads the SDK only when called, because it costs memory.
 * @param endpoint base address of the collector; spans go to `/v1/traces` below it
 * @returns a function that exports the remaining spans and stops
 */
export async function exportOverOtlp(endpoint: string): Promise<() => Promise<void>> {
  const [
    { BatchSpanProcessor },
    { OTLPTraceExporter },
    { resourceFromAttributes },
    { SpanKind, SpanStatusCode },
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/api'),
  ])
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: 5000 })
  const processor = new BatchSpanProcessor({ exporter, maxQueueSize: 4096 })
  const resource = resourceFromAttributes({ 'service.name': 'parley' })
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }

  const stop = exportSpans((span) => {
    const context = (spanId: string) => ({ traceId: span.traceId, spanId, traceFlags: 1 })
    processor.onEnd({
      name: span.name,
      kind: kinds[span.kind],
      spanContext: () => context(span.spanId),
      ...(span.parentSpanId === null ? {} : { parentSpanContext: context(span.parentSpanId) }),
      startTime: hrTime(span.startedAt),
      endTime: hrTime(span.endedAt),
      duration: hrTime(span.endedAt - span.startedAt),
      status: { code: span.failed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
      attributes: span.attributes,
      links: [],
      events: [],
      ended: true,
      resource,
      instrumentationScope: { name: 'parley' },
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    })
  })
  return async () => {
    stop()
    const late = new Promise((resolve) => setTimeout(resolve, FLUSH_LIMIT_MS).unref())
    await Promise.race([processor.shutdown().catch(() => {}), late])
  }
}

/** Converts milliseconds to seconds and nanoseconds. */
function hrTime(milliseconds: FinishedSpan['startedAt']): [number, number] {
  const seconds = Math.floor(milliseconds / 1000)
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1_000_000)]
}
