import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { multipart } from '../lib/outbound/multipart.ts'
import { equalInConstantTime } from '../lib/secrets/constant-time.ts'
import { type JsonObject, toObject, toObjects } from '../lib/untrusted-json.ts'
import { callPlatform, type Failure, type PlatformCall, requiredToken } from './call-platform.ts'
import { type Media, MediaRefused, toMedia } from './media.ts'
import type { MessageKind } from './message-kind.ts'
import { MEGABYTE } from './outbound-file.ts'
import {
  type Inbound,
  type OutboundButton,
  type Platform,
  PlatformError,
  type PlatformHttp,
} from './platform.ts'
import { placeText, type Said, saidOther, saidText, withMedia } from './said.ts'
import {
  apiUrl,
  commonSettings,
  digits,
  hashOf,
  headerOf,
  requireObject,
  toId,
  toNumber,
  toText,
  withPressed,
  withTime,
} from './wire.ts'

const API = 'https://api.telegram.org'

const settings = z.strictObject({
  bot_token: z
    .string()
    .regex(/^\d{1,20}:[\w-]{10,200}$/, 'must be a token as BotFather gives it, such as 123456:ABC-DEF')
    .optional(),
  bot_username: z
    .string()
    .regex(/^\w{1,64}$/, "must be the bot's name, without @")
    .optional(),
  ...commonSettings,
})

type Settings = z.output<typeof settings>

/** The kinds of updates that are asked for. */
const UPDATES = ['message', 'edited_message', 'callback_query', 'my_chat_member', 'message_reaction']
const POLL_SECONDS = 25
/** The most bytes of a file that a bot sends. */
const MOST_BYTES = 50 * MEGABYTE
/** The platform returns a hundred updates at most, most of which have less than a kilobyte. */
const LONGEST_POLL = 8 * 1024 * 1024

/** Telegram Bot API (https://core.telegram.org/bots/api). */
export const telegram: Platform<Settings, 'telegram'> = {
  kind: 'telegram',
  title: 'Telegram',
  number: 5,
  settings,
  secrets: ['bot_token'],
  webhookSecret: 'bot_token',
  learns: ['bot_username'],
  hasHandshake: false,
  hasStatus: false,
  knowsUsers: true,
  keyInAddress: null,
  replyWindowMs: null,
  personWindowMs: null,
  resends: false,
  textLimit: { length: 4096, unit: 'utf16' },
  textsAtOnce: 1,
  buttons: {
    textLimit: { length: 4096, unit: 'utf16' },
    title: 64,
    takes: (links, others) => links + others <= 8,
    choices: 8,
  },
  addressee: {
    form: 'the numeric id of a person who has started the bot',
    threadOf: digits,
    mustHaveWritten: true,
  },

  isSigned({ headers }, { bot_token }) {
    const given = headerOf(headers, 'x-telegram-bot-api-secret-token')
    if (!bot_token || given === null) return false
    return equalInConstantTime(given, webhookToken(bot_token))
  },

  read(body, settings) {
    return readUpdate(requireObject(body), settings)
  },

  media: {
    async find(http, settings, source) {
      let isTooLarge = false
      const file = await call(http, settings, 'getFile', { file_id: source }, (answer) => {
        // The platform hands out files of 20 MB at most.
        isTooLarge = /too big/.test(toText(toObject(answer)?.description) ?? '')
        return judge(answer)
      }).catch((error) => {
        throw isTooLarge ? new MediaRefused('too_large') : error
      })
      const named = toText(toObject(file)?.file_path)
      if (named === null) return null
      const path = `/file/bot${requiredToken(settings.bot_token)}/${named}`
      return { url: apiUrl(settings.api_base, API, path), tokenHosts: ['api.telegram.org'] }
    },
  },

  async send(http, settings, { thread, texts: [text], buttons = [] }) {
    await inChat(thread, (chat, judge) =>
      call(http, settings, 'sendMessage', { ...placeOf(chat), text, ...keyboardOf(buttons) }, judge),
    )
    return { echoId: null }
  },

  files: {
    ways: [
      { as: 'Photo', types: ['image/jpeg', 'image/png'], bytes: 10 * MEGABYTE },
      { as: 'Animation', types: ['image/gif'], bytes: MOST_BYTES },
      { as: 'Voice', types: ['audio/ogg'], bytes: MOST_BYTES },
      { as: 'Audio', types: ['audio/mpeg', 'audio/mp4', 'audio/x-m4a'], bytes: MOST_BYTES },
      { as: 'Video', types: ['video/mp4'], bytes: MOST_BYTES },
      { as: 'Document', bytes: MOST_BYTES },
    ],
    byLink: false,
    async send(http, settings, { thread, file, as }) {
      await inChat(thread, (chat, judge) => {
        const fields = Object.entries(placeOf(chat)).map(([name, value]) => [name, String(value)])
        const sent = { ...file, field: as.toLowerCase(), content: file.content() }
        const upload = multipart(Object.fromEntries(fields), sent)
        return callBot(http, settings, `send${as}`, { upload, judge })
      })
      return { echoId: null }
    },
  },

  async acknowledge(http, settings, sourceId) {
    const [, pressed] = PRESSED.exec(sourceId) ?? []
    // Until then the button shows that it is working.
    if (pressed !== undefined)
      await call(http, settings, 'answerCallbackQuery', { callback_query_id: pressed })
  },

  async showTyping(http, settings, thread) {
    await call(http, settings, 'sendChatAction', { ...placeOf(thread), action: 'typing' })
  },

  async check(http, settings) {
    const me = toObject(await call(http, settings, 'getMe', {}))
    const bot_username = toText(me?.username)
    return {
      account: bot_username === null ? toText(me?.first_name) : `@${bot_username}`,
      settings: bot_username === null ? {} : { bot_username },
    }
  },

  connection: {
    push: {
      async subscribe(http, settings, url) {
        const secret_token = webhookToken(requiredToken(settings.bot_token))
        await call(http, settings, 'setWebhook', { url, secret_token, allowed_updates: UPDATES })
      },

      async unsubscribe(http, settings) {
        await call(http, settings, 'deleteWebhook', {})
      },
    },

    async *listen(http, settings, _position, signal) {
      let offset: number | null = null
      while (!signal.aborted) {
        const updates = await getUpdates(http, settings, offset, signal)
        // The platform keeps updates until a higher offset confirms them.
        yield { bodies: updates, position: null }
        const ids = toObjects(updates).flatMap(({ update_id }) =>
          typeof update_id === 'number' && Number.isSafeInteger(update_id) ? update_id : [],
        )
        if (ids.length > 0) offset = Math.max(...ids) + 1
      }
    },
  },
}

