import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import type { Server } from './server.ts'

/** Counts a request, and refuses it after too many. @throws ApiError rate_limited */
export type Limit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

const A_MINUTE_AND_ADDRESS = 600

/** Limits requests from one address without a valid credential; for IPv6 from one /64. */
export function limitAddresses(scope: Server, purpose: string, most = A_MINUTE_AND_ADDRESS): Limit {
  return limit(scope, most, (request) => `${purpose} ${addressOf(request)}`)
}

/** Returns the address that a request counts for; for IPv6 its /64, which one subscriber has. */
export function addressOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  return normalizeIP(ip)
}

/**
 * Limits the requests of a credential each minute.
 * @param most null for no limit
 * @param names the credentials of a request, each of which is counted
 */
export function limitCredentials(
  scope: Server,
  most: number | null,
  ...names: ((request: FastifyRequest) => string)[]
): Limit {
  if (most === null) return async () => {}
  const limits = names.map((name) => limit(scope, most, name))
  return async (request, reply) => {
    for (const count of limits) await count(request, reply)
  }
}

/** Limits requests a minute by a name that each of them has. */
export function limit(scope: Server, most: number, name: (request: FastifyRequest) => string): Limit {
  const count = scope.createRateLimit({ max: most, timeWindow: 60_000, keyGenerator: name })
  return async (request, reply) => {
    const counted = await count(request)
    if (counted.isAllowed || !counted.isExceeded) return
    reply.header('retry-after', Math.max(1, counted.ttlInSeconds))
    throw new ApiError('rate_limited')
  }
}
