import { z } from 'zod'
import { byLanguage } from '../http/by-language.ts'
import { boundedText, headerSecret, time } from '../http/schemas.ts'
import { storedSecret } from '../http/stored-secret.ts'
import { recordVersion, sentVersion } from '../http/version.ts'
import { type ModelKind, modelKinds } from '../lib/model-kinds.ts'
import { httpAddress } from '../lib/outbound/http-address.ts'
import { isTimeZone } from '../lib/time-zone.ts'
import { ANSWER_RULES } from './answer-rules.ts'
import { withoutVariables } from './variables.ts'

const entityType = z.string().regex(/^[A-Z0-9_]{1,64}$/)
const entities = z
  .union([z.array(entityType).max(200), z.record(entityType, entityType)])
  .describe("The service's entity types to look for; as an object, with the type that each is replaced by.")

const modelParameters = z
  .record(z.string().max(64), z.unknown())
  .refine((value) => JSON.stringify(value).length <= 65_536, 'is too large')

const redactionStyles = ['type', 'numbered'] as const
const rewriteModes = ['off', 'auto', 'on'] as const

/** Another server for the agent's model, with its key sealed. */
export interface StoredFallback {
  kind: ModelKind
  url: string
  api_key: string | null
  name: string | null
}

interface Setting<Given extends z.ZodType, Shown extends z.ZodType, Kept> {
  /** The schema for a value in a patch. */
  given: Given
  /** The schema for answers: less strict, since a stored value may come from a version that allowed more. */
  shown: Shown
  /** The default. */
  usual: Kept
}

function setting<Given extends z.ZodType, Shown extends z.ZodType>(
  given: Given,
  shown: Shown,
  usual: z.output<Shown>,
): Setting<Given, Shown, z.output<Shown>> {
  return { given, shown, usual }
}

const apiKey: Setting<z.ZodType<string | null>, typeof storedSecret, string | null> = {
  given: headerSecret(1000).nullable().describe('Stored sealed, never answered.'),
  shown: storedSecret,
  usual: null,
}

const text = z.string().nullable()
const message = boundedText(10_000).nullable()

const server = {
  url: setting(
    httpAddress.nullable().describe("The server's address; null: the one of the installation."),
    text,
    null,
  ),
  api_key: apiKey,
  name: setting(boundedText(200).min(1).nullable(), text, null),
}

const kind = setting(
  z.enum(modelKinds).describe('The protocol that the server at `url` speaks.'),
  z.enum(modelKinds),
  'openai',
)

const givenFallbacks = z
  .array(
    z.strictObject({
      kind: kind.given.default(kind.usual),
      url: httpAddress,
      api_key: apiKey.given
        .optional()
        .describe('Stored sealed, never answered. Absent: the key that is stored for this origin stays.'),
      name: server.name.given.default(null).describe("Null: the name of the agent's model."),
    }),
  )
  .max(5)
  .describe(
    'Servers that are asked, in order, when the one before fails before the first piece of its answer.',
  )

const shownFallbacks = z.array(
  z.object({ kind: kind.shown, url: z.string(), api_key: storedSecret, name: text }),
)

const fallbacks: Setting<typeof givenFallbacks, typeof shownFallbacks, StoredFallback[]> = {
  given: givenFallbacks,
  shown: shownFallbacks,
  usual: [],
}

/** The server that answers; a patch changes it field by field. */
const model = {
  kind,
  ...server,
  fallbacks,
  parameters: setting(
    modelParameters.describe('Default request fields, such as temperature.'),
    z.record(z.string(), z.unknown()),
    {},
  ),
  timeout_ms: setting(
    z.int().min(10).max(600_000).nullable().describe('Longest wait for the next piece of an answer.'),
    z.int().nullable(),
    null,
  ),
}

/** The OpenAI-compatible server that turns texts into vectors; a patch changes it field by field. */
const embedding = server

const sentence = boundedText(1000).min(1).optional()

