import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { kindsOf, type PlatformKind, platforms } from '../../src/platforms/platforms.ts'
import type { TestAgent, TestAnswer } from './app.ts'
import { createAwaited } from './awaited.ts'
import { type MediaPeer, mediaPeer } from './media-peer.ts'
import { type Peer, type PeerRequest, startPeer } from './peer.ts'
import {
  signTelegram,
  type TelegramBot,
  telegramBots,
  telegramMessage,
  telegramSettings,
} from './telegram-peer.ts'
import { signTwilio, TWILIO, twilioMessage } from './twilio-peer.ts'
import { type RawTemplate, whatsAppAccount } from './whatsapp-peer.ts'

/** A call with which a platform was asked to send texts. */
export interface SentText {
  thread: string
  /** The first text of the call. */
  text: string
  more: string[]
  /** The kind of call: a free reply, a push, or an ordinary message. */
  by: 'reply' | 'push' | 'message'
  retryKey: string | undefined
}

/** The messaging platforms in one HTTP peer, which accepts sent texts and remembers them. */
export interface PlatformPeer extends Peer, MediaPeer {
  /** Texts that were accepted, in order. */
  readonly sent: SentText[]
  /** Calls other than sending, as `METHOD path`. */
  readonly calls: string[]
  /** Answers the next calls that send, one each; null lets one through. */
  failNext(...failures: (((response: ServerResponse) => void) | null)[]): void
  /** Resolves when this many texts were accepted. */
  untilSent(count: number): Promise<SentText[]>
  /** Resolves when a call was made. */
  untilCalled(call: string): Promise<void>
  /** The templates of the WhatsApp account. */
  readonly templates: RawTemplate[]
  /** The bot of a Telegram channel. */
  botOf(channel: Pick<TestChannel, 'secret'>): TelegramBot
}

export async function startPlatformPeer(): Promise<PlatformPeer> {
  const sent: SentText[] = []
  const calls: string[] = []
  const failures: (((response: ServerResponse) => void) | null)[] = []
  const awaited = createAwaited()
  const accepted = new Set<string>()
  const bots = telegramBots()
  const media = mediaPeer(() => peer.url)
  const account = whatsAppAccount((id) => media.uploads.has(String(id)))

  const peer: Peer = await startPeer((response, request) => {
    if (media.answer(response, request)) return
    const text = readText(request)
    const isNext = request.method === 'GET' || failures[0] === undefined
    if (isNext && account.answer(response, request)) return
    if (!text) {
      calls.push(`${request.method} ${request.path}`)
      if (!bots.answer(response, request)) {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(answerTo(request)))
      }
      return awaited.tell()
    }
    const fail = failures.shift()
    if (fail) return fail(response)
    response.setHeader('content-type', 'application/json')
    if (text.retryKey !== undefined && accepted.has(text.retryKey)) {
      response.statusCode = 409
      response.end('{"message":"The retry key is already accepted"}')
      return
    }
    if (text.retryKey !== undefined) accepted.add(text.retryKey)
    sent.push(text)
    response.end(JSON.stringify(acceptance(request, sent.length)))
    awaited.tell()
  })

  return Object.assign(peer, {
    files: media.files,
    sentFiles: media.sentFiles,
    uploads: media.uploads,
    untilSentFiles: media.untilSentFiles,
    failNextUpload: media.failNextUpload,
    untilFailed: media.untilFailed,
    sent,
    calls,
    templates: account.templates,
    failNext: (...next: typeof failures) => void failures.push(...next),
    async untilSent(count: number) {
      await awaited.until(() => sent.length >= count, `text ${count} of a channel`)
      return sent
    },
    botOf: ({ secret }: Pick<TestChannel, 'secret'>) => bots.botOf(secret),
    untilCalled: (call: string) => awaited.until(() => calls.includes(call), `the call of ${call}`),
  })
}

