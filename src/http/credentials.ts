import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import type {} from './member.ts'
import type { Right } from './rights.ts'
import type { Server } from './server.ts'
import { timesSent } from './times-sent.ts'

/** What a valid key and token of the same team identify. */
export interface Pair {
  readonly agentId: number
  readonly teamId: number
  readonly keyId: number
  readonly tokenId: number
  readonly tokenName: string
  readonly right: Right
}

/** Checks a key and a token together. Null unless both are valid and belong to the same team. */
export type VerifyCredentials = (apiKey: string, bearerToken: string) => Promise<Pair | null>

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireCredentials`. */
    pair: Pair
  }
}

const REFUSALS_PER_MINUTE = 600

/**
 * Makes every route of a scope require both credentials, before anything else of the request is read. Whatever is
 * wrong with them, the answer is always the same 403.
 * @param rateLimit requests per minute for each key and for each token; null for no limit. Refusals are limited per
 * address, for IPv6 per /64.
 */
export function requireCredentials(scope: Server, verify: VerifyCredentials, rateLimit: number | null): void {
  const countRefusal = scope.createRateLimit({
    max: REFUSALS_PER_MINUTE,
    timeWindow: 60_000,
    keyGenerator: ({ ip }) => `refused ${normalizeIP(ip)}`,
  })
  const countOf = (credential: (pair: Pair) => string) =>
    scope.createRateLimit({
      max: rateLimit ?? 0,
      timeWindow: 60_000,
      keyGenerator: ({ pair }) => credential(pair),
    })
  const counts = [countOf(({ keyId }) => `key ${keyId}`), countOf(({ tokenId }) => `token ${tokenId}`)]

  scope.decorateRequest('pair')
  scope.decorateRequest('member')
  scope.decorateRequest('caller')
  scope.addHook('onRequest', async (request, reply) => {
    const pair = await verify(header(request, 'x-api-key'), bearer(request))
    if (!pair) {
      await enforce(countRefusal, request, reply)
      throw new ApiError('invalid_credentials')
    }
    const { agentId, teamId, tokenId, tokenName, right } = pair
    const actor = { kind: 'token', id: tokenId, name: tokenName } as const
    request.pair = pair
    request.caller = { agentId, teamId, right, actor, displayName: null }
    request.member = request.caller
    if (rateLimit !== null) for (const count of counts) await enforce(count, request, reply)
  })
}

async function enforce(
  count: ReturnType<Server['createRateLimit']>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const limit = await count(request)
  if (limit.isAllowed || !limit.isExceeded) return
  reply.header('retry-after', Math.max(1, limit.ttlInSeconds))
  throw new ApiError('rate_limited')
}

/** A header that was sent exactly once. Of several, nobody can tell which is meant. */
function header(request: FastifyRequest, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' && timesSent(request.raw, name) === 1 ? value : ''
}

/** The token of `Authorization: Bearer …` (RFC 6750 section 2.1; the scheme's case does not matter). */
function bearer(request: FastifyRequest): string {
  return /^bearer +(\S+)$/i.exec(header(request, 'authorization'))?.[1] ?? ''
}
