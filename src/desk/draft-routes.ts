import type { Kysely } from 'kysely'
import { z } from 'zod'
import { operatorOf } from '../http/operator-of.ts'
import { errors, errorWith, single, time } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { findConversation } from '../transcripts/conversations/find-conversation.ts'
import { conversationId } from '../transcripts/conversations/schemas.ts'
import { findDraft, saveDraft } from './drafts.ts'
import { draftMarks } from './words.ts'

const mode = z.enum(['reply', 'note'])

export const draftSchema = z
  .object({
    mode,
    content: z.string().describe('Empty: there is no draft.'),
    suggested: draftMarks.suggested,
    original: draftMarks.original.nullable(),
    version: z.int().describe('Counts the changes of the draft; send it with the next one.'),
    updated_at: time.nullable(),
  })
  .meta({ id: 'Draft' })

export const draftBody = z.strictObject({
  mode,
  content: z.string().max(100_000).describe('Empty: the draft is deleted.'),
  suggested: draftMarks.suggested.default(false),
  original: draftMarks.original.nullable().default(null),
  version: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe(
      'Of the draft that was read or saved before: when it was changed or sent since, 409 `draft_moved`.',
    ),
})

const tags = ['inbox']
const refusals = errors('conversation_not_found')

export const draftQuery = z.object({ mode: mode.default('reply') })

/** Adds the routes of drafts. In each conversation, each person has one draft of an answer and one of a note. */
export function draftRoutes(server: Server, { db, clock }: { db: Kysely<Tables>; clock: Clock }): void {
  server.get(
    '/conversations/:id/draft',
    {
      config: { right: 'read' },
      schema: {
        summary: 'The draft of the person who is signed in',
        tags,
        params: conversationId,
        querystring: draftQuery,
        response: { 200: single(draftSchema), ...refusals },
      },
    },
    async ({ caller, params, query }) => {
      const operator_id = operatorOf(caller)
      const conversation = await findConversation(db, caller, params.id)
      return {
        data: await findDraft(db, { conversation_id: conversation.id, operator_id, mode: query.mode }),
      }
    },
  )

  server.put(
    '/conversations/:id/draft',
    {
      config: { right: 'respond' },
      schema: {
        summary: 'Save the draft of the person who is signed in',
        tags,
        params: conversationId,
        body: draftBody,
        response: {
          200: single(draftSchema),
          ...refusals,
          409: errorWith(z.object({ draft: draftSchema })),
        },
      },
    },
    async ({ caller, params, body }) => {
      const operator_id = operatorOf(caller)
      const conversation = await findConversation(db, caller, params.id)
      const key = { conversation_id: conversation.id, operator_id, mode: body.mode }
      return { data: await saveDraft(db, conversation, key, body, timestamp(clock())) }
    },
  )
}
