import type { z } from 'zod'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretChannelSetting } from '../lib/sealed-places.ts'
import type { TextLimit } from './cut-text.ts'
import type { Said } from './said.ts'

/** Settings that channels of every kind have. */
export interface CommonSettings {
  /** Another host for calls to the platform, as for a proxy. */
  api_base?: string | undefined
  /** How long a message waits for others that follow. */
  debounce_ms?: number | undefined
  /** What is answered in chats of several people. */
  groups?: 'never' | 'mentioned' | undefined
}

/** Settings of a channel of any kind, as `platforms.ts` hands the adapters out: checked by `settings` before. */
export type ChannelSettings = CommonSettings & Record<string, unknown>

/** What adapters call their platform with. */
export type PlatformHttp = Pick<Outbound, 'request'>

/** Names in lower case, as Node gives them. */
export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>

/** A webhook request before anything of it is believed. */
export interface WebhookRequest {
  /** The bytes as they came: signatures are made over these. */
  raw: Buffer
  headers: WebhookHeaders
}

/** What every inbound event says of its place. */
export interface InboundBase {
  /** The platform's own id of the event, else a hash of it: the same when the platform sends it again. */
  sourceId: string
  /** The chat on the platform: a person's id, a group's id, a helpdesk conversation's id. Answers go there. */
  thread: string
  /** All ids of the person that the event tells, where a person has several: they are one chat, the first goes first. */
  ids?: readonly string[]
}

/** An inbound event in Parley's words; what is none of these is skipped by the adapter. */
export type Inbound =
  | (InboundBase & {
      type: 'message'
      user: PlatformUser
      /** By which it is edited and withdrawn. */
      platformMessageId: string | null
      /** Answers with this token are free while it is fresh (messenger-three). */
      replyToken: string | null
      /** In a chat of several people, and whether the account was mentioned there. */
      group: boolean
      mentioned: boolean
    } & Said)
  /** The person changed a message, or took it back. */
  | (InboundBase & { type: 'edited'; platformMessageId: string } & Said)
  | (InboundBase & { type: 'withdrawn'; platformMessageId: string })
  /** The person can be reached under other ids from now on. */
  | (InboundBase & { type: 'moved'; newIds: readonly [string, ...string[]] })
  | (InboundBase & { type: 'follow'; user: PlatformUser; replyToken: string | null })
  /** The person no longer wants messages. */
  | (InboundBase & { type: 'unfollow' })
  /**
   * A person answered from the platform's own inbox: the agent is paused in this conversation. Without a text they sent
   * a picture or the like.
   */
  | (InboundBase & { type: 'takeover'; text: string | null; author: string | null })
  /** People have the conversation, give it back to the agent, or have closed it. */
  | (InboundBase & { type: 'handed_over' | 'handed_back' | 'ended' })
  /** The platform tells that a message it had accepted could not be delivered. */
  | (InboundBase & {
      type: 'undelivered'
      /** As sending it answered. */
      echoId: string
      reason: DeliveryReason
      /** The platform's own. */
      code: string
    })

export interface PlatformUser {
  id: string
  name: string | null
}

/** What a person can send, of every platform. */
export const messageKinds = [
  'text',
  'image',
  'voice',
  'video',
  'file',
  'location',
  'contact',
  'sticker',
  'reaction',
  /** What the platform does not pass on, or is none of these. */
  'other',
] as const

export type MessageKind = (typeof messageKinds)[number]

/** Why something was not delivered, as message rows and `error` events tell it. */
export const deliveryReasons = [
  /** The platform takes no message of the agent until the person writes again. */
  'window_closed',
  /** The access token is missing or refused. */
  'unauthorized',
  /** The platform answered that it does not take this. */
  'rejected',
  /** No connection, a connection that broke, or an error of the platform itself. */
  'unreachable',
  /** No answer in time. */
  'too_slow',
] as const

export type DeliveryReason = (typeof deliveryReasons)[number]

/** Texts that go out together, as many as the platform takes in one call; each is within its limit. */
export interface OutboundTexts {
  thread: string
  texts: readonly [string, ...string[]]
  /** The texts answer the event that brought this token; null: they are sent unasked. */
  replyToken: string | null
  /** A UUID that stays the same for every attempt to send these texts. */
  retryKey: string
  /** A person wrote it, not the agent. */
  byPerson: boolean
}

