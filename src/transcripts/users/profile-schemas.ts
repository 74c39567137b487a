import { z } from 'zod'
import { listQuery } from '../../http/paging.ts'
import { boundedText, time } from '../../http/schemas.ts'
import { recordVersion, sentVersion } from '../../http/version.ts'
import { conversationSchema } from '../conversations/schemas.ts'
import { proofs } from './user-key.ts'

/** The source of an id, as readers see it. */
export const userSource = z
  .string()
  .describe('`api`, `widget`, or `channel-7` for the channel 7. The same id of two sources is two people.')

/** Describes how a path or a filter names an end user. */
export const USER_NAMED =
  "The end user's id, as prompts gave it in `user`, or `source:id`, such as `channel-7:42`: needed where several sources have the id."

/** A filter by end user. */
export const userFilter = boundedText(300).min(1).optional().describe(USER_NAMED)

const attribute = z.union([boundedText(1000), z.number(), z.boolean()])

export const userSchema = z
  .object({
    id: z.string().describe('As its source gave it, such as prompts in `user`.'),
    source: userSource,
    proof: z
      .enum(proofs)
      .describe(
        'How sure it was who they are when they wrote last. `signed`: the site said so, by its own request or by a signature; `platform`: the messaging platform did; `none`: nobody.',
      ),
    name: z.string().nullable(),
    attributes: z.record(z.string(), attribute),
    first_seen_at: time,
  })
  .meta({ id: 'User' })

export type UserAnswer = z.output<typeof userSchema>

export const profileSchema = userSchema
  .extend({
    version: recordVersion,
    counts: z
      .object({ conversations: z.int(), completions: z.int() })
      .describe('How many conversations and completions are theirs; up to 10,000 are counted.'),
    conversations: z.array(conversationSchema).describe('The newest 10 conversations.'),
    pages: z
      .array(z.object({ url: z.string(), at: time }))
      .describe('The last 10 different pages among those of their last 100 prompts, the newest first.'),
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

export const profilePatch = z.strictObject({
  name: boundedText(200).nullable().optional().describe('Null or empty: none.'),
  attributes: z
    .record(boundedText(64).min(1), attribute.nullable())
    .refine(
      (attributes) => Object.keys(attributes).length <= MOST_ATTRIBUTES,
      'holds more than 64 attributes',
    )
    .optional()
    .describe('Set beside those that are there; null removes one. 64 and 16 KiB in all.'),
  version: sentVersion,
})

export type ProfilePatch = z.output<typeof profilePatch>
