import type { z } from 'zod'
import type { SecretChannelSetting } from '../lib/secrets/sealed-places.ts'
import type { TextLimit } from './cut-text.ts'
import type { MediaSource } from './media.ts'
import type { AttachedFile, FileSending } from './outbound-file.ts'
import type { PlatformHttp } from './platform-http.ts'
import type { Said } from './said.ts'
import type { Template, TemplateUse } from './template.ts'

export type { PlatformHttp } from './platform-http.ts'

/** Settings that channels of every kind have. */
export interface CommonSettings {
  /** Another base address for calls to the platform, for example a proxy. */
  api_base?: string | undefined
  /** The time for which a message waits for others that may follow. */
  debounce_ms?: number | undefined
  /** The messages that are answered in group chats. */
  groups?: 'never' | 'mentioned' | undefined
}

/**
 * The settings of a channel of any kind, as the adapters in `platforms.ts` take them. They must have passed `settings`.
 */
export type ChannelSettings = CommonSettings & Record<string, unknown>

/** The headers of a webhook, with names in lower case, as in Node. */
type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>

/** A webhook request before anything in it is trusted. */
export interface WebhookRequest {
  /** The bytes as received, over which signatures are made. */
  raw: Buffer
  headers: WebhookHeaders
  /** The public address that was called, with its query. */
  url: string
  /** The time at which it was received. */
  nowMs: number
}

/** The fields of every inbound event. */
export interface InboundBase {
  /** The platform's own id of the event, or else a hash of the event. The same when the platform repeats the event. */
  sourceId: string
  /** The chat on the platform, to which answers go: the id of a person, a group or a helpdesk conversation. */
  thread: string
  /**
   * All ids of the person in the event, when a person has several. All lead to the same chat; the first id is
   * preferred.
   */
  ids?: readonly string[]
  /** The time of the event in milliseconds, where the signed body tells it; NaN when that is no number. */
  sentAt?: number
}

/** An inbound event in Parley's terms. The adapter skips everything else. */
export type Inbound =
  | (InboundBase & {
      type: 'message'
      user: PlatformUser
      /** The id by which the message is edited and withdrawn. */
      platformMessageId: string | null
      /** Answers with this token are free for a short time (messenger-three). */
      replyToken: string | null
      /** True in a group chat; `mentioned` is true if the account was mentioned. */
      group: boolean
      mentioned: boolean
      /** The id of the button that the person pressed; its title is the text, empty where the platform does not tell it. */
      pressed?: string
      /** The ids of the messages that an answer refers to, in the adapter's own form. */
      answersTo?: string
      /** The address of answers, when the chat's name does not tell it. */
      address?: string
      /** Set when the agent must not answer: `alone`, nobody needs to; `to_person`, a person should. */
      leave?: 'alone' | 'to_person'
    } & Said)
  /** The person edited or withdrew a message. */
  | (InboundBase & { type: 'edited'; platformMessageId: string } & Said)
  | (InboundBase & { type: 'withdrawn'; platformMessageId: string })
  /** The person is reached under other ids from now on. */
  | (InboundBase & { type: 'moved'; newIds: readonly [string, ...string[]] })
  | (InboundBase & { type: 'follow'; user: PlatformUser; replyToken: string | null })
  /** The person no longer wants messages. */
  | (InboundBase & { type: 'unfollow' })
  /**
   * A person answered from the platform's own inbox, so the agent is paused in this conversation. `text` is null when
   * the answer was not text, for example a picture.
   */
  | (InboundBase & { type: 'takeover'; text: string | null; author: string | null })
  /** People have taken the conversation over, have given it back to the agent, or have closed it. */
  | (InboundBase & { type: 'handed_over' | 'handed_back' | 'ended' })
  /** The person has seen what was sent, up to a message or a time in milliseconds. */
  | (InboundBase & { type: 'read'; echoId: string | null; until: number | null })
  /** The platform reports that a message it had accepted could not be delivered. */
  | (InboundBase & {
      type: 'undelivered'
      /** The id that sending the message returned. */
      echoId: string
      reason: DeliveryReason
      /** The platform's own code. */
      code: string
    })

