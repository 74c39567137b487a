import { Counter, Histogram, type Registry } from 'prom-client'
import { ApiError } from '../../errors.ts'
import type { Server } from '../../http/server.ts'
import { acrossAgents } from '../../lib/agent-scope.ts'
import { equalInConstantTime } from '../../lib/secrets/constant-time.ts'

/**
 * Counts requests by route and status, and serves all metrics at /metrics.
 * @param token the bearer token that a reader has to send; null: anybody may read
 */
export function serveMetrics(server: Server, registry: Registry, token: string | null): void {
  const requests = new Counter({
    name: 'parley_http_requests_total',
    help: 'Requests by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const latencies = new Histogram({
    name: 'parley_http_request_seconds',
    help: 'Time from a request to the end of its answer by route.',
    labelNames: ['route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  /** The counters for each route, method and status. Looking them up by their labels would cost more than counting. */
  const counted = new Map<string, { count: () => void; observe: (seconds: number) => void }>()
  server.addHook('onResponse', (request, reply, done) => {
    // The route's pattern, not the path: there must be few label values, so ids do not belong in them.
    const route = request.routeOptions.url ?? 'unknown'
    const key = `${request.method} ${reply.statusCode} ${route}`
    let counters = counted.get(key)
    if (!counters) {
      const child = requests.labels({ method: request.method, route, status: reply.statusCode })
      const histogram = latencies.labels({ route })
      counters = { count: () => child.inc(), observe: (seconds) => histogram.observe(seconds) }
      counted.set(key, counters)
    }
    counters.count()
    counters.observe(reply.elapsedTime / 1000)
    done()
  })
  let reading: Promise<string> | null = null
  server.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (token !== null && !equalInConstantTime(request.headers.authorization ?? '', `Bearer ${token}`))
      throw new ApiError('invalid_credentials')
    // Concurrent scrapes share one reading of the database.
    reading ??= acrossAgents('metrics count the rows of all agents', () => registry.metrics()).finally(() => {
      reading = null
    })
    reply.type(registry.contentType)
    return reading
  })
}
