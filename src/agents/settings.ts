import { z } from 'zod'
import { boundedText, headerSecret, time } from '../http/schemas.ts'
import { storedSecret } from '../http/stored-secret.ts'
import { httpAddress } from '../lib/http-address.ts'
import { isTimeZone } from '../lib/time-zone.ts'

const entityType = z.string().regex(/^[A-Z0-9_]{1,64}$/)
const entities = z
  .union([z.array(entityType).max(200), z.record(entityType, entityType)])
  .describe("The service's entity types to look for; as an object, with the type that each is replaced by.")

const modelParameters = z
  .record(z.string().max(64), z.unknown())
  .refine((value) => JSON.stringify(value).length <= 65_536, 'is too large')

/** The body of `PATCH /agent`. An absent setting stays unchanged; null removes a setting. */
export const agentPatch = z
  .strictObject({
    name: boundedText(200).min(1),
    instructions: boundedText(100_000).describe('System message of every model call.'),
    model: z
      .strictObject({
        url: httpAddress
          .nullable()
          .describe('An OpenAI-compatible server; null: the one of the installation.'),
        api_key: headerSecret(1000).nullable().describe('Stored sealed, never answered.'),
        name: boundedText(200).min(1).nullable(),
        parameters: modelParameters.describe('Default request fields, such as temperature.'),
        timeout_ms: z
          .int()
          .min(10)
          .max(600_000)
          .nullable()
          .describe('Longest wait for the next piece of an answer.'),
      })
      .partial(),
    time_zone: z
      .string()
      .max(64)
      .refine(isTimeZone, 'must be the name of a time zone, such as Europe/Berlin')
      .describe('In which `hour` and `weekday` of conditions are told, such as Europe/Berlin.'),
    history_limit: z.int().min(0).max(1000).describe('Stored messages that a prompt is sent with, at most.'),
    context_tokens: z
      .int()
      .min(500)
      .max(10_000_000)
      .describe(
        'Tokens that a model call takes at most, its answer included; oldest turns are left out. Estimated, with a ' +
          'quarter in reserve.',
      ),
    greeting: boundedText(10_000).nullable(),
    pause_message: boundedText(10_000)
      .nullable()
      .describe(
        'Said in open conversations when the agent is paused, and in answer to prompts while it is. Null: nothing is said, and prompts over the API are answered with an empty text.',
      ),
    resume_message: boundedText(10_000).nullable(),
    unsupported_message: boundedText(10_000)
      .nullable()
      .describe(
        'Said on channels to what is no text and has no caption, once a conversation and hour; null: nothing.',
      ),
    hosted_redaction: z.boolean(),
    redaction: z
      .strictObject({
        url: httpAddress.nullable(),
        api_key: headerSecret(1000).nullable().describe('Stored sealed, never answered.'),
        language: z.string().regex(/^[a-z]{2,3}$/),
        threshold: z.number().min(0).max(1).nullable(),
        entities: entities.nullable(),
      })
      .partial(),
    redaction_types: z
      .array(z.string().max(64))
      .max(200)
      .nullable()
      .describe('Types that anonymize redacts; null: all.'),
    redaction_patterns: z
      .array(
        z.strictObject({
          name: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/),
          pattern: z.string().min(1).max(500),
        }),
      )
      .max(50),
    retention: z
      .strictObject({ days: z.int().min(1).max(36_500), mode: z.enum(['scrub', 'anonymize']) })
      .nullable()
      .describe('Age in days after which transcripts are redacted.'),
  })
  .partial()
  .meta({ id: 'AgentPatch' })

export type AgentPatch = z.output<typeof agentPatch>

/** The settings of an agent as they are stored. Each `api_key` is sealed. */
export interface AgentSettings {
  instructions: string
  model: {
    url: string | null
    api_key: string | null
    name: string | null
    parameters: Record<string, unknown>
    timeout_ms: number | null
  }
  /** A name of the IANA time zone database. */
  time_zone: string
  history_limit: number
  context_tokens: number
  greeting: string | null
  pause_message: string | null
  resume_message: string | null
  unsupported_message: string | null
  hosted_redaction: boolean
  redaction: {
    url: string | null
    api_key: string | null
    language: string
    threshold: number | null
    entities: string[] | Record<string, string> | null
  }
  redaction_types: string[] | null
  redaction_patterns: { name: string; pattern: string }[]
  retention: { days: number; mode: 'scrub' | 'anonymize' } | null
}

export const defaultSettings: AgentSettings = {
  instructions: '',
  model: { url: null, api_key: null, name: null, parameters: {}, timeout_ms: null },
  time_zone: 'UTC',
  history_limit: 50,
  context_tokens: 16_000,
  greeting: 'Hello! How can I help you?',
  pause_message: 'The assistant is paused. A person will take over from here.',
  resume_message: null,
  unsupported_message: 'I can only read text. Please write me what it is about.',
  hosted_redaction: false,
  redaction: { url: null, api_key: null, language: 'en', threshold: null, entities: null },
  redaction_types: null,
  redaction_patterns: [],
  retention: null,
}

/** An agent as `GET /agent` returns it. */
export const agentSchema = z
  .object({
    id: z.int(),
    team_id: z.int(),
    name: z.string(),
    is_paused: z.boolean(),
    paused_at: time.nullable(),
    resumed_at: time.nullable(),
    created_at: time,
    instructions: z.string(),
    model: z.object({
      url: z.string().nullable(),
      api_key: storedSecret,
      name: z.string().nullable(),
      parameters: z.record(z.string(), z.unknown()),
      timeout_ms: z.int().nullable(),
    }),
    time_zone: z.string(),
    history_limit: z.int(),
    context_tokens: z.int(),
    greeting: z.string().nullable(),
    pause_message: z.string().nullable(),
    resume_message: z.string().nullable(),
    unsupported_message: z.string().nullable(),
    hosted_redaction: z.boolean(),
    redaction: z.object({
      url: z.string().nullable(),
      api_key: storedSecret,
      language: z.string(),
      threshold: z.number().nullable(),
      entities: entities.nullable(),
    }),
    redaction_types: z.array(z.string()).nullable(),
    redaction_patterns: z.array(z.object({ name: z.string(), pattern: z.string() })),
    retention: z.object({ days: z.int(), mode: z.enum(['scrub', 'anonymize']) }).nullable(),
  })
  .meta({ id: 'Agent' })

export type AgentAnswer = z.output<typeof agentSchema>
