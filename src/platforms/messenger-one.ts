import { z } from 'zod'
import { DAY_MS } from '../lib/clock.ts'
import { multipart } from '../lib/outbound/multipart.ts'
import { type JsonObject, toObject, toObjects } from '../lib/untrusted-json.ts'
import { accessToken, callPlatform, type Failure, required, requireId } from './call-platform.ts'
import { GRAPH, GRAPH_VERSION, isSignedByApp, judgeGraph, META_FILES } from './graph.ts'
import { type Media, toMedia } from './media.ts'
import type { MessageKind } from './message-kind.ts'
import { listTemplates, refusalOf, templateBody, uploadedFile } from './messenger-one-templates.ts'
import { MEGABYTE } from './outbound-file.ts'
import { toPhoneNumber } from './phone-number.ts'
import {
  type Inbound,
  type OutboundButton,
  type Platform,
  type PlatformHttp,
  type Sent,
  WrongDestination,
} from './platform.ts'
import { placeText, type Said, saidOther, saidText, withMedia } from './said.ts'
import {
  apiUrl,
  commonSettings,
  hashOf,
  requireObject,
  requireObjects,
  settingId,
  settingText,
  toEchoId,
  toId,
  toNumber,
  toText,
  withPressed,
  withTime,
} from './wire.ts'

const settings = z.strictObject({
  verify_token: settingText,
  app_secret: settingText,
  access_token: settingText,
  phone_number_id: settingId,
  business_account_id: settingId,
  ...commonSettings,
})

type Settings = z.output<typeof settings>

/** True for the codes that mean more than 24 hours since the person's last message. */
const isWindowClosed = (code: number) => code === 131047 || code === 470
const judgeCall = judgeGraph(isWindowClosed)
const SOUNDS = ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/x-m4a', 'audio/ogg']

function judge(answer: unknown): Failure | null {
  const reason = refusalOf(toNumber(toObject(toObject(answer)?.error)?.code))
  return reason ? { outcome: 'refused', reason } : judgeCall(answer)
}

