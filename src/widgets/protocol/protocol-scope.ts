import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { ApiError } from '../../errors.ts'
import { requireInDocument } from '../../http/openapi.ts'
import { ownOrigins } from '../../http/own-origins.ts'
import { limitAddresses } from '../../http/rate-limits.ts'
import type { Server } from '../../http/server.ts'
import { strictQuery } from '../../http/strict-query.ts'
import { acrossAgents, bindScope } from '../../lib/agent-scope.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Tables } from '../../storage/tables.ts'
import { findWidget, type OpenedWidget } from '../find-widget.ts'
import { isAllowedOrigin } from '../origins.ts'
import { originsOf } from '../schemas.ts'
import { checkToken, type Visitor, visitorOf } from './visitor.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The widget that a page's request names. */
    widget: OpenedWidget
    /** The visitor, on routes that need a token. */
    visitor: Visitor
  }
}

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
  /** The address under which people reach the service, if configured. */
  publicUrl: string | null
  /** Signs visitor tokens. */
  tokenKey: string
}

const ALLOWED_HEADERS = 'authorization, content-type, idempotency-key, last-event-id'
const EXPOSED_HEADERS = 'retry-after, x-request-id, x-conversation-id, idempotent-replayed'
const PREFLIGHT_LASTS_SECONDS = '7200'
/**
 * The limit in bytes. Anyone may send requests here: 8,000 characters fit, however they are escaped, and little more.
 */
const LARGEST_BODY = 128 * 1024

/**
 * Opens a scope to pages of other sites: a browser may read its answers only on pages where the widget is allowed, and
 * nothing in it uses cookies.
 */
export function openToPages(scope: Server, { db, publicUrl }: Dependencies): void {
  strictQuery(scope)
  scope.addHook('onRoute', (route) => {
    route.bodyLimit = LARGEST_BODY
  })
  scope.decorateRequest('widget')
  scope.decorateRequest('visitor')
  const limitAddress = limitAddresses(scope, 'widget')
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin')
    reply.header('cross-origin-resource-policy', 'cross-origin')
    const { public_key = '' } = request.params as { public_key?: string }
    let isUnknown = false
    try {
      request.widget = await acrossAgents('the agent is known once its widget is read', () =>
        findWidget(db, public_key),
      )
      allowOrigin(request, publicUrl, (name, value) => reply.header(name, value))
      bindScope(request.widget.row.agent_id)
    } catch (error) {
      isUnknown = true
      throw error
    } finally {
      // Guesses of public keys are limited too.
      if (isUnknown) await limitAddress(request, reply)
    }
    await limitAddress(request, reply)
    if (request.method !== 'OPTIONS' && request.widget.row.active === 0) throw new ApiError('widget_inactive')
  })
  // A preflight has the query of the request that follows it.
  scope.options('/*', { schema: { hide: true, querystring: z.looseObject({}) } }, async (_request, reply) =>
    reply
      .headers({
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': ALLOWED_HEADERS,
        'access-control-max-age': PREFLIGHT_LASTS_SECONDS,
      })
      .code(204)
      .send(null),
  )
}

/** Requires a visitor token in an inner scope. */
export function requireVisitor(scope: Server, { tokenKey, clock }: Dependencies): void {
  requireInDocument(scope, 'visitorToken')
  scope.addHook('onRequest', async (request) => {
    const [, token = ''] = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    request.visitor = visitorOf(checkToken(token, request.widget, tokenKey, clock()), request.widget)
  })
}

/**
 * Names the requesting origin in the answer when the widget may be used there.
 * @throws ApiError origin_refused, also for a POST without an origin
 */
function allowOrigin(
  request: FastifyRequest,
  publicUrl: string | null,
  header: (name: string, value: string) => void,
): void {
  const { origin } = request.headers
  if (origin === undefined) {
    if (request.method === 'GET' || request.method === 'HEAD') return
    throw new ApiError('origin_refused')
  }
  const isAllowed =
    ownOrigins(request, publicUrl).includes(origin) || isAllowedOrigin(originsOf(request.widget.row), origin)
  if (!isAllowed) throw new ApiError('origin_refused')
  header('access-control-allow-origin', origin)
  header('access-control-expose-headers', EXPOSED_HEADERS)
}
