import type { FastifyReply } from 'fastify'

const IDLE_COMMENT_MS = 15_000
/** A client that takes nothing for so long is taken for gone: it would keep its answer from ever being stored. */
const STALLED_MS = 120_000

/** An open stream of server-sent events to one client. */
export interface EventStream {
  /** Sends one event's data line. */
  send(data: string): void
  /** Resolves when what was sent may leave: a slow reader slows the writer. */
  drained(): Promise<void>
  end(): void
}

/**
 * Turns a reply into a stream of server-sent events (WHATWG HTML section 9.2). Only `data:` lines: named events
 * break clients. Headers keep proxies from buffering; comments keep an idle stream open.
 */
export function openEventStream(reply: FastifyReply): EventStream {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
  raw.flushHeaders()
  let lastSent = Date.now()
  const idle = setInterval(() => {
    if (Date.now() - lastSent >= IDLE_COMMENT_MS && !raw.writableNeedDrain) raw.write(': keep-alive\n\n')
  }, IDLE_COMMENT_MS)
  raw.once('close', () => clearInterval(idle))
  return {
    send(data) {
      lastSent = Date.now()
      raw.write(`data: ${data}\n\n`)
    },
    async drained() {
      if (!raw.writableNeedDrain) return
      await new Promise<void>((resolve) => {
        const stalled = setTimeout(() => raw.destroy(), STALLED_MS)
        const done = () => {
          clearTimeout(stalled)
          raw.off('drain', done)
          raw.off('close', done)
          resolve()
        }
        raw.on('drain', done)
        raw.on('close', done)
      })
    },
    end() {
      clearInterval(idle)
      raw.end()
    },
  }
}
