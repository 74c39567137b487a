import { byCaller } from '../audit/by-caller.ts'
import { deleteRoute } from '../audit/delete-route.ts'
import { acceptAnyBody } from '../http/empty-body.ts'
import { listOf, listQuery, presentPage } from '../http/paging.ts'
import { answersOr, errors, idParam, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { lastMessageAt } from '../inbox/last-message-at.ts'
import { activitySince } from '../lib/activity.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { widgetActivity } from '../transcripts/doors/widget-activity.ts'
import {
  changeWidget,
  createWidget,
  readWidget,
  removeWidget,
  rotateSecret,
  type SaveDependencies,
} from './save-widget.ts'
import { newWidget, presentWidget, widgetPatch, widgetSchema, widgetWithSecret } from './schemas.ts'
import { selectWidgetsPage } from './store.ts'

interface Dependencies extends SaveDependencies {
  clock: Clock
}

const params = idParam('Widget id.')
const config = { right: 'manage' } as const

const answers = answersOr('widget_not_found')

/** Adds the routes with which people of the team set up widgets. */
export function widgetRoutes(server: Server, dependencies: Dependencies): void {
  const { db, clock } = dependencies

  server.get(
    '/widgets',
    {
      config,
      schema: {
        summary: "The agent's widgets, newest first",
        querystring: listQuery,
        response: { 200: listOf(widgetSchema) },
      },
    },
    async ({ caller, query }) => {
      const widgets = await selectWidgetsPage(db, caller.agentId, query)
      const ids = widgets.rows.map(({ id }) => id)
      const activity = await widgetActivity(db, ids, activitySince(clock()), lastMessageAt)
      return presentPage(widgets, (row) => ({ ...presentWidget(row), activity: activity.get(row.id) }))
    },
  )

  server.post(
    '/widgets',
    {
      config,
      schema: {
        summary: 'Make a widget for web sites',
        body: newWidget,
        response: { 201: single(widgetWithSecret) },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const now = timestamp(clock())
      const { row, secret } = await createWidget(dependencies, caller.agentId, body, now, byCaller(request))
      return reply.code(201).send({ data: { ...presentWidget(row), identity_secret: secret } })
    },
  )

  server.get(
    '/widgets/:id',
    {
      config,
      schema: {
        summary: 'A widget',
        params,
        response: answers(200, single(widgetSchema)),
      },
    },
    async ({ caller, params: { id } }) => ({ data: presentWidget(await readWidget(db, caller.agentId, id)) }),
  )

  server.patch(
    '/widgets/:id',
    {
      config,
      schema: {
        summary: 'Change a widget field by field; switched off, it ends the streams of its visitors',
        params,
        body: widgetPatch,
        response: { ...answers(200, single(widgetSchema)), ...errors('version_outdated') },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const now = timestamp(clock())
      const row = await changeWidget(dependencies, caller.agentId, params.id, body, now, byCaller(request))
      return { data: presentWidget(row) }
    },
  )

  deleteRoute(
    server,
    '/widgets/:id',
    'manage',
    { summary: 'Delete a widget; its conversations stay', params, response: errors('widget_not_found') },
    ({ caller, params }, by) => removeWidget(dependencies, caller.agentId, params.id, timestamp(clock()), by),
  )

  server.register(async (scope: Server) => {
    acceptAnyBody(scope)
    scope.post(
      '/widgets/:id/rotate-secret',
      {
        config,
        schema: {
          summary: 'Give a widget a new identity secret; hashes made with the old one no longer count',
          params,
          response: answers(200, single(widgetWithSecret)),
        },
      },
      async (request) => {
        const { caller, params } = request
        const by = byCaller(request)
        const now = timestamp(clock())
        const { row, secret } = await rotateSecret(dependencies, caller.agentId, params.id, now, by)
        return { data: { ...presentWidget(row), identity_secret: secret } }
      },
    )
  })
}
