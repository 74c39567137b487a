import type { Kysely } from 'kysely'
import { z } from 'zod'
import { ApiError } from '../../errors.ts'
import { checkAddress } from '../../http/check-address.ts'
import { errors, idParam, single } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import { type Clock, timestamp } from '../../lib/clock.ts'
import { rowId } from '../../lib/ids.ts'
import type { Outbound } from '../../lib/outbound/outbound.ts'
import type { SecretBox } from '../../lib/secrets/secret-box.ts'
import {
  addBrowser,
  browserSchema,
  browsersOf,
  deleteBrowser,
  newBrowser,
  presentBrowser,
} from '../../operators/browsers.ts'
import { visitorOf } from '../../operators/require-session.ts'
import type { Tables } from '../../storage/tables.ts'
import { readPushKeys } from './vapid.ts'

interface PushRouteDependencies {
  db: Kysely<Tables>
  clock: Clock
  box: SecretBox
  outbound: Outbound
}

const tags = ['console']

export const pushSchema = z
  .object({
    key: z
      .string()
      .describe('The public key with which browsers subscribe: `applicationServerKey`, in base64url.'),
    browsers: z.array(browserSchema),
  })
  .meta({ id: 'NoticePush' })

/** Adds the routes by which people have notices pushed to a browser. */
export function pushRoutes(server: Server, { db, clock, box, outbound }: PushRouteDependencies): void {
  server.get(
    '/notices/push',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'getNoticePush',
        summary: 'The browsers to which notices of the person who is signed in are pushed',
        tags,
        response: { 200: single(pushSchema) },
      },
    },
    async ({ signedIn: { operatorId, sessionId } }) => {
      const { publicKey } = await readPushKeys(db, box)
      const rows = await browsersOf(db, operatorId)
      return { data: { key: publicKey, browsers: rows.map((row) => presentBrowser(row, sessionId)) } }
    },
  )

  server.post(
    '/notices/push',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'createPushBrowser',
        summary: 'Have notices pushed to the browser of this session',
        description:
          'Ends when the session is signed out. A browser that the service already knows belongs to this person from then on.',
        tags,
        body: newBrowser,
        response: { 201: single(browserSchema) },
      },
    },
    async (request, reply) => {
      const { endpoint, keys } = request.body
      await checkAddress(outbound, 'endpoint', endpoint)
      const { operatorId, sessionId } = request.signedIn
      const added = await addBrowser(db, {
        operator_id: operatorId,
        session_id: sessionId,
        endpoint,
        ...keys,
        user_agent: visitorOf(request).userAgent,
        created_at: timestamp(clock()),
      })
      return reply.code(201).send({ data: presentBrowser(added, sessionId) })
    },
  )

  server.delete(
    '/notices/push/:id',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'deletePushBrowser',
        summary: 'Push nothing more to a browser',
        tags,
        params: idParam('Id of the browser.'),
        response: { 204: z.null().describe('Removed.'), ...errors('push_browser_not_found') },
      },
    },
    async ({ signedIn: { operatorId }, params }, reply) => {
      if (!(await deleteBrowser(db, rowId(params.id), operatorId)))
        throw new ApiError('push_browser_not_found')
      return reply.code(204).send(null)
    },
  )
}
