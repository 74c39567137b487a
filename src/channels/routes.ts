import { z } from 'zod'
import { byCaller } from '../audit/by-caller.ts'
import { deleteRoute } from '../audit/delete-route.ts'
import { acceptAnyBody } from '../http/empty-body.ts'
import { listOf, listQuery, presentPage } from '../http/paging.ts'
import { answersOr, errors, idParam, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { rowId } from '../lib/ids.ts'
import { selectChannelsPage } from '../mailboxes/channel-store.ts'
import { countParked } from '../mailboxes/items.ts'
import { lastPrompts } from '../transcripts/doors/last-prompts.ts'
import { type Channel, readChannel, toChannel } from './channel.ts'
import { checkChannel } from './check-channel.ts'
import { selectConnections } from './connections/store.ts'
import { selectParkedPage } from './parked-items.ts'
import { replayParked } from './replay-parked.ts'
import {
  changeChannel,
  createChannel,
  type IsChannelUsed,
  removeChannel,
  type SaveDependencies,
} from './save-channel.ts'
import {
  channelCheck,
  channelPatch,
  channelSchema,
  newChannel,
  parkedItem,
  presentChannel,
  presentParked,
  sentTestMessage,
  testMessage,
} from './schemas.ts'
import { sendTestMessage } from './send-test-message.ts'

export interface ChannelDependencies extends SaveDependencies {
  clock: Clock
  /** The public address of this service; ends in /api/v1. */
  baseUrl: () => string
  isUsed: IsChannelUsed
}

const id = idParam('Channel id.')

const answers = answersOr('channel_not_found')

export function channelRoutes(server: Server, dependencies: ChannelDependencies): void {
  const { db, box, clock, baseUrl, isUsed } = dependencies

  async function answerFor(channel: Channel) {
    const connections = await selectConnections(db, [channel.id])
    return presentChannel(channel, baseUrl(), connections.get(channel.id))
  }

  server.post(
    '/channels',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Connect the agent to an account on a messaging platform',
        body: newChannel,
        response: answers(201, single(channelSchema)),
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const channel = await createChannel(dependencies, caller, body, timestamp(clock()), byCaller(request))
      return reply.code(201).send({ data: await answerFor(channel) })
    },
  )

  server.get(
    '/channels',
    {
      config: { right: 'read' },
      schema: {
        summary: "The agent's channels, newest first",
        querystring: listQuery,
        response: answers(200, listOf(channelSchema)),
      },
    },
    async ({ caller, query }) => {
      const channels = await selectChannelsPage(db, caller.agentId, query)
      const ids = channels.rows.map(({ id }) => id)
      const [last, givenUp, connections] = await Promise.all([
        lastPrompts(db, caller.agentId, ids),
        countParked(db, ids),
        selectConnections(db, ids),
      ])
      return presentPage(channels, (row) => {
        const { parked = 0, refused_at } = givenUp.get(row.id) ?? {}
        const connection = connections.get(row.id)
        const token_refused =
          connection?.failure === 'unauthorized' || Boolean(refused_at && refused_at >= row.updated_at)
        return {
          ...presentChannel(toChannel(row, box), baseUrl(), connection),
          activity: { last_message_at: null, ...last.get(row.id), parked, token_refused },
        }
      })
    },
  )

  server.get(
    '/channels/:id',
    {
      config: { right: 'read' },
      schema: {
        summary: 'A channel',
        params: id,
        response: answers(200, single(channelSchema)),
      },
    },
    async ({ caller, params }) => ({
      data: await answerFor(await readChannel(db, box, caller.agentId, params.id)),
    }),
  )

  server.patch(
    '/channels/:id',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Change a channel',
        params: id,
        body: channelPatch,
        response: { ...answers(200, single(channelSchema)), ...errors('version_outdated') },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const present = await readChannel(db, box, caller.agentId, params.id)
      const changed = await changeChannel(dependencies, present, body, timestamp(clock()), byCaller(request))
      return { data: await answerFor(changed) }
    },
  )

  deleteRoute(
    server,
    '/channels/:id',
    'manage',
    {
      summary: 'Disconnect a channel; its conversations stay',
      params: id,
      response: errors('channel_not_found', 'channel_in_use'),
    },
    ({ caller, params }, by) =>
      removeChannel(db, caller.agentId, rowId(params.id), isUsed, timestamp(clock()), by),
  )

  server.get(
    '/channels/:id/parked',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'listParkedItems',
        summary:
          'What was given up: events that could not be worked and messages that were not delivered, oldest first',
        params: id,
        querystring: listQuery,
        response: answers(200, listOf(parkedItem)),
      },
    },
    async ({ caller, params, query }) => {
      const channel = await readChannel(db, box, caller.agentId, params.id)
      return presentPage(await selectParkedPage(db, channel.id, caller.scope, query), presentParked)
    },
  )

  server.post(
    '/channels/:id/test-message',
    {
      config: { right: 'manage' },
      schema: {
        operationId: 'sendTestMessage',
        summary: 'Send a text to somebody on the platform, to see whether it arrives',
        description: 'It is sent once, belongs to no conversation, and is not stored.',
        params: id,
        body: testMessage,
        response: answers(200, single(sentTestMessage)),
      },
    },
    async ({ caller, params, body }) => {
      const channel = await readChannel(db, box, caller.agentId, params.id)
      return { data: await sendTestMessage(dependencies, channel, body) }
    },
  )

  server.register(async (scope: Server) => {
    acceptAnyBody(scope)
    scope.post(
      '/channels/:id/test',
      {
        config: { right: 'manage' },
        schema: {
          summary: "Ask the platform whether the channel's token works",
          params: id,
          response: answers(200, single(channelCheck)),
        },
      },
      async (request) => {
        const channel = await readChannel(db, box, request.caller.agentId, request.params.id)
        return { data: await checkChannel(dependencies, channel, timestamp(clock()), byCaller(request)) }
      },
    )

    scope.post(
      '/channels/:id/parked/:item_id/replay',
      {
        config: { right: 'manage' },
        schema: {
          operationId: 'replayParkedItem',
          summary: 'Work a parked item, or send a parked message, again',
          params: id.extend({ item_id: z.string() }),
          response: { ...answers(200, single(parkedItem)), ...errors('item_not_found') },
        },
      },
      async (request) => {
        const { caller, params } = request
        const channel = await readChannel(db, box, caller.agentId, params.id)
        const now = timestamp(clock())
        const item = await replayParked(db, channel, rowId(params.item_id), now, byCaller(request))
        return { data: presentParked(item) }
      },
    )
  })
}
