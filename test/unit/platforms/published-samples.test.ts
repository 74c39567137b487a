import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { platforms } from '../../../src/platforms/platforms.ts'
import type { Kind } from '../../support/platform-peer.ts'

/** An item that is read from a payload: its kind, thread and text. */
type Read = [type: string, thread: string, text?: string | null]

const line = (...events: object[]) => ({ destination: 'xxxxxxxxxx', events })
const lineEvent = (type: string, more: object) => ({
  replyToken: 'nHuyWiB7yP5Zw52FIkcQobQuGDXCTA',
  type,
  mode: 'active',
  timestamp: 1462629479859,
  source: { type: 'user', userId: 'U4af4980629' },
  webhookEventId: '01FZ74A0TDDPYRVKNK77XKC3ZR',
  deliveryContext: { isRedelivery: false },
  ...more,
})

const whatsApp = (value: object, field = 'messages') => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: 'WHATSAPP_BUSINESS_ACCOUNT_ID',
      changes: [
        {
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: 'PHONE_NUMBER', phone_number_id: 'PHONE_NUMBER_ID' },
            ...value,
          },
          field,
        },
      ],
    },
  ],
})
const whatsAppMessage = (message: object) =>
  whatsApp({
    contacts: [{ profile: { name: 'NAME' }, wa_id: 'PHONE_NUMBER' }],
    messages: [{ from: 'PHONE_NUMBER', id: 'wamid.ID', timestamp: 'TIMESTAMP', ...message }],
  })

const messenger = (event: object) => ({
  object: 'page',
  entry: [
    {
      id: '<PAGE_ID>',
      time: 1458692752478,
      messaging: [
        {
          sender: { id: '<PSID>' },
          recipient: { id: '<PAGE_ID>' },
          timestamp: 1458692752478,
          ...event,
        },
      ],
    },
  ],
})

const chatwoot = (fields: object, status: string) => ({
  id: 0,
  content: 'This is a incoming message from API Channel',
  created_at: '2020-08-30T15:43:04.000Z',
  message_type: 'incoming',
  content_type: null,
  content_attributes: {},
  source_id: null,
  sender: { id: 0, name: 'contact-name', avatar: '', type: 'contact' },
  inbox: { id: 0, name: 'API Channel' },
  conversation: {
    additional_attributes: null,
    channel: 'Channel::Api',
    id: 0,
    inbox_id: 0,
    status,
    agent_last_seen_at: 0,
    contact_last_seen_at: 0,
    timestamp: 0,
  },
  account: { id: 1, name: 'API testing' },
  event: 'message_created',
  ...fields,
})

