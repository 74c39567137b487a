import { z } from 'zod'
import { accessToken, callPlatform, required } from './call-platform.ts'
import { GRAPH, GRAPH_VERSION, isSignedByApp, judgeGraph } from './graph.ts'
import { type Inbound, type Platform, WrongDestination } from './platform.ts'
import {
  apiUrl,
  commonSettings,
  hashOf,
  type JsonObject,
  requireObject,
  requireObjects,
  settingId,
  settingText,
  toEchoId,
  toId,
  toObject,
  toObjects,
  toText,
} from './wire.ts'

const settings = z.strictObject({
  verify_token: settingText,
  app_secret: settingText,
  access_token: settingText,
  phone_number_id: settingId,
  ...commonSettings,
})

type Settings = z.output<typeof settings>

const DAY_MS = 24 * 60 * 60 * 1000
/** More than 24 hours since the person's last message. */
const isWindowClosed = (code: number) => code === 131047 || code === 470
const judge = judgeGraph(isWindowClosed)

/** WhatsApp Cloud API (https://developers.facebook.com/docs/whatsapp/cloud-api). */
export const messengerOne: Platform<Settings, 'messenger-one'> = {
  kind: 'messenger-one',
  number: 1,
  settings,
  secrets: ['verify_token', 'app_secret', 'access_token'],
  webhookSecret: 'app_secret',
  learns: [],
  hasHandshake: true,
  hasStatus: false,
  keyInAddress: null,
  replyWindowMs: DAY_MS,
  resends: false,
  textLimit: { length: 4096, unit: 'code_points' },
  textsAtOnce: 1,

  isSigned: (request, { app_secret }) => isSignedByApp(request, app_secret),

  read(body, _headers, { phone_number_id }) {
    const changes = requireObjects(requireObject(body).entry).flatMap(({ changes }) => toObjects(changes))
    const values = changes.map(({ field, value }) => ({ field, value: toObject(value) ?? {} }))
    const isOurs = ({ value }: { value: JsonObject }) => {
      const id = toObject(value.metadata)?.phone_number_id
      return phone_number_id === undefined || id === undefined || id === phone_number_id
    }
    // One webhook serves all numbers of an account: those of others are not this channel's.
    if (values.length > 0 && !values.some(isOurs)) throw new WrongDestination()
    return values.filter(isOurs).flatMap(({ field, value }) => {
      if (field === 'smb_message_echoes') return toObjects(value.message_echoes).flatMap(readEcho)
      const names = new Map(
        toObjects(value.contacts).map((contact) => [
          toId(contact.wa_id),
          toText(toObject(contact.profile)?.name),
        ]),
      )
      return [
        ...toObjects(value.messages).flatMap((message) => readMessage(message, names)),
        ...toObjects(value.statuses).flatMap(readStatus),
      ]
    })
  },

  async send(http, settings, { thread, texts: [text] }) {
    const answer = await post(http, settings, {
      recipient_type: 'individual',
      to: thread,
      type: 'text',
      text: { body: text },
    })
    return { echoId: toEchoId(toObjects(toObject(answer)?.messages)[0]?.id) }
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

function post(http: Parameters<Platform['send']>[0], settings: Settings, body: JsonObject): Promise<unknown> {
  const id = required(settings.phone_number_id, 'phone_number_id')
  return callPlatform(http, {
    url: apiUrl(settings.api_base, GRAPH, `/${GRAPH_VERSION}/${id}/messages`),
    headers: { authorization: `Bearer ${accessToken(settings)}` },
    body: { messaging_product: 'whatsapp', ...body },
    judge,
  })
}

function readMessage(message: JsonObject, names: Map<string | null, string | null>): Inbound[] {
  const thread = toId(message.from)
  const text = textOf(message)
  if (thread === null || text === null) return []
  const user = { id: thread, name: names.get(thread) ?? null }
  const sourceId = toId(message.id) ?? hashOf(message)
  return [{ type: 'message', sourceId, thread, user, text, replyToken: null, group: false, mentioned: false }]
}

/** A text, or the words on a button that was pressed. */
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

const MEDIA = new Set<unknown>(['image', 'audio', 'video', 'document', 'sticker', 'location', 'contacts'])

/** A person answered from the account's phone. */
function readEcho(echo: JsonObject): Inbound[] {
  const thread = toId(echo.to)
  const text = textOf(echo)
  if (thread === null || (text === null && !MEDIA.has(echo.type))) return []
  return [{ type: 'takeover', sourceId: toEchoId(echo.id) ?? hashOf(echo), thread, text, author: null }]
}

function readStatus(status: JsonObject): Inbound[] {
  const thread = toId(status.recipient_id)
  const id = toId(status.id)
  const echoId = toEchoId(status.id)
  if (status.status !== 'failed' || thread === null || id === null || echoId === null) return []
  const code = toId(toObjects(status.errors)[0]?.code) ?? 'failed'
  const reason = isWindowClosed(Number(code)) ? 'window_closed' : 'rejected'
  return [{ type: 'undelivered', sourceId: `failed:${id}`, thread, echoId, reason, code }]
}