/** WhatsApp Cloud API (https://developers.facebook.com/docs/whatsapp/cloud-api). */
export const messengerOne: Platform<Settings, 'messenger-one'> = {
  kind: 'messenger-one',
  title: 'WhatsApp',
  number: 1,
  settings,
  secrets: ['verify_token', 'app_secret', 'access_token'],
  webhookSecret: 'app_secret',
  learns: [],
  hasHandshake: true,
  hasStatus: false,
  knowsUsers: true,
  keyInAddress: null,
  connection: null,
  media: {
    async find(http, settings, source) {
      const headers = { authorization: `Bearer ${accessToken(settings)}` }
      const answer = await callPlatform(http, {
        method: 'GET',
        url: apiUrl(settings.api_base, GRAPH, `/${GRAPH_VERSION}/${encodeURIComponent(source)}`),
        headers,
        judge,
      })
      // The address works for five minutes.
      const url = toText(toObject(answer)?.url)
      return url === null ? null : { url, headers, tokenHosts: META_FILES }
    },
  },
  replyWindowMs: DAY_MS,
  personWindowMs: DAY_MS,
  resends: false,
  textLimit: { length: 4096, unit: 'code_points' },
  textsAtOnce: 1,
  addressee: {
    form: 'a phone number with its country code, such as +15550100, or a business-scoped user id',
    // Chats are named by the number without its plus sign.
    threadOf: (to) => (SCOPED_ID.test(to) ? to : (toPhoneNumber(to)?.slice(1) ?? null)),
    mustHaveWritten: false,
  },
  buttons: {
    textLimit: { length: 1024, unit: 'code_points' },
    title: 20,
    takes: (links, others) => (links === 0 ? others <= MOST_BUTTONS : links === 1 && others === 0),
    choices: 10,
  },
  templates: {
    setting: 'business_account_id',
    list: (http, settings) => listTemplates(http, settings, judge),
  },

  isSigned: (request, { app_secret }) => isSignedByApp(request, app_secret),

  read(body, { phone_number_id }) {
    const changes = requireObjects(requireObject(body).entry).flatMap(({ changes }) => toObjects(changes))
    const values = changes.map(({ field, value }) => ({ field, value: toObject(value) ?? {} }))
    const isOurs = ({ value }: { value: JsonObject }) => {
      const id = toObject(value.metadata)?.phone_number_id
      return phone_number_id === undefined || id === undefined || id === phone_number_id
    }
    // One webhook serves all numbers of an account. Entries for other numbers do not belong to this channel.
    if (values.length > 0 && !values.some(isOurs)) throw new WrongDestination()
    return values.filter(isOurs).flatMap(({ field, value }) => {
      if (field === 'smb_message_echoes') return readTimed(value.message_echoes, readEcho)
      const contacts = toObjects(value.contacts)
      return [
        ...readTimed(value.messages, (message) => readMessage(message, contacts)),
        ...readTimed(value.statuses, readStatus),
      ]
    })
  },

  send: (http, settings, { thread, texts: [text], template, buttons = [], files: [file] = [] }) =>
    sendTo(http, settings, thread, template ? templateBody(template, file) : contentOf(text, buttons)),

  files: {
    ways: [
      { as: 'image', types: ['image/jpeg', 'image/png'], bytes: 5 * MEGABYTE },
      { as: 'audio', types: SOUNDS, bytes: 16 * MEGABYTE },
      { as: 'video', types: ['video/mp4', 'video/3gpp'], bytes: 16 * MEGABYTE },
      { as: 'document', bytes: 100 * MEGABYTE },
    ],
    byLink: false,
    async upload(http, settings, file) {
      const id = required(settings.phone_number_id, 'phone_number_id')
      const answer = await callPlatform(http, {
        url: apiUrl(settings.api_base, GRAPH, `/${GRAPH_VERSION}/${id}/media`),
        headers: { authorization: `Bearer ${accessToken(settings)}` },
        upload: multipart(
          { messaging_product: 'whatsapp', type: file.type },
          { ...file, field: 'file', content: file.content() },
        ),
        judge,
      })
      return requireId(toObject(answer)?.id)
    },
    send: (http, settings, { thread, file, as, uploaded }) =>
      sendTo(http, settings, thread, uploadedFile({ as, uploaded, name: file.name })),
  },

  async showTyping(http, settings, _thread, sourceId) {
    await post(http, settings, {
      status: 'read',
      message_id: sourceId,
      typing_indicator: { type: 'text' },
    })
  },

  async check(http, settings) {
    const id = required(settings.phone_number_id, 'phone_number_id')
    const answer = await callPlatform(http, {
      method: 'GET',
      url: apiUrl(settings.api_base, GRAPH, `/${GRAPH_VERSION}/${id}`),
      headers: { authorization: `Bearer ${accessToken(settings)}` },
      judge,
    })
    return { account: toText(toObject(answer)?.verified_name), settings: {} }
  },
}

/** The most buttons below a text; more are a list. */
const MOST_BUTTONS = 3

/** Returns a text, with buttons if there are any. */
function contentOf(text: string, buttons: readonly OutboundButton[]): JsonObject {
  const [first] = buttons
  if (!first) return { type: 'text', text: { body: text } }
  const body = { text }
  if (buttons.length > MOST_BUTTONS) {
    const rows = buttons.map(({ id, title }) => ({ id, title }))
    // The platform asks for words on the button that opens the list.
    const button = `${first.title} – ${buttons.at(-1)?.title}`.slice(0, 20)
    return {
      type: 'interactive',
      interactive: { type: 'list', body, action: { button, sections: [{ rows }] } },
    }
  }
  if (first.url === null) {
    const replies = buttons.map(({ id, title }) => ({ type: 'reply', reply: { id, title } }))
    return { type: 'interactive', interactive: { type: 'button', body, action: { buttons: replies } } }
  }
  const parameters = { display_text: first.title, url: first.url }
  return {
    type: 'interactive',
    interactive: { type: 'cta_url', body, action: { name: 'cta_url', parameters } },
  }
}

