import { z } from 'zod'
import { DAY_MS } from '../lib/clock.ts'
import { type JsonObject, toObject, toObjects } from '../lib/untrusted-json.ts'
import { accessToken, callPlatform, required } from './call-platform.ts'
import { GRAPH, GRAPH_VERSION, isSignedByApp, judgeGraph } from './graph.ts'
import type { MessageKind } from './message-kind.ts'
import { type Inbound, type Platform, WrongDestination } from './platform.ts'
import { type Said, saidOther, saidSeveral, saidText } from './said.ts'
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
  toText,
  withTime,
} from './wire.ts'

const settings = z.strictObject({
  verify_token: settingText,
  app_secret: settingText,
  access_token: settingText,
  page_id: settingId,
  ...commonSettings,
})

type Settings = z.output<typeof settings>

/** The mark of messages from Parley, which tells their echo from a person's answer in the page's inbox. */
const OWN = 'parley'
const judge = judgeGraph((code, subcode) => code === 10 && (subcode === 2018278 || subcode === 2018065))

/** Facebook Messenger Platform (https://developers.facebook.com/docs/messenger-platform). */
export const messengerTwo: Platform<Settings, 'messenger-two'> = {
  kind: 'messenger-two',
  title: 'Facebook Messenger',
  number: 2,
  settings,
  secrets: ['verify_token', 'app_secret', 'access_token'],
  webhookSecret: 'app_secret',
  learns: [],
  hasHandshake: true,
  hasStatus: false,
  knowsUsers: true,
  keyInAddress: null,
  replyWindowMs: DAY_MS,
  personWindowMs: 7 * DAY_MS,
  resends: false,
  textLimit: { length: 2000, unit: 'code_points' },
  textsAtOnce: 1,

  isSigned: (request, { app_secret }) => isSignedByApp(request, app_secret),

  read(body, { page_id }) {
    const entries = requireObjects(requireObject(body).entry)
    const isOurs = ({ id }: JsonObject) => page_id === undefined || id === undefined || toId(id) === page_id
    if (entries.length > 0 && !entries.some(isOurs)) throw new WrongDestination()
    // Entries with `standby` instead of `messaging` belong to another app.
    return entries
      .filter(isOurs)
      .flatMap(({ messaging }) => toObjects(messaging))
      .flatMap((event) => withTime(readMessaging(event), Number(event.timestamp)))
  },

  async send(http, settings, { thread, texts: [text], byPerson }) {
    const answer = await post(http, settings, {
      recipient: { id: thread },
      // People may answer within seven days.
      ...(byPerson ? { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' } : { messaging_type: 'RESPONSE' }),
      message: { text, metadata: OWN },
    })
    return { echoId: toEchoId(toObject(answer)?.message_id) }
  },

  async showTyping(http, settings, thread) {
    for (const sender_action of ['mark_seen', 'typing_on'])
      await post(http, settings, { recipient: { id: thread }, sender_action })
  },

  async check(http, settings) {
    const id = required(settings.page_id, 'page_id')
    const answer = await callPlatform(http, {
      method: 'GET',
      url: apiUrl(settings.api_base, GRAPH, `/${GRAPH_VERSION}/${id}?fields=name`),
      headers: { authorization: `Bearer ${accessToken(settings)}` },
      judge,
    })
    return { account: toText(toObject(answer)?.name), settings: {} }
  },
}

function post(http: Parameters<Platform['send']>[0], settings: Settings, body: JsonObject): Promise<unknown> {
  const id = required(settings.page_id, 'page_id')
  return callPlatform(http, {
    url: apiUrl(settings.api_base, GRAPH, `/${GRAPH_VERSION}/${id}/messages`),
    headers: { authorization: `Bearer ${accessToken(settings)}` },
    body,
    judge,
  })
}

function readMessaging(event: JsonObject): Inbound[] {
  const message = toObject(event.message)
  if (message?.is_echo === true) return readEcho(event, message)
  const thread = toId(toObject(event.sender)?.id)
  if (thread === null) return []
  const edit = toObject(event.message_edit)
  if (edit) return readEdit(event, edit, thread)
  const pressed = toObject(event.postback)
  const said = message ? readSaid(message) : (saidTitle(pressed) ?? readReaction(toObject(event.reaction)))
  if (!said) return []
  const platformMessageId = toId(message?.mid) ?? toId(pressed?.mid)
  const sourceId = platformMessageId ?? hashOf(event)
  const user = { id: thread, name: null }
  const place = { replyToken: null, group: false, mentioned: false }
  return [{ ...said, ...place, type: 'message', sourceId, thread, user, platformMessageId }]
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

/** The platform's types of messages that are not text. */
const KINDS = new Map<unknown, MessageKind>([
  ['image', 'image'],
  ['audio', 'voice'],
  ['video', 'video'],
  ['file', 'file'],
  ['location', 'location'],
  ['sticker', 'sticker'],
])

function readSaid(message: JsonObject): Said | null {
  const text = toText(message.text)
  // The preview of a link arrives as a `fallback` attachment beside the text with the link.
  const kinds = toObjects(message.attachments)
    .filter(({ type }) => type !== 'fallback' || text === null)
    .map(({ type, payload }) =>
      toObject(payload)?.sticker_id === undefined ? (KINDS.get(type) ?? 'other') : 'sticker',
    )
  const [kind, ...more] = kinds
  if (kind === undefined) {
    if (text !== null) return saidText(text)
    return message.is_unsupported === true ? saidOther('other', null) : null
  }
  return saidSeveral([kind, ...more], text)
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
