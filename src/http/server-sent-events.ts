import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { whenDrained } from './when-drained.ts'

const IDLE_COMMENT_MS = 15_000
/**
 * A client that reads nothing for this long counts as gone. Otherwise it would keep its answer from ever being stored.
 */
const STALLED_MS = 120_000

/** The data of an event without a name, or an event with a name. */
export type StreamedEvent = string | { event: string; data: string }

/** An open stream of server-sent events to one client. */
export interface EventStream {
  /** Sends events, all in one write: a write costs more than an event. */
  send(events: readonly StreamedEvent[]): void
  /** Sends the headers at once, before the first event. */
  wake(): void
  /** Resolves when more may be sent, so that a slow reader slows the writer down. */
  drained(): Promise<void>
  /** Sends the last events and ends the stream. */
  end(events: readonly StreamedEvent[]): void
}

/** Turns a reply into a stream of server-sent events (WHATWG HTML section 9.2) that no proxy holds back. */
export function beginEventStream(reply: FastifyReply): ServerResponse {
  reply.hijack()
  const { raw } = reply
  // Without a listener, an error of one stream would end the process. `close` tells that the stream has ended.
  raw.on('error', () => {})
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  return raw
}

/** Turns a reply into a stream of events. Comments keep an idle stream open. */
export function openEventStream(reply: FastifyReply): EventStream {
  const raw = beginEventStream(reply)
  let lastSent = Date.now()
  const idle = setInterval(() => {
    if (Date.now() - lastSent >= IDLE_COMMENT_MS && !raw.writableNeedDrain) raw.write(': keep-alive\n\n')
  }, IDLE_COMMENT_MS)
  // If the client left before the stream was opened, `close` is not emitted again.
  if (raw.closed) clearInterval(idle)
  raw.once('close', () => clearInterval(idle))
  return {
    send(events) {
      lastSent = Date.now()
      raw.write(eventLines(events))
    },
    wake: () => raw.flushHeaders(),
    drained: () => whenDrained(raw, STALLED_MS),
    end(events) {
      clearInterval(idle)
      raw.end(eventLines(events))
    },
  }
}

function eventLines(events: readonly StreamedEvent[]): string {
  return events
    .map((one) =>
      typeof one === 'string' ? `data: ${one}\n\n` : `event: ${one.event}\ndata: ${one.data}\n\n`,
    )
    .join('')
}