async function sendTo(
  http: PlatformHttp,
  settings: Settings,
  thread: string,
  message: JsonObject,
): Promise<Sent> {
  const answer = await post(http, settings, {
    recipient_type: 'individual',
    // The platform accepts a scoped id in `to`, but then delivers nothing.
    ...(SCOPED_ID.test(thread) ? { recipient: thread } : { to: thread }),
    ...message,
  })
  const { messages, contacts } = toObject(answer) ?? {}
  // In some countries people are known by another form of their number than the one that is dialled.
  const ids = toObjects(contacts).flatMap(({ wa_id }) => toId(wa_id) ?? [])
  return { echoId: toEchoId(toObjects(messages)[0]?.id), ids }
}

function post(http: PlatformHttp, settings: Settings, body: JsonObject): Promise<unknown> {
  const id = required(settings.phone_number_id, 'phone_number_id')
  return callPlatform(http, {
    url: apiUrl(settings.api_base, GRAPH, `/${GRAPH_VERSION}/${id}/messages`),
    headers: { authorization: `Bearer ${accessToken(settings)}` },
    body: { messaging_product: 'whatsapp', ...body },
    judge,
  })
}

/** Reads what a list holds, with its time: the platform gives seconds, as a text. */
function readTimed(list: unknown, read: (from: JsonObject) => Inbound[]): Inbound[] {
  return toObjects(list).flatMap((from) => withTime(read(from), toNumber(from.timestamp) * 1000))
}

/** A business-scoped user id, which identifies people who hide their number. */
const SCOPED_ID = /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/

/**
 * Returns the ids of a person, the scoped one first. The chat is named after the number while there is one. Null when
 * there is no id.
 */
function personOf(scopedId: unknown, number: unknown): { thread: string; ids: string[] } | null {
  const ids = [toId(scopedId), toId(number)].filter((id) => id !== null)
  const thread = ids.at(-1)
  return thread === undefined ? null : { thread, ids }
}

function readMessage(message: JsonObject, contacts: JsonObject[]): Inbound[] {
  const person = personOf(message.from_user_id, message.from)
  if (!person) return []
  const base = { ...person, sourceId: toId(message.id) ?? hashOf(message) }
  if (message.type === 'system') return readSystem(base, toObject(message.system))
  const changed = readChange(base, message)
  if (changed) return changed
  const said = readSaid(message)
  if (!said) return []
  const contact = contacts.find(({ wa_id, user_id }) =>
    [toId(wa_id), toId(user_id)].some((id) => id !== null && person.ids.includes(id)),
  )
  const user = { id: person.thread, name: toText(toObject(contact?.profile)?.name) }
  const place = { replyToken: null, group: false, mentioned: false }
  const answer = toObject(message.interactive)
  const pressed = withPressed((toObject(answer?.button_reply) ?? toObject(answer?.list_reply))?.id)
  return [
    { ...base, ...said, ...place, ...pressed, type: 'message', user, platformMessageId: toId(message.id) },
  ]
}

type Base = Pick<Inbound, 'sourceId' | 'thread' | 'ids'>

/** Reads that a person has a new number, or a new scoped id. */
function readSystem(base: Base, system: JsonObject | null): Inbound[] {
  const [first, ...more] = personOf(system?.user_id, system?.wa_id)?.ids ?? []
  return first === undefined ? [] : [{ ...base, type: 'moved', newIds: [first, ...more] }]
}

