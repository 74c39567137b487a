import { AsyncLocalStorage } from 'node:async_hooks'

/** Where in a W3C trace something happens. */
export interface Trace {
  /** 32 hex characters. */
  traceId: string
  /** 16 hex characters: the span that is running. */
  spanId: string
  /** As in `traceparent`; 1: sampled. */
  flags: number
  /** As in `tracestate`. */
  state: string | null
}

const traces = new AsyncLocalStorage<Trace>()

/** The trace in which the present work is done; null outside of one. */
export function currentTrace(): Trace | null {
  return traces.getStore() ?? null
}

/** Does some work, and all that follows from it, within a trace. */
export function inTrace<T>(trace: Trace, work: () => T): T {
  return traces.run(trace, work)
}