export interface PlatformUser {
  id: string
  name: string | null
  /** False when the platform did not say who in a chat of several people wrote, and the id is the chat's. */
  isPerson?: boolean
  /** The id that the customer's site has signed for the user, on a platform that does not authenticate users. */
  signedId?: string
}

/** The reasons for a failed delivery, as in message rows and `error` events. */
export const deliveryReasons = [
  /** The platform accepts no message of the agent until the person writes again. */
  'window_closed',
  /** The access token is missing or refused. */
  'unauthorized',
  /** The platform refused the message. */
  'rejected',
  /** No connection, a connection that broke, or an error of the platform itself. */
  'unreachable',
  /** No answer in time. */
  'too_slow',
  /** The platform has no such template in this language. */
  'template_missing',
  /** The platform has paused or disabled the template. */
  'template_paused',
  /** The texts for the template's variables are not as the platform wants them. */
  'template_mismatch',
  /** The platform does not take the file, or could not read it. */
  'file_refused',
] as const

export type DeliveryReason = (typeof deliveryReasons)[number]

/** The way in which people name whom to write to first. */
interface Addressee {
  /** The form of the texts that name somebody, in words. */
  readonly form: string
  /** Returns the chat with whom a text names; null when it names nobody on the platform. */
  threadOf(to: string): string | null
  /** True when the platform delivers nothing to people who have never written. */
  readonly mustHaveWritten: boolean
}

/** A button below a text. */
export interface OutboundButton {
  /** The id that the platform tells when it is pressed. */
  id: string
  title: string
  /** The page that it opens; null: pressing it says its title. */
  url: string | null
}

/** The buttons that a platform can show. */
export interface ButtonLimits {
  /** The longest text of a message with buttons. */
  readonly textLimit: TextLimit
  /** The longest title, in UTF-16 units. */
  readonly title: number
  /** Tells whether this many links, and buttons that are no links, can stand below one text. */
  takes(links: number, others: number): boolean
  /** The most buttons below a text of which one is chosen once, as in a list or as quick replies. None is a link. */
  readonly choices: number
}

/** Texts that are sent together, at most as many as the platform accepts in one call. Each is within its limit. */
export interface OutboundTexts {
  thread: string
  texts: readonly [string, ...string[]]
  /** The token of the event that the texts answer; null when they are not a reply. */
  replyToken: string | null
  /** A UUID that stays the same for every attempt to send these texts. */
  retryKey: string
  /** True if a person wrote the texts, not the agent. */
  byPerson: boolean
  /** True if the reply window is closed: only people still write then. Absent: it is open, or there is none. */
  afterWindow?: boolean
  /** The ids that the newest message of the chat named for answers to it; null when it named none. */
  answersTo?: string | null
  /** The subject of the chat, for a platform whose chats have one: the first line of its first message. */
  subject?: string | null
  /** The address, when the chat's name does not tell it. */
  to?: string
  /** The link by which the person stops all messages of the chat. */
  stopUrl?: string
  /** The address of the channel's webhook, to which the platform may be told to report what becomes of the texts. */
  webhookUrl: string
  /** The template as which the text is sent; null or absent: it is sent as it is. */
  template?: TemplateUse | null
  /** The buttons below the last text, as many as `buttons` of the platform takes, or `choices` where those are more. */
  buttons?: readonly OutboundButton[]
  /** The files that go with the texts: on a platform that `attaches` files, and with templates. */
  files?: readonly AttachedFile[]
}

/** The platform's answer to a sent message. */
export interface Sent {
  /** The source id of the event by which the platform reports this message; null when it does not report it. */
  echoId: string | null
  /** The id that later messages of the chat refer to, on a platform whose messages refer to others. */
  reference?: string
  /** The ids from which the person will answer, when the platform says that they differ from the chat's. */
  ids?: readonly string[]
}

