import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import type { Server } from './server.ts'
import { timesSent } from './times-sent.ts'

/** Who is asking: one agent's key and one caller's token, of the same team. */
export interface Caller {
  readonly agentId: number
  readonly teamId: number
  readonly keyId: number
  readonly tokenId: number
}

/** Checks a key and a token together; null unless both are valid and of the same team. */
export type VerifyCredentials = (apiKey: string, bearerToken: string) => Promise<Caller | null>

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireCredentials` before any handler of a credentialed route runs. */
    caller: Caller
  }
}

const REFUSALS_PER_MINUTE = 600

/**
 * Makes every route of a scope need both credentials, before anything else of the request is looked at.
 * Whatever is wrong with them, the answer is one identical 403.
 * @param rateLimit requests a minute for each key and for each token, null for no limit. Refusals are limited for an
 *   address, an IPv6 one with its whole /64.
 */
export function requireCredentials(scope: Server, verify: VerifyCredentials, rateLimit: number | null): void {
  const countRefusal = scope.createRateLimit({
    max: REFUSALS_PER_MINUTE,
    timeWindow: 60_000,
    keyGenerator: ({ ip }) => `refused ${normalizeIP(ip)}`,
  })
  const countOf = (credential: (caller: Caller) => string) =>
    scope.createRateLimit({
      max: rateLimit ?? 0,
      timeWindow: 60_000,
      keyGenerator: ({ caller }) => credential(caller),
    })
  const counts = [countOf(({ keyId }) => `key ${keyId}`), countOf(({ tokenId }) => `token ${tokenId}`)]

  scope.decorateRequest('caller')
  scope.addHook('onRequest', async (request, reply) => {
    const caller = await verify(header(request, 'x-api-key'), bearer(request))
    if (!caller) {
      await enforce(countRefusal, request, reply)
      throw new ApiError('invalid_credentials')
    }
    request.caller = caller
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

/** A header that came once: which of several is meant nobody can tell. */
function header(request: FastifyRequest, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' && timesSent(request.raw, name) === 1 ? value : ''
}

/** The token of `Authorization: Bearer …` (RFC 6750 section 2.1; the scheme's case does not matter). */
function bearer(request: FastifyRequest): string {
  return /^bearer +(\S+)$/i.exec(header(request, 'authorization'))?.[1] ?? ''
}
