import type { FastifyRequest } from 'fastify'
import { addressOf } from '../http/rate-limits.ts'
import type { Server } from '../http/server.ts'
import { MINUTE_MS } from '../lib/clock.ts'

const MOST_OF_CHANNEL = 60
const MOST_OF_ADDRESS = 600

/** Counts wrong verify tokens. People choose these tokens, so they could be guessed. */
export interface HandshakeRefusals {
  /** True if the channel or the caller's address has sent too many wrong tokens in this minute. */
  areUsedUp(request: FastifyRequest): Promise<boolean>
  count(request: FastifyRequest): Promise<void>
}

/** @param server a server whose requests name the channel as the path's `id` */
export function countHandshakeRefusals(server: Server): HandshakeRefusals {
  const limits = [
    server.createRateLimit({
      max: MOST_OF_CHANNEL,
      timeWindow: MINUTE_MS,
      keyGenerator: ({ params }) => (params as { id: string }).id,
    }),
    server.createRateLimit({
      max: MOST_OF_ADDRESS,
      timeWindow: MINUTE_MS,
      keyGenerator: addressOf,
    }),
  ]
  return {
    async areUsedUp(request) {
      const states = await Promise.all(limits.map((limit) => limit(request, { increment: false })))
      return states.some((state) => !state.isAllowed && state.remaining === 0)
    },
    async count(request) {
      await Promise.all(limits.map((limit) => limit(request)))
    },
  }
}
