import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
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
}

/** Makes every route of a scope require a person who is signed in. Rights are read again for each request. */
export function requireSession(
  scope: Server,
  { db, clock, cookie }: { db: Kysely<Tables>; clock: Clock; cookie: ConsoleCookie },
): void {
  scope.decorateRequest('signedIn')
  scope.decorateRequest('member')
  scope.addHook('onRequest', async (request) => {
    const token = cookie.read(request)
    const signedIn = token === null ? null : await readSession(db, token, clock)
    if (!signedIn) throw new ApiError('no_session')
    request.signedIn = signedIn
    const { teamId, right, operatorId, name, displayName } = signedIn
    request.member = { teamId, right, actor: { kind: 'operator', id: operatorId, name }, displayName }
  })
}

const LONGEST_USER_AGENT = 300

/** Where a request comes from. */
export function visitorOf(request: FastifyRequest): Visitor {
  return {
    address: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, LONGEST_USER_AGENT) ?? null,
  }
}
