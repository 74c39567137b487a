import { z } from 'zod'
import { boundedText, time } from '../http/schemas.ts'
import { presentSecret, storedSecret } from '../http/stored-secret.ts'
import { recordVersion, sentVersion } from '../http/version.ts'
import { ACTIVITY_MOST } from '../lib/activity.ts'
import { withValue } from '../lib/value-at.ts'
import { itemKinds } from '../mailboxes/item-kinds.ts'
import { deliveryReasons } from '../platforms/platform.ts'
import { kindsOf } from '../platforms/platforms.ts'
import { deliveryStatuses } from '../transcripts/conversations/schemas.ts'
import { type Channel, settingAt, webhookUrl } from './channel.ts'
import { type ChannelConnectionRow, connectionFailures } from './connections/tables.ts'
import { type ParkedItem, parkedCodes } from './parked-items.ts'

const platformKind = z.enum(kindsOf())

const settings = z
  .record(z.string().max(64), z.unknown())
  .describe('Settings of the kind; secrets go in and never come out.')

export const newChannel = z
  .strictObject({
    kind: platformKind,
    name: boundedText(200).min(1).nullish(),
    active: z.boolean().optional(),
    settings: settings.default({}),
  })
  .meta({ id: 'NewChannel' })

export const channelPatch = z
  .strictObject({
    name: boundedText(200).min(1).nullable(),
    active: z.boolean(),
    settings: settings.describe('Merged field by field; null takes a setting away.'),
    version: sentVersion,
  })
  .partial()
  .meta({ id: 'ChannelPatch' })

const activity = z
  .object({
    last_message_at: time.nullable().describe('When somebody last wrote.'),
    parked: z.int().describe(`How much was given up; counted to ${ACTIVITY_MOST}.`),
    token_refused: z
      .boolean()
      .describe(
        'Whether the newest failure was a refused access token, and the channel has not changed since.',
      ),
  })
  .meta({ id: 'ChannelActivity' })

export const channelSchema = z
  .object({
    id: z.int(),
    agent_id: z.int(),
    kind: platformKind,
    name: z.string().nullable(),
    active: z.boolean(),
    settings: z.record(
      z.string(),
      z.union([
        storedSecret,
        z.string(),
        z.number(),
        z.array(z.string()),
        z.record(z.string(), z.union([storedSecret, z.string(), z.number()])),
      ]),
    ),
    webhook_url: z
      .string()
      .nullable()
      .describe(
        "Where the platform sends its webhooks: paste it into the platform's console. Null: it sends none.",
      ),
    connection: z
      .object({
        by: z
          .enum(['webhook', 'polling'])
          .nullable()
          .describe(
            '`webhook`: the platform calls `webhook_url`. `polling`: it is asked for events. Null: not yet.',
          ),
        failure: z
          .enum(connectionFailures)
          .nullable()
          .describe('Why the last try failed. `internal`: an error of the service, which its log has.'),
      })
      .nullable()
      .describe('How events come, where the service itself tells the platform; null where people do.'),
    version: recordVersion,
    activity: activity.optional().describe('In lists.'),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Channel' })

/**
 * Returns a channel as the API presents it.
 * @param baseUrl ends in /api/v1
 * @param connection how it is connected, where the service does that
 */
export function presentChannel(
  channel: Channel,
  baseUrl: string,
  connection: Pick<ChannelConnectionRow, 'way' | 'failure'> | undefined,
): z.output<typeof channelSchema> {
  const { platform, settings } = channel
  const shown = platform.secrets.reduce<Record<string, unknown>>((shown, name) => {
    if (platform.makes?.some((made) => made === name)) return withValue(shown, [name], undefined)
    const secret = settingAt(settings, name)
    return withValue(shown, name.split('.'), presentSecret(typeof secret === 'string' ? secret : null))
  }, settings)
  return {
    id: channel.id,
    agent_id: channel.agentId,
    kind: channel.kind,
    name: channel.name,
    active: channel.isActive,
    settings: shown as Record<string, string>,
    webhook_url: platform.webhookSecret === null ? null : webhookUrl(baseUrl, channel),
    connection: connection ? { by: connection.way, failure: connection.failure } : null,
    version: channel.version,
    created_at: channel.createdAt,
    updated_at: channel.updatedAt,
  }
}

export const channelCheck = z
  .object({
    ok: z.boolean(),
    account: z.string().nullable().describe("The account's name on the platform."),
    failure: z
      .enum(['unauthorized', 'unreachable', 'refused'])
      .nullable()
      .describe('`refused`: the platform answered, but not as it should.'),
  })
  .meta({ id: 'ChannelCheck' })

export const testMessage = z
  .strictObject({
    to: boundedText(200)
      .min(1)
      .describe(
        'Who gets it, by the id of the platform: a phone number, a user, a conversation of the helpdesk.',
      ),
    text: boundedText(1000).min(1),
  })
  .meta({ id: 'ChannelTestMessage' })

export const sentTestMessage = z
  .object({
    sent: z.boolean().describe('Whether the platform took it.'),
    reason: z.enum(deliveryReasons).nullable().describe('Why it was not delivered, or may not have been.'),
    status: z.int().nullable().describe("The platform's status, when it refused."),
  })
  .meta({ id: 'SentChannelTestMessage' })

export const parkedItem = z
  .object({
    id: z.int(),
    kind: z.enum(itemKinds).describe('What came in, or `send` for a message that goes out.'),
    conversation_id: z.string().nullable(),
    completion_id: z.string().nullable(),
    message_id: z.int().nullable().describe('The stored message, once there is one.'),
    delivery: z
      .enum(deliveryStatuses)
      .nullable()
      .describe('Of a message that goes out. `unknown`: the person may have it already.'),
    attempts: z.int(),
    error: z
      .string()
      .nullable()
      .describe(
        `Why it was given up: ${parkedCodes.map((code) => `\`${code}\``).join(', ')}, or the name of an error of the service.`,
      ),
    created_at: time,
    parked_at: time.nullable(),
  })
  .meta({ id: 'ParkedItem' })

export function presentParked(row: ParkedItem): z.output<typeof parkedItem> {
  return {
    id: row.id,
    kind: row.kind,
    conversation_id: row.conversation_id,
    completion_id: row.completion_id ?? row.answered_id,
    message_id: row.message_id,
    delivery: row.delivery,
    attempts: row.attempts,
    error: row.error,
    created_at: row.created_at,
    parked_at: row.finished_at,
  }
}

export const channelStatus = z
  .object({
    status: z.enum(['ok', 'inactive']),
    channel: z.enum(kindsOf(({ hasStatus }) => hasStatus)),
    active: z.boolean(),
  })
  .meta({ id: 'ChannelStatus' })
