import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Server } from './server.ts'

/** The counters that the service keeps about itself, in Prometheus' format. */
export interface Metrics {
  readonly registry: Registry
  /** Counts the finished calls to models for one purpose. */
  modelCalls(purpose: 'answer' | 'judge'): ModelCalled
  /** Adds a number that is read at each scrape. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
}

/**
 * Receives each finished model call, with its outcome (`ok`, `aborted` or the reason of a ModelError) and its duration.
 */
export type ModelCalled = (outcome: string, seconds: number) => void

/** @param backlog called at each scrape; returns the number of prompts and inbound events that are waiting */
export function createMetrics(backlog: () => Promise<{ prompts: number; events: number }>): Metrics {
  const registry = new Registry()
  const calls = new Histogram({
    name: 'parley_model_call_seconds',
    help: 'Time of calls to the model by purpose (to answer a prompt, to judge a text) and outcome.',
    labelNames: ['purpose', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [registry],
  })
  new Gauge({
    name: 'parley_backlog',
    help: 'Prompts that wait for their answer, and inbound events of channels that wait to be worked.',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      const { prompts, events } = await backlog()
      this.set({ kind: 'prompts' }, prompts)
      this.set({ kind: 'events' }, events)
    },
  })
  return {
    registry,
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read())
        },
      })
    },
    modelCalls: (purpose) => (outcome, seconds) => calls.observe({ purpose, outcome }, seconds),
  }
}

/** Counts requests by route and status, and serves all metrics at /metrics. */
export function serveMetrics(server: Server, metrics: Metrics): void {
  const requests = new Counter({
    name: 'parley_http_requests_total',
    help: 'Requests by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [metrics.registry],
  })
  const latencies = new Histogram({
    name: 'parley_http_request_seconds',
    help: 'Time from a request to the end of its answer by route.',
    labelNames: ['route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [metrics.registry],
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
  server.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
}
