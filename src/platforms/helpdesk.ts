import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { decodeUri } from '../lib/decode-uri.ts'
import { multipart } from '../lib/outbound/multipart.ts'
import { equalInConstantTime } from '../lib/secrets/constant-time.ts'
import { type JsonObject, toObject, toObjects } from '../lib/untrusted-json.ts'
import { accessToken, callPlatform, required } from './call-platform.ts'
import { type Media, toMedia } from './media.ts'
import type { MessageKind } from './message-kind.ts'
import { MEGABYTE } from './outbound-file.ts'
import {
  type Inbound,
  type Platform,
  type PlatformHttp,
  type PlatformUser,
  WrongDestination,
} from './platform.ts'
import { type Said, saidSeveral, saidText, withMedia } from './said.ts'
import {
  apiUrl,
  commonSettings,
  digits,
  hashOf,
  headerOf,
  requireObject,
  settingText,
  toEchoId,
  toId,
  toText,
  withPressed,
} from './wire.ts'

const API = 'https://app.chatwoot.com'

const settings = z.strictObject({
  webhook_secret: settingText,
  access_token: settingText,
  account_id: z
    .union([z.string().regex(/^\d{1,15}$/, 'must be a number'), z.int().positive().transform(String)])
    .optional(),
  ...commonSettings,
})

type Settings = z.output<typeof settings>

/** The largest difference between a signature's time and now, both ways, since clocks of two machines differ. */
const SIGNED_FOR_MS = 15 * 60_000

/** Chatwoot's agent bots (https://www.chatwoot.com/docs/product/others/agent-bots). */
export const helpdesk: Platform<Settings, 'helpdesk'> = {
  kind: 'helpdesk',
  title: 'Chatwoot',
  number: 4,
  settings,
  secrets: ['webhook_secret', 'access_token'],
  webhookSecret: 'webhook_secret',
  learns: [],
  hasHandshake: false,
  hasStatus: true,
  knowsUsers: false,
  keyInAddress: null,
  connection: null,
  media: {
    // The message is told before its files are stored.
    comesLate: true,
    // They are at the installation, which sends on to any storage.
    find: (_http, _settings, url) => ({ url, otherHosts: 'any' }),
  },
  replyWindowMs: null,
  personWindowMs: null,
  resends: false,
  textLimit: { length: 10_000, unit: 'code_points' },
  textsAtOnce: 1,
  buttons: {
    textLimit: { length: 10_000, unit: 'code_points' },
    title: 100,
    takes: (links) => links === 0,
    choices: 10,
  },
  addressee: {
    form: 'the number of a conversation in the helpdesk',
    threadOf: digits,
    mustHaveWritten: false,
  },

  isSigned({ raw, headers, nowMs }, { webhook_secret }) {
    const given = headerOf(headers, 'x-chatwoot-signature')
    const timestamp = headerOf(headers, 'x-chatwoot-timestamp')
    if (!webhook_secret || given === null || timestamp === null) return false
    // Limits the time in which a recorded request can be replayed.
    if (!(Math.abs(nowMs - Number(timestamp) * 1000) <= SIGNED_FOR_MS)) return false
    const made = createHmac('sha256', webhook_secret).update(`${timestamp}.`).update(raw).digest('hex')
    return equalInConstantTime(given, `sha256=${made}`)
  },

  read(body, { account_id }) {
    const event = requireObject(body)
    const account = toId(toObject(event.account)?.id)
    if (account_id !== undefined && account !== null && account !== account_id) throw new WrongDestination()
    return readEvent(event)
  },

  async send(http, settings, { thread, texts: [text], buttons = [] }) {
    const items = buttons.map(({ id, title }) => ({ title, value: id }))
    const answer = await post(http, settings, thread, 'messages', {
      content: text,
      message_type: 'outgoing',
      ...(items.length > 0 ? { content_type: 'input_select', content_attributes: { items } } : {}),
    })
    return { echoId: toEchoId(toObject(answer)?.id) }
  },

  files: {
    ways: [{ as: 'file', bytes: 40 * MEGABYTE }],
    byLink: false,
    async send(http, settings, { thread, file }) {
      const answer = await callPlatform(http, {
        ...placeOf(settings, thread, 'messages'),
        upload: multipart(
          { content: '', message_type: 'outgoing' },
          { ...file, field: 'attachments[]', content: file.content() },
        ),
      })
      return { echoId: toEchoId(toObject(answer)?.id) }
    },
  },

  async showTyping(http, settings, thread) {
    await post(http, settings, thread, 'toggle_typing_status', { typing_status: 'on' })
  },

  async handOver(http, settings, thread) {
    await post(http, settings, thread, 'toggle_status', { status: 'open' })
  },

  async handBack(http, settings, thread) {
    await post(http, settings, thread, 'toggle_status', { status: 'pending' })
  },

  async check(http, settings) {
    const answer = await callPlatform(http, {
      method: 'GET',
      url: apiUrl(settings.api_base, API, '/api/v1/profile'),
      headers: { api_access_token: accessToken(settings) },
    })
    return { account: toText(toObject(answer)?.name), settings: {} }
  },
}

function post(
  http: PlatformHttp,
  settings: Settings,
  thread: string,
  action: string,
  body: JsonObject,
): Promise<unknown> {
  return callPlatform(http, { ...placeOf(settings, thread, action), body })
}

