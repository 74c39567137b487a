import { z } from 'zod'
import { type JsonObject, toObject } from '../lib/untrusted-json.ts'
import { accessToken, callPlatform } from './call-platform.ts'
import { GRAPH_VERSION, judgeGraph } from './graph.ts'
import { bodyTo, contentOf, messagingTraits, readMessagingWebhook } from './messaging-events.ts'
import { MEGABYTE } from './outbound-file.ts'
import type { OutboundTexts, Platform, PlatformHttp, Sent } from './platform.ts'
import { apiUrl, commonSettings, digits, settingId, settingText, toEchoId, toId, toText } from './wire.ts'

const API = 'https://graph.instagram.com'

const settings = z.strictObject({
  verify_token: settingText,
  app_secret: settingText,
  access_token: settingText,
  instagram_id: settingId,
  ...commonSettings,
})

type Settings = z.output<typeof settings>

const judge = judgeGraph((code, subcode) => code === 10 && (subcode === 2534022 || subcode === 2018278))

/** Instagram messaging with Instagram login (https://developers.facebook.com/docs/instagram-platform). */
export const instagram: Platform<Settings, 'instagram'> = {
  kind: 'instagram',
  title: 'Instagram',
  number: 6,
  settings,
  ...messagingTraits,
  learns: ['instagram_id'],
  textLimit: { length: 1000, unit: 'utf8' },
  addressee: {
    form: 'the Instagram-scoped id of a person who has written',
    threadOf: digits,
    mustHaveWritten: true,
  },

  read: (body, { instagram_id }) => readMessagingWebhook(body, instagram_id),

  send: (http, settings, { texts: [text], buttons, ...to }) =>
    sendTo(http, settings, to, contentOf(text, buttons)),

  files: {
    ways: [
      { as: 'image', types: ['image/jpeg', 'image/png'], bytes: 8 * MEGABYTE },
      { as: 'audio', types: ['audio/aac', 'audio/mp4', 'audio/x-m4a', 'audio/wav'], bytes: 25 * MEGABYTE },
      { as: 'video', types: ['video/mp4', 'video/quicktime'], bytes: 25 * MEGABYTE },
    ],
    byLink: true,
    send: (http, settings, { as: type, file, ...to }) =>
      sendTo(http, settings, to, { attachment: { type, payload: { url: file.link } } }),
  },

  async showTyping(http, settings, thread) {
    for (const sender_action of ['mark_seen', 'typing_on'])
      await post(http, settings, { recipient: { id: thread }, sender_action })
  },

  async check(http, settings) {
    const answer = toObject(
      await callPlatform(http, {
        method: 'GET',
        url: apiUrl(settings.api_base, API, `/${GRAPH_VERSION}/me?fields=user_id,username`),
        headers: { authorization: `Bearer ${accessToken(settings)}` },
        judge,
      }),
    )
    const instagram_id = toId(answer?.user_id)
    return { account: toText(answer?.username), settings: instagram_id === null ? {} : { instagram_id } }
  },
}

async function sendTo(
  http: PlatformHttp,
  settings: Settings,
  to: Pick<OutboundTexts, 'thread' | 'afterWindow'>,
  message: JsonObject,
): Promise<Sent> {
  const answer = await post(http, settings, bodyTo(to, message))
  return { echoId: toEchoId(toObject(answer)?.message_id) }
}

function post(http: PlatformHttp, settings: Settings, body: JsonObject): Promise<unknown> {
  const account = settings.instagram_id ?? 'me'
  return callPlatform(http, {
    url: apiUrl(settings.api_base, API, `/${GRAPH_VERSION}/${account}/messages`),
    headers: { authorization: `Bearer ${accessToken(settings)}` },
    body,
    judge,
  })
}