/** Returns the buttons below a text, one in each row. */
function keyboardOf(buttons: readonly OutboundButton[]): JsonObject {
  if (buttons.length === 0) return {}
  const inline_keyboard = buttons.map(({ id, title, url }) => [
    { text: title, ...(url === null ? { callback_data: id } : { url }) },
  ])
  return { reply_markup: { inline_keyboard } }
}

/** Waits for updates, for half a minute at most. */
async function getUpdates(
  http: PlatformHttp,
  settings: Settings,
  offset: number | null,
  signal: AbortSignal,
): Promise<unknown[]> {
  const updates = await callBot(http, settings, 'getUpdates', {
    body: {
      ...(offset === null ? {} : { offset }),
      timeout: POLL_SECONDS,
      allowed_updates: UPDATES,
    },
    judge,
    timeoutMs: (POLL_SECONDS + 10) * 1000,
    longestAnswer: LONGEST_POLL,
    signal,
  })
  if (!Array.isArray(updates)) throw new PlatformError('unknown', 'rejected', 'the platform sent no updates')
  return updates
}

/** Returns the token that webhooks carry. It is made of the bot's own, so that a new one replaces both. */
function webhookToken(botToken: string): string {
  return createHmac('sha256', botToken).update('parley webhook').digest('base64url')
}

/** Sends to a chat, or to the one that it has become. */
async function inChat(
  thread: string,
  send: (chat: string, judged: typeof judge) => Promise<unknown>,
): Promise<void> {
  let newChat: string | null = null
  const judged = (answer: unknown) => {
    newChat = toId(toObject(toObject(answer)?.parameters)?.migrate_to_chat_id)
    return judge(answer)
  }
  await send(thread, judged).catch((error) => {
    // The group has become a supergroup, whose id is another one.
    if (newChat === null || newChat === thread) throw error
    return send(newChat, judged)
  })
}

/** Calls a method of the API. @returns its result */
function call(
  http: PlatformHttp,
  settings: Settings,
  method: string,
  body: JsonObject,
  judged: PlatformCall['judge'] = judge,
): Promise<unknown> {
  return callBot(http, settings, method, { body, judge: judged })
}

async function callBot(
  http: PlatformHttp,
  settings: Settings,
  method: string,
  more: Omit<PlatformCall, 'url' | 'headers'>,
): Promise<unknown> {
  const token = requiredToken(settings.bot_token)
  const url = apiUrl(settings.api_base, API, `/bot${token}/${method}`)
  return toObject(await callPlatform(http, { url, headers: {}, ...more }))?.result
}