/** Payloads as the documentation of each platform shows them, with its placeholders, and what is read of them. */
const samples: [kind: Kind, name: string, payload: object, read: Read[]][] = [
  [
    'messenger-three',
    'a text message in a group',
    line(
      lineEvent('message', {
        source: { type: 'group', groupId: 'Ca56f94637c', userId: 'U4af4980629' },
        message: {
          id: '444573844083572737',
          type: 'text',
          quoteToken: 'q3Plxr4AgKd',
          text: '@All @example Good Morning!! (love)',
          emojis: [{ index: 29, length: 6, productId: '5ac1bfd5040ab15980c9b435', emojiId: '001' }],
          mention: {
            mentionees: [
              { index: 0, length: 4, type: 'all' },
              { index: 5, length: 8, userId: 'U49585cd0d5', type: 'user', isSelf: false },
            ],
          },
        },
      }),
    ),
    [['message', 'Ca56f94637c', '@All @example Good Morning!! (love)']],
  ],
  [
    'messenger-three',
    'a follow',
    line(lineEvent('follow', { follow: { isUnblocked: false } })),
    [['follow', 'U4af4980629']],
  ],
  ['messenger-three', 'an unfollow', line(lineEvent('unfollow', {})), [['unfollow', 'U4af4980629']]],
  ['messenger-three', 'the Verify button of the console', line(), []],
  [
    'messenger-three',
    'events of other kinds',
    line(
      lineEvent('message', {
        message: {
          type: 'image',
          id: '354718705033693859',
          quoteToken: 'q3Plxr4AgKd',
          contentProvider: { type: 'line' },
        },
      }),
      lineEvent('message', {
        message: { type: 'sticker', id: '1501597916', stickerId: '52002738', packageId: '11537' },
      }),
      lineEvent('unsend', { unsend: { messageId: '325708' } }),
      lineEvent('join', { source: { type: 'group', groupId: 'C4af4980629' } }),
      lineEvent('postback', {
        postback: { data: 'storeId=12345', params: { datetime: '2017-12-25T01:00' } },
      }),
      lineEvent('beacon', { beacon: { hwid: 'd41d8cd98f', type: 'enter' } }),
      lineEvent('accountLink', { link: { result: 'ok', nonce: 'nonce' } }),
      lineEvent('module', { source: undefined, module: { type: 'attached', botId: 'U53387d54817' } }),
    ),
    [
      ['message', 'U4af4980629', '[image]'],
      ['message', 'U4af4980629', '[sticker]'],
      ['withdrawn', 'U4af4980629'],
    ],
  ],
  [
    'messenger-three',
    'a file, a voice message, a video and a place',
    line(
      lineEvent('message', { message: { id: '325708', type: 'file', fileName: 'file.txt', fileSize: 2138 } }),
      lineEvent('message', { message: { id: '325709', type: 'audio', duration: 60000 } }),
      lineEvent('message', { message: { id: '325710', type: 'video', duration: 60000 } }),
      lineEvent('message', {
        message: {
          id: '325711',
          type: 'location',
          title: 'my location',
          address: '1-3 Kioicho, Chiyoda-ku',
          latitude: 35.67966,
          longitude: 139.73669,
        },
      }),
    ),
    [
      ['message', 'U4af4980629', '[file: file.txt]'],
      ['message', 'U4af4980629', '[voice]'],
      ['message', 'U4af4980629', '[video]'],
      ['message', 'U4af4980629', '[location: my location, 1-3 Kioicho, Chiyoda-ku, 35.67966, 139.73669]'],
    ],
  ],
  [
    'messenger-one',
    'a text message',
    whatsAppMessage({ text: { body: 'MESSAGE_BODY' }, type: 'text' }),
    [['message', 'PHONE_NUMBER', 'MESSAGE_BODY']],
  ],
  [
    'messenger-one',
    'messages of other kinds',
    whatsApp({
      messages: [
        { type: 'reaction', reaction: { message_id: 'MESSAGE_ID', emoji: 'EMOJI' } },
        { type: 'image', image: { caption: 'CAPTION', mime_type: 'image/jpeg', sha256: 'HASH', id: 'ID' } },
        { type: 'unknown', errors: [{ code: 131051, details: 'Message type is not currently supported' }] },
        { location: { latitude: 37.48, longitude: -122.15, name: 'NAME', address: 'ADDRESS' } },
      ].map((message) => ({
        from: 'PHONE_NUMBER',
        id: 'wamid.ID',
        timestamp: 'TIMESTAMP',
        ...message,
      })),
    }),
    [
      ['message', 'PHONE_NUMBER', '[reaction: EMOJI]'],
      ['message', 'PHONE_NUMBER', '[image] CAPTION'],
      ['message', 'PHONE_NUMBER', '[other]'],
      ['message', 'PHONE_NUMBER', '[location: NAME, ADDRESS, 37.48, -122.15]'],
    ],
  ],
  [
    'messenger-one',
    'a voice message, a document, a sticker and contacts',
    whatsApp({
      messages: [
        { type: 'audio', audio: { id: 'ID', voice: true } },
        { type: 'document', document: { id: 'ID', filename: 'a.pdf', caption: 'CAPTION' } },
        { type: 'sticker', sticker: { id: 'ID', animated: false } },
        { type: 'contacts', contacts: [{ name: { formatted_name: 'NAME' } }] },
        { type: 'reaction', reaction: { message_id: 'MESSAGE_ID' } },
      ].map((message) => ({ from: 'PHONE_NUMBER', id: 'wamid.ID', ...message })),
    }),
    [
      ['message', 'PHONE_NUMBER', '[voice]'],
      ['message', 'PHONE_NUMBER', '[file: a.pdf] CAPTION'],
      ['message', 'PHONE_NUMBER', '[sticker]'],
      ['message', 'PHONE_NUMBER', '[contact: NAME]'],
    ],
  ],
  [
    'messenger-one',
    'presses of a button, a quick reply and an entry of a list',
    whatsApp({
      messages: [
        { type: 'button', button: { payload: 'PAYLOAD', text: 'Yes' } },
        {
          type: 'interactive',
          interactive: { type: 'button_reply', button_reply: { id: '1', title: 'No' } },
        },
        { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: '1', title: 'Maybe' } } },
      ].map((message) => ({ from: 'PHONE_NUMBER', id: 'wamid.ID', ...message })),
    }),
    [
      ['message', 'PHONE_NUMBER', 'Yes'],
      ['message', 'PHONE_NUMBER', 'No'],
      ['message', 'PHONE_NUMBER', 'Maybe'],
    ],
  ],
  [
    'messenger-one',
    'echoes of a text, a picture and a reaction',
    whatsApp(
      {
        message_echoes: [
          { type: 'text', text: { body: 'MESSAGE_BODY' } },
          { type: 'image', image: { mime_type: 'image/jpeg', sha256: 'HASH', id: 'ID' } },
          { type: 'reaction', reaction: { message_id: 'MESSAGE_ID', emoji: 'EMOJI' } },
        ].map((echo) => ({ from: 'PHONE_NUMBER', to: 'CUSTOMER', id: 'wamid.ID', ...echo })),
      },
      'smb_message_echoes',
    ),
    [
      ['takeover', 'CUSTOMER', 'MESSAGE_BODY'],
      ['takeover', 'CUSTOMER', null],
    ],
  ],
  [
    'messenger-one',
    'a status',
    whatsApp({
      statuses: [
        {
          id: 'wamid.ID',
          status: 'sent',
          timestamp: 'TIMESTAMP',
          recipient_id: 'PHONE_NUMBER',
          conversation: { id: 'CONVERSATION_ID', origin: { type: 'user_initiated' } },
          pricing: { billable: true, pricing_model: 'CBP', category: 'user_initiated' },
        },
      ],
    }),
    [],
  ],
  [
    'messenger-one',
    'a status that failed',
    whatsApp({
      statuses: [
        {
          id: 'wamid.ID',
          status: 'failed',
          timestamp: 'TIMESTAMP',
          recipient_id: 'PHONE_NUMBER',
          errors: [{ code: 131014, title: 'Request for url https://URL.jpg failed with error: 404' }],
        },
      ],
    }),
    [['undelivered', 'PHONE_NUMBER']],
  ],
  [
    'messenger-two',
    'a message with a quick reply',
    messenger({
      message: {
        mid: 'mid.1457764197618:41d102a3e1ae206a38',
        text: 'hello, world!',
        quick_reply: { payload: '<DEVELOPER_DEFINED_PAYLOAD>' },
      },
    }),
    [['message', '<PSID>', 'hello, world!']],
  ],
  [
    'messenger-two',
    'an echo of another app',
    messenger({
      sender: { id: '<PAGE_ID>' },
      recipient: { id: '<PSID>' },
      message: {
        is_echo: true,
        app_id: 1517776481860111,
        metadata: '<DEVELOPER_DEFINED_METADATA_STRING>',
        mid: 'mid.1457764197618:41d102a3e1ae206a38',
        text: 'hello, back!',
      },
    }),
    [['takeover', '<PSID>', 'hello, back!']],
  ],
  [
    'messenger-two',
    'an echo of a picture',
    messenger({
      sender: { id: '<PAGE_ID>' },
      recipient: { id: '<PSID>' },
      message: {
        is_echo: true,
        app_id: 1517776481860111,
        mid: 'mid.1458696618141:b4ef9d19ec21086067',
        attachments: [{ type: 'image', payload: { url: '<ATTACHMENT_URL>' } }],
      },
    }),
    [['takeover', '<PSID>', null]],
  ],
  [
    'messenger-two',
    'a postback',
    messenger({ postback: { title: '<TITLE-FOR-THE-CTA>', payload: '<USER_DEFINED_PAYLOAD>' } }),
    [['message', '<PSID>', '<TITLE-FOR-THE-CTA>']],
  ],
  [
    'messenger-two',
    'an image',
    messenger({
      message: {
        mid: 'mid.1458696618141:b4ef9d19ec21086067',
        attachments: [{ type: 'image', payload: { url: '<ATTACHMENT_URL>' } }],
      },
    }),
    [['message', '<PSID>', '[image]']],
  ],
  [
    'messenger-two',
    'several attachments with a text',
    messenger({ message: { mid: 'm', text: 'these', attachments: [{ type: 'image' }, { type: 'file' }] } }),
    [['message', '<PSID>', '[image] [file] these']],
  ],
  [
    'messenger-two',
    "a link with its preview, a sticker and what the platform's API does not pass on",
    {
      object: 'page',
      entry: [
        {
          id: '<PAGE_ID>',
          messaging: [
            { text: 'see https://example.com', attachments: [{ type: 'fallback', title: 'Example' }] },
            { attachments: [{ type: 'image', payload: { sticker_id: 369239263222822 } }] },
            { is_unsupported: true },
          ].map((message, at) => ({ sender: { id: '<PSID>' }, message: { mid: `m${at}`, ...message } })),
        },
      ],
    },
    [
      ['message', '<PSID>', 'see https://example.com'],
      ['message', '<PSID>', '[sticker]'],
      ['message', '<PSID>', '[other]'],
    ],
  ],
  [
    'messenger-two',
    'a reaction',
    messenger({ reaction: { reaction: 'smile', emoji: '😀', action: 'react', mid: 'm' } }),
    [['message', '<PSID>', '[reaction: 😀]']],
  ],
  [
    'messenger-two',
    'a reaction that is taken back',
    messenger({ reaction: { reaction: 'smile', emoji: '😀', action: 'unreact', mid: 'm' } }),
    [],
  ],
  [
    'messenger-two',
    'a delivery',
    messenger({ delivery: { mids: ['mid.1458668856218:ed81099e15d3f4f233'], watermark: 1458668856253 } }),
    [],
  ],
  ['messenger-two', 'a read', messenger({ read: { watermark: 1458668856253 } }), [['read', '<PSID>']]],
  ['helpdesk', 'a message while people have the conversation', chatwoot({}, 'open'), []],
  [
    'helpdesk',
    'a message while the bot has the conversation',
    chatwoot({}, 'pending'),
    [['message', '0', 'This is a incoming message from API Channel']],
  ],
  [
    'helpdesk',
    'a picture of a user',
    chatwoot(
      {
        message_type: 'outgoing',
        content: null,
        sender: { type: 'user', name: 'Tom' },
        attachments: [{ file_type: 'image' }],
      },
      'open',
    ),
    [['takeover', '0', null]],
  ],
  ['helpdesk', 'a private note', chatwoot({ private: true, message_type: 'outgoing' }, 'pending'), []],
  ['helpdesk', 'an opened widget', { event: 'webwidget_triggered', id: 1, contact: {}, inbox: {} }, []],
]

describe("the platforms' published payloads", () => {
  for (const [kind, name, payload, expected] of samples) {
    it(`${kind}: ${name}`, () => {
      const events = platforms[kind].read(JSON.parse(JSON.stringify(payload)), {})
      const read = events.map((event) => [event.type, event.thread, ...('text' in event ? [event.text] : [])])
      assert.deepEqual(read, expected)
    })
  }
})
