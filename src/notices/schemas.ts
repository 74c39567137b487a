import { z } from 'zod'
import { listOf, listQuery } from '../http/paging.ts'
import { flag, time } from '../http/schemas.ts'
import { kindNames } from './kinds.ts'

export const noticeSchema = z
  .object({
    id: z.int(),
    kind: z
      .enum(kindNames)
      .describe(
        '`mention`: a note mentions the person. `assigned`: they were given a conversation. `waiting`: one waits that they may answer. `reply`: a user wrote in one of theirs. `due`: a target of a conversation of theirs, or of their group, is nearly due. `failed`: something that they have to mend.',
      ),
    agent: z.object({ id: z.int(), name: z.string() }),
    conversation_id: z.string().nullable(),
    user: z.string().nullable().describe("The name of the conversation's user, if it is known."),
    by: z.string().nullable().describe('The person or program whose act it is.'),
    failed: z
      .object({
        what: z.enum(['budget', 'webhook', 'channel']),
        id: z.int().nullable().describe('Null for a budget.'),
        name: z.string().nullable().describe('Its name; the day or month of a budget.'),
      })
      .nullable()
      .describe('A webhook that gets nothing for a while, a channel whose token is refused, a spent budget.'),
    count: z.int().describe('How often it has happened since the person read of it last.'),
    at: time.describe('When it happened last.'),
    unread: z.boolean(),
  })
  .meta({ id: 'Notice' })

export const noticeList = listOf(noticeSchema).extend({
  unread: z.int().describe('How many are unread, whatever the filter.'),
})

export const noticeQuery = listQuery.extend({
  unread: flag.optional().describe('`true`: only those that are unread.'),
})

export const unreadSchema = z.object({ unread: z.int().describe('How many are left unread.') })
