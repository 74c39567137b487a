import cookies from '@fastify/cookie'
import type { Kysely } from 'kysely'
import { limitAddresses } from '../http/rate-limits.ts'
import { enforceRights } from '../http/rights.ts'
import type { Server } from '../http/server.ts'
import { bindAcrossAgents } from '../lib/agent-scope.ts'
import type { Clock } from '../lib/clock.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { accountRoutes } from './account-routes.ts'
import { consoleCookie } from './console-cookie.ts'
import { knownDevices } from './known-device.ts'
import { flowsInCookie } from './oidc/flow.ts'
import { oidcRoutes } from './oidc/routes.ts'
import type { SingleSignOn } from './oidc/single-sign-on.ts'
import { requireOwnSite } from './own-site.ts'
import { requireSession } from './require-session.ts'
import { signInRoutes } from './sign-in-routes.ts'
import type { TeamOverview } from './who.ts'

interface Dependencies {
  db: Kysely<Tables>
  engine: Pick<Engine, 'isUniqueViolation'>
  box: SecretBox
  clock: Clock
  /** The address under which people reach the console, if it is configured. */
  publicUrl: string | null
  /** The address at which the service listens. */
  address: () => string
  singleSignOn: SingleSignOn | null
  /** Requests a minute for each session; null for no limit. */
  rateLimit: number | null
  /** The source of the key that seals sign-ins that have begun. */
  flowKey: string
  /** Signs the cookie of a known device. */
  deviceKey: string
  teamExists: (db: Kysely<Tables>, teamId: number) => Promise<boolean>
  overviewOf: (db: Kysely<Tables>, teamId: number) => Promise<TeamOverview>
}

/**
 * Adds the routes of the console: signing in, one's own account, and the routes of `forSignedIn` for people who are
 * signed in.
 * @param forSignedIn registers routes in a scope in which `request.signedIn` and `request.member` are set
 */
export function consoleRoutes(
  server: Server,
  dependencies: Dependencies,
  forSignedIn: (scope: Server) => void,
): void {
  const { db, clock, publicUrl, rateLimit } = dependencies
  const isSecure = publicUrl?.startsWith('https:') ?? false
  const cookie = consoleCookie(isSecure)
  const devices = knownDevices(dependencies.deviceKey, isSecure, clock)
  server.register(cookies)
  server.addHook('onRequest', async (request) => requireOwnSite(request, publicUrl))
  server.addHook('onRequest', async () =>
    bindAcrossAgents('the pages of a person show all agents of their team'),
  )
  server.register(async (scope: Server) => {
    scope.addHook('onRequest', limitAddresses(scope, 'sign-in'))
    signInRoutes(scope, { ...dependencies, cookie, devices })
    oidcRoutes(scope, {
      ...dependencies,
      cookie,
      flows: flowsInCookie({ key: dependencies.flowKey, isSecure, clock }),
      publicUrl: () => publicUrl ?? dependencies.address(),
    })
  })
  server.register(async (scope: Server) => {
    requireSession(scope, { db, clock, cookie, rateLimit })
    enforceRights(scope)
    accountRoutes(scope, { ...dependencies, cookie, devices })
    scope.register(async (rest: Server) => forSignedIn(rest))
  })
}
