import type { TraceContext } from '../lib/tracing/trace-context.ts'
import type { Span } from '../lib/tracing/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The trace that the request continues or starts; absent where requests are not traced. */
    trace?: { context: TraceContext; span: Span } | null
  }
}
