import { DAY_MS } from '../lib/clock.ts'
import { type JsonObject, toObject, toObjects } from '../lib/untrusted-json.ts'
import { isSignedByApp, META_FILES } from './graph.ts'
import { type MediaSource, toMedia } from './media.ts'
import type { MessageKind } from './message-kind.ts'
import {
  type ButtonLimits,
  type Inbound,
  type OutboundButton,
  type OutboundTexts,
  type WebhookRequest,
  WrongDestination,
} from './platform.ts'
import { type Said, saidOther, saidSeveral, saidText, withMedia } from './said.ts'
import {
  hashOf,
  requireObject,
  requireObjects,
  toEchoId,
  toId,
  toNumber,
  toText,
  withPressed,
  withTime,
} from './wire.ts'

/** The mark of messages from Parley, which tells their echo from a person's answer in the page's inbox. */
export const OWN = 'parley'

/** The most buttons below a text; more become quick replies. */
const MOST_BUTTONS = 3

/** The buttons that Messenger and Instagram take below a text. */
const BUTTONS: ButtonLimits = {
  textLimit: { length: 640, unit: 'utf8' },
  title: 20,
  takes: (links, others) => links + others <= MOST_BUTTONS,
  choices: 13,
}

/** Returns a text, with buttons if there are any. */
export function contentOf(text: string, buttons: readonly OutboundButton[] = []): JsonObject {
  if (buttons.length === 0) return { text }
  if (buttons.length > MOST_BUTTONS)
    return {
      text,
      quick_replies: buttons.map(({ id, title }) => ({ content_type: 'text', title, payload: id })),
    }
  const shown = buttons.map(({ id, title, url }) =>
    url === null ? { type: 'postback', title, payload: id } : { type: 'web_url', title, url },
  )
  return {
    attachment: { type: 'template', payload: { template_type: 'button', text, buttons: shown } },
  }
}

/**
 * Returns the body of a call that sends a message to a person.
 * @param withinWindow the fields of a message within the reply window
 */
