import { z } from 'zod'
import { type EventKey, eventKeys } from '../events/keys.ts'
import { boundedText, time, webhookSecret } from '../http/schemas.ts'
import { recordVersion, sentVersion, versionOf } from '../http/version.ts'
import { httpAddress } from '../lib/outbound/http-address.ts'
import type { DeliveryRow, NotificationRow } from './tables.ts'

const eventKey = z.enum(Object.keys(eventKeys) as [EventKey, ...EventKey[]])

const security = z
  .enum(['signature', 'shared_secret'])
  .describe('`signature`: HMAC headers; `shared_secret`: the secret itself in a header.')

const events = z
  .union([
    // First, because the error for a mistyped key is that of the first form that the value could have.
    z
      .array(eventKey)
      .min(1)
      .max(50)
      .overwrite((keys) => [...new Set(keys)]),
    z.tuple([z.literal('*')]),
  ])
  .describe('Event keys, or `["*"]` for all.')

export const newNotification = z
  .strictObject({
    name: boundedText(200).min(1),
    url: httpAddress,
    security: security.default('signature'),
    secret: webhookSecret.optional().describe('Made when absent; shown once.'),
    events,
    active: z.boolean().default(true),
  })
  .meta({ id: 'NewNotification' })

export type NewNotification = z.output<typeof newNotification>

export const notificationPatch = z
  .strictObject({
    name: boundedText(200).min(1),
    url: httpAddress.describe(
      'The secret belongs to scheme, host and port: another origin gets a new one, yours or one that is made.',
    ),
    security: security.describe('A change to `shared_secret` needs a new `secret`.'),
    secret: webhookSecret,
    events,
    active: z.boolean(),
    version: sentVersion,
  })
  .partial()
  .meta({ id: 'NotificationPatch' })

export type NotificationPatch = z.output<typeof notificationPatch>

export const secretRotation = z
  .strictObject({
    secret: webhookSecret.optional().describe('Made when absent; shown once.'),
    grace_seconds: z
      .int()
      .min(0)
      .max(7 * 24 * 60 * 60)
      .default(24 * 60 * 60)
      .describe('How long the old secret signs beside the new one, in `webhook-signature`.'),
  })
  .meta({ id: 'SecretRotation' })

export type SecretRotation = z.output<typeof secretRotation>

const deliveryState = z.enum([
  'pending',
  'sending',
  'delivered',
  'rejected',
  'failed',
  'blocked',
  'expired',
  'unknown',
])

const lastDelivery = z
  .object({
    id: z.int(),
    event_key: z.string(),
    state: deliveryState,
    at: time.describe('When it ended, or else when its event happened.'),
    status: z.int().nullable().describe("HTTP status of the receiver's answer."),
    failure: z.string().nullable().describe('Why there was no answer.'),
  })
  .meta({ id: 'LastDelivery' })

const notificationFields = {
  id: z.int(),
  agent_id: z.int(),
  name: z.string(),
  url: z.string(),
  security,
  events: z.array(z.string()),
  active: z.boolean(),
  failures: z.int().describe('Deliveries in a row that got no answer at all.'),
  held_until: time
    .nullable()
    .describe('Set while the endpoint keeps failing: its deliveries wait until this time.'),
  previous_secret_until: time
    .nullable()
    .describe('Until when the secret from before the last rotation signs too.'),
  version: recordVersion,
  last_delivery: lastDelivery
    .nullish()
    .describe('In lists: the last one that ended, or else the newest. Null: none is known.'),
  created_at: time,
  updated_at: time,
}

export const notificationSchema = z.object(notificationFields).meta({ id: 'Notification' })

/** A notification with its secret, for the answers to the calls that made the secret. */
export const notificationWithSecret = z
  .object({ ...notificationFields, secret: z.string() })
  .meta({ id: 'NotificationWithSecret' })

/** A changed notification, with its secret if the change made one. */
export const changedNotification = z
  .object({
    ...notificationFields,
    secret: z
      .string()
      .optional()
      .describe(
        'The new secret, when the address led to another origin and no secret was given. Shown once.',
      ),
  })
  .meta({ id: 'ChangedNotification' })

export function presentNotification(row: NotificationRow): z.output<typeof notificationSchema> {
  return {
    id: row.id,
    agent_id: row.agent_id,
    name: row.name,
    url: row.url,
    security: row.security,
    events: JSON.parse(row.events) as string[],
    active: row.active === 1,
    failures: row.failures,
    held_until: row.held_until,
    previous_secret_until: row.previous_secret_until,
    version: notificationVersion(row),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

export function notificationVersion({
  name,
  url,
  security,
  secret,
  events,
  active,
}: NotificationRow): string {
  return versionOf(name, url, security, secret, events, active)
}

export const deliverySchema = z
  .object({
    id: z.int(),
    webhook_id: z.string().describe('The header `webhook-id`: the same for all replays.'),
    event_key: z.string(),
    completion_id: z.string().nullable(),
    state: deliveryState,
    created_at: time,
    sent_at: time.nullable(),
    finished_at: time.nullable(),
    status: z.int().nullable().describe("HTTP status of the receiver's answer."),
    failure: z.string().nullable().describe('Why there was no answer.'),
    duration_ms: z.int().nullable(),
    answer: z.string().nullable().describe("The first KiB of the receiver's answer."),
    payload: z.string().nullable().describe('The body as it was signed and sent; gone after a redaction.'),
    replay_of: z.int().nullable(),
  })
  .meta({ id: 'Delivery' })

export function webhookId({ id, replay_of }: Pick<DeliveryRow, 'id' | 'replay_of'>): string {
  return `msg_${replay_of ?? id}`
}

export function presentLastDelivery(row: DeliveryRow | undefined): z.output<typeof lastDelivery> | null {
  if (!row) return null
  const { id, event_key, state, status, failure } = row
  return { id, event_key, state, at: row.finished_at ?? row.created_at, status, failure }
}

export function presentDelivery(row: DeliveryRow): z.output<typeof deliverySchema> {
  return {
    id: row.id,
    webhook_id: webhookId(row),
    event_key: row.event_key,
    completion_id: row.completion_id,
    state: row.state,
    created_at: row.created_at,
    sent_at: row.sent_at,
    finished_at: row.finished_at,
    status: row.status,
    failure: row.failure,
    duration_ms: row.duration_ms,
    answer: row.answer,
    payload: row.payload,
    replay_of: row.replay_of,
  }
}
