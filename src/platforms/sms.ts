import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { equalInConstantTime } from '../lib/secrets/constant-time.ts'
import { type JsonObject, toObject } from '../lib/untrusted-json.ts'
import { callPlatform, type Failure, type PlatformCall, required, requiredToken } from './call-platform.ts'
import { toMedia } from './media.ts'
import type { MessageKind } from './message-kind.ts'
import { MEGABYTE, textWithLink } from './outbound-file.ts'
import { toPhoneNumber } from './phone-number.ts'
import { type Inbound, type Platform, type PlatformHttp, type Sent, WrongDestination } from './platform.ts'
import { type Said, saidSeveral, saidText, withMedia } from './said.ts'
import {
  apiUrl,
  commonSettings,
  hashOf,
  headerOf,
  requireObject,
  toEchoId,
  toId,
  toNumber,
  toText,
} from './wire.ts'

const API = 'https://api.twilio.com'

const settings = z.strictObject({
  account_sid: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/i, 'must be an account SID, such as AC and 32 digits')
    .optional(),
  auth_token: z
    .string()
    .regex(/^[\x21-\x7e]{8,200}$/, 'must be a token without spaces')
    .optional(),
  from: z
    .string()
    .regex(
      /^(?:\+?\d{3,15}|MG[0-9a-f]{32})$/i,
      'must be a number such as +15550100, or a messaging service SID',
    )
    .optional(),
  ...commonSettings,
})

type Settings = z.output<typeof settings>

/** Answers to a webhook are instructions to the platform: to do nothing more. */
const NO_INSTRUCTIONS = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>'

/** SMS and MMS through Twilio (https://www.twilio.com/docs/messaging). */
export const sms: Platform<Settings, 'sms'> = {
  kind: 'sms',
  title: 'SMS',
  number: 7,
  settings,
  secrets: ['auth_token'],
  webhookSecret: 'auth_token',
  learns: [],
  hasHandshake: false,
  hasStatus: false,
  // The number that a message comes from can be forged.
  knowsUsers: false,
  keyInAddress: null,
  form: { answer: { type: 'text/xml; charset=utf-8', body: NO_INSTRUCTIONS } },
  connection: null,
  media: {
    find: (_http, settings, url) => ({
      url,
      headers: credentialsOf(settings),
      tokenHosts: ['api.twilio.com'],
      // It sends on to a signed address.
      otherHosts: ['.twiliocdn.com', '.amazonaws.com'],
    }),
  },
  replyWindowMs: null,
  personWindowMs: null,
  resends: false,
  textLimit: { length: 1600, unit: 'utf16' },
  textsAtOnce: 1,
  addressee: {
    form: 'a phone number with its country code, such as +15550100',
    threadOf: toPhoneNumber,
    mustHaveWritten: false,
  },

  isSigned({ raw, headers, url }, { auth_token }) {
    const given = headerOf(headers, 'x-twilio-signature')
    if (!auth_token || given === null) return false
    // The address that was called, followed by each parameter in order.
    const signed = [...new URLSearchParams(raw.toString())]
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .reduce((text, [name, value]) => text + name + value, url)
    return equalInConstantTime(given, createHmac('sha1', auth_token).update(signed).digest('base64'))
  },

  read(body, settings) {
    const form = requireObject(body)
    refuseOthers(form, settings)
    return form.MessageStatus === undefined ? readMessage(form) : readStatus(form)
  },

  send: (http, settings, { texts: [text], ...to }) =>
    // Quotation marks and dashes would otherwise halve what fits into a segment.
    sendTo(http, settings, to, { Body: text, SmartEncoded: 'true' }),

  files: {
    ways: [{ as: 'picture', types: ['image/jpeg', 'image/png', 'image/gif'], bytes: 5 * MEGABYTE }],
    byLink: true,
    send(http, settings, { file, ...to }) {
      // Pictures reach phones of the United States and Canada alone.
      const isMms = to.thread.startsWith('+1')
      return sendTo(http, settings, to, isMms ? { MediaUrl: file.link } : { Body: textWithLink(file) })
    },
  },

  async check(http, settings) {
    const answer = await call(http, settings, '.json', { method: 'GET' })
    return { account: toText(toObject(answer)?.friendly_name), settings: {} }
  },
}

async function sendTo(
  http: PlatformHttp,
  settings: Settings,
  { thread, webhookUrl }: { thread: string; webhookUrl: string },
  content: Record<string, string>,
): Promise<Sent> {
  const from = required(settings.from, 'from')
  const answer = await call(http, settings, '/Messages.json', {
    method: 'POST',
    form: {
      To: thread,
      ...(/^MG/i.test(from) ? { MessagingServiceSid: from } : { From: from }),
      ...content,
      ...(webhookUrl.startsWith('https:') ? { StatusCallback: webhookUrl } : {}),
    },
  })
  return { echoId: toEchoId(toObject(answer)?.sid) }
}