/**
 * The certainty about a failed call:
 * - `not_sent`: it was certainly not carried out, and may be tried again (connection refused, 429)
 * - `unknown`: it may have been carried out (time-out, broken connection, 5xx)
 * - `refused`: it was not carried out, and a repeat would be refused as well
 */
export type CallOutcome = 'not_sent' | 'unknown' | 'refused'

/** A failed call. The message contains no secret and no text of a person. */
export class PlatformError extends Error {
  readonly outcome: CallOutcome
  readonly reason: DeliveryReason
  readonly status: number | null
  /** The wait before a repeat that the platform asks for, in milliseconds. */
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

interface PlatformErrorOptions {
  status?: number | null
  retryAfterMs?: number | null
  cause?: unknown
}

/** The way in which events come from a platform that is told by a call where to send them, or is asked for them. */
export interface Connection<Settings = never> {
  /** Tells the platform where events go; absent when it can only be asked for them. */
  readonly push?: {
    /**
     * Has the platform send each event to an address.
     * @throws PlatformError
     */
    subscribe(http: PlatformHttp, settings: Settings, url: string): Promise<void>
    /**
     * Has the platform keep events until it is asked for them.
     * @throws PlatformError
     */
    unsubscribe(http: PlatformHttp, settings: Settings): Promise<void>
  }
  /**
   * Waits for events, for as long as the signal allows. Asking for the next ones says that the ones before are stored.
   * @param position the end of the events that are stored, as it was returned; null: none are, or the platform itself
   *   keeps it
   * @throws PlatformError
   */
  listen(
    http: PlatformHttp,
    settings: Settings,
    position: string | null,
    signal: AbortSignal,
  ): AsyncIterable<Arrived>
}

/** Events that a platform was asked for: as webhooks would bring them, and where they end. */
export interface Arrived {
  bodies: unknown[]
  /** Null when the platform itself keeps it. */
  position: string | null
}

/** Thrown when the platform does not accept a reply token, or no longer does. The call sent nothing. */
export class ReplyTokenRefused extends Error {}

/** Thrown when the body is not a webhook of this platform: 400. */
export class InvalidWebhook extends Error {}

/** Thrown when the webhook is for an account other than the channel's: 403. */
export class WrongDestination extends Error {}

/**
 * A messaging platform: translates between the platform's messages and Parley's terms, and nothing else. It knows no
 * database and no feature. `Settings` are those of one channel, with its secrets in the clear.
 */
export interface Platform<Settings = never, Kind extends string = string> {
  /** The kind, as in paths. */
  readonly kind: Kind
  /** The platform's own name. */
  readonly title: string
  /** The number of the platform in events. It never changes. */
  readonly number: number
  /** The schema of a channel's settings: strict, every field optional. */
  readonly settings: z.ZodType<Settings>
  /** The names of the settings that are secrets. */
  readonly secrets: readonly SecretChannelSetting[]
  /** The secrets that the service makes for each channel and never shows. */
  readonly makes?: readonly (keyof Settings & SecretChannelSetting)[]
  /** The secret without which webhooks are refused; null when the platform sends none. */
  readonly webhookSecret: (keyof Settings & string) | null
  /** The settings that `check` gets from the platform when they are absent. */
  readonly learns: readonly (keyof Settings & string)[]
  /** True if a GET handshake confirms the webhook's address. */
  readonly hasHandshake: boolean
  /** True if a GET of the webhook's address says, without credentials, whether the channel is active. */
  readonly hasStatus: boolean
  /** True when the platform itself identifies the writer. A helpdesk relays identities that it has not verified. */
  readonly knowsUsers: boolean
  /** Set when the agent's API key in the address can replace a signature, with the name of the signature's header. */
  readonly keyInAddress: { signatureHeader: string; description: string } | null
  /** Set when webhooks are forms, whose values are texts, in place of JSON. */
  readonly form?: { answer: { type: string; body: string } }
  /** Set when the service itself connects to the platform; otherwise people do, in the platform's own console. */
  readonly connection: Connection<Settings> | null
  /** The way to the files of people's messages; absent: they are only described. */
  readonly media?: MediaSource<Settings>
  /** Sends files one by one; absent: the platform takes only text, unless it `attaches` files. */
  readonly files?: FileSending<Settings, Sent>
  /** Set when all files of a message go with its last text in one call, with the most bytes that they have together. */
  readonly attaches?: { readonly bytes: number }
  /** The most answers of the agent in an hour, in one chat and to one person; absent for no limit. */
  readonly mostAnswers?: { inChat: number; toPerson: number }
  /** The time after a person's last message for which the agent may write, in milliseconds; null for no limit. */
  readonly replyWindowMs: number | null
  /** The same limit for people who answer; null for no limit. */
  readonly personWindowMs: number | null
  /**
   * True if a text that may have been sent can be sent again, with its reply token or retry key, without appearing
   * twice.
   */
  readonly resends: boolean
  /** Whom people can write to first. */
  readonly addressee: Addressee
  /** Set when the platform has templates of messages. */
  readonly templates?: {
    /** The setting without which they cannot be asked for. */
    readonly setting: keyof Settings & string
    /**
     * Reads the templates that the platform has approved.
     * @throws PlatformError
     */
    list(http: PlatformHttp, settings: Settings): Promise<Template[]>
  }
  /** Set when messages can have buttons. */
  readonly buttons?: ButtonLimits
  /** Set when a conversation of a widget can go on there. */
  readonly continues?: {
    /** Returns an address in the form in which addresses are compared; null when it is none, or nothing may go there. */
    addressOf(text: string, settings: Settings): string | null
    /** Returns the name of the chat in which a conversation goes on with an address. */
    threadOf(settings: Settings, conversationId: string, address: string): string
  }
  /** The longest text of one message, counted as the platform counts. */
  readonly textLimit: TextLimit
  /** True if chats have a subject. */
  readonly hasSubjects?: boolean
  /** The number of texts that one call takes. */
  readonly textsAtOnce: number
  /**
   * True if the request was signed with the channel's secret, and recently where the platform signs the time; false
   * when the channel has no secret. Compares in constant time.
   */
  isSigned(request: WebhookRequest, settings: Settings): boolean
  /**
   * Reads the events of a webhook in their order, from the body alone: a replay may have other headers.
   * @throws InvalidWebhook, WrongDestination
   */
  read(body: unknown, settings: Settings): Inbound[]
  /** Returns the addresses of servers in the settings that are not `api_base`, each with its setting. */
  servers?(settings: Settings): { setting: string; url: string }[]
  /** @throws PlatformError, ReplyTokenRefused */
  send(http: PlatformHttp, settings: Settings, message: OutboundTexts): Promise<Sent>
  /**
   * Shows that an answer is being made and that the message was read, if the platform can.
   * @throws PlatformError
   */
  showTyping?(http: PlatformHttp, settings: Settings, thread: string, sourceId: string): Promise<void>
  /**
   * Tells the platform that an event of a pressed button has arrived, if it waits for that.
   * @throws PlatformError
   */
  acknowledge?(http: PlatformHttp, settings: Settings, sourceId: string): Promise<void>
  /**
   * Hands the conversation over to people, or takes it back.
   * @throws PlatformError
   */
  handOver?(http: PlatformHttp, settings: Settings, thread: string): Promise<void>
  handBack?(http: PlatformHttp, settings: Settings, thread: string): Promise<void>
  /**
   * Asks the platform whether the channel's token works.
   * @returns the account's name, and settings that only the platform knows for certain (such as the destination)
   * @throws PlatformError
   */
  check(
    http: PlatformHttp,
    settings: Settings,
  ): Promise<{ account: string | null; settings: Partial<Settings> }>
}
