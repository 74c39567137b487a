import { z } from 'zod'
import { time } from '../http/schemas.ts'
import { outcomeFields } from '../transcripts/conversations/outcome.ts'
import { priorities } from '../transcripts/conversations/priority.ts'
import { conversationSchema, messageSchema } from '../transcripts/conversations/schemas.ts'
import { visitorConversation } from '../transcripts/conversations/visitor-conversations.ts'
import { visitorMessage } from '../transcripts/messages/present-to-visitors.ts'
import { userSource } from '../users/schemas.ts'

const inConversation = { conversation_id: z.string(), at: time }
const ofAgent = { conversation_id: z.null(), at: time }
const by = z
  .object({
    kind: z.enum(['operator', 'token', 'user']).optional().describe('`user`: the visitor of a widget.'),
    id: z.int().optional(),
    name: z.string().nullable(),
  })
  .describe('Who; with the right `chat` only the name that end users see.')

const reset = z
  .object({ type: z.literal('reset'), ...ofAgent })
  .describe(
    'Read everything again: what came before is no longer kept, or the person may see other conversations.',
  )

const event = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('message'), ...inConversation, message: messageSchema }),
    z.object({ type: z.literal('message_changed'), ...inConversation, message: messageSchema }),
    z.object({
      type: z.literal('message_delta'),
      ...inConversation,
      completion_id: z.string(),
      offset: z
        .int()
        .describe('How many characters of the answer came before; 0 again when it is told once more.'),
      content: z.string(),
    }),
    z.object({
      type: z.literal('conversation'),
      ...inConversation,
      fields: z.array(z.string()).describe('What changed.'),
      conversation: conversationSchema
        .extend({
          waiting_since: time.nullable(),
          waiting_reason: z.string().nullable(),
          assignee_id: z.int().nullable(),
          group_id: z.int().nullable(),
          user_id: z.string().nullable(),
          user_source: userSource.nullable(),
          language: z.string().nullable(),
          priority: z.enum(priorities),
          snoozed_until: time.nullable(),
          ...outcomeFields,
        })
        .partial()
        .describe('The new values of the fields that have one here; of a conversation that was opened, all.'),
    }),
    z.object({ type: z.literal('typing'), ...inConversation, typing: z.boolean(), by }),
    z.object({ type: z.literal('presence'), ...inConversation, present: z.boolean(), by }),
    z.object({
      type: z.literal('agent'),
      ...ofAgent,
      agent: z.object({
        id: z.int(),
        name: z.string(),
        is_paused: z.boolean(),
        paused_at: time.nullable(),
        resumed_at: time.nullable(),
      }),
    }),
    z.object({
      type: z.literal('inbox'),
      ...ofAgent,
      counts: z.object({
        waiting: z.int(),
        mine: z.int().nullable().describe('Null for a token.'),
        unassigned: z.int(),
        open: z.int(),
        snoozed: z.int(),
      }),
    }),
    z
      .object({ type: z.literal('replies'), ...ofAgent })
      .describe('Canned replies were added, changed or removed.'),
    z
      .object({ type: z.literal('notices'), ...ofAgent, unread: z.int() })
      .describe('How many notices of all agents the person who listens has not read.'),
    reset,
  ])
  .meta({ id: 'LiveEvent' })

export type LiveEventAnswer = z.output<typeof event>

/** The events of a stream, in OpenAPI's terms: the `data` of each is one of these. */
export const liveEvents = z.array(event)

const visitorEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('message'), ...inConversation, message: visitorMessage }),
    z.object({ type: z.literal('message_changed'), ...inConversation, message: visitorMessage }),
    z.object({ type: z.literal('conversation'), ...inConversation, conversation: visitorConversation }),
    z.object({
      type: z.literal('typing'),
      ...inConversation,
      typing: z.boolean(),
      by: z.object({ name: z.string().nullable() }),
    }),
    z.object({ type: z.literal('agent'), ...ofAgent, agent: z.object({ is_paused: z.boolean() }) }),
    reset,
  ])
  .meta({ id: 'VisitorLiveEvent' })

/** The events of a stream to a visitor of a widget. */
export const visitorEvents = z.array(visitorEvent)