function call(
  http: PlatformHttp,
  settings: Settings,
  path: string,
  more: Pick<PlatformCall, 'method' | 'form'>,
): Promise<unknown> {
  const headers = credentialsOf(settings)
  const url = apiUrl(settings.api_base, API, `/2010-04-01/Accounts/${settings.account_sid}${path}`)
  return callPlatform(http, { url, headers, judge, ...more })
}

function credentialsOf(settings: Settings): { authorization: string } {
  const token = requiredToken(settings.auth_token)
  const account = required(settings.account_sid, 'account_sid')
  return { authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}` }
}

/** Interprets the platform's error objects. */
function judge(answer: unknown): Failure | null {
  switch (toObject(answer)?.code) {
    case 20003:
      return { outcome: 'refused', reason: 'unauthorized' }
    // Too many calls, and too many messages that wait.
    case 20429:
    case 30001:
      return { outcome: 'not_sent', reason: 'rejected' }
    // The person has opted out.
    case 21610:
      return { outcome: 'refused', reason: 'rejected' }
    default:
      return null
  }
}

/** @throws WrongDestination for a message to another account or number, or a report about one from there */
function refuseOthers(form: JsonObject, { account_sid, from }: Settings): void {
  const isOther = (given: unknown, own: string | undefined) =>
    own !== undefined && toText(given) !== null && String(given).toLowerCase() !== own.toLowerCase()
  if (isOther(form.AccountSid, account_sid)) throw new WrongDestination()
  const isService = from !== undefined && /^MG/i.test(from)
  const own = form.MessageStatus === undefined ? form.To : form.From
  if (isOther(isService ? form.MessagingServiceSid : own, from)) throw new WrongDestination()
}

/** The words after which the platform delivers nothing more, or delivers again; it answers them itself. */
const STOP = new Set(['stop', 'stopall', 'unsubscribe', 'cancel', 'end', 'quit', 'revoke', 'optout'])
const START = new Set(['start', 'unstop'])

function readMessage(form: JsonObject): Inbound[] {
  const thread = toId(form.From)
  if (thread === null) return []
  const id = toId(form.MessageSid)
  const sourceId = id ?? hashOf(form)
  const user = { id: thread, name: null }
  const word = toText(form.Body)?.trim().toLowerCase() ?? ''
  const optOut = form.OptOutType
  if (optOut === 'STOP' || STOP.has(word)) return [{ type: 'unfollow', sourceId, thread }]
  if (optOut === 'START' || START.has(word))
    return [{ type: 'follow', sourceId, thread, user, replyToken: null }]
  // The platform has answered.
  if (optOut === 'HELP') return []
  const said = readSaid(form)
  if (!said) return []
  const place = { replyToken: null, group: false, mentioned: false }
  return [{ ...said, ...place, type: 'message', sourceId, thread, user, platformMessageId: id }]
}

/** The most files that one message has. */
const MOST_MEDIA = 10

function readSaid(form: JsonObject): Said | null {
  const text = toText(form.Body)
  const count = Math.min(toNumber(form.NumMedia) || 0, MOST_MEDIA)
  const files = Array.from({ length: Math.max(count, 0) }, (_, at) => ({
    kind: kindOf(toText(form[`MediaContentType${at}`])),
    source: toText(form[`MediaUrl${at}`]),
  }))
  const [kind, ...more] = files.map(({ kind }) => kind)
  if (kind !== undefined) {
    const media = files.map(({ kind, source }) => toMedia(kind, source))
    return withMedia(saidSeveral([kind, ...more], text), media)
  }
  return text === null ? null : saidText(text)
}

function kindOf(contentType: string | null): MessageKind {
  const [type = '', subtype = ''] = (contentType ?? '').toLowerCase().split(/[/;]/)
  if (type === 'image' || type === 'video') return type
  if (type === 'audio') return 'voice'
  return subtype.includes('vcard') ? 'contact' : 'file'
}

function readStatus(form: JsonObject): Inbound[] {
  const thread = toId(form.To)
  const id = toId(form.MessageSid)
  const echoId = toEchoId(form.MessageSid)
  if (form.MessageStatus === 'read' && thread !== null && echoId !== null)
    return [{ type: 'read', sourceId: `read:${id}`, thread, echoId, until: null }]
  const isLost = form.MessageStatus === 'undelivered' || form.MessageStatus === 'failed'
  if (!isLost || thread === null || id === null || echoId === null) return []
  const code = toId(form.ErrorCode) ?? 'failed'
  return [{ type: 'undelivered', sourceId: `failed:${id}`, thread, echoId, reason: 'rejected', code }]
}
