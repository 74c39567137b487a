import type { Kysely } from 'kysely'
import { z } from 'zod'
import { byCaller } from '../../audit/by-caller.ts'
import { deleteRoute } from '../../audit/delete-route.ts'
import type { Caller } from '../../http/member.ts'
import { personOf } from '../../http/operator-of.ts'
import { errors, idParam, single } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import { type Clock, timestamp } from '../../lib/clock.ts'
import type { Tables } from '../../storage/tables.ts'
import { countInbox } from '../count-inbox.ts'
import { isForPeople, readerOf } from '../inbox-reader.ts'
import type { SavedViewRow } from '../tables.ts'
import { changeView, createView, removeView } from './save-view.ts'
import {
  keptFilter,
  newView,
  presentView,
  queryOf,
  type ViewAnswer,
  viewPatch,
  viewSchema,
} from './saved-view.ts'
import { selectViews } from './store.ts'

/** The most conversations of a view that are counted, and the most that are examined to count them. */
const BOUNDS = { most: 1000, examined: 20_000 }

const id = idParam('Id of the view.')

/** Adds the routes of the views that people save: queries of the inbox with a name, own or shared. */
export function viewRoutes(server: Server, { db, clock }: { db: Kysely<Tables>; clock: Clock }): void {
  server.get(
    '/views',
    {
      config: { right: 'read' },
      schema: {
        summary: 'The saved views of the inbox with their counts: the shared ones, then those of the person',
        response: { 200: z.object({ data: z.array(viewSchema) }) },
      },
    },
    async ({ caller }) => {
      const data: ViewAnswer[] = []
      for (const row of await selectViews(db, caller.agentId, personOf(caller)))
        data.push(await withCount(db, caller, row))
      return { data }
    },
  )

  server.post(
    '/views',
    {
      config: { right: 'respond' },
      schema: {
        summary: 'Save a view of the inbox, for oneself or for everybody',
        body: newView,
        response: { 201: single(viewSchema), ...errors('operator_needed', 'too_many_views') },
      },
    },
    async (request, response) => {
      const { caller, body } = request
      const made = await createView(db, caller, body, timestamp(clock()), byCaller(request))
      return response.code(201).send({ data: await withCount(db, caller, made) })
    },
  )

  server.patch(
    '/views/:id',
    {
      config: { right: 'respond' },
      schema: {
        summary: 'Change a saved view field by field',
        description:
          'A view that is no longer shared belongs to its maker, or to the caller if the maker has left the team.',
        params: id,
        body: viewPatch,
        response: {
          200: single(viewSchema),
          ...errors('operator_needed', 'view_not_found', 'version_outdated', 'too_many_views'),
        },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const changed = await changeView(db, caller, params.id, body, timestamp(clock()), byCaller(request))
      return { data: await withCount(db, caller, changed) }
    },
  )

  deleteRoute(
    server,
    '/views/:id',
    'respond',
    { summary: 'Delete a saved view', params: id, response: errors('view_not_found') },
    ({ caller, params }, by) => removeView(db, caller, params.id, timestamp(clock()), by),
  )
}

async function withCount(db: Kysely<Tables>, caller: Caller, row: SavedViewRow): Promise<ViewAnswer> {
  const { sort: _, ...filter } = queryOf(row)
  const query = { ...keptFilter.parse(filter), sort: 'latest' as const }
  const reader = await readerOf(db, caller)
  if (reader === null && isForPeople(query)) return presentView(row, { count: null })
  const { open, ended, isCapped } = await countInbox(db, caller, reader, query, BOUNDS)
  const count = Math.min(open + ended, BOUNDS.most)
  return presentView(row, { count, ...(isCapped ? { count_capped: true as const } : {}) })
}