/** What the platform made of what was sent. */
export interface Sent {
  /** The source id of the event with which the platform tells of this very sending; null: it does not. */
  echoId: string | null
}

/**
 * What is known of a failed call:
 * - `not_sent`: it was certainly not carried out, and may be tried again (connection refused, 429)
 * - `unknown`: it may have been carried out (time-out, broken connection, 5xx)
 * - `refused`: it was not carried out, and a repeat would be refused as well
 */
export type CallOutcome = 'not_sent' | 'unknown' | 'refused'

/** A failed call; the message holds no secret and no text of a person. */
export class PlatformError extends Error {
  readonly outcome: CallOutcome
  readonly reason: DeliveryReason
  readonly status: number | null
  /** How long the platform asks to wait, in milliseconds. */
  readonly retryAfterMs: number | null

  constructor(
    outcome: CallOutcome,
    reason: DeliveryReason,
    message: string,
    { status = null, retryAfterMs = null, cause }: PlatformErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'PlatformError'
    this.outcome = outcome
    this.reason = reason
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

export interface PlatformErrorOptions {
  status?: number | null
  retryAfterMs?: number | null
  cause?: unknown
}

/** The platform does not take a reply token (any more): nothing was sent with it by this call. */
export class ReplyTokenRefused extends Error {}

/** The body is no webhook of this platform: 400. */
export class InvalidWebhook extends Error {}

/** The webhook is meant for another account than the channel's: 403. */
export class WrongDestination extends Error {}

/**
 * A messaging platform: pure translation between its wire and Parley's words. It knows no database and no feature;
 * `Settings` are those of one channel with its secrets in the clear.
 */
export interface Platform<Settings = never, Kind extends string = string> {
  /** As paths name it. */
  readonly kind: Kind
  /** As events number it: it stays with the platform for ever. */
  readonly number: number
  /** What a channel of this kind is set up with; strict, every field optional. */
  readonly settings: z.ZodType<Settings>
  /** Which of the settings are secrets. */
  readonly secrets: readonly (keyof Settings & SecretChannelSetting)[]
  /** The secret without which webhooks are refused. */
  readonly webhookSecret: keyof Settings & string
  /** Settings that `check` asks the platform for when they are absent. */
  readonly learns: readonly (keyof Settings & string)[]
  /** Whether the webhook's address is confirmed with a GET handshake. */
  readonly hasHandshake: boolean
  /** Whether a GET of the webhook's address tells, without credentials, if the channel is active. */
  readonly hasStatus: boolean
  /** Whether the agent's API key in the address does in place of a signature; what the signature's header is called then. */
  readonly keyInAddress: { signatureHeader: string; description: string } | null
  /** How long after a person's last message the agent may write, in milliseconds; null: at any time. */
  readonly replyWindowMs: number | null
  /** Whether a text that may have gone out can be sent again, with its reply token or retry key, and is never seen twice. */
  readonly resends: boolean
  /** The longest text one message may have, counted as the platform counts. */
  readonly textLimit: TextLimit
  /** How many texts one call takes. */
  readonly textsAtOnce: number
  /** Whether the request was signed with the channel's secret; false when there is none. In constant time. */
  isSigned(request: WebhookRequest, settings: Settings): boolean
  /**
   * Reads what a webhook tells, in its order.
   * @throws InvalidWebhook, WrongDestination
   */
  read(body: unknown, headers: WebhookHeaders, settings: Settings): Inbound[]
  /** @throws PlatformError, ReplyTokenRefused */
  send(http: PlatformHttp, settings: Settings, message: OutboundTexts): Promise<Sent>
  /** Shows that an answer is being made, and that the message was read, where the platform can. @throws PlatformError */
  showTyping?(http: PlatformHttp, settings: Settings, thread: string, sourceId: string): Promise<void>
  /** Gives the conversation to people, or takes it back. @throws PlatformError */
  handOver?(http: PlatformHttp, settings: Settings, thread: string): Promise<void>
  handBack?(http: PlatformHttp, settings: Settings, thread: string): Promise<void>
  /**
   * Asks the platform whether the channel's token works.
   * @returns the account's name, and settings that the platform knows better (such as the destination)
   * @throws PlatformError
   */
  check(
    http: PlatformHttp,
    settings: Settings,
  ): Promise<{ account: string | null; settings: Partial<Settings> }>
}
