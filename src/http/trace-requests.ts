import { continueTrace } from '../lib/tracing/trace-context.ts'
import { inTrace, spanOf } from '../lib/tracing/tracing.ts'
import type {} from './request-trace.ts'
import type { Server } from './server.ts'

/** Makes every request of a scope continue its caller's trace, or start one, with a span of its own. */
export function traceRequests(scope: Server): void {
  scope.decorateRequest('trace', null)
  scope.addHook('onRequest', (request, _reply, done) => {
    const { traceparent, tracestate } = request.headers
    const context = continueTrace({ traceparent, tracestate })
    const route = request.routeOptions.url ?? 'unknown'
    const span = spanOf(context, `${request.method} ${route}`, 'server', {
      'http.request.method': request.method,
      'http.route': route,
    })
    request.trace = { context, span }
    inTrace(context, done)
  })
  // The body is read in events of the socket, outside the trace. The later steps run in the trace again.
  scope.addHook('preValidation', (request, _reply, done) => {
    if (request.trace) inTrace(request.trace.context, done)
    else done()
  })
  scope.addHook('onResponse', (request, reply, done) => {
    request.trace?.span.end({ 'http.response.status_code': reply.statusCode }, reply.statusCode >= 500)
    done()
  })
}
