import { z } from 'zod'
import { boundedText, time } from '../http/schemas.ts'
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

/** A value of a profile. */
export const attribute = z.union([boundedText(1000), z.number(), z.boolean()])

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
    blocked_at: time.nullable().describe('Since when nobody answers them; null: they are not blocked.'),
  })
  .meta({ id: 'User' })

export type UserAnswer = z.output<typeof userSchema>
