import { z } from 'zod'
import { boundedText, time } from '../http/schemas.ts'
import { recordVersion, sentVersion } from '../http/version.ts'
import { answering } from './settings/answer-settings.ts'
import { redacting, redaction } from './settings/redaction-settings.ts'
import { embedding, model, transcription } from './settings/server-settings.ts'
import { each } from './settings/setting.ts'
import { texts } from './settings/text-settings.ts'

const plain = { ...answering, ...texts, ...redacting }

/** Settings of an agent to be changed. An absent setting stays unchanged; null removes a setting. */
export const agentPatch = z
  .strictObject({
    name: boundedText(200).min(1),
    model: z.strictObject(each(model, 'given')).partial(),
    embedding: z.strictObject(each(embedding, 'given')).partial(),
    transcription: z.strictObject(each(transcription, 'given')).partial(),
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
  transcription: each(transcription, 'usual'),
  redaction: each(redaction, 'usual'),
  ...each(plain, 'usual'),
}

/** The settings that each name a server, whose key is sealed; `model` also has the keys of its fallbacks. */
export const SERVERS = ['model', 'embedding', 'transcription', 'redaction'] as const

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
    transcription: z.object(each(transcription, 'shown')),
    redaction: z.object(each(redaction, 'shown')),
    ...each(plain, 'shown'),
  })
  .meta({ id: 'Agent' })

export type AgentAnswer = z.output<typeof agentSchema>