export function bodyTo(
  { thread, afterWindow = false }: Pick<OutboundTexts, 'thread' | 'afterWindow'>,
  message: JsonObject,
  withinWindow: JsonObject = {},
): JsonObject {
  // People may answer within seven days. The tag needs an approval that not every app has.
  const type = afterWindow ? { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' } : withinWindow
  return { recipient: { id: thread }, ...type, message }
}

/** Files are at signed addresses, which work for some time. */
const linkedMedia: MediaSource = { find: (_http, _settings, url) => ({ url, otherHosts: META_FILES }) }

/** The part of a platform that Messenger and Instagram have in common. */
export const messagingTraits = {
  secrets: ['verify_token', 'app_secret', 'access_token'],
  webhookSecret: 'app_secret',
  hasHandshake: true,
  hasStatus: false,
  knowsUsers: true,
  keyInAddress: null,
  connection: null,
  media: linkedMedia,
  replyWindowMs: DAY_MS,
  personWindowMs: 7 * DAY_MS,
  resends: false,
  textsAtOnce: 1,
  buttons: BUTTONS,
  isSigned: (request: WebhookRequest, { app_secret }: { app_secret?: string | undefined }) =>
    isSignedByApp(request, app_secret),
} as const

/**
 * Reads a webhook of Meta's messaging platform, which messenger-two and instagram share.
 * @param account the channel's own account; undefined when it is not known
 * @throws InvalidWebhook, WrongDestination
 */
export function readMessagingWebhook(body: unknown, account: string | undefined): Inbound[] {
  const entries = requireObjects(requireObject(body).entry)
  const isOurs = ({ id }: JsonObject) => account === undefined || id === undefined || toId(id) === account
  if (entries.length > 0 && !entries.some(isOurs)) throw new WrongDestination()
  // Entries with `standby` instead of `messaging` belong to another app.
  return entries
    .filter(isOurs)
    .flatMap(({ messaging }) => toObjects(messaging))
    .flatMap((event) => withTime(readMessaging(event), toNumber(event.timestamp)))
}

function readMessaging(event: JsonObject): Inbound[] {
  const message = toObject(event.message)
  if (message?.is_echo === true) return readEcho(event, message)
  const thread = toId(toObject(event.sender)?.id)
  if (thread === null) return []
  const edit = toObject(event.message_edit)
  if (edit) return readEdit(event, edit, thread)
  const read = toObject(event.read)
  if (read) return readRead(event, read, thread)
  if (message?.is_deleted === true) return readDeletion(event, message, thread)
  const pressed = toObject(event.postback)
  const said = message ? readSaid(message) : (saidTitle(pressed) ?? readReaction(toObject(event.reaction)))
  if (!said) return []
  const platformMessageId = toId(message?.mid) ?? toId(pressed?.mid)
  const sourceId = platformMessageId ?? hashOf(event)
  const user = { id: thread, name: null }
  const place = { replyToken: null, group: false, mentioned: false }
  const button = withPressed(pressed?.payload ?? toObject(message?.quick_reply)?.payload)
  return [{ ...said, ...place, ...button, type: 'message', sourceId, thread, user, platformMessageId }]
}

/** Reads an echo: Parley's own message, or a person's answer from the page's inbox. */
function readEcho(event: JsonObject, message: JsonObject): Inbound[] {
  const thread = toId(toObject(event.recipient)?.id)
  const text = toText(message.text)
  const hasContent = text !== null || toObjects(message.attachments).length > 0
  if (!hasContent || thread === null || message.metadata === OWN) return []
  const sourceId = toEchoId(message.mid) ?? hashOf(event)
  return [{ type: 'takeover', sourceId, thread, text, author: null }]
}

function readEdit(event: JsonObject, edit: JsonObject, thread: string): Inbound[] {
  const platformMessageId = toId(edit.mid)
  const text = toText(edit.text)
  if (platformMessageId === null || text === null) return []
  return [{ ...saidText(text), type: 'edited', sourceId: hashOf(event), thread, platformMessageId }]
}

/** Reads that the person has seen what was sent: up to a time, or up to a message. */
function readRead(event: JsonObject, read: JsonObject, thread: string): Inbound[] {
  const echoId = toEchoId(read.mid)
  const until = typeof read.watermark === 'number' && Number.isFinite(read.watermark) ? read.watermark : null
  if (echoId === null && until === null) return []
  return [{ type: 'read', sourceId: hashOf(event), thread, echoId, until }]
}

function readDeletion(event: JsonObject, message: JsonObject, thread: string): Inbound[] {
  const platformMessageId = toId(message.mid)
  if (platformMessageId === null) return []
  return [{ type: 'withdrawn', sourceId: hashOf(event), thread, platformMessageId }]
}

/** The platforms' types of messages that are not text. */
const KINDS = new Map<unknown, MessageKind>([
  ['image', 'image'],
  ['audio', 'voice'],
  ['video', 'video'],
  ['reel', 'video'],
  ['ig_reel', 'video'],
  ['file', 'file'],
  ['location', 'location'],
  ['sticker', 'sticker'],
])

function readSaid(message: JsonObject): Said | null {
  const text = toText(message.text)
  // The preview of a link arrives as a `fallback` attachment beside the text with the link.
  const attached = toObjects(message.attachments)
    .filter(({ type }) => type !== 'fallback' || text === null)
    .map(({ type, payload }) => {
      const told = toObject(payload)
      const kind = told?.sticker_id === undefined ? (KINDS.get(type) ?? 'other') : 'sticker'
      return { kind, url: toText(told?.url) }
    })
  const [kind, ...more] = attached.map(({ kind }) => kind)
  if (kind === undefined) {
    if (text !== null) return saidText(text)
    return message.is_unsupported === true ? saidOther('other', null) : null
  }
  const media = attached.map(({ kind, url }) => toMedia(kind, url))
  return withMedia(saidSeveral([kind, ...more], text), media)
}

/** Returns the label of a pressed button. */
function saidTitle(postback: JsonObject | null): Said | null {
  const title = toText(postback?.title)
  return title === null ? null : saidText(title)
}

function readReaction(reaction: JsonObject | null): Said | null {
  const emoji = toText(reaction?.emoji) ?? toText(reaction?.reaction)
  return emoji === null || reaction?.action === 'unreact' ? null : saidOther('reaction', null, emoji)
}
