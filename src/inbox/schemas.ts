import { z } from 'zod'
import { readFigure } from '../analytics/support/figure-filter.ts'
import { pageQuery } from '../http/paging.ts'
import { boundedText, flag, integerNumber, rowNumber, time, withinInteger } from '../http/schemas.ts'
import { kindsOf } from '../platforms/platforms.ts'
import { outcomeFields } from '../transcripts/conversations/outcome.ts'
import { outcomes } from '../transcripts/conversations/outcomes.ts'
import { priorities } from '../transcripts/conversations/priority.ts'
import { conversationSchema } from '../transcripts/conversations/schemas.ts'
import { LONGEST_FILTERED_VALUE } from '../transcripts/conversations/tag-index.ts'
import { waitingReasons } from '../transcripts/conversations/wait-for-person.ts'
import { SPOKEN_ROLES } from '../transcripts/messages/spoken-roles.ts'
import { userFilter, userSource } from '../users/schemas.ts'
import { type FilterName, inboxSorts } from './inbox-query.ts'
import { inboxViews } from './inbox-views.ts'

const named = z.object({ id: z.int(), name: z.string() })

/** A tag with its value. */
export const tagFilter = boundedText(64 + 1 + LONGEST_FILTERED_VALUE).regex(
  /^[^:]+:/,
  'must be a name, a colon and a value',
)

/** Filters of the inbox, as query parameters. All must match. */
const inboxFilters = {
  channel_id: integerNumber.optional().meta({ type: 'integer' }),
  assignee: rowNumber.optional().meta({ type: 'integer', description: 'The id of an operator.' }),
  group: rowNumber.optional().meta({ type: 'integer', description: 'The id of a group.' }),
  tag: tagFilter
    .transform((text) => {
      const at = text.indexOf(':')
      return { name: text.slice(0, at), value: text.slice(at + 1) }
    })
    .optional()
    .meta({
      type: 'string',
      description: `As \`name:value\`; of plain values of up to ${LONGEST_FILTERED_VALUE} characters.`,
    }),
  language: boundedText(16).min(1).optional().describe("Of the user's last prompt, such as `en`."),
  priority: z.enum(priorities).optional(),
  outcome: z.enum(outcomes).optional().describe('How they ended; leaves out conversations that have not.'),
  user_id: userFilter,
  in: boundedText(400)
    .refine(
      (text) => readFigure(text) !== null,
      'must be a figure, days, a time zone, and what it is counted by',
    )
    .optional()
    .describe(
      'Those that a figure of `GET /analytics/support` counts, as `figure:from:to:time_zone`, followed by `:by:value` for one of its rows.',
    ),
  q: boundedText(1000)
    .min(1)
    .optional()
    .describe(
      'Words that its messages have, all of them and in any order, or its UUID, external id or user. The newest 1,000 conversations that fit are looked at.',
    ),
  unread: flag
    .optional()
    .describe('Whether something was said since the person who is signed in has read it, or has joined.'),
} satisfies Record<FilterName, z.ZodType>

/** The same filters in a request body. */
export const bulkFilter = z.strictObject({
  view: z.enum(inboxViews),
  ...inboxFilters,
  channel_id: z.int().min(1).overwrite(withinInteger).optional(),
  assignee: z.int().min(1).optional(),
  group: z.int().min(1).optional(),
  unread: z.boolean().optional(),
})

export const inboxQuery = z.object({
  view: z
    .enum(inboxViews)
    .default('open')
    .describe(
      '`waiting`, `mine`, `unassigned` and `paused` are parts of `open`, which has nothing that is `snoozed`.',
    ),
  ...inboxFilters,
  sort: z
    .enum(inboxSorts)
    .default('latest')
    .describe(
      '`latest`: the newest message first. `waiting`: who waits longest first, then the others. `priority`: the most urgent first. `due`: what is due first, or was, then the others.',
    ),
  per_page: pageQuery.shape.per_page,
  cursor: z.string().max(500).optional().describe('`next_cursor` of the page before.'),
})

/** The standing of a conversation by its targets. */
const dueSchema = z
  .object({
    kind: z.enum(['first_response', 'next_response', 'resolution']),
    at: time.nullable().describe('When it is due, or was; null while it is stopped.'),
    state: z
      .enum(['running', 'stopped', 'met', 'missed'])
      .describe(
        '`stopped`: while it waits for its user, or is snoozed. `missed` stays so when it is answered later.',
      ),
  })
  .meta({ id: 'Due' })

export const inboxItemSchema = z
  .object({
    ...conversationSchema.shape,
    user: z.object({ id: z.string(), source: userSource, name: z.string().nullable() }).nullable(),
    channel: z.object({ id: z.int(), kind: z.enum(kindsOf()), name: z.string().nullable() }).nullable(),
    widget_id: z.int().nullable().describe('Of the widget through which it came.'),
    assignee: named.nullable(),
    group: named.nullable(),
    last_message: z
      .object({
        id: z.int(),
        role: z.enum([...SPOKEN_ROLES, 'system', 'tool', 'transition']),
        content: z.string().describe('Its first 200 characters.'),
        created_at: time,
      })
      .nullable()
      .describe('The last one that the user, the agent or a person wrote.'),
    unread: z.boolean().nullable().describe('Null for a token, which reads for nobody.'),
    waiting_since: time.nullable(),
    waiting_reason: z.enum(waitingReasons).nullable(),
    priority: z.enum(priorities),
    snoozed_until: time.nullable().describe('When it comes back; null: it is not put aside.'),
    ...outcomeFields,
    due: dueSchema.nullable().describe('Its next target of time, or the last one; null: it has none.'),
    language: z.string().nullable(),
    rating: z.int().nullable(),
  })
  .meta({ id: 'InboxItem' })

export const inboxEntrySchema = inboxItemSchema
  .extend({
    read_until: z
      .int()
      .nullable()
      .describe('Id of the last message that the person who is signed in has read; null: not noted yet.'),
    reply_until: time
      .nullable()
      .describe('Until when the platform delivers what a person answers; null: at any time.'),
  })
  .meta({ id: 'InboxEntry' })

export const inboxCountsSchema = z
  .object({
    waiting: z.int(),
    mine: z.int().nullable().describe('Null for a token.'),
    unassigned: z.int(),
    open: z.int(),
    snoozed: z.int(),
  })
  .meta({ id: 'InboxCounts' })

/** A page of a view. */
export const inboxAnswer = z.object({
  data: z.array(inboxItemSchema),
  next_cursor: z
    .string()
    .nullable()
    .describe(
      '`cursor` of the next page; null: there is none. A page examines 5,000 conversations at most, so that it may have fewer than `per_page`.',
    ),
  counts: inboxCountsSchema.describe('Counts of the whole views, whatever the filters.'),
})

export const matchingSchema = z
  .object({
    open: z.int().describe('How many of those that match have not ended.'),
    ended: z.int(),
    total_capped: z.literal(true).optional().describe('Present when there may be more than were counted.'),
  })
  .meta({ id: 'InboxMatching' })
