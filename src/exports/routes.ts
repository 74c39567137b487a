import type { Kysely } from 'kysely'
import { z } from 'zod'
import { byCaller } from '../audit/by-caller.ts'
import { record } from '../audit/record.ts'
import { errors, idParam, timeFilter } from '../http/schemas.ts'
import { sendPieces } from '../http/send-pieces.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { findUser } from '../profiles/find-user.ts'
import type { Tables } from '../storage/tables.ts'
import { USER_NAMED } from '../users/schemas.ts'
import { exportConversations, exportUser } from './export-rows.ts'
import { exportFormats, exportText } from './export-text.ts'

const TYPES = { jsonl: 'application/jsonl; charset=utf-8', csv: 'text/csv; charset=utf-8' }

const range = z.object({
  from: timeFilter.optional().meta({ description: 'Only conversations that started at this time or later.' }),
  to: timeFilter.optional().meta({ description: 'Only conversations that started before this time.' }),
  format: z.enum(exportFormats).default('jsonl'),
})

export function exportRoutes(server: Server, { db, clock }: { db: Kysely<Tables>; clock: Clock }): void {
  server.get(
    '/export',
    {
      config: { right: 'manage' },
      schema: {
        operationId: 'exportConversations',
        summary: 'All conversations with all that was said in them, as JSON Lines or CSV',
        description:
          'JSON Lines: an object a line with a `type` (conversation, completion, message, note, rating, summary). CSV: a line for each message and note. An answer that breaks off was not whole.',
        querystring: range,
        response: { 200: z.string() },
      },
    },
    async (request, reply) => {
      const { caller, query } = request
      const { from = null, to = null, format } = query
      const at = timestamp(clock())
      const details = { format, from, to }
      await record(db, { ...byCaller(request), agentId: caller.agentId, at, action: 'export.made', details })
      const rows = exportConversations(db, caller.agentId, { from, to })
      const file = { type: TYPES[format], name: `conversations.${format}` }
      await sendPieces(reply, exportText(rows, format), file)
    },
  )

  server.get(
    '/users/:id/export',
    {
      config: { right: 'manage' },
      schema: {
        operationId: 'exportUser',
        summary: 'All that is stored of an end user, as JSON Lines',
        tags: ['users', 'export'],
        params: idParam(USER_NAMED),
        response: { 200: z.string(), ...errors('user_not_found', 'user_ambiguous') },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      const key = await findUser(db, caller.agentId, params.id)
      const target = `user ${key}`
      const act = { agentId: caller.agentId, at: timestamp(clock()), action: 'export.made', target } as const
      await record(db, { ...byCaller(request), ...act })
      const rows = exportUser(db, caller.agentId, key)
      await sendPieces(reply, exportText(rows, 'jsonl'), { type: TYPES.jsonl, name: 'user.jsonl' })
    },
  )
}
