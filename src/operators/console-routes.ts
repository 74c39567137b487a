import cookies from '@fastify/cookie'
import type { Kysely } from 'kysely'
import { enforceRights } from '../http/rights.ts'
import type { Server } from '../http/server.ts'
import type { Clock } from '../lib/clock.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Tables } from '../storage/tables.ts'
import { accountRoutes } from './account-routes.ts'
import { consoleCookie } from './console-cookie.ts'
import { requireOwnSite } from './own-site.ts'
import { requireSession } from './require-session.ts'
import { signInRoutes } from './sign-in-routes.ts'
import type { TeamOverview } from './who.ts'

interface Dependencies {
  db: Kysely<Tables>
  box: SecretBox
  clock: Clock
  /** The address under which people reach the console, if it is configured. */
  publicUrl: string | null
  overviewOf: (db: Kysely<Tables>, teamId: number) => Promise<TeamOverview>
}

/**
 * The routes of the console: signing in, one's own account, and whatever `forSignedIn` adds for people who are signed
 * in.
 * @param forSignedIn registers routes in a scope in which `request.signedIn` and `request.member` are set
 */
export function consoleRoutes(
  server: Server,
  dependencies: Dependencies,
  forSignedIn: (scope: Server) => void,
): void {
  const { db, clock, publicUrl } = dependencies
  const cookie = consoleCookie(publicUrl?.startsWith('https:') ?? false)
  server.register(cookies)
  server.addHook('onRequest', async (request) => requireOwnSite(request, publicUrl))
  signInRoutes(server, { ...dependencies, cookie })
  server.register(async (scope: Server) => {
    requireSession(scope, { db, clock, cookie })
    enforceRights(scope)
    accountRoutes(scope, { ...dependencies, cookie })
    scope.register(async (rest: Server) => forSignedIn(rest))
  })
}