function readChange(base: Base, message: JsonObject): Inbound[] | null {
  if (message.type !== 'edit' && message.type !== 'revoke') return null
  const change = toObject(message[message.type])
  const platformMessageId = toId(change?.original_message_id)
  if (platformMessageId === null) return []
  if (message.type === 'revoke') return [{ ...base, type: 'withdrawn', platformMessageId }]
  const said = readSaid(toObject(change?.message) ?? {})
  return said ? [{ ...base, ...said, type: 'edited', platformMessageId }] : []
}

/** The platform's types of messages that are not text. */
const KINDS = new Map<string, MessageKind>([
  ['image', 'image'],
  ['audio', 'voice'],
  ['video', 'video'],
  ['document', 'file'],
  ['sticker', 'sticker'],
  ['location', 'location'],
  ['contacts', 'contact'],
  ['reaction', 'reaction'],
])

/** Returns a text, the label of a pressed button, or content that is not text; null when nothing was sent. */
function readSaid(message: JsonObject): Said | null {
  const type = toText(message.type) ?? [...KINDS.keys()].find((type) => toObject(message[type]) !== null)
  const text = textOf(message)
  if (text !== null) return saidText(text)
  const kind = KINDS.get(type ?? '')
  if (kind === undefined) return type === 'text' ? null : saidOther('other', null)
  const told = toObject(message[type ?? ''])
  switch (kind) {
    case 'reaction': {
      const emoji = toText(told?.emoji)
      // A reaction without an emoji was withdrawn.
      return emoji === null ? null : saidOther('reaction', null, emoji)
    }
    case 'location': {
      const names = [toText(told?.name), toText(told?.address)]
      return saidOther('location', null, placeText(names, told?.latitude, told?.longitude))
    }
    case 'contact': {
      const names = toObjects(message.contacts).flatMap(
        ({ name }) => toText(toObject(name)?.formatted_name) ?? [],
      )
      return saidOther('contact', null, names.length > 0 ? names.join(', ') : null)
    }
    default:
      return withMedia(saidOther(kind, toText(told?.caption), toText(told?.filename)), [mediaOf(kind, told)])
  }
}

function mediaOf(kind: MessageKind, told: JsonObject | null): Media | null {
  const media = toMedia(kind, toId(told?.id), toText(told?.filename))
  const sha256 = toText(told?.sha256)
  return media && { ...media, ...(sha256 === null ? {} : { sha256 }) }
}

/** Returns a text, or the label of a pressed button. */
function textOf(message: JsonObject): string | null {
  switch (message.type) {
    case 'text':
      return toText(toObject(message.text)?.body)
    case 'button':
      return toText(toObject(message.button)?.text)
    case 'interactive': {
      const pressed = toObject(message.interactive)
      return toText((toObject(pressed?.button_reply) ?? toObject(pressed?.list_reply))?.title)
    }
    default:
      return null
  }
}

/** Reads an answer that a person sent from the account's phone. */
function readEcho(echo: JsonObject): Inbound[] {
  const person = personOf(echo.to_user_id, echo.to)
  const text = textOf(echo)
  const hasContent = text !== null || (KINDS.has(toText(echo.type) ?? '') && echo.type !== 'reaction')
  if (!person || !hasContent) return []
  const sourceId = toEchoId(echo.id) ?? hashOf(echo)
  return [{ ...person, type: 'takeover', sourceId, text, author: null }]
}

function readStatus(status: JsonObject): Inbound[] {
  const person = personOf(status.recipient_user_id, status.recipient_id)
  const id = toId(status.id)
  const echoId = toEchoId(status.id)
  if (!person || id === null || echoId === null) return []
  if (status.status === 'read')
    return [{ ...person, type: 'read', sourceId: `read:${id}`, echoId, until: null }]
  if (status.status !== 'failed') return []
  const code = toId(toObjects(status.errors)[0]?.code) ?? 'failed'
  const reason = isWindowClosed(Number(code)) ? 'window_closed' : (refusalOf(Number(code)) ?? 'rejected')
  return [{ ...person, type: 'undelivered', sourceId: `failed:${id}`, echoId, reason, code }]
}
