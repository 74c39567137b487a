import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ApiError } from '../../errors.ts'
import { errors, single } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import type { Clock } from '../../lib/clock.ts'
import { describeFailure } from '../../lib/describe-failure.ts'
import type { ConsoleCookie } from '../console-cookie.ts'
import { visitorOf } from '../require-session.ts'
import { waysIn } from '../schemas.ts'
import type { Flows } from './flow.ts'
import { OidcRefusal, refusalReasons } from './refusal.ts'
import { type SignInAsDependencies, signInAs } from './sign-in-as.ts'
import type { SingleSignOn } from './single-sign-on.ts'

interface Dependencies extends Omit<SignInAsDependencies, 'newcomers'> {
  clock: Clock
  cookie: ConsoleCookie
  flows: Flows
  singleSignOn: SingleSignOn | null
  /** The address under which people reach the service. */
  publicUrl: () => string
}

const tags = ['console']
const redirect = z.void().describe('Sends the browser on.')
const refusals = ['rate_limited', 'internal_error', 'unavailable'] as const
const reasons = refusalReasons.map((reason) => `\`${reason}\``).join(', ')

/** Adds the routes that a browser opens to sign in through an identity provider (OpenID Connect). */
export function oidcRoutes(server: Server, dependencies: Dependencies): void {
  const { clock, cookie, flows, singleSignOn, publicUrl } = dependencies

  server.get(
    '/sign-in',
    {
      schema: {
        operationId: 'getSignInWays',
        summary: 'How people can sign in here',
        tags,
        response: {
          200: single(waysIn),
          ...errors(...refusals),
        },
      },
    },
    async () => {
      const openid_connect = singleSignOn && { start: '/console/api/oidc/start' }
      return { data: { password: true, openid_connect } }
    },
  )

  server.get(
    '/oidc/start',
    {
      schema: {
        operationId: 'startSingleSignOn',
        summary: 'Begin to sign in through the identity provider',
        description: `Sends the browser to the provider, or to \`/console/sign-in?error=\` with a reason: ${reasons}.`,
        tags,
        response: { 302: redirect, ...errors('not_found', ...refusals) },
      },
    },
    async (request, reply) =>
      orExplain(request, reply, async ({ provider }) =>
        provider.addressFor(flows.begin(reply), redirectUri()),
      ),
  )

  server.get(
    '/oidc/callback',
    {
      schema: {
        operationId: 'endSingleSignOn',
        summary: 'Sign in with what the identity provider says',
        description: 'The provider sends the browser here; the answer sends it on to the console.',
        tags,
        response: { 302: redirect, ...errors('not_found', ...refusals) },
      },
    },
    async (request, reply) =>
      orExplain(request, reply, async ({ provider, settings: { newcomers } }) => {
        const callback = new URL(redirectUri() + new URL(request.url, 'http://localhost').search)
        const flow = flows.take(request, reply)
        if (!flow || callback.searchParams.get('state') !== flow.state)
          throw new OidcRefusal('sign_in_expired')
        const { identity, details } = await provider.identify(callback, flow)
        const visitor = visitorOf(request)
        const token = await signInAs({ ...dependencies, newcomers }, identity, details, visitor, clock())
        cookie.write(reply, token)
        return '/console/'
      }),
  )

  const redirectUri = () => `${publicUrl().replace(/\/+$/, '')}/console/api/oidc/callback`

  /** Redirects the browser to the address that `act` returns, or to the sign-in page with the reason for a failure. */
  async function orExplain(
    request: FastifyRequest,
    reply: FastifyReply,
    act: (singleSignOn: SingleSignOn) => Promise<string>,
  ) {
    if (!singleSignOn) throw new ApiError('not_found')
    try {
      return reply.header('cache-control', 'no-store').redirect(await act(singleSignOn))
    } catch (error) {
      if (!(error instanceof OidcRefusal)) throw error
      const { reason, cause } = error
      const about = { ...(cause ? { cause: describeFailure(cause), provider_said: errorCodeOf(cause) } : {}) }
      request.log.warn({ reason, ...about }, 'single sign-on failed')
      return reply.redirect(`/console/sign-in?error=${reason}`)
    }
  }
}

/** Returns the code of a provider's refusal (RFC 6749 section 5.2), such as `invalid_client`. */
function errorCodeOf(cause: unknown): string | undefined {
  const code = cause instanceof Error && 'error' in cause ? cause.error : undefined
  return typeof code === 'string' && /^[a-z_]{1,60}$/.test(code) ? code : undefined
}