/** Returns the text that a request sends; null if it sends none. */
function readText({ method, path, body, headers }: PeerRequest): SentText | null {
  if (method !== 'POST') return null
  if (path.startsWith('/2010-04-01/')) {
    const form = new URLSearchParams(body)
    const [thread, text] = [form.get('To') ?? '', form.get('Body') ?? '']
    return { thread, text, more: [], by: 'message', retryKey: undefined }
  }
  const json = JSON.parse(body || '{}')
  if (/^\/bot[^/]+\/sendMessage$/.test(path)) {
    const thread = [json.chat_id, json.message_thread_id].filter((part) => part !== undefined).join(':')
    return { thread, text: json.text, more: [], by: 'message', retryKey: undefined }
  }
  const retryKey = headers['x-line-retry-key'] as string | undefined
  if (path.startsWith('/v2/bot/message/')) {
    const [text, ...more] = json.messages.map(
      (message: { text?: string; template?: { text: string } }) => message.text ?? message.template?.text,
    )
    return path.endsWith('/reply')
      ? { thread: json.replyToken, text, more, by: 'reply', retryKey }
      : { thread: json.to, text, more, by: 'push', retryKey }
  }
  if (json.type === 'text' && json.messaging_product === 'whatsapp')
    return { thread: json.to ?? json.recipient, text: json.text.body, more: [], by: 'message', retryKey }
  if (json.type === 'template')
    return {
      thread: json.to ?? json.recipient,
      text: `template ${json.template.name}`,
      more: [],
      by: 'message',
      retryKey,
    }
  if (json.type === 'interactive') {
    const { text } = json.interactive.body
    return { thread: json.to ?? json.recipient, text, more: [], by: 'message', retryKey }
  }
  const said = json.message?.text ?? json.message?.attachment?.payload.text
  if (json.recipient && said)
    return { thread: json.recipient.id, text: said, more: [], by: 'message', retryKey }
  const helpdesk = /conversations\/(\d+)\/messages$/.exec(path)
  if (helpdesk)
    return { thread: helpdesk[1] as string, text: json.content, more: [], by: 'message', retryKey }
  return null
}

function acceptance({ path }: PeerRequest, count: number): unknown {
  if (path.startsWith('/2010-04-01/')) return { sid: `SM${count}`, status: 'queued' }
  if (path.startsWith('/bot')) return { ok: true, result: { message_id: count } }
  if (path.startsWith('/v2/bot')) return { sentMessages: [{ id: String(count) }] }
  if (path.includes('/conversations/')) return { id: count }
  return { messages: [{ id: `wamid.${count}` }], recipient_id: '1', message_id: `m_${count}` }
}

function answerTo({ path }: PeerRequest): unknown {
  if (path === '/v2/bot/info') return { userId: LINE_DESTINATION, displayName: 'Test account' }
  if (path.endsWith('/api/v1/profile')) return { id: 1, name: 'Test account' }
  if (path.startsWith('/2010-04-01/')) return { sid: TWILIO.account_sid, friendly_name: 'Test account' }
  if (path.includes('/me?fields=user_id'))
    return { user_id: SECRETS.instagram.instagram_id, username: 'Test account' }
  return { id: '1', name: 'Test account', verified_name: 'Test account', success: true }
}

export const LINE_DESTINATION = `U${'0'.repeat(31)}1`

const SECRETS = {
  'messenger-one': {
    verify_token: 'verify-me-please',
    app_secret: 'app-secret-of-one',
    access_token: 'token-of-one-12345',
    phone_number_id: '106540352242922',
  },
  'messenger-two': {
    verify_token: 'verify-me-please',
    app_secret: 'app-secret-of-two',
    access_token: 'token-of-two-12345',
    page_id: '2200',
  },
  'messenger-three': {
    channel_secret: 'channel-secret-of-three',
    access_token: 'token-of-three-12345',
    destination: LINE_DESTINATION,
  },
  helpdesk: { webhook_secret: 'webhook-secret', access_token: 'token-of-helpdesk', account_id: '7' },
  instagram: {
    verify_token: 'verify-me-please',
    app_secret: 'app-secret-of-instagram',
    access_token: 'token-of-instagram-12345',
    instagram_id: '17841400000000001',
  },
  sms: TWILIO,
  get telegram() {
    return telegramSettings()
  },
} as const satisfies Record<Exclude<PlatformKind, 'email'>, object>

export type Kind = keyof typeof SECRETS

/** The kinds whose platform calls, and is called, by HTTP. Mail has servers of its own (`mail-peer.ts`). */
export const kinds = kindsOf(({ webhookSecret }) => webhookSecret !== null) as [Kind, ...Kind[]]

/** A channel of an agent, and its platform's side of it. */
export interface TestChannel {
  id: number
  kind: Kind
  url: string
  secret: string
  /** Posts a body signed as the platform signs. */
  post(body: unknown, headers?: Record<string, string>): Promise<{ status: number; text: string }>
  /** Posts a person's text message as the platform sends it. */
  says(text: string, options?: { from?: string; id?: string; replyToken?: string }): Promise<void>
}

