import { z } from 'zod'
import type { Server } from './server.ts'

const READY_WITHIN_MS = 2000

/** `/healthz`: the process answers. `/readyz`: the database answers too, else 503. */
export function healthRoutes(server: Server, ping: () => Promise<void>): void {
  const answers = {
    200: z.object({ status: z.literal('ok') }),
    503: z.object({ status: z.literal('unavailable') }),
  }

  server.get('/healthz', { schema: { hide: true, response: answers } }, async () => ({
    status: 'ok' as const,
  }))

  server.get('/readyz', { schema: { hide: true, response: answers } }, async (request, reply) => {
    let timer: NodeJS.Timeout | undefined
    const tooLong = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('the database did not answer in time')), READY_WITHIN_MS)
    })
    try {
      await Promise.race([ping(), tooLong])
      return { status: 'ok' as const }
    } catch (error) {
      request.log.warn({ error: (error as Error).name }, 'not ready')
      return reply.code(503).send({ status: 'unavailable' })
    } finally {
      clearTimeout(timer)
    }
  })
}