/** The agent's own messages and the built-in answerer's sentences, in one language. */
const textsOfLanguage = z.strictObject({
  greeting: message.optional(),
  pause_message: message.optional(),
  resume_message: message.optional(),
  unsupported_message: message.optional(),
  hello: sentence.describe('Greets.'),
  welcome: sentence.describe('Answers thanks.'),
  ask: sentence.describe('Says what the built-in answerer does.'),
  about: sentence.describe('Introduces the list of documents.'),
  meant: sentence.describe('Introduces entries that may be meant.'),
  help: sentence.describe('Introduces pages that may hold the answer.'),
  unknown: sentence.describe('Says that nothing was found.'),
  offer: sentence.describe('Offers a person where there is no answer.'),
})

/** Those texts as they are set. What accepts an offer is recognized by its very words, so these are the same each time. */
const newTextsOfLanguage = textsOfLanguage.extend({
  offer: withoutVariables(boundedText(1000).min(1))
    .optional()
    .describe('Offers a person where there is no answer.'),
})

const LONGEST_TEXTS = 100_000

const ownWords = z
  .array(
    boundedText(60)
      .trim()
      .regex(/[\p{L}\p{N}]/u, 'must have a letter or a digit')
      .regex(/[^*]$/, 'must not end with *'),
  )
  .max(1000)

/** Types of personal data that a mask looks for. */
export const maskedTypes = z.array(z.string().max(64)).min(1).max(200)

const amount = z.number().min(0).max(1e12)
const price = z.strictObject({ input: amount, output: amount })

/** The hosted redaction service; a patch changes it field by field. */
const redaction = {
  url: setting(httpAddress.nullable(), text, null),
  api_key: apiKey,
  language: setting(z.string().regex(/^[a-z]{2,3}$/), z.string(), 'en'),
  threshold: setting(z.number().min(0).max(1).nullable(), z.number().nullable(), null),
  entities: setting(entities.nullable(), entities.nullable(), null),
}

const plain = {
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
    z
      .string()
      .max(64)
      .refine(isTimeZone, 'must be the name of a time zone, such as Europe/Berlin')
      .describe(
        'In which `hour` and `weekday` of conditions and the time of a prompt are told, such as Europe/Berlin.',
      ),
    z.string(),
    'UTC',
  ),
  history_limit: setting(
    z.int().min(0).max(1000).describe('Stored messages that a prompt is sent with, at most.'),
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
        'Whether the oldest turns of a conversation that is too long for the model are put in short by it, in the background. False: they are left out.',
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
        'Words or phrases that mean the same to your users, a list a group: what is asked with one of them is also found in passages with another.',
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
        'The confidence that the built-in answerer needs in its best passage: higher, it says more often that it does not ' +
          'know. Null: what is measured on its documents.',
      ),
    z.number().nullable(),
    null,
  ),
  prices: setting(
    z
      .record(boundedText(200).min(1), price)
      .refine((prices) => Object.keys(prices).length <= 100, 'holds more than 100 models')
      .describe("What a model's tokens cost, a million of them, by the name that its server is asked for."),
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
  greeting: setting(message, text, 'Hello! How can I help you?'),
  pause_message: setting(
    message.describe(
      'Said in open conversations when the agent is paused, and in answer to prompts while it is. Null: nothing is said, and prompts over the API are answered with an empty text.',
    ),
    text,
    'The assistant is paused. A person will take over from here.',
  ),
  resume_message: setting(message, text, null),
  unsupported_message: setting(
    message.describe(
      'Said on channels to what is no text and has no caption, once a conversation and hour; null: nothing.',
    ),
    text,
    'I can only read text. Please write me what it is about.',
  ),
  texts: setting(
    byLanguage(newTextsOfLanguage)
      .refine(
        (all) => JSON.stringify(all).length <= LONGEST_TEXTS,
        `holds more than ${LONGEST_TEXTS} characters`,
      )
      .describe(
        "What is said in place of the agent's own messages and of the built-in answerer's sentences where a conversation's language is one of these. What a language does not have stays as it is; null: nothing is said.",
      ),
    z.record(z.string(), textsOfLanguage),
    {},
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
        'Whether a short call of the model puts follow-ups, and questions in another language than the documents, into queries before the search. `auto`: only for a model that is known to take no tools, which cannot search by itself.',
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
  hosted_redaction: setting(z.boolean(), z.boolean(), false),
  redaction_types: setting(
    z.array(z.string().max(64)).max(200).nullable().describe('Types that anonymize redacts; null: all.'),
    z.array(z.string()).nullable(),
    null,
  ),
  redaction_style: setting(
    z
      .enum(redactionStyles)
      .describe(
        'What anonymize puts in the place of a finding: `[PERSON]`, or with `numbered` `[PERSON_4821]`, where the same value in one conversation keeps its number.',
      ),
    z.enum(redactionStyles),
    'type',
  ),
  redaction_patterns: setting(
    z
      .array(
        z.strictObject({
          name: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/),
          pattern: z.string().min(1).max(500),
        }),
      )
      .max(50),
    z.array(z.object({ name: z.string(), pattern: z.string() })),
    [],
  ),
  redaction_words: setting(
    z
      .strictObject({ deny: ownWords.default([]), allow: ownWords.default([]) })
      .refine(
        (words) => JSON.stringify(words).length <= LONGEST_TEXTS,
        `holds more than ${LONGEST_TEXTS} characters`,
      )
      .describe(
        'Words and phrases that anonymize always replaces, by `[CUSTOM]`, and those that it never does. Whole words, in any case.',
      ),
    z.object({ deny: z.array(z.string()), allow: z.array(z.string()) }),
    { deny: [], allow: [] },
  ),
  mask: setting(
    z
      .strictObject({
        types: maskedTypes,
        restore: z.boolean().default(true),
      })
      .nullable()
      .describe(
        'Types of personal data that no model server is sent: `[PERSON_4821]` stands for each value, and `restore` puts the values back into answers and arguments of tools. Null: model servers are sent what was said.',
      ),
    z.object({ types: z.array(z.string()), restore: z.boolean() }).nullable(),
    null,
  ),
  retention: setting(
    z
      .strictObject({ days: z.int().min(1).max(36_500), mode: z.enum(['scrub', 'anonymize']) })
      .nullable()
      .describe('Age in days after which transcripts are redacted.'),
    z.object({ days: z.int(), mode: z.enum(['scrub', 'anonymize']) }).nullable(),
    null,
  ),
}

