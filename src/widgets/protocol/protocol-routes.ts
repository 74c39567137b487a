import { limit, limitAddresses } from '../../http/rate-limits.ts'
import { bodyErrors, errors, single } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import type { VisitorPlace } from '../../transcripts/conversations/visitor-conversations.ts'
import { attachmentRoutes } from './attachment-routes.ts'
import { conversationRoutes } from './conversation-routes.ts'
import { mailRoutes } from './mail-routes.ts'
import { messageRoutes } from './message-routes.ts'
import { openSession, sessionBody, sessionQuery, sessionSchema } from './open-session.ts'
import type { ProtocolDependencies } from './protocol-dependencies.ts'
import { params, refusals, tags } from './protocol-schemas.ts'
import { openToPages, requireVisitor } from './protocol-scope.ts'
import { reactionRoutes } from './reaction-routes.ts'
import { uploadRoute } from './upload-route.ts'

/** Limits of requests a minute. */
const SESSIONS_OF_ADDRESS = 60
const PROMPTS_OF_VISITOR = 20
const PROMPTS_OF_ADDRESS = 60
const OTHERS_OF_VISITOR = 120
const UPLOADS_OF_VISITOR = 20
const UPLOADS_OF_ADDRESS = 40

/** Adds the routes that the widget in a page calls, below `/widget/v1/{public_key}`. */
export function widgetProtocol(server: Server, dependencies: ProtocolDependencies): void {
  const { clock } = dependencies
  openToPages(server, dependencies)
  const limitSessions = limitAddresses(server, 'widget session', SESSIONS_OF_ADDRESS)

  server.post(
    '/sessions',
    {
      schema: {
        operationId: 'beginVisitorSession',
        summary: 'Begin or renew the session of a visitor; nothing is stored',
        description:
          'Needs an `Origin` that the widget allows, as every POST here does. A program that is no web page has to set it itself.',
        tags,
        params,
        body: sessionBody,
        querystring: sessionQuery,
        response: { 200: single(sessionSchema), ...errors(...refusals, ...bodyErrors) },
      },
      preHandler: limitSessions,
    },
    async ({ widget, body, query }) => ({
      data: await openSession(dependencies, widget, body, query.shown, clock()),
    }),
  )

  server.register(async (scope: Server) => {
    requireVisitor(scope, dependencies)
    const byVisitor = ({ visitor: { widgetId, userKey } }: { visitor: VisitorPlace }) =>
      `${widgetId} ${userKey}`
    const limitPrompts = limit(scope, PROMPTS_OF_VISITOR, (request) => `prompt ${byVisitor(request)}`)
    const limitAddress = limitAddresses(scope, 'widget prompt', PROMPTS_OF_ADDRESS)
    const limitOthers = limit(scope, OTHERS_OF_VISITOR, (request) => `act ${byVisitor(request)}`)
    const act = { preHandler: limitOthers }
    messageRoutes(scope, dependencies, [limitPrompts, limitAddress])
    reactionRoutes(scope, dependencies, act)
    conversationRoutes(scope, dependencies, act)
    mailRoutes(scope, dependencies, act)
    attachmentRoutes(scope, dependencies, act)
    uploadRoute(scope, dependencies, [
      limit(scope, UPLOADS_OF_VISITOR, (request) => `upload ${byVisitor(request)}`),
      limitAddresses(scope, 'widget upload', UPLOADS_OF_ADDRESS),
    ])
  })
}
