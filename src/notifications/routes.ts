import { z } from 'zod'
import { byCaller } from '../audit/by-caller.ts'
import { deleteRoute } from '../audit/delete-route.ts'
import { acceptAnyBody } from '../http/empty-body.ts'
import { listOf, listQuery, presentPage } from '../http/paging.ts'
import { answersOr, errors, idParam, optionalBody, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { rowId } from '../lib/ids.ts'
import { selectDeliveriesPage, selectLastDeliveries } from './delivery-log.ts'
import { readNotification } from './notification.ts'
import { replayDelivery } from './replay-delivery.ts'
import {
  changeNotification,
  createNotification,
  removeNotification,
  rotateSecret,
  type SaveDependencies,
} from './save-notification.ts'
import {
  changedNotification,
  deliverySchema,
  newNotification,
  notificationPatch,
  notificationSchema,
  notificationWithSecret,
  presentDelivery,
  presentLastDelivery,
  presentNotification,
  secretRotation,
} from './schemas.ts'
import { sendExample } from './send-example.ts'
import { selectNotificationsPage } from './store.ts'

interface NotificationDependencies extends SaveDependencies {
  clock: Clock
  /** The number of days for which events are kept. */
  eventDays: number
}

const params = idParam('Notification id.')

const answers = answersOr('notification_not_found')

export function notificationRoutes(server: Server, dependencies: NotificationDependencies): void {
  const { db, clock } = dependencies

  server.post(
    '/notifications',
    {
      config: { right: 'manage' },
      schema: {
        summary: "Send the agent's events to an address",
        body: newNotification,
        response: answers(201, single(notificationWithSecret)),
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const now = timestamp(clock())
      const by = byCaller(request)
      const { row, secret } = await createNotification(dependencies, caller.agentId, body, now, by)
      return reply.code(201).send({ data: { ...presentNotification(row), secret } })
    },
  )

  server.get(
    '/notifications',
    {
      config: { right: 'read' },
      schema: {
        summary: "The agent's notifications, newest first",
        querystring: listQuery,
        response: answers(200, listOf(notificationSchema)),
      },
    },
    async ({ caller, query }) => {
      const notifications = await selectNotificationsPage(db, caller.agentId, query)
      const ids = notifications.rows.map(({ id }) => id)
      const last = await selectLastDeliveries(db, ids)
      return presentPage(notifications, (row) => ({
        ...presentNotification(row),
        last_delivery: presentLastDelivery(last.get(row.id)),
      }))
    },
  )

  server.get(
    '/notifications/:id',
    {
      config: { right: 'read' },
      schema: {
        summary: 'A notification',
        params,
        response: answers(200, single(notificationSchema)),
      },
    },
    async ({ caller, params: { id } }) => ({
      data: presentNotification(await readNotification(db, caller.agentId, id)),
    }),
  )

  server.patch(
    '/notifications/:id',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Change a notification; switching it off gives up the deliveries that wait',
        params,
        body: notificationPatch,
        response: { ...answers(200, single(changedNotification)), ...errors('version_outdated') },
      },
    },
    async (request) => {
      const {
        caller: { agentId },
        params: { id },
        body,
      } = request
      await readNotification(db, agentId, id)
      const now = timestamp(clock())
      const by = byCaller(request)
      const { row, ...made } = await changeNotification(dependencies, agentId, rowId(id), body, now, by)
      return { data: { ...presentNotification(row), ...made } }
    },
  )

  deleteRoute(
    server,
    '/notifications/:id',
    'manage',
    { summary: 'Delete a notification with its log', params, response: errors('notification_not_found') },
    ({ caller, params }, by) =>
      removeNotification(dependencies, caller.agentId, rowId(params.id), timestamp(clock()), by),
  )

  server.post(
    '/notifications/:id/rotate-secret',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Give a notification a new secret; the old one also signs for a while',
        params,
        body: optionalBody(secretRotation),
        response: answers(200, single(notificationWithSecret)),
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const id = rowId(params.id)
      const by = byCaller(request)
      const { row, secret } = await rotateSecret(dependencies, caller.agentId, id, body, clock(), by)
      return { data: { ...presentNotification(row), secret } }
    },
  )

  server.get(
    '/notifications/:id/deliveries',
    {
      config: { right: 'read' },
      schema: {
        summary: 'The delivery log, newest first',
        params,
        querystring: listQuery,
        response: answers(200, listOf(deliverySchema)),
      },
    },
    async ({ caller, params: { id }, query }) => {
      const notification = await readNotification(db, caller.agentId, id)
      return presentPage(
        await selectDeliveriesPage(db, notification.id, caller.scope, query),
        presentDelivery,
      )
    },
  )

  server.register(async (scope: Server) => {
    acceptAnyBody(scope)
    scope.post(
      '/notifications/:id/test',
      {
        config: { right: 'manage' },
        schema: {
          summary: 'Send an example event now and return its outcome',
          params,
          response: answers(200, single(deliverySchema)),
        },
      },
      async ({ caller, params: { id } }) => {
        const notification = await readNotification(db, caller.agentId, id)
        const delivery = await sendExample(dependencies, notification, caller.teamId)
        return { data: presentDelivery(delivery) }
      },
    )

    scope.post(
      '/notifications/:id/deliveries/:delivery_id/replay',
      {
        config: { right: 'manage' },
        schema: {
          summary: 'Send a delivery again under the same webhook-id, unless the notification is off',
          params: params.extend({ delivery_id: z.string() }),
          response: {
            ...answers(202, single(deliverySchema)),
            ...errors('delivery_not_found', 'notification_inactive', 'event_gone'),
          },
        },
      },
      async (request, reply) => {
        const { caller, params } = request
        const notification = await readNotification(db, caller.agentId, params.id)
        const id = rowId(params.delivery_id)
        const replay = await replayDelivery(dependencies, notification, id, byCaller(request))
        return reply.code(202).send({ data: presentDelivery(replay) })
      },
    )
  })
}
