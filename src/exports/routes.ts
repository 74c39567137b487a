import type { FastifyReply } from 'fastify'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { byCaller } from '../audit/by-caller.ts'
import { record } from '../audit/record.ts'
import type { FilePlaces } from '../files/places/file-place.ts'
import { readStored } from '../files/read-stored.ts'
import { errors, flag, idParam, timeFilter } from '../http/schemas.ts'
import { sendPieces } from '../http/send-pieces.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { findUser } from '../profiles/find-user.ts'
import type { Tables } from '../storage/tables.ts'
import { keysOfPerson } from '../users/person-store.ts'
import { USER_NAMED } from '../users/schemas.ts'
import { entriesOfExport } from './export-files.ts'
import { type ExportedRow, exportConversations, exportUser } from './export-rows.ts'
import { type ExportFormat, exportFormats, exportText } from './export-text.ts'
import { zip } from './zip.ts'

const TYPES = {
  zip: 'application/zip',
  jsonl: 'application/jsonl; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
}

const withFiles = z.object({
  files: flag
    .prefault('false')
    .describe(
      '`true`: a ZIP archive with the export, each file of its messages as `files/{id}-{name}`, and in `deleted.txt` the ids of those that a redaction has deleted.',
    ),
})

const range = withFiles.extend({
  from: timeFilter.optional().meta({ description: 'Only conversations that started at this time or later.' }),
  to: timeFilter.optional().meta({ description: 'Only conversations that started before this time.' }),
  format: z.enum(exportFormats).default('jsonl'),
})

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
  places: FilePlaces
}

export function exportRoutes(server: Server, { db, clock, places }: Dependencies): void {
  server.get(
    '/export',
    {
      config: { right: 'manage' },
      schema: {
        operationId: 'exportConversations',
        summary: 'All conversations with all that was said in them, as JSON Lines or CSV',
        description:
          'JSON Lines: an object a line with a `type` (conversation, completion, message, note, rating, summary). CSV: a line for each message and note. An answer that breaks off is incomplete.',
        querystring: range,
        response: { 200: z.string() },
      },
    },
    async (request, reply) => {
      const { caller, query } = request
      const { from = null, to = null, format, files } = query
      const at = timestamp(clock())
      const details = { format, from, to, ...(files ? { files: true } : {}) }
      await record(db, { ...byCaller(request), agentId: caller.agentId, at, action: 'export.made', details })
      const rows = () => exportConversations(db, caller.agentId, { from, to })
      await sendExport(reply, rows, 'conversations', format, files)
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
        querystring: withFiles,
        response: { 200: z.string(), ...errors('user_not_found', 'user_ambiguous') },
      },
    },
    async (request, reply) => {
      const { caller, params, query } = request
      const key = await findUser(db, caller, params.id)
      const keys = await keysOfPerson(db, caller.agentId, key)
      const target = `user ${key}`
      const act = { agentId: caller.agentId, at: timestamp(clock()), action: 'export.made', target } as const
      await record(db, { ...byCaller(request), ...act })
      await sendExport(reply, () => exportUser(db, caller.agentId, keys), 'user', 'jsonl', query.files)
    },
  )

  async function sendExport(
    reply: FastifyReply,
    rows: () => AsyncIterable<readonly ExportedRow[]>,
    name: string,
    format: ExportFormat,
    files: boolean,
  ): Promise<void> {
    const text = { name: `${name}.${format}`, pieces: exportText(rows(), format) }
    if (!files) return sendPieces(reply, text.pieces, { type: TYPES[format], name: text.name })
    const pieces = zip(entriesOfExport(text, rows, (file) => readStored(db, places, file)))
    await sendPieces(reply, pieces, { type: TYPES.zip, name: `${name}.zip` })
  }
}
