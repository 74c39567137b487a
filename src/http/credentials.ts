import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { bindScope } from '../lib/agent-scope.ts'
import type {} from './member.ts'
import { requireInDocument } from './openapi.ts'
import { limitAddresses, limitCredentials } from './rate-limits.ts'
import type { Right } from './rights.ts'
import type { Server } from './server.ts'
import { timesSent } from './times-sent.ts'

/** The identity of a valid key and token of the same team. */
export interface Pair {
  readonly agentId: number
  readonly teamId: number
  readonly keyId: number
  readonly tokenId: number
  readonly tokenName: string
  readonly right: Right
}

/** Checks a key and a token together. Returns null unless both are valid and belong to the same team. */
type VerifyCredentials = (apiKey: string, bearerToken: string) => Promise<Pair | null>

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireCredentials`. */
    pair: Pair
  }
}

/**
 * Makes every route of a scope require both credentials, before anything else of the request is read. Whatever is wrong
 * with them, the answer is always the same 403.
 * @param rateLimit requests per minute for each key and for each token; null for no limit. Refusals are limited per
 * address, for IPv6 per /64.
 */
export function requireCredentials(scope: Server, verify: VerifyCredentials, rateLimit: number | null): void {
  const limitRefusals = limitAddresses(scope, 'refused')
  const limitPair = limitCredentials(
    scope,
    rateLimit,
    ({ pair }) => `key ${pair.keyId}`,
    ({ pair }) => `token ${pair.tokenId}`,
  )

  requireInDocument(scope, 'apiKey', 'bearerToken')
  scope.decorateRequest('pair')
  scope.decorateRequest('member')
  scope.decorateRequest('caller')
  scope.addHook('onRequest', async (request, reply) => {
    const pair = await verify(header(request, 'x-api-key'), bearer(request))
    if (!pair) {
      await limitRefusals(request, reply)
      throw new ApiError('invalid_credentials')
    }
    const { agentId, teamId, keyId, tokenId, tokenName, right } = pair
    const actor = { kind: 'token', id: tokenId, name: tokenName } as const
    request.pair = pair
    bindScope(agentId)
    const admission = { kind: 'pair', keyId, tokenId } as const
    request.caller = { agentId, teamId, right, scope: null, actor, displayName: null, admission }
    request.member = request.caller
    await limitPair(request, reply)
  })
}

/** Returns a header that was sent exactly once. If there are several, it is unclear which one counts. */
function header(request: FastifyRequest, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' && timesSent(request.raw, name) === 1 ? value : ''
}

/** Returns the token of `Authorization: Bearer …` (RFC 6750 section 2.1; the scheme's case does not matter). */
function bearer(request: FastifyRequest): string {
  return /^bearer +(\S+)$/i.exec(header(request, 'authorization'))?.[1] ?? ''
}