/** Returns the content type of a platform's webhooks. */
export function typeOf(kind: Kind): string {
  return kind === 'sms' ? 'application/x-www-form-urlencoded' : 'application/json'
}

/** Returns the text in which a platform sends a body. */
export function rawOf(kind: Kind, body: unknown): string {
  return kind === 'sms'
    ? new URLSearchParams(body as Record<string, string>).toString()
    : JSON.stringify(body)
}

let messages = 0

/** Creates a channel whose platform is the peer. Bursts are not waited for unless `settings` says so. */
export async function addChannel(
  agent: TestAgent,
  kind: Kind,
  peer: Pick<Peer, 'url'>,
  settings: Record<string, unknown> = {},
): Promise<TestChannel> {
  const secrets = { ...SECRETS[kind], ...settings } as Record<string, string>
  const created: TestAnswer = await agent.post('/channels', {
    kind,
    name: `Test ${kind}`,
    settings: { api_base: peer.url, debounce_ms: 0, ...secrets },
  })
  if (created.status !== 201) throw new Error(created.text)
  const { id } = created.body.data
  const url = `${agent.baseUrl}/channels/${id}/${kind}`
  const secret = secrets[platforms[kind].webhookSecret ?? ''] ?? ''

  async function post(body: unknown, headers: Record<string, string> = {}) {
    const raw = typeof body === 'string' ? body : rawOf(kind, body)
    const response = await fetch(url, {
      method: 'POST',
      body: raw,
      headers: { 'content-type': typeOf(kind), ...sign(kind, raw, secret, Date.now(), url), ...headers },
    })
    return { status: response.status, text: await response.text() }
  }

  return {
    id,
    kind,
    url,
    secret,
    post,
    async says(text, { from = PERSON[kind], id = `message-${++messages}`, replyToken } = {}) {
      const { status, text: answer } = await post(messageOf(kind, from, id, text, replyToken))
      if (status !== 200) throw new Error(`${status} ${answer}`)
    },
  }
}

/** The person who writes when a test names none. */
export const PERSON: Record<Kind, string> = {
  'messenger-one': '16505551234',
  'messenger-two': '9911',
  'messenger-three': `U${'a'.repeat(32)}`,
  helpdesk: '42',
  telegram: '7700',
  instagram: '8811',
  sms: '+15005550006',
}

/** Returns the headers with which a platform signs a body. */
export function sign(
  kind: Kind,
  raw: string,
  secret: string,
  nowMs = Date.now(),
  url = '',
): Record<string, string> {
  const hmac = (text: string) => createHmac('sha256', secret).update(text)
  switch (kind) {
    case 'messenger-one':
    case 'messenger-two':
    case 'instagram':
      return { 'x-hub-signature-256': `sha256=${hmac(raw).digest('hex')}` }
    case 'messenger-three':
      return { 'x-line-signature': hmac(raw).digest('base64') }
    case 'telegram':
      return signTelegram(secret)
    case 'sms':
      return signTwilio(raw, secret, url)
    case 'helpdesk': {
      const timestamp = String(Math.floor(nowMs / 1000))
      return {
        'x-chatwoot-timestamp': timestamp,
        'x-chatwoot-signature': `sha256=${hmac(`${timestamp}.${raw}`).digest('hex')}`,
      }
    }
  }
}

