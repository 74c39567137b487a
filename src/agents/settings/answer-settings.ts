import { z } from 'zod'
import { hoursSchema, storedHours } from '../../http/hours.ts'
import { boundedText, timeZoneName } from '../../http/schemas.ts'
import { MONTH_MINUTES } from '../../lib/clock.ts'
import { ANSWER_RULES } from '../answer-rules.ts'
import { LONGEST_TEXTS, setting } from './setting.ts'

const rewriteModes = ['off', 'auto', 'on'] as const

const inactivityPolicies = ['wait', 'resolve', 'check'] as const
const minutes = z.int().min(1).max(MONTH_MINUTES)

const amount = z.number().min(0).max(1e12)
const price = z.strictObject({ input: amount, output: amount })

/** The way in which an agent answers, and what it may cost. */
export const answering = {
  instructions: setting(
    boundedText(100_000).describe('The beginning of the system message of every model call.'),
    z.string(),
    '',
  ),
  answer_rules: setting(
    boundedText(20_000).describe(
      'How a model is to answer, after the instructions in the system message; empty: no such rules.',
    ),
    z.string(),
    ANSWER_RULES,
  ),
  time_zone: setting(
    timeZoneName.describe(
      'The time zone of `hour` and `weekday` in conditions and of the time of a prompt, such as Europe/Berlin.',
    ),
    z.string(),
    'UTC',
  ),
  hours: setting(
    hoursSchema
      .nullable()
      .describe(
        'When people look after its conversations (`within_hours` of conditions). Null: at any time.',
      ),
    storedHours.nullable(),
    null,
  ),
  inactivity: setting(
    z
      .strictObject({
        policy: z.enum(inactivityPolicies),
        follow_up_after: minutes
          .nullable()
          .default(null)
          .describe('Minutes after an answer until the `follow_up_message` is said; null: it is not.'),
        resolve_after: minutes
          .default(1440)
          .describe(
            'Minutes after `follow_up_after`, or after the answer, until the conversation ends or is checked.',
          ),
      })
      .describe(
        "What follows when a user says nothing after the agent's answer. `wait`: nothing; `resolve`: the conversation ends; `check`: the model is asked first whether it is done, waits for its user, or needs a person.",
      ),
    z.object({
      policy: z.enum(inactivityPolicies),
      follow_up_after: z.int().nullable(),
      resolve_after: z.int(),
    }),
    { policy: 'wait', follow_up_after: null, resolve_after: 1440 },
  ),
  ask_rating: setting(
    z
      .boolean()
      .describe(
        "Whether users of messaging channels are asked for a rating when their conversation ends, where the channel's window is open. Widgets always ask.",
      ),
    z.boolean(),
    false,
  ),
  history_limit: setting(
    z.int().min(0).max(1000).describe('The most stored messages that are sent along with a prompt.'),
    z.int(),
    50,
  ),
  context_tokens: setting(
    z
      .int()
      .min(500)
      .max(10_000_000)
      .describe(
        'Tokens that a model call takes at most, its answer included; oldest turns are left out. Estimated, with a ' +
          'quarter in reserve.',
      ),
    z.int(),
    16_000,
  ),
  summaries: setting(
    z
      .boolean()
      .describe(
        'Whether the model sums up the oldest turns of a conversation that is too long for it, in the background. False: they are left out.',
      ),
    z.boolean(),
    true,
  ),
  synonyms: setting(
    z
      .array(z.array(boundedText(100).min(1)).min(2).max(20))
      .max(300)
      .refine(
        (groups) => JSON.stringify(groups).length <= LONGEST_TEXTS,
        `holds more than ${LONGEST_TEXTS} characters`,
      )
      .describe(
        'Words or phrases that mean the same to your users, one list per group: a question with one of them also finds passages with another.',
      ),
    z.array(z.array(z.string())),
    [],
  ),
  answer_threshold: setting(
    z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe(
        'The confidence that the built-in answerer needs in its best passage: the higher, the more often it says that it ' +
          'does not know. Null: the value that is measured on its documents.',
      ),
    z.number().nullable(),
    null,
  ),
  prices: setting(
    z
      .record(boundedText(200).min(1), price)
      .refine((prices) => Object.keys(prices).length <= 100, 'holds more than 100 models')
      .describe('The price of a million tokens by model, under the name by which its server knows it.'),
    z.record(z.string(), price),
    {},
  ),
  budget: setting(
    z
      .strictObject({ day: amount.optional(), month: amount.optional() })
      .refine(({ day, month }) => day !== undefined || month !== undefined, 'must have day or month')
      .nullable()
      .describe(
        'What model calls may cost on a day or in a month of UTC, by `prices`. Once it is reached, prompts are answered with the pause message.',
      ),
    z.object({ day: z.number().optional(), month: z.number().optional() }).nullable(),
    null,
  ),
  cite_in_channels: setting(
    z
      .boolean()
      .describe('Whether a list of the sources that an answer used follows its text in messaging channels.'),
    z.boolean(),
    false,
  ),
  handoff: setting(
    z
      .boolean()
      .describe('Whether the model may hand a conversation over to a person (the tool `request_person`).'),
    z.boolean(),
    false,
  ),
  search_tool: setting(
    z
      .boolean()
      .describe(
        'Whether the model may search the documents by itself when it was not given all of them (the tool `search_documents`). A model that takes no tools is not offered it.',
      ),
    z.boolean(),
    true,
  ),
  rewrite: setting(
    z
      .enum(rewriteModes)
      .describe(
        'Whether a short model call turns follow-ups, and questions in another language than the documents, into search queries first. `auto`: only for a model that is known to take no tools, which cannot search by itself.',
      ),
    z.enum(rewriteModes),
    'auto',
  ),
  propose_entries: setting(
    z
      .boolean()
      .describe(
        'Whether an entry of the knowledge is proposed from each conversation that a person answered and somebody of the team ends.',
      ),
    z.boolean(),
    false,
  ),
}