/** Interprets the platform's error objects. */
function judge(answer: unknown): Failure | null {
  const error = toObject(answer)
  switch (error?.error_code) {
    case 401:
    // It knows no bot with this token.
    case 404:
      return { outcome: 'refused', reason: 'unauthorized' }
    // The person has blocked the bot, or the group has removed it.
    case 403:
      return { outcome: 'refused', reason: 'rejected' }
    // Somebody else asks for the bot's updates.
    case 409:
      return { outcome: 'not_sent', reason: 'rejected' }
    case 429: {
      const seconds = toObject(error.parameters)?.retry_after
      const retryAfterMs = typeof seconds === 'number' && seconds >= 0 ? seconds * 1000 : null
      return { outcome: 'not_sent', reason: 'rejected', retryAfterMs }
    }
    default:
      return null
  }
}

/** Returns the thread of a chat, or of a topic in it. */
function threadOf(chat: JsonObject | null, message: JsonObject): string | null {
  const id = toId(chat?.id)
  const topic = message.is_topic_message === true ? toId(message.message_thread_id) : null
  return id === null || topic === null ? id : `${id}:${topic}`
}

/** Returns the fields with which calls name a thread. */
function placeOf(thread: string): JsonObject {
  const [chat_id = '', topic] = thread.split(':')
  return { chat_id, ...(topic === undefined ? {} : { message_thread_id: Number(topic) }) }
}

/** The source id of a pressed button: the press has to be answered by this id. */
const PRESSED = /^callback:(.+)$/

function readUpdate(update: JsonObject, settings: Settings): Inbound[] {
  const sourceId = typeof update.update_id === 'number' ? `update:${update.update_id}` : hashOf(update)
  const message = toObject(update.message)
  if (message) return withTime(readMessage(message, sourceId, settings), toNumber(message.date) * 1000)
  const edited = toObject(update.edited_message)
  if (edited) return withTime(readEdit(edited, sourceId), toNumber(edited.edit_date) * 1000)
  const pressed = toObject(update.callback_query)
  if (pressed) return readPress(pressed, sourceId)
  const reaction = toObject(update.message_reaction)
  if (reaction) return withTime(readReaction(reaction, sourceId), toNumber(reaction.date) * 1000)
  const member = toObject(update.my_chat_member)
  const thread = toId(toObject(member?.chat)?.id)
  // The person has blocked the bot, or the group has removed it.
  const isGone = ['kicked', 'left'].includes(toText(toObject(member?.new_chat_member)?.status) ?? '')
  return thread !== null && isGone ? [{ type: 'unfollow', sourceId, thread }] : []
}

function readMessage(message: JsonObject, sourceId: string, settings: Settings): Inbound[] {
  const chat = toObject(message.chat)
  const thread = threadOf(chat, message)
  const user = userOf(toObject(message.from))
  if (thread === null) return []
  const newId = toId(message.migrate_to_chat_id)
  if (newId !== null) return [{ type: 'moved', sourceId, thread, ids: [thread], newIds: [newId] }]
  const group = chat?.type !== 'private'
  if (!user) return []
  if (!group && /^\/start(?:\s|$)/.test(toText(message.text) ?? ''))
    return [{ type: 'follow', sourceId, thread, user, replyToken: null }]
  const said = readSaid(message)
  if (!said) return []
  const mentioned = group && isMentioned(message, settings)
  const platformMessageId = messageId(chat, message)
  return [
    {
      ...said,
      type: 'message',
      sourceId,
      thread,
      user,
      replyToken: null,
      group,
      mentioned,
      platformMessageId,
    },
  ]
}

function readEdit(message: JsonObject, sourceId: string): Inbound[] {
  const chat = toObject(message.chat)
  const thread = threadOf(chat, message)
  const platformMessageId = messageId(chat, message)
  const said = readSaid(message)
  if (thread === null || platformMessageId === null || !said) return []
  return [{ ...said, type: 'edited', sourceId, thread, platformMessageId }]
}

/**
 * Reads that a button was pressed: the words on it are the person's text. The platform tells no buttons of a message
 * that it no longer has.
 */
function readPress(pressed: JsonObject, updateId: string): Inbound[] {
  const message = toObject(pressed.message)
  const chat = toObject(message?.chat)
  const thread = message && threadOf(chat, message)
  const user = userOf(toObject(pressed.from))
  const rows = toObject(message?.reply_markup)?.inline_keyboard
  const buttons = (Array.isArray(rows) ? rows : []).flatMap(toObjects)
  const label =
    rows === undefined
      ? ''
      : toText(buttons.find(({ callback_data }) => callback_data === pressed.data)?.text)
  if (!thread || !user || label === null || pressed.data === undefined) return []
  const id = toId(pressed.id)
  const sourceId = id === null ? updateId : `callback:${id}`
  const place = {
    replyToken: null,
    group: chat?.type !== 'private',
    mentioned: true,
    platformMessageId: null,
  }
  const said = { ...saidText(label), ...place, ...withPressed(pressed.data) }
  return [{ ...said, type: 'message', sourceId, thread, user }]
}

