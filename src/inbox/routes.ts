import type { Kysely } from 'kysely'
import { z } from 'zod'
import { byCaller } from '../audit/by-caller.ts'
import { foundOr } from '../errors.ts'
import { listOf, listQuery, presentPage } from '../http/paging.ts'
import { errors, flag, idParam, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { rowId } from '../lib/ids.ts'
import { macroRunSchema, presentRun } from '../macros/macro.ts'
import { selectRunsOfBulk } from '../macros/store.ts'
import { userOfFilter } from '../profiles/find-user.ts'
import type { Tables } from '../storage/tables.ts'
import { conversationId } from '../transcripts/conversations/schemas.ts'
import { type BulkWork, bulkAction, bulkActSchema, presentBulkAct } from './bulk/bulk-action.ts'
import { cancelBulk } from './bulk/cancel-bulk.ts'
import { startBulk } from './bulk/start-bulk.ts'
import { selectBulkAct } from './bulk/store.ts'
import { undoBulk } from './bulk/undo-bulk.ts'
import { countMatching, listInbox, readInboxEntry } from './list-inbox.ts'
import { bulkFilter, inboxAnswer, inboxEntrySchema, inboxQuery, matchingSchema } from './schemas.ts'

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
}

export const newBulkAct = z
  .strictObject({
    ids: z.array(z.uuid()).min(1).max(1000).optional().describe('Conversations by their UUIDs.'),
    filter: bulkFilter.optional().describe('All conversations that match, as GET /inbox names them.'),
    action: bulkAction.refine(
      (action) =>
        action.type !== 'assign' || action.operator_id !== undefined || action.group_id !== undefined,
      'needs operator_id or group_id',
    ),
    delay_seconds: z
      .int()
      .min(0)
      .max(60)
      .default(0)
      .describe('Seconds before it changes anything, in which it can be cancelled.'),
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    message: 'needs either ids or filter',
    path: ['ids'],
  })

export const matchingQuery = inboxQuery.omit({ sort: true, per_page: true, cursor: true })

/** Adds the routes of a support team's inbox. */
export function inboxRoutes(server: Server, { db, clock }: Dependencies): void {
  server.get(
    '/inbox',
    {
      config: { right: 'read' },
      schema: {
        summary: 'Conversations for people to look after, by view and filters, with the counts of the views',
        querystring: inboxQuery,
        response: {
          200: inboxAnswer,
          ...errors('operator_needed'),
        },
      },
    },
    async ({ caller, query }) => {
      const user_id = await userOfFilter(db, caller, query.user_id)
      return listInbox(db, caller, { ...query, user_id }, query)
    },
  )

  server.get(
    '/inbox/:id',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'getInboxEntry',
        summary: 'One conversation as the inbox shows it',
        params: conversationId,
        response: { 200: single(inboxEntrySchema), ...errors('conversation_not_found') },
      },
    },
    async ({ caller, params }) => ({ data: await readInboxEntry(db, caller, params.id) }),
  )

  server.post(
    '/inbox/bulk',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'startBulkAct',
        summary:
          'Assign, tag, prioritize, snooze, end or reopen many conversations, or run a macro in them, in the background',
        body: newBulkAct,
        response: {
          202: single(bulkActSchema),
          ...errors('conversation_not_found', 'macro_not_found', 'operator_needed', 'too_many_bulk_acts'),
        },
      },
    },
    async (request, reply) => {
      const { ids, filter, action, delay_seconds } = request.body
      const target =
        filter === undefined
          ? { ids: ids ?? [] }
          : {
              filter: {
                ...filter,
                user_id: (await userOfFilter(db, request.caller, filter.user_id, 'filter.user_id'))?.[0],
              },
            }
      const by = byCaller(request)
      const nowMs = clock()
      const startsAt = delay_seconds === 0 ? null : timestamp(nowMs + delay_seconds * 1000)
      const act = await startBulk(db, request.caller, target, action, startsAt, timestamp(nowMs), by)
      return reply.code(202).send({ data: presentBulkAct(act) })
    },
  )

  server.get(
    '/inbox/bulk/count',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'getBulkCount',
        summary: 'How many conversations a bulk act on a view and filters would be for',
        querystring: matchingQuery,
        response: { 200: single(matchingSchema), ...errors('operator_needed') },
      },
    },
    async ({ caller, query }) => {
      const user_id = await userOfFilter(db, caller, query.user_id)
      return { data: await countMatching(db, caller, { ...query, user_id, sort: 'latest' }) }
    },
  )

  server.get(
    '/inbox/bulk/:id',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'getBulkAct',
        summary: 'The progress of a bulk act',
        params: idParam('Id of the bulk act.'),
        response: { 200: single(bulkActSchema), ...errors('bulk_act_not_found') },
      },
    },
    async ({ caller, params }) => {
      const act = foundOr(await selectBulkAct(db, caller.agentId, rowId(params.id)), 'bulk_act_not_found')
      return { data: presentBulkAct(act) }
    },
  )

  server.get(
    '/inbox/bulk/:id/runs',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'listRunsOfBulkAct',
        summary: 'What a macro has done in each conversation of a bulk act, the newest first',
        description: 'Of an act that undoes another: the runs of that one.',
        params: idParam('Id of the bulk act.'),
        querystring: listQuery.extend({
          failed: flag.optional().describe('Only those in which an action failed.'),
        }),
        response: { 200: listOf(macroRunSchema), ...errors('bulk_act_not_found') },
      },
    },
    async ({ caller, params, query }) => {
      const act = foundOr(await selectBulkAct(db, caller.agentId, rowId(params.id)), 'bulk_act_not_found')
      const work = JSON.parse(act.action) as BulkWork
      const ranBy = work.type === 'undo_macro' ? work.bulk_act : act.id
      const runs = await selectRunsOfBulk(db, ranBy, caller.scope, query.failed === true, query)
      return presentPage(runs, presentRun)
    },
  )

  server.post(
    '/inbox/bulk/:id/undo',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'undoBulkAct',
        summary: 'Undo the macro that a bulk act ran, in all of its conversations, in the background',
        description:
          'In each it undoes the actions that can be undone and that nobody has changed since. The answer is another bulk act. Asked again, it is the same one, unless that one failed.',
        params: idParam('Id of the bulk act.'),
        response: {
          202: single(bulkActSchema),
          ...errors('bulk_act_not_found', 'bulk_act_unfinished', 'bulk_act_final', 'too_many_bulk_acts'),
        },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      const act = await undoBulk(db, caller, rowId(params.id), timestamp(clock()), byCaller(request))
      return reply.code(202).send({ data: presentBulkAct(act) })
    },
  )

  server.delete(
    '/inbox/bulk/:id',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'cancelBulkAct',
        summary: 'Cancel a bulk act that has not begun',
        description: 'That of somebody else requires the right `manage`.',
        params: idParam('Id of the bulk act.'),
        response: { 204: z.null().describe('Cancelled.'), ...errors('bulk_act_not_found', 'bulk_act_begun') },
      },
    },
    async (request, reply) => {
      const id = rowId(request.params.id)
      await cancelBulk(db, request.caller, id, timestamp(clock()), byCaller(request))
      return reply.code(204).send(null)
    },
  )
}