function placeOf(settings: Settings, thread: string, action: string) {
  const account = required(settings.account_id, 'account_id')
  const path = `/api/v1/accounts/${account}/conversations/${encodeURIComponent(thread)}/${action}`
  return {
    url: apiUrl(settings.api_base, API, path),
    headers: { api_access_token: accessToken(settings) },
  }
}

function readEvent(event: JsonObject): Inbound[] {
  const isMessage = event.event === 'message_created' || event.event === 'message_updated'
  const conversation = isMessage ? toObject(event.conversation) : event
  const thread = toId(conversation?.id)
  if (thread === null) return []
  if (isMessage && conversation)
    return event.event === 'message_created'
      ? readMessage(event, thread, conversation)
      : readPress(event, thread, conversation)
  // The platform's id of the delivery is not signed. The body holds the time of the change, so no two are alike.
  const sourceId = hashOf(event)
  switch (event.event) {
    case 'conversation_opened':
      return [{ type: 'handed_over', sourceId, thread }]
    case 'conversation_resolved':
      return [{ type: 'ended', sourceId, thread }]
    case 'conversation_status_changed':
      return readStatus(conversation?.status, sourceId, thread)
    default:
      return []
  }
}

/** The meaning of a conversation's new status. */
const TOLD = new Map<unknown, 'handed_over' | 'handed_back' | 'ended'>([
  ['open', 'handed_over'],
  ['pending', 'handed_back'],
  ['resolved', 'ended'],
])

function readStatus(status: unknown, sourceId: string, thread: string): Inbound[] {
  const type = TOLD.get(status)
  return type === undefined ? [] : [{ type, sourceId, thread }]
}

/**
 * Reads a message. While the conversation is pending, the agent answers a contact's messages. A message of a helpdesk
 * user is a takeover.
 */
function readMessage(event: JsonObject, thread: string, conversation: JsonObject): Inbound[] {
  const text = toText(event.content)
  const sender = toObject(event.sender)
  if (event.private === true) return []
  const name = toText(sender?.name)
  const said = readSaid(event, text)
  if (said && event.message_type === 'incoming' && conversation.status === 'pending') {
    const sourceId = `message:${toId(event.id) ?? hashOf(event)}`
    const user = userOf(sender, conversation, thread)
    const place = { replyToken: null, group: false, mentioned: false }
    return [{ ...said, ...place, type: 'message', sourceId, thread, user, platformMessageId: toId(event.id) }]
  }
  if (said && event.message_type === 'outgoing' && sender?.type === 'user') {
    const sourceId = toEchoId(event.id) ?? hashOf(event)
    return [{ type: 'takeover', sourceId, thread, text, author: name }]
  }
  return []
}

/** Reads that a contact has chosen a button: the words on it are their text. */
function readPress(event: JsonObject, thread: string, conversation: JsonObject): Inbound[] {
  const [chosen] = toObjects(toObject(event.content_attributes)?.submitted_values)
  const title = toText(chosen?.title)
  const id = toId(event.id)
  if (title === null || id === null || conversation.status !== 'pending') return []
  // The message is the agent's own, so its sender is not who chose.
  const user = userOf(toObject(toObject(conversation.meta)?.sender), conversation, thread)
  const place = { replyToken: null, group: false, mentioned: false, platformMessageId: null }
  const said = { ...saidText(title), ...place, ...withPressed(chosen?.value) }
  return [{ ...said, type: 'message', sourceId: `press:${id}`, thread, user }]
}

/**
 * Returns the contact who wrote. Contacts choose their own identifiers, so one counts only where the customer's site
 * has signed it in this inbox.
 */
function userOf(sender: JsonObject | null, conversation: JsonObject, thread: string): PlatformUser {
  const id = toId(sender?.id)
  const name = toText(sender?.name)
  if (id === null) return { id: `conversation-${thread}`, name, isPerson: false }
  const inbox = toObject(conversation.contact_inbox)
  const contact = toObject(toObject(conversation.meta)?.sender)
  const isVerified =
    inbox?.hmac_verified === true && toId(inbox.contact_id) === id && toId(contact?.id) === id
  const signedId = isVerified ? toId(contact?.identifier) : null
  return signedId === null ? { id, name } : { id, name, signedId }
}

/** The platform's types of messages that are not text. */
const KINDS = new Map<unknown, MessageKind>([
  ['image', 'image'],
  ['audio', 'voice'],
  ['video', 'video'],
  ['file', 'file'],
  ['location', 'location'],
  ['contact', 'contact'],
])

function readSaid({ attachments }: JsonObject, text: string | null): Said | null {
  const attached = toObjects(attachments)
  const [kind, ...more] = attached.map(kindOf)
  if (kind !== undefined) return withMedia(saidSeveral([kind, ...more], text), attached.map(mediaOf))
  return text === null ? null : saidText(text)
}

function kindOf({ file_type }: JsonObject): MessageKind {
  return KINDS.get(file_type) ?? 'other'
}

function mediaOf(attachment: JsonObject): Media | null {
  const source = toText(attachment.data_url)
  const name = URL.parse(source ?? '')
    ?.pathname.split('/')
    .at(-1)
  return toMedia(kindOf(attachment), source, name ? decodeUri(name) : null, attachment.file_size)
}