/** Settings of an agent to be changed. An absent setting stays unchanged; null removes a setting. */
export const agentPatch = z
  .strictObject({
    name: boundedText(200).min(1),
    model: z.strictObject(each(model, 'given')).partial(),
    embedding: z.strictObject(each(embedding, 'given')).partial(),
    redaction: z.strictObject(each(redaction, 'given')).partial(),
    ...each(plain, 'given'),
  })
  .partial()
  .meta({ id: 'AgentSettings' })

export type AgentPatch = z.output<typeof agentPatch>

/** The body of `PATCH /agent`. */
export const agentChange = agentPatch.extend({ version: sentVersion }).meta({ id: 'AgentPatch' })

/** The settings of an agent as they are stored. Each `api_key` is sealed. */
export type AgentSettings = typeof defaultSettings

export const defaultSettings = {
  model: each(model, 'usual'),
  embedding: each(embedding, 'usual'),
  redaction: each(redaction, 'usual'),
  ...each(plain, 'usual'),
}

/** An agent as `GET /agent` returns it. */
export const agentSchema = z
  .object({
    id: z.int(),
    team_id: z.int(),
    name: z.string(),
    version: recordVersion,
    is_paused: z.boolean(),
    paused_at: time.nullable(),
    resumed_at: time.nullable(),
    created_at: time,
    model: z.object(each(model, 'shown')),
    embedding: z.object(each(embedding, 'shown')),
    redaction: z.object(each(redaction, 'shown')),
    ...each(plain, 'shown'),
  })
  .meta({ id: 'Agent' })

export type AgentAnswer = z.output<typeof agentSchema>

type Settings = Record<string, Setting<z.ZodType, z.ZodType, unknown>>

/** Returns the same part of each setting. */
function each<Of extends Settings, Part extends 'given' | 'shown' | 'usual'>(settings: Of, part: Part) {
  const parts = Object.entries(settings).map(([name, one]) => [name, one[part]])
  return Object.fromEntries(parts) as { [Name in keyof Of]: Of[Name][Part] }
}
