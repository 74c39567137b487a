import { z } from 'zod'
import { multipart } from '../lib/outbound/multipart.ts'
import { type JsonObject, toObject } from '../lib/untrusted-json.ts'
import { accessToken, callPlatform, required, requireId } from './call-platform.ts'
import { GRAPH, GRAPH_VERSION, judgeGraph } from './graph.ts'
import { bodyTo, contentOf, messagingTraits, OWN, readMessagingWebhook } from './messaging-events.ts'
import { MEGABYTE } from './outbound-file.ts'
import type { OutboundTexts, Platform, PlatformHttp, Sent } from './platform.ts'
import { apiUrl, commonSettings, digits, settingId, settingText, toEchoId, toText } from './wire.ts'

const settings = z.strictObject({
  verify_token: settingText,
  app_secret: settingText,
  access_token: settingText,
  page_id: settingId,
  ...commonSettings,
})

type Settings = z.output<typeof settings>

const judge = judgeGraph((code, subcode) => code === 10 && (subcode === 2018278 || subcode === 2018065))

/** Facebook Messenger Platform (https://developers.facebook.com/docs/messenger-platform). */
export const messengerTwo: Platform<Settings, 'messenger-two'> = {
  kind: 'messenger-two',
  title: 'Facebook Messenger',
  number: 2,
  settings,
  ...messagingTraits,
  learns: [],
  textLimit: { length: 2000, unit: 'code_points' },
  addressee: {
    form: 'the page-scoped id of a person who has written',
    threadOf: digits,
    mustHaveWritten: true,
  },

  read: (body, { page_id }) => readMessagingWebhook(body, page_id),

  send: (http, settings, { texts: [text], buttons, ...to }) =>
    sendTo(http, settings, to, contentOf(text, buttons)),

  files: {
    ways: [
      { as: 'image', types: ['image/jpeg', 'image/png', 'image/gif'], bytes: 8 * MEGABYTE },
      { as: 'audio', types: ['audio/mpeg', 'audio/mp4', 'audio/x-m4a', 'audio/aac'], bytes: 25 * MEGABYTE },
      { as: 'video', types: ['video/mp4', 'video/quicktime'], bytes: 25 * MEGABYTE },
      { as: 'file', bytes: 25 * MEGABYTE },
    ],
    byLink: false,
    async upload(http, settings, file, type) {
      const message = JSON.stringify({ attachment: { type, payload: { is_reusable: true } } })
      const answer = await callPlatform(http, {
        ...placeOf(settings, 'message_attachments'),
        upload: multipart({ message }, { ...file, field: 'filedata', content: file.content() }),
      })
      return requireId(toObject(answer)?.attachment_id)
    },
    send: (http, settings, { as: type, uploaded, ...to }) =>
      sendTo(http, settings, to, { attachment: { type, payload: { attachment_id: uploaded } } }),
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

async function sendTo(
  http: PlatformHttp,
  settings: Settings,
  to: Pick<OutboundTexts, 'thread' | 'afterWindow'>,
  message: JsonObject,
): Promise<Sent> {
  const body = bodyTo(to, { ...message, metadata: OWN }, { messaging_type: 'RESPONSE' })
  const answer = await post(http, settings, body)
  return { echoId: toEchoId(toObject(answer)?.message_id) }
}

function post(http: PlatformHttp, settings: Settings, body: JsonObject): Promise<unknown> {
  return callPlatform(http, { ...placeOf(settings, 'messages'), body })
}

function placeOf(settings: Settings, path: string) {
  const id = required(settings.page_id, 'page_id')
  return {
    url: apiUrl(settings.api_base, GRAPH, `/${GRAPH_VERSION}/${id}/${path}`),
    headers: { authorization: `Bearer ${accessToken(settings)}` },
    judge,
  }
}
