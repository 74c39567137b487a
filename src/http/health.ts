import { z } from 'zod'
import { describeFailure } from '../lib/describe-failure.ts'
import { within } from '../lib/pacing/within.ts'
import type { Server } from './server.ts'
import { beginEventStream } from './server-sent-events.ts'

const READY_WITHIN_MS = 2000

/** The shortest time between writes to the database, however often `/readyz` is called. */
const PING_EVERY_MS = 1000

/** The header with the settings mark: a command with the same keys compares it to its own. */
export const SETTINGS_MARK = 'parley-settings'

/** A stream of two pieces, which a command reads through a proxy to learn whether the proxy holds them back. */
export const STREAM_PROBE = '/healthz/stream'
const PIECES_APART_MS = 1000

/**
 * Adds the routes of health checks. `/healthz`: the process answers. `/readyz`: the database also answers and accepts
 * writes, and the clocks agree; 503 otherwise. `/healthz/stream`: a stream that a command reads through a proxy.
 * @param mark a keyed hash of the settings
 * @param skew describes the error when the clock of this machine is wrong
 * @param warning a problem that people should look at although the service is ready
 */
export function healthRoutes(
  server: Server,
  mark: string,
  ping: () => Promise<void>,
  skew: () => string | null = () => null,
  warning: string | null = null,
): void {
  const answers = {
    200: z.object({ status: z.literal('ok'), warning: z.string().optional() }),
    503: z.object({ status: z.literal('unavailable') }),
  }

  let pinged: { at: number; ping: Promise<void> } | null = null
  const lastPing = () => {
    const at = performance.now()
    if (!pinged || at - pinged.at > PING_EVERY_MS) pinged = { at, ping: ping() }
    return pinged.ping
  }

  server.get('/healthz', { schema: { hide: true, response: answers } }, async (_request, reply) => {
    reply.header(SETTINGS_MARK, mark)
    return { status: 'ok' as const }
  })

  server.get(STREAM_PROBE, { schema: { hide: true } }, (_request, reply) => {
    const stream = beginEventStream(reply)
    stream.write('data: begun\n\n')
    const ending = setTimeout(() => stream.end('data: ended\n\n'), PIECES_APART_MS)
    stream.once('close', () => clearTimeout(ending))
  })

  server.get('/readyz', { schema: { hide: true, response: answers } }, async (request, reply) => {
    try {
      await within(READY_WITHIN_MS, 'the database', lastPing())
      const wrong = skew()
      if (wrong === null) return { status: 'ok' as const, ...(warning === null ? {} : { warning }) }
      request.log.warn(`not ready: ${wrong}`)
    } catch (error) {
      request.log.warn({ error: describeFailure(error) }, 'not ready')
    }
    return reply.code(503).send({ status: 'unavailable' })
  })
}
