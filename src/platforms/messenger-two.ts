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
  page_id: settingId,
  ...commonSettings,
})

type Settings = z.output<typeof settings>

const DAY_MS = 24 * 60 * 60 * 1000
/** Marks what Parley sends, so that its echo is told from a person's answer in the page's inbox. */
const OWN = 'parley'
const judge = judgeGraph((code, subcode) => code === 10 && (subcode === 2018278 || subcode === 2018065))

/** Facebook Messenger Platform (https://developers.facebook.com/docs/messenger-platform). */
export const messengerTwo: Platform<Settings, 'messenger-two'> = {
  kind: 'messenger-two',
  number: 2,
  settings,
  secrets: ['verify_token', 'app_secret', 'access_token'],
  webhookSecret: 'app_secret',
  learns: [],
  hasHandshake: true,
  hasStatus: false,
  keyInAddress: null,
  replyWindowMs: DAY_MS,
  resends: false,
  textLimit: { length: 2000, unit: 'code_points' },
  textsAtOnce: 1,

  isSigned: (request, { app_secret }) => isSignedByApp(request, app_secret),

  read(body, _headers, { page_id }) {
    const entries = requireObjects(requireObject(body).entry)
    const isOurs = ({ id }: JsonObject) => page_id === undefined || id === undefined || toId(id) === page_id
    if (entries.length > 0 && !entries.some(isOurs)) throw new WrongDestination()
    // `standby` in place of `messaging`: another app has the conversation.
    return entries.filter(isOurs).flatMap(({ messaging }) => toObjects(messaging).flatMap(readMessaging))
  },

  async send(http, settings, { thread, texts: [text], byPerson }) {
    const answer = await post(http, settings, {
      recipient: { id: thread },
      // People may answer for seven days.
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
  const sender = toId(toObject(event.sender)?.id)
  const recipient = toId(toObject(event.recipient)?.id)
  const postback = toObject(event.postback)
  const text = toText(message?.text) ?? toText(postback?.title)
  if (message?.is_echo === true) {
    const hasContent = text !== null || toObjects(message.attachments).length > 0
    if (!hasContent || recipient === null || message.metadata === OWN) return []
    const sourceId = toEchoId(message.mid) ?? hashOf(event)
    return [{ type: 'takeover', sourceId, thread: recipient, text, author: null }]
  }
  if (sender === null || text === null) return []
  const sourceId = toId(message?.mid) ?? toId(postback?.mid) ?? hashOf(event)
  const user = { id: sender, name: null }
  return [
    {
      type: 'message',
      sourceId,
      thread: sender,
      user,
      text,
      replyToken: null,
      group: false,
      mentioned: false,
    },
  ]
}
