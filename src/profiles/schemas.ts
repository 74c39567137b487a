import { z } from 'zod'
import { listQuery } from '../http/paging.ts'
import { boundedText, time } from '../http/schemas.ts'
import { recordVersion, sentVersion } from '../http/version.ts'
import { conversationSchema } from '../transcripts/conversations/schemas.ts'
import { attribute, USER_NAMED, userSchema, userSource } from '../users/schemas.ts'

/** The most of a person's conversations and completions that are counted, and the conversations that are shown. */
export const COUNTED = 10_000
export const CONVERSATIONS_SHOWN = 10

export const profileSchema = userSchema
  .extend({
    version: recordVersion,
    counts: z
      .object({ conversations: z.int(), completions: z.int() })
      .describe(
        `How many conversations and completions are theirs; up to ${COUNTED.toLocaleString('en')} are counted.`,
      ),
    conversations: z.array(conversationSchema).describe(`The newest ${CONVERSATIONS_SHOWN} conversations.`),
    identities: z
      .array(
        z.object({
          id: z.string(),
          source: userSource,
          proof: userSchema.shape.proof,
          first_seen_at: time,
          merged_into: z
            .string()
            .nullable()
            .describe('The `source:id` into which it was merged; null: it was not.'),
          undo_until: time.nullable().describe('Until when its merge can be undone; null: it cannot.'),
        }),
      )
      .describe('The ids that are this person: first the one with the profile, then those merged into it.'),
    pages: z
      .array(z.object({ url: z.string(), at: time }))
      .describe('The last 10 different pages among those of their last 100 prompts, the newest first.'),
    mail: z
      .array(
        z.object({
          address: z.string(),
          state: z
            .enum(['unconfirmed', 'confirmed', 'stopped'])
            .describe('`confirmed`: somebody has answered from there. `stopped`: nothing more goes there.'),
          stopped_by: z
            .enum(['unsubscribed', 'bounced', 'withdrawn'])
            .nullable()
            .describe('`withdrawn`: the visitor no longer wants it, or has left another one.'),
          conversation_id: z.string(),
          left_at: time,
        }),
      )
      .describe(
        'The last 10 addresses that they have left in widgets, for answers that they do not see. Nothing proves them.',
      ),
  })
  .meta({ id: 'UserProfile' })

export const usersQuery = listQuery.extend({
  q: z
    .string()
    .optional()
    .describe(
      'An id or its beginning, or words and beginnings of words of the name and the attributes. The newest 1,000 are found.',
    ),
})

export const MOST_ATTRIBUTES = 64
export const LARGEST_ATTRIBUTES = 16_384

export const profilePatch = z.strictObject({
  name: boundedText(200).nullable().optional().describe('Null or empty: none.'),
  attributes: z
    .record(boundedText(64).min(1), attribute.nullable())
    .refine(
      (attributes) => Object.keys(attributes).length <= MOST_ATTRIBUTES,
      `holds more than ${MOST_ATTRIBUTES} attributes`,
    )
    .optional()
    .describe(
      `Set beside those that are there; null removes one. ${MOST_ATTRIBUTES} and ${LARGEST_ATTRIBUTES / 1024} KiB in all.`,
    ),
  version: sentVersion,
})

export const mergeBody = z.strictObject({
  into: boundedText(300).min(1).describe(`The person that they become one with. ${USER_NAMED}`),
})

export const blockedBody = z.strictObject({ blocked: z.boolean() })

export type ProfilePatch = z.output<typeof profilePatch>
