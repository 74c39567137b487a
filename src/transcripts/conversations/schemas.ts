import { z } from 'zod'
import { listQuery } from '../../http/paging.ts'
import { boundedText, idParam, rowNumber, time } from '../../http/schemas.ts'
import { messageKinds } from '../../platforms/message-kind.ts'
import { deliveryReasons } from '../../platforms/platform.ts'
import { attachmentSchema } from '../attachments.ts'
import type { DeliveryStatus } from '../tables.ts'

/** The parameters of a path that names a conversation. */
export const conversationId = idParam('UUID or external id of the conversation.')

/** A conversation as every endpoint returns it: exactly the fields of the interface. */
export const conversationSchema = z
  .object({
    id: z.string().describe('Internal conversation id (UUID).'),
    external_id: z.string().nullable().describe('Team-scoped external conversation id.'),
    agent_id: z.int(),
    team_id: z.int(),
    tags: z.record(z.string(), z.unknown()).nullable(),
    started_at: time,
    ended_at: time.nullable(),
    agent_paused: z.boolean().describe('Whether the agent is paused in this conversation.'),
    agent_paused_at: time.nullable(),
    agent_resumed_at: time.nullable(),
  })
  .partial()
  .meta({ id: 'Conversation' })

export type ConversationAnswer = Required<z.output<typeof conversationSchema>>

/** Model servers and clients add fields of their own, which are kept. */
const toolCall = z.looseObject({
  id: z.string(),
  type: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
})

export const deliveryStatuses = [
  'queued',
  'sent',
  'read',
  'unknown',
  'failed',
] as const satisfies DeliveryStatus[]

export const messageSchema = z
  .object({
    id: z.int(),
    completion_id: z.string().nullable(),
    role: z.enum(['system', 'user', 'assistant', 'tool', 'operator', 'transition']),
    content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).nullable(),
    kind: z
      .enum(messageKinds)
      .describe('What a person sent. What is no text stands in `content` as `[image] the caption`.'),
    quoted: z
      .string()
      .optional()
      .describe('The earlier mails that a mail repeats below what it says. The agent does not read them.'),
    attachments: z.array(attachmentSchema).nullable().describe('Its files; null: it has none.'),
    author: z.string().nullable(),
    created_at: time,
    redacted: z.enum(['anonymize', 'scrub']).nullable(),
    delivery: z
      .enum(deliveryStatuses)
      .nullable()
      .describe(
        'What became of it on its channel; `read`: the person has seen it, where the platform tells; `unknown`: it may have arrived. Null: it goes out through none, or was held back.',
      ),
    delivery_reason: z.enum(deliveryReasons).nullable().describe('Why it failed or is unknown.'),
    mailed: z
      .object({ to: z.string().nullable().describe('Null once it is redacted.'), at: time })
      .optional()
      .describe(
        'Where and when it went by mail, because the visitor of a widget had not seen it. `delivery` says what became of it.',
      ),
    tool_calls: z.array(toolCall).optional(),
    tool_call_id: z.string().optional(),
  })
  .meta({ id: 'Message' })

export type MessageAnswer = z.output<typeof messageSchema>

/** An id that the caller chooses, of a conversation, an end user, a device or a session. */
export const externalId = boundedText(255).min(1)

/** An external id that can stand in a path. Clients remove `.` and `..` from a path before they send it. */
export const pathId = externalId.refine((id) => id !== '.' && id !== '..', 'must not be "." or ".."')

/** The tags of one request, and those of a conversation. */
export const tagsSchema = z
  .record(boundedText(64).min(1), z.unknown())
  .refine((tags) => Object.keys(tags).length <= 64, 'holds more than 64 tags')
  .refine((tags) => JSON.stringify(tags).length <= 16_384, 'is larger than 16 KiB')

export const messagesQuery = listQuery.extend({
  after: rowNumber.optional().meta({
    type: 'integer',
    description:
      'Id of a message: only those that came after it, such as the last one that was read. A message that another ' +
      'one may still come before is left out until that is stored, so that none is missed.',
  }),
  order: z.enum(['asc', 'desc']).default('asc').describe('`asc`: oldest first; `desc`: newest first.'),
})
