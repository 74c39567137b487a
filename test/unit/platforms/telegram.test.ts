import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ChannelSettings } from '../../../src/platforms/platform.ts'
import { platforms } from '../../../src/platforms/platforms.ts'

const { read } = platforms.telegram
const settings = { bot_token: '42:token-of-the-bot', bot_username: 'shop_bot' } as ChannelSettings
const ana = { id: 7, is_bot: false, first_name: 'Ana', last_name: 'Díaz' }
const privateChat = { id: 7, type: 'private', first_name: 'Ana' }
const group = { id: -1001234567890, type: 'supergroup', title: 'Customers' }
const message = (fields: object, chat: object = privateChat) => ({
  update_id: 900,
  message: { message_id: 5, from: ana, chat, date: 1749416383, ...fields },
})
const readOne = (update: object) => {
  const [event, ...more] = read(update, settings)
  assert.deepEqual(more, [])
  return event
}
const mention = (text: string, name: string) => ({
  text,
  entities: [{ type: 'mention', offset: text.indexOf(name), length: name.length }],
})

describe('telegram reads', () => {
  it('a message with its person, its id in all chats, and its time', () => {
    assert.deepEqual(readOne(message({ text: 'Hello' })), {
      kind: 'text',
      text: 'Hello',
      isPrompt: true,
      type: 'message',
      sourceId: 'update:900',
      thread: '7',
      user: { id: '7', name: 'Ana Díaz' },
      replyToken: null,
      group: false,
      mentioned: false,
      platformMessageId: '7:5',
      sentAt: 1749416383000,
    })
  })

  for (const [what, fields, text] of [
    ['a photo', { photo: [{ file_id: 'a' }], caption: 'This one?' }, '[image] This one?'],
    ['a voice message', { voice: { duration: 3 } }, '[voice]'],
    ['music', { audio: { title: 'A song' } }, '[voice]'],
    ['an animation', { animation: {}, document: { file_name: 'cat.mp4' } }, '[video]'],
    ['a round video', { video_note: {} }, '[video]'],
    ['a file', { document: { file_name: 'invoice.pdf' }, caption: 'Here' }, '[file: invoice.pdf] Here'],
    ['a sticker', { sticker: { emoji: '👍' } }, '[sticker]'],
    ['a place', { location: { latitude: 52.5, longitude: 13.4 } }, '[location: 52.5, 13.4]'],
    [
      'a venue',
      {
        venue: { title: 'Shop', address: 'Main Street 1', location: { latitude: 1, longitude: 2 } },
        location: { latitude: 1, longitude: 2 },
      },
      '[location: Shop, Main Street 1, 1, 2]',
    ],
    ['a contact', { contact: { first_name: 'Eva', phone_number: '+49' } }, '[contact: Eva]'],
    ['a poll', { poll: { question: 'Which?' } }, '[other]'],
    ['what says that somebody joined', { new_chat_members: [ana] }, undefined],
    ['what has another kind of text', { text: { toString: 1 } }, undefined],
  ] as const)
    it(`${what} as ${text}`, () => {
      const event = readOne(message(fields))
      assert.equal(event && 'text' in event ? event.text : undefined, text)
    })

  it('an edit and the message that it changes', () => {
    const { message: edited } = message({ text: 'Hello!', edit_date: 1749416400 })
    const event = readOne({ update_id: 901, edited_message: edited })
    assert.ok(event?.type === 'edited')
    assert.deepEqual([event.platformMessageId, event.text, event.sentAt], ['7:5', 'Hello!', 1749416400000])
  })

  it('/start as a follow, in a private chat alone', () => {
    for (const text of ['/start', '/start from-the-site'])
      assert.equal(readOne(message({ text }))?.type, 'follow')
    assert.equal(readOne(message({ text: '/started' }))?.type, 'message')
    assert.equal(readOne(message({ text: '/start' }, group))?.type, 'message')
  })

  it('that a person blocks the bot, or a group removes it', () => {
    for (const [status, type] of [
      ['kicked', 'unfollow'],
      ['left', 'unfollow'],
      ['member', undefined],
      ['constructor', undefined],
    ]) {
      const my_chat_member = { chat: privateChat, from: ana, date: 1, new_chat_member: { status } }
      assert.equal(readOne({ update_id: 902, my_chat_member })?.type, type)
    }
  })

  it('the words on a pressed button', () => {
    const inline_keyboard = [[{ text: 'Red', callback_data: 'r' }], [{ text: 'Blue', callback_data: 'b' }]]
    const { message: shown } = message({ from: { id: 42, is_bot: true }, reply_markup: { inline_keyboard } })
    const press = (data?: string) => ({
      update_id: 903,
      callback_query: { id: '4382', from: ana, message: shown, ...(data === undefined ? {} : { data }) },
    })
    const event = readOne(press('b'))
    assert.ok(event?.type === 'message')
    assert.deepEqual([event.text, event.user.id, event.sourceId], ['Blue', '7', 'callback:4382'])
    assert.equal(readOne(press('none')), undefined)
    assert.equal(readOne(press()), undefined)
    const { chat, message_id } = shown
    const old = { ...press('b').callback_query, message: { chat, message_id, date: 0 } }
    const ofOld = readOne({ update_id: 904, callback_query: old })
    assert.ok(ofOld?.type === 'message')
    assert.deepEqual([ofOld.text, ofOld.pressed], ['', 'b'], 'a message that the platform no longer has')
  })

  it('a reaction that is new, not one that is taken away', () => {
    const react = (old_reaction: object[], new_reaction: object[]) => ({
      update_id: 904,
      message_reaction: { chat: privateChat, user: ana, date: 1, message_id: 5, old_reaction, new_reaction },
    })
    const [heart, thumb] = ['❤', '👍'].map((emoji) => ({ type: 'emoji', emoji }))
    const event = readOne(react([heart as object], [heart, thumb] as object[]))
    assert.ok(event?.type === 'message')
    assert.deepEqual([event.text, event.isPrompt], ['[reaction: 👍]', false])
    assert.equal(readOne(react([heart as object], [])), undefined)
  })

  it('who is meant in a group', () => {
    const isMentioned = (fields: object) => {
      const event = readOne(message(fields, group))
      assert.ok(event?.type === 'message' && event.group)
      return event.mentioned
    }
    assert.equal(isMentioned({ text: 'Hello all' }), false)
    // Offsets count UTF-16 units.
    assert.equal(isMentioned(mention('😀 @Shop_Bot hours?', '@Shop_Bot')), true)
    assert.equal(isMentioned(mention('@another_bot hours?', '@another_bot')), false)
    assert.equal(
      isMentioned({ text: '/hours@shop_bot', entities: [{ type: 'bot_command', offset: 0, length: 15 }] }),
      true,
    )
    assert.equal(
      isMentioned({ text: '/hours', entities: [{ type: 'bot_command', offset: 0, length: 6 }] }),
      false,
    )
    assert.equal(isMentioned({ text: 'And now?', reply_to_message: { from: { id: 42 } } }), true)
    assert.equal(isMentioned({ text: 'And now?', reply_to_message: { from: { id: 43 } } }), false)
    const caption = mention('@shop_bot this?', '@shop_bot')
    const photo = { photo: [{}], caption: caption.text, caption_entities: caption.entities }
    assert.equal(isMentioned(photo), true)
    assert.equal(
      isMentioned({ text: 'Hello', entities: [{ type: 'mention', offset: 'x', length: null }] }),
      false,
    )
  })

  it('topics of a group apart, and a group under its new id', () => {
    const topic = readOne(message({ text: 'Hello', is_topic_message: true, message_thread_id: 9 }, group))
    assert.equal(topic?.thread, '-1001234567890:9')
    const reply = readOne(message({ text: 'Hello', message_thread_id: 9 }, group))
    assert.equal(reply?.thread, '-1001234567890')
    const moved = readOne(message({ migrate_to_chat_id: -1009 }, { id: -5, type: 'group' }))
    assert.ok(moved?.type === 'moved')
    assert.deepEqual([moved.thread, moved.newIds], ['-5', ['-1009']])
  })

  it('nothing of other bots and of channels', () => {
    assert.equal(readOne(message({ text: 'Hi', from: { id: 1, is_bot: true } })), undefined)
    assert.equal(readOne({ update_id: 905, channel_post: message({ text: 'News' }).message }), undefined)
    const { message: anonymous } = message({ text: 'Hi' })
    assert.equal(readOne({ update_id: 906, message: { ...anonymous, from: undefined } }), undefined)
  })
})
