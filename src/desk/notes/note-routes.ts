import type { Kysely } from 'kysely'
import { z } from 'zod'
import { byCaller } from '../../audit/by-caller.ts'
import { listOf, listQuery, presentPage } from '../../http/paging.ts'
import { boundedText, errors, single, time } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import { type Clock, timestamp } from '../../lib/clock.ts'
import type { Tables } from '../../storage/tables.ts'
import { findConversation } from '../../transcripts/conversations/find-conversation.ts'
import { conversationId } from '../../transcripts/conversations/schemas.ts'
import type { NoteRow } from '../tables.ts'
import { addNoteByCaller } from './add-note.ts'
import { findMentions, type Mention, type Person } from './mentions.ts'
import { listNotes } from './store.ts'

interface NoteDependencies {
  db: Kysely<Tables>
  clock: Clock
  /** Reads the people of a team, who can be mentioned. */
  peopleOf: (db: Kysely<Tables>, teamId: number) => Promise<(Person & { active: boolean })[]>
}

export const noteSchema = z
  .object({
    id: z.int(),
    completion_id: z.string().nullable().describe('The chat completion with which it is redacted.'),
    text: z.string(),
    author: z.string().describe('The person, the token or the automation that wrote it.'),
    operator_id: z.int().nullable().describe('The person who wrote it; null: a program or an automation.'),
    mentions: z
      .array(z.object({ id: z.int(), name: z.string() }))
      .describe('The people of the team whom `@name` mentions.'),
    created_at: time,
  })
  .meta({ id: 'Note' })

export const noteBody = z.strictObject({
  text: boundedText(20_000)
    .min(1)
    .describe('For people only; `@name` mentions somebody of the team by their name or display name.'),
})

const refusals = errors('conversation_not_found')

/** Adds the routes of notes for people. Notes never reach a channel, a visitor or a model. */
export function noteRoutes(server: Server, { db, clock, peopleOf }: NoteDependencies): void {
  server.get(
    '/conversations/:id/notes',
    {
      config: { right: 'read' },
      schema: {
        summary: 'What people and automations noted for people, oldest first',
        params: conversationId,
        querystring: listQuery,
        response: { 200: listOf(noteSchema), ...refusals },
      },
    },
    async ({ caller, params, query }) => {
      const conversation = await findConversation(db, caller, params.id)
      return presentPage(await listNotes(db, conversation.id, query), presentNote)
    },
  )

  server.post(
    '/conversations/:id/notes',
    {
      config: { right: 'respond' },
      schema: {
        summary: 'Note something for people',
        params: conversationId,
        body: noteBody,
        response: { 201: single(noteSchema), ...refusals },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const conversation = await findConversation(db, caller, params.id)
      const people = (await peopleOf(db, caller.teamId)).filter(({ active }) => active)
      const note = { text: body.text, mentions: findMentions(body.text, people) }
      const added = await addNoteByCaller(db, conversation, note, timestamp(clock()), byCaller(request))
      return reply.code(201).send({ data: presentNote(added) })
    },
  )
}

/** Presents a note as the API returns it. */
export function presentNote(row: NoteRow): z.output<typeof noteSchema> {
  const { id, completion_id, text, author, operator_id, mentions, created_at } = row
  const mentioned = mentions === null ? [] : (JSON.parse(mentions) as Mention[])
  return { id, completion_id, text, author, operator_id, mentions: mentioned, created_at }
}
