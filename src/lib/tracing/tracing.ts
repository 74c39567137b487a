import { AsyncLocalStorage } from 'node:async_hooks'
import { continueTrace, formatTraceparent, newSpanId, type TraceContext } from './trace-context.ts'

/** The role of a span, after OpenTelemetry's span kinds. */
type SpanKind = 'server' | 'client' | 'internal'

export type SpanAttributes = Record<string, string | number | boolean | string[]>

/** A piece of work that has ended, in the form for export. Attributes never hold text of a person. */
export interface FinishedSpan {
  name: string
  kind: SpanKind
  traceId: string
  spanId: string
  parentSpanId: string | null
  /** Milliseconds since the epoch, with fractions. */
  startedAt: number
  endedAt: number
  attributes: SpanAttributes
  failed: boolean
}

/** Takes spans that have ended; must not throw. */
type SpanSink = (span: FinishedSpan) => void

const traces = new AsyncLocalStorage<TraceContext | null>()
const sinks = new Set<SpanSink>()

/** Returns the trace of the current work, with its span; null outside any trace. */
export function currentTrace(): TraceContext | null {
  return traces.getStore() ?? null
}

/**
 * Runs work, and everything it starts, within a trace. Null runs it outside any trace, even if the caller is in one.
 */
export function inTrace<T>(trace: TraceContext | null, work: () => T): T {
  return traces.run(trace, work)
}

/** Passes every span that ends from now on to an exporter. @returns a function that stops this */
export function exportSpans(sink: SpanSink): () => void {
  sinks.add(sink)
  return () => void sinks.delete(sink)
}

/** A span within the current trace. It costs almost nothing while there is no exporter. */
export interface Span {
  /** The parent of further calls; null outside any trace. */
  readonly trace: TraceContext | null
  end(attributes?: SpanAttributes, failed?: boolean): void
}

/** Begins a span of the current trace. */
export function startSpan(name: string, kind: SpanKind, attributes: SpanAttributes = {}): Span {
  const parent = currentTrace()
  if (!parent) return { trace: null, end() {} }
  const trace = { ...parent, parentSpanId: parent.spanId, spanId: newSpanId() }
  return spanOf(trace, name, kind, attributes)
}

/** Begins the first span of a trace, such as that of a request. */
export function spanOf(
  trace: TraceContext,
  name: string,
  kind: SpanKind,
  attributes: SpanAttributes = {},
): Span {
  const startedAt = sinks.size > 0 ? now() : 0
  return {
    trace,
    end(more = {}, failed = false) {
      if (startedAt === 0 || !trace.sampled) return
      const { traceId, spanId, parentSpanId } = trace
      const span = { name, kind, traceId, spanId, parentSpanId, startedAt, endedAt: now(), failed }
      for (const sink of sinks) sink({ ...span, attributes: { ...attributes, ...more } })
    },
  }
}

/** Runs work within a span of its own. */
export async function inSpan<T>(
  name: string,
  kind: SpanKind,
  attributes: SpanAttributes,
  work: () => Promise<T>,
  result: (value: T) => SpanAttributes = () => ({}),
): Promise<T> {
  // An internal span makes no headers for other services, so without an exporter nobody would see it.
  if (kind === 'internal' && sinks.size === 0) return work()
  return within(startSpan(name, kind, attributes), work, result)
}

/** Runs work in a new trace, within its first span, even if the caller is in another trace. */
export async function inNewTrace<T>(
  name: string,
  attributes: SpanAttributes,
  work: () => Promise<T>,
): Promise<T> {
  return within(spanOf(continueTrace({}), name, 'internal', attributes), work)
}

async function within<T>(
  span: Span,
  work: () => Promise<T>,
  result: (value: T) => SpanAttributes = () => ({}),
): Promise<T> {
  try {
    const value = await (span.trace ? inTrace(span.trace, work) : work())
    span.end(result(value))
    return value
  } catch (error) {
    span.end({ 'error.type': error instanceof Error ? error.name : 'unknown' }, true)
    throw error
  }
}

/** Returns the headers that continue a trace in another service (W3C Trace Context). */
export function traceHeaders(trace: TraceContext): Record<string, string> {
  return {
    traceparent: formatTraceparent(trace),
    ...(trace.tracestate === null ? {} : { tracestate: trace.tracestate }),
  }
}

function now(): number {
  return performance.timeOrigin + performance.now()
}
