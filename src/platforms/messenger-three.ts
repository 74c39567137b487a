import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { equalInConstantTime } from '../lib/secrets/constant-time.ts'
import { type JsonObject, toObject, toObjects } from '../lib/untrusted-json.ts'
import { accessToken, callPlatform } from './call-platform.ts'
import { type FileKind, type Media, toMedia } from './media.ts'
import { MEGABYTE } from './outbound-file.ts'
import {
  type Inbound,
  type OutboundButton,
  type OutboundTexts,
  type Platform,
  PlatformError,
  type PlatformHttp,
  type PlatformUser,
  ReplyTokenRefused,
  type Sent,
  WrongDestination,
} from './platform.ts'
import { placeText, type Said, saidOther, saidText, withMedia } from './said.ts'
import {
  apiUrl,
  commonSettings,
  hashOf,
  headerOf,
  requireObject,
  requireObjects,
  settingId,
  settingText,
  toId,
  toNumber,
  toText,
  withPressed,
} from './wire.ts'

const API = 'https://api.line.me'
const DATA_API = 'https://api-data.line.me'

/** The most buttons below a text; more are quick replies. */
const MOST_BUTTONS = 4

const settings = z.strictObject({
  channel_secret: settingText,
  access_token: settingText,
  destination: settingId,
  ...commonSettings,
})

type Settings = z.output<typeof settings>

/** LINE Messaging API (https://developers.line.biz/en/reference/messaging-api/). */
export const messengerThree: Platform<Settings, 'messenger-three'> = {
  kind: 'messenger-three',
  title: 'LINE',
  number: 3,
  settings,
  secrets: ['channel_secret', 'access_token'],
  webhookSecret: 'channel_secret',
  learns: ['destination'],
  hasHandshake: false,
  hasStatus: true,
  knowsUsers: true,
  keyInAddress: {
    signatureHeader: 'x-messenger-three-signature',
    description: 'Base64 of the HMAC-SHA256 of the raw body, keyed with the channel secret',
  },
  connection: null,
  media: {
    // Sounds and videos are prepared first.
    comesLate: true,
    find(_http, settings, source) {
      if (source.startsWith('https:')) return { url: source, otherHosts: 'any' }
      return {
        url: apiUrl(settings.api_base, DATA_API, `/v2/bot/message/${encodeURIComponent(source)}/content`),
        headers: { authorization: `Bearer ${accessToken(settings)}` },
        tokenHosts: ['api-data.line.me'],
      }
    },
  },
  replyWindowMs: null,
  personWindowMs: null,
  resends: true,
  textLimit: { length: 5000, unit: 'utf16' },
  textsAtOnce: 5,
  buttons: {
    textLimit: { length: 160, unit: 'utf16' },
    title: 20,
    takes: (links, others) => links + others <= MOST_BUTTONS,
    choices: 13,
  },
  addressee: {
    form: 'the user id of a friend of the account, U and 32 digits',
    threadOf: (to) => (/^U[0-9a-f]{32}$/.test(to) ? to : null),
    mustHaveWritten: false,
  },

  isSigned({ raw, headers }, { channel_secret }) {
    const given = headerOf(headers, 'x-messenger-three-signature') ?? headerOf(headers, 'x-line-signature')
    if (!channel_secret || given === null) return false
    return equalInConstantTime(given, createHmac('sha256', channel_secret).update(raw).digest('base64'))
  },

  read(body, { destination }) {
    const { destination: meantFor, events } = requireObject(body)
    if (destination !== undefined && meantFor !== undefined && meantFor !== destination)
      throw new WrongDestination()
    return requireObjects(events).flatMap((event) => readEvent(event, destination) ?? [])
  },

  send(http, settings, { texts, buttons = [], ...to }) {
    const messages = texts.map((text, at) => messageOf(text, at === texts.length - 1 ? buttons : []))
    return sendTo(http, settings, to, messages)
  },

  files: {
    // The preview, which is the picture itself, may have no more.
    ways: [{ as: 'image', types: ['image/jpeg', 'image/png'], bytes: MEGABYTE }],
    byLink: true,
    send: (http, settings, { file: { link }, ...to }) =>
      sendTo(http, settings, to, [{ type: 'image', originalContentUrl: link, previewImageUrl: link }]),
  },

  async showTyping(http, settings, thread) {
    // Only one-to-one chats can show that an answer is being made.
    if (!thread.startsWith('U')) return
    await callPlatform(http, {
      url: apiUrl(settings.api_base, API, '/v2/bot/chat/loading/start'),
      headers: { authorization: `Bearer ${accessToken(settings)}` },
      body: { chatId: thread, loadingSeconds: 20 },
    })
  },

  async check(http, settings) {
    const answer = toObject(
      await callPlatform(http, {
        method: 'GET',
        url: apiUrl(settings.api_base, API, '/v2/bot/info'),
        headers: { authorization: `Bearer ${accessToken(settings)}` },
      }),
    )
    const destination = toId(answer?.userId)
    return { account: toText(answer?.displayName), settings: destination === null ? {} : { destination } }
  },
}