function readReaction(reaction: JsonObject, sourceId: string): Inbound[] {
  const chat = toObject(reaction.chat)
  const thread = toId(chat?.id)
  const user = userOf(toObject(reaction.user))
  const emojis = (list: unknown) => toObjects(list).flatMap(({ emoji }) => toText(emoji) ?? [])
  const before = emojis(reaction.old_reaction)
  const emoji = emojis(reaction.new_reaction).find((emoji) => !before.includes(emoji))
  if (thread === null || !user || emoji === undefined) return []
  const group = chat?.type !== 'private'
  const place = { replyToken: null, group, mentioned: false, platformMessageId: null }
  return [{ ...saidOther('reaction', null, emoji), ...place, type: 'message', sourceId, thread, user }]
}

/** Returns the person who wrote; null for a bot, or when nobody is named. */
function userOf(from: JsonObject | null): { id: string; name: string | null } | null {
  const id = toId(from?.id)
  if (id === null || from?.is_bot === true) return null
  return { id, name: fullName(from) }
}

function fullName(person: JsonObject | null): string | null {
  const names = [toText(person?.first_name), toText(person?.last_name)].filter((name) => name !== null)
  return names.length > 0 ? names.join(' ') : null
}

/** Returns an id of a message in all chats: the platform counts in each. */
function messageId(chat: JsonObject | null, message: JsonObject): string | null {
  const [chatId, id] = [toId(chat?.id), toId(message.message_id)]
  return chatId === null || id === null ? null : toId(`${chatId}:${id}`)
}

/**
 * The fields of messages that are not text. An animation has a `document` as well, and a venue a `location`. Messages
 * about the chat, such as that of a new member, have none of them.
 */
const KINDS: readonly (readonly [string, MessageKind])[] = [
  ['photo', 'image'],
  ['voice', 'voice'],
  ['audio', 'voice'],
  ['animation', 'video'],
  ['video', 'video'],
  ['video_note', 'video'],
  ['document', 'file'],
  ['sticker', 'sticker'],
  ['venue', 'location'],
  ['location', 'location'],
  ['contact', 'contact'],
  ['poll', 'other'],
  ['checklist', 'other'],
  ['dice', 'other'],
  ['game', 'other'],
  ['story', 'other'],
  ['paid_media', 'other'],
]

function readSaid(message: JsonObject): Said | null {
  const text = toText(message.text)
  if (text !== null) return saidText(text)
  const [field, kind] = KINDS.find(([field]) => message[field] !== undefined) ?? []
  if (field === undefined || kind === undefined) return null
  const told = toObject(message[field])
  switch (kind) {
    case 'location': {
      const point = field === 'venue' ? toObject(told?.location) : told
      const names = [toText(told?.title), toText(told?.address)]
      return saidOther('location', null, placeText(names, point?.latitude, point?.longitude))
    }
    case 'contact':
      return saidOther('contact', null, fullName(told))
    default:
      return withMedia(
        saidOther(kind, toText(message.caption), kind === 'file' ? toText(told?.file_name) : null),
        [mediaOf(kind, message[field])],
      )
  }
}

/** @param told what a field holds; of a picture, each of its sizes, the largest last */
function mediaOf(kind: MessageKind, told: unknown): Media | null {
  const file = Array.isArray(told) ? toObjects(told).at(-1) : toObject(told)
  return toMedia(kind, toText(file?.file_id), toText(file?.file_name), file?.file_size)
}

/** Tells whether a message in a group is meant for the bot: it names it, or replies to it. */
function isMentioned(message: JsonObject, { bot_token, bot_username }: Settings): boolean {
  const botId = bot_token?.split(':')[0]
  const repliedTo = toObject(toObject(message.reply_to_message)?.from)
  if (botId !== undefined && toId(repliedTo?.id) === botId) return true
  const [text, entities] =
    message.text === undefined
      ? [message.caption, message.caption_entities]
      : [message.text, message.entities]
  return toObjects(entities).some(({ type, offset, length, user }) => {
    if (type === 'text_mention') return botId !== undefined && toId(toObject(user)?.id) === botId
    if (type !== 'mention' && type !== 'bot_command') return false
    // Offsets count UTF-16 units, as texts here do.
    const named = (typeof text === 'string' ? text : '').slice(
      toNumber(offset),
      toNumber(offset) + toNumber(length),
    )
    const [, name] = named.split('@')
    return bot_username !== undefined && name?.toLowerCase() === bot_username.toLowerCase()
  })
}