/** Returns a text message as a platform's webhook carries it. */
export function messageOf(kind: Kind, from: string, id: string, text: string, replyToken = `reply-${id}`) {
  switch (kind) {
    case 'messenger-one':
      return {
        object: 'whatsapp_business_account',
        entry: [
          {
            id: '102290129340398',
            changes: [
              {
                field: 'messages',
                value: {
                  messaging_product: 'whatsapp',
                  metadata: { display_phone_number: '15550783881', phone_number_id: '106540352242922' },
                  contacts: [{ profile: { name: 'Ana' }, wa_id: from }],
                  messages: [
                    { from, id: `wamid.${id}`, timestamp: '1749416383', type: 'text', text: { body: text } },
                  ],
                },
              },
            ],
          },
        ],
      }
    case 'messenger-two':
    case 'instagram': {
      const account = kind === 'instagram' ? SECRETS.instagram.instagram_id : '2200'
      return {
        object: kind === 'instagram' ? 'instagram' : 'page',
        entry: [
          {
            id: account,
            time: 1749416383000,
            messaging: [
              {
                sender: { id: from },
                recipient: { id: account },
                timestamp: 1749416383000,
                message: { mid: `m_${id}`, text },
              },
            ],
          },
        ],
      }
    }
    case 'messenger-three':
      return { destination: LINE_DESTINATION, events: [lineMessage(from, id, text, replyToken)] }
    case 'telegram':
      return telegramMessage(from, id, text)
    case 'sms':
      return twilioMessage(from, id, text)
    case 'helpdesk':
      return {
        event: 'message_created',
        id,
        content: text,
        message_type: 'incoming',
        content_type: 'text',
        private: false,
        sender: { id: 9, name: 'Ana', type: 'contact' },
        inbox: { id: 3 },
        conversation: { id: Number(from), status: 'pending' },
        account: { id: 7 },
      }
  }
}

export function lineMessage(from: string, id: string, text: string, replyToken = `reply-${id}`) {
  return {
    type: 'message',
    mode: 'active',
    timestamp: 1749416383000,
    webhookEventId: `01H${id}`,
    deliveryContext: { isRedelivery: false },
    replyToken,
    source: { type: 'user', userId: from },
    message: { type: 'text', id, text, quoteToken: 'q' },
  }
}

export function lineFollow(from: string, id: string) {
  return {
    type: 'follow',
    mode: 'active',
    timestamp: 1749416383000,
    webhookEventId: `01H${id}`,
    deliveryContext: { isRedelivery: false },
    replyToken: `reply-${id}`,
    follow: { isUnblocked: false },
    source: { type: 'user', userId: from },
  }
}

/** The platforms that tell when a person takes a conversation over there. */
type TakenOver = Exclude<Kind, 'messenger-three' | 'telegram' | 'sms'>

export function tellsTakeovers(kind: Kind): kind is TakenOver {
  return kind !== 'messenger-three' && kind !== 'telegram' && kind !== 'sms'
}

/** Returns the platform's event when a person takes a conversation over there. */
export function takeoverOf(kind: TakenOver, id: string) {
  switch (kind) {
    case 'messenger-one':
      return {
        entry: [
          {
            changes: [
              {
                field: 'smb_message_echoes',
                value: {
                  metadata: { phone_number_id: '106540352242922' },
                  message_echoes: [
                    {
                      to: PERSON['messenger-one'],
                      id,
                      timestamp: '1749416383',
                      type: 'text',
                      text: { body: 'Eva here.' },
                    },
                  ],
                },
              },
            ],
          },
        ],
      }
    case 'messenger-two':
    case 'instagram':
      return {
        entry: [
          {
            id: kind === 'instagram' ? SECRETS.instagram.instagram_id : '2200',
            messaging: [
              {
                recipient: { id: PERSON[kind] },
                timestamp: 1749416383000,
                message: { mid: id, is_echo: true, text: 'Eva here.' },
              },
            ],
          },
        ],
      }
    case 'helpdesk':
      return {
        ...messageOf('helpdesk', PERSON.helpdesk, id, 'Eva here.'),
        message_type: 'outgoing',
        sender: { id: 1, name: 'Eva', type: 'user' },
      }
  }
}

/** Returns the body that the platform posts for something other than text, with the fields of its message. */
export function mediaOf(kind: Kind, id: string, fields: Record<string, unknown>): unknown {
  // biome-ignore lint/suspicious/noExplicitAny: payloads of every platform
  const payload = messageOf(kind, PERSON[kind], id, 'replaced') as any
  switch (kind) {
    case 'messenger-one': {
      const { value } = payload.entry[0].changes[0]
      const { text: _, ...message } = value.messages[0]
      value.messages[0] = { ...message, ...fields }
      return payload
    }
    case 'messenger-two':
    case 'instagram': {
      const [event] = payload.entry[0].messaging
      event.message = { mid: `m_${id}`, ...fields }
      return payload
    }
    case 'messenger-three':
      payload.events[0].message = { id, ...fields }
      return payload
    case 'telegram': {
      const { text: _, ...message } = payload.message
      return { ...payload, message: { ...message, ...fields } }
    }
    case 'sms':
      return { ...payload, Body: '', ...fields }
    case 'helpdesk':
      return { ...payload, content: null, ...fields }
  }
}