/** Returns a text, with buttons if there are any. */
function messageOf(text: string, buttons: readonly OutboundButton[]): JsonObject {
  if (buttons.length === 0) return { type: 'text', text }
  const actions = buttons.map(({ id, title, url }) =>
    url === null
      ? // The event of the press tells nothing but its data.
        { type: 'postback', label: title, displayText: title, data: `${id} ${title}` }
      : { type: 'uri', label: title, uri: url },
  )
  if (actions.length > MOST_BUTTONS)
    return {
      type: 'text',
      text,
      quickReply: { items: actions.map((action) => ({ type: 'action', action })) },
    }
  return { type: 'template', altText: text, template: { type: 'buttons', text, actions } }
}

/** Sends messages as a reply while there is a token for one, and otherwise as a push. */
async function sendTo(
  http: PlatformHttp,
  settings: Settings,
  { thread, replyToken, retryKey }: Pick<OutboundTexts, 'thread' | 'replyToken' | 'retryKey'>,
  messages: JsonObject[],
): Promise<Sent> {
  const headers = { authorization: `Bearer ${accessToken(settings)}` }
  if (replyToken !== null) {
    const url = apiUrl(settings.api_base, API, '/v2/bot/message/reply')
    await callPlatform(http, { url, headers, body: { replyToken, messages } }).catch((error) => {
      // The token has been used or is too old.
      throw statusOf(error) === 400 ? new ReplyTokenRefused('', { cause: error }) : error
    })
    return { echoId: null }
  }
  await callPlatform(http, {
    url: apiUrl(settings.api_base, API, '/v2/bot/message/push'),
    headers: { ...headers, 'x-line-retry-key': retryKey },
    body: { to: thread, messages },
  }).catch((error) => {
    // The platform has already accepted these messages under the same key.
    if (statusOf(error) !== 409) throw error
  })
  return { echoId: null }
}

function statusOf(error: unknown): number | null {
  return error instanceof PlatformError ? error.status : null
}

function readEvent(event: JsonObject, destination: string | undefined): Inbound | null {
  // In standby, another system has the conversation.
  if (event.mode === 'standby') return null
  const source = toObject(event.source)
  const place = readPlace(source)
  if (!source || !place) return null
  const base = {
    sourceId: toId(event.webhookEventId) ?? hashOf(event),
    thread: place.thread,
    sentAt: toNumber(event.timestamp),
  }
  const replyToken = toId(event.replyToken)
  const userId = toId(source.userId)
  const user: PlatformUser =
    userId === null ? { id: place.thread, name: null, isPerson: false } : { id: userId, name: null }
  if (event.type === 'follow') return { ...base, type: 'follow', user, replyToken }
  if (event.type === 'unfollow') return { ...base, type: 'unfollow' }
  if (event.type === 'unsend') {
    const platformMessageId = toId(toObject(event.unsend)?.messageId)
    return platformMessageId === null ? null : { ...base, type: 'withdrawn', platformMessageId }
  }
  if (event.type === 'postback') return readPress(base, event, { user, replyToken, group: place.group })
  const message = toObject(event.message)
  const said = event.type === 'message' && message ? readSaid(message) : null
  if (!message || !said) return null
  const mentioned = place.group && isMentioned(toObject(message.mention), destination)
  const platformMessageId = toId(message.id)
  return {
    ...base,
    ...said,
    type: 'message',
    user,
    replyToken,
    group: place.group,
    mentioned,
    platformMessageId,
  }
}

/** Reads that a button was pressed: the words on it are the person's text. */
function readPress(
  base: Pick<Inbound, 'sourceId' | 'thread' | 'sentAt'>,
  { postback }: JsonObject,
  place: { user: PlatformUser; replyToken: string | null; group: boolean },
): Inbound | null {
  const [, id, title = ''] = /^(\S+) (.+)$/su.exec(toText(toObject(postback)?.data) ?? '') ?? []
  if (id === undefined) return null
  const said = { ...saidText(title), ...withPressed(id), mentioned: true, platformMessageId: null }
  return { ...base, ...place, ...said, type: 'message' }
}

function readSaid(message: JsonObject): Said | null {
  switch (message.type) {
    case 'text': {
      const text = toText(message.text)
      return text === null ? null : saidText(text)
    }
    case 'image':
    case 'video':
      return withMedia(saidOther(message.type, null), [mediaOf(message.type, message)])
    // The platform does not hand out the pictures of stickers.
    case 'sticker':
      return saidOther('sticker', null)
    case 'audio':
      return withMedia(saidOther('voice', null), [mediaOf('voice', message)])
    case 'file':
      return withMedia(saidOther('file', null, toText(message.fileName)), [mediaOf('file', message)])
    case 'location': {
      const names = [toText(message.title), toText(message.address)]
      return saidOther('location', null, placeText(names, message.latitude, message.longitude))
    }
    default:
      return saidOther('other', null)
  }
}

function mediaOf(kind: FileKind, message: JsonObject): Media | null {
  const provider = toObject(message.contentProvider)
  const source = provider?.type === 'external' ? toText(provider.originalContentUrl) : toId(message.id)
  return toMedia(kind, source, toText(message.fileName), message.fileSize)
}

function readPlace(source: JsonObject | null): { thread: string; group: boolean } | null {
  const field = { user: 'userId', group: 'groupId', room: 'roomId' }[toText(source?.type) ?? '']
  const thread = field === undefined ? null : toId(source?.[field])
  return thread === null ? null : { thread, group: source?.type !== 'user' }
}

function isMentioned(mention: JsonObject | null, destination: string | undefined): boolean {
  return toObjects(mention?.mentionees).some(
    ({ isSelf, userId }) => isSelf === true || (userId !== undefined && userId === destination),
  )
}
