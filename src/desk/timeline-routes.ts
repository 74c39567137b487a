import type { Kysely } from 'kysely'
import { z } from 'zod'
import { pageQuery } from '../http/paging.ts'
import { errors, rowNumber, time, timeFilter } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import type { Tables } from '../storage/tables.ts'
import { findConversation } from '../transcripts/conversations/find-conversation.ts'
import { presentMessage } from '../transcripts/conversations/present.ts'
import { conversationId, messageSchema } from '../transcripts/conversations/schemas.ts'
import {
  lastMessageBefore,
  type Place,
  readTimeline,
  type TimelineRow,
} from '../transcripts/doors/read-timeline.ts'
import type { HappeningRow } from '../transcripts/tables.ts'
import { noteSchema, presentNote } from './notes/note-routes.ts'
import { selectNotes } from './notes/store.ts'
import type { NoteRow } from './tables.ts'

const kinds = [
  'assigned',
  'paused',
  'resumed',
  'ended',
  'outcome',
  'reopened',
  'waiting',
  'tagged',
  'prioritized',
  'snoozed',
  'unsnoozed',
  'target_missed',
  'target_moved',
  'rated',
  'rule_fired',
  'rule_failed',
  'macro',
  'macro_undone',
  'failed',
] as const satisfies Exclude<HappeningRow['kind'], 'note'>[]

const actorSchema = z
  .object({
    kind: z.enum(['operator', 'token', 'command_line', 'system', 'rule', 'user', 'channel']),
    id: z.int().nullable(),
    name: z.string().nullable(),
  })
  .describe('Who did it; `user`: the end user, `channel`: a person on the platform itself.')

const line = z.object({
  cursor: z.string().describe('Send it as `cursor` to go on after this line.'),
  at: time,
})

const lineSchema = z
  .union([
    line.extend({
      type: z.literal('message'),
      message: messageSchema,
      withheld: z.boolean().describe('Whether its user never saw it: a pause came before it was sent.'),
    }),
    line.extend({ type: z.literal('note'), by: actorSchema, note: noteSchema }),
    line.extend({
      type: z.enum(kinds),
      by: actorSchema,
      completion_id: z.string().nullable(),
      details: z.record(z.string(), z.unknown()).describe('Why, and what changed.'),
    }),
  ])
  .meta({ id: 'TimelineLine' })

/** A page of a timeline. */
export const timelineAnswer = z.object({
  data: z.array(lineSchema),
  next_cursor: z.string().nullable().describe('`cursor` of the next page; null: there is none.'),
})

export const timelineQuery = pageQuery.pick({ per_page: true }).extend({
  order: z.enum(['asc', 'desc']).default('desc').describe('`desc`: the newest lines first.'),
  cursor: z
    .string()
    .regex(/^\d{1,15}\.\d{1,15}$/, 'must be the next_cursor of a page, or the cursor of a line')
    .optional(),
  after: rowNumber
    .optional()
    .meta({ type: 'integer', description: 'Id of a message: only what came after it.' }),
  from: timeFilter.optional().describe('A time: only messages from then on, and what came after them.'),
  before: rowNumber
    .optional()
    .meta({ type: 'integer', description: 'Id of a message: only what came before it.' }),
})

export function timelineRoutes(server: Server, { db }: { db: Kysely<Tables> }): void {
  server.get(
    '/conversations/:id/timeline',
    {
      config: { right: 'read' },
      schema: {
        summary: 'The messages and notes of a conversation, and what happened in it',
        params: conversationId,
        querystring: timelineQuery,
        response: {
          200: timelineAnswer,
          ...errors('conversation_not_found'),
        },
      },
    },
    async ({ caller, params, query }) => {
      const conversation = await findConversation(db, caller, params.id)
      const cursor = query.cursor === undefined ? undefined : placeOf(query.cursor)
      const { from } = query
      const after = from === undefined ? query.after : await lastMessageBefore(db, conversation.id, from)
      const { rows, next } = await readTimeline(db, conversation.id, { ...query, after, cursor })
      const noteIds = rows.flatMap((row) => ('happening' in row ? (row.happening.note_id ?? []) : []))
      const notes = await selectNotes(db, caller.agentId, noteIds)
      return { data: rows.map((row) => presentLine(row, notes)), next_cursor: next && cursorOf(next) }
    },
  )
}

function presentLine(row: TimelineRow, notes: ReadonlyMap<number, NoteRow>): z.output<typeof lineSchema> {
  const cursor = cursorOf(row.place)
  if ('message' in row) {
    const { message } = row
    const withheld = message.withheld === 1
    return { cursor, at: message.created_at, type: 'message', message: presentMessage(message), withheld }
  }
  const { kind, at, actor_kind, actor_id, actor_name, completion_id, note_id, details } = row.happening
  const by = { kind: actor_kind, id: actor_id, name: actor_name }
  if (kind === 'note') {
    const note = notes.get(note_id ?? 0)
    if (!note) throw new Error('a note of a timeline does not exist')
    return { cursor, at, type: kind, by, note: presentNote(note) }
  }
  const parsed = details === null ? {} : (JSON.parse(details) as Record<string, unknown>)
  return { cursor, at, type: kind, by, completion_id, details: parsed }
}

function cursorOf([message, happening]: Place): string {
  return `${message}.${happening}`
}

function placeOf(cursor: string): Place {
  const [message, happening] = cursor.split('.')
  return [Number(message), Number(happening)]
}
