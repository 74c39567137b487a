import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import { requireInDocument } from '../http/openapi.ts'
import { limitAddresses, limitCredentials } from '../http/rate-limits.ts'
import type { Server } from '../http/server.ts'
import type { Clock } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import type { ConsoleCookie } from './console-cookie.ts'
import { readSession, type SignedIn, type Visitor } from './sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireSession`. */
    signedIn: SignedIn
  }
  interface FastifyContextConfig {
    /** True if a request to the route counts as a use that keeps the session from expiring; the default. */
    isUse?: boolean
    /** True for routes that are open to people who have yet to set up the second factor that their team requires. */
    withoutTwoFactor?: boolean
  }
}

interface SessionDependencies {
  db: Kysely<Tables>
  clock: Clock
  cookie: ConsoleCookie
  /** Requests a minute for each session; null for no limit. */
  rateLimit: number | null
}

/**
 * Makes every route of a scope require a person who is signed in, with a second factor where their team requires one.
 * Rights and this requirement are read again for each request.
 */
export function requireSession(scope: Server, { db, clock, cookie, rateLimit }: SessionDependencies): void {
  const limitRefusals = limitAddresses(scope, 'no session')
  const limitSession = limitCredentials(scope, rateLimit, ({ signedIn }) => `session ${signedIn.sessionId}`)
  requireInDocument(scope, 'session')
  scope.decorateRequest('signedIn')
  scope.decorateRequest('member')
  scope.addHook('onRequest', async (request, reply) => {
    const isUse = request.routeOptions.config.isUse ?? true
    const token = cookie.read(request)
    const signedIn = token === null ? null : await readSession(db, token, clock, isUse)
    if (!signedIn) {
      await limitRefusals(request, reply)
      throw new ApiError('no_session')
    }
    request.signedIn = signedIn
    const { sessionId, teamId, right, scope, operatorId, name, displayName } = signedIn
    const actor = { kind: 'operator', id: operatorId, name } as const
    const admission = { kind: 'session', sessionId } as const
    request.member = { teamId, right, scope, actor, displayName, admission }
    await limitSession(request, reply)
    if (signedIn.needsTwoFactor && !request.routeOptions.config.withoutTwoFactor)
      throw new ApiError('two_factor_required')
  })
}

const LONGEST_USER_AGENT = 300

/** Returns the address and the browser of a request. */
export function visitorOf(request: FastifyRequest): Visitor {
  return {
    address: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, LONGEST_USER_AGENT) ?? null,
  }
}
