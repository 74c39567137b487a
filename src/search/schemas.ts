import { z } from 'zod'
import { listQuery } from '../http/paging.ts'
import { integerNumber, time, timeFilter } from '../http/schemas.ts'
import { SPOKEN_ROLES } from '../transcripts/messages/spoken-roles.ts'
import { USER_NAMED, userFilter, userSource } from '../users/schemas.ts'

const searchedId = z.string().min(1).max(255)

export const searchQuery = listQuery.omit({ page: true }).extend({
  q: z
    .string()
    .describe(
      'Words that a text must have, in any order; beginnings of words will do. Only the first 1,000 characters and 12 words count.',
    ),
  in: z.enum(['messages', 'notes']).default('messages').describe('What is searched.'),
  conversation_id: searchedId.optional().describe('Only in this conversation: its UUID or external id.'),
  user_id: userFilter.describe(`Only in the conversations of this end user. ${USER_NAMED}`),
  channel_id: integerNumber
    .optional()
    .meta({ type: 'integer', description: 'Only in conversations of this channel.' }),
  from: timeFilter.optional().meta({ description: 'Only what was written at this time or later.' }),
  to: timeFilter.optional().meta({ description: 'Only what was written before this time.' }),
})

export type SearchQuery = z.output<typeof searchQuery>

const conversation = z.object({
  id: z.string(),
  external_id: z.string().nullable(),
  user_id: z.string().nullable(),
  user_source: userSource.nullable(),
  user_name: z.string().nullable().describe("The end user's name, where one is known."),
  channel_id: z.int().nullable(),
  started_at: time,
  ended_at: time.nullable(),
})

export const searchAnswer = z.object({
  data: z.array(
    z
      .object({
        kind: z.enum(['message', 'note']),
        id: z.int().describe('The id of the message or note.'),
        completion_id: z.string().nullable(),
        role: z.enum(SPOKEN_ROLES).nullable().describe('Null: a note.'),
        author: z.string().nullable(),
        created_at: time,
        piece: z
          .array(z.object({ text: z.string(), marked: z.boolean() }))
          .describe('The piece of the text that matches, in parts: those that match are marked.'),
        conversation,
      })
      .meta({ id: 'SearchHit' }),
  ),
  total: z.int().describe('How many texts match, up to 10,000: the newest of them are ranked.'),
  total_capped: z.literal(true).optional().describe('Present when there may be more than `total`.'),
  per_page: z.int(),
  next_cursor: z.string().nullable().describe('`cursor` of the next page; null: there is none.'),
  conversations: z
    .array(conversation)
    .describe(
      'On the first page: up to 10 conversations whose UUID, external id, or end user by id or name `q` is.',
    ),
})

export type SearchHit = z.output<typeof searchAnswer>['data'][number]
