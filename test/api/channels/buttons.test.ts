import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TestAgent } from '../../support/app.ts'
import { pressOf, shownButtons } from '../../support/button-peer.ts'
import { kinds, onChannels } from '../../support/on-channels.ts'
import { addChannel, type Kind, type TestChannel } from '../../support/platform-peer.ts'

const PLANS = { name: 'Plans', content: 'See our plans', url: 'https://example.com/plans', button: 'Plans' }
const CALL = { name: 'Call', content: 'Shall we call you?', url: null, button: 'Yes, call me' }

/** Platforms that show no links as buttons, and none that can be pressed. */
const NO_LINKS: Kind[] = ['helpdesk', 'sms']
const pressing = kinds.filter((kind): kind is Exclude<Kind, 'sms'> => kind !== 'sms')

onChannels('buttons', (service, chats) => {
  async function withCtas(kind: Kind, ctas: object[]) {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, kind, chats.peer)
    for (const [position, cta] of ctas.entries()) {
      const { status, text } = await agent.post('/ctas', { position, ...cta })
      assert.equal(status, 201, text)
    }
    return { agent, channel }
  }

  /** Returns the bodies of the messages that were sent. */
  const sentBodies = (channel: TestChannel) =>
    chats.peer.requests
      .filter(
        ({ path, body }) => /messages?(\/(reply|push))?$|sendMessage$/i.test(path) && body.startsWith('{'),
      )
      .map(({ body }) => JSON.parse(body))
      .filter((body) => body.typing_indicator === undefined && body.sender_action === undefined && channel)

  async function answered(channel: TestChannel, text = 'Hello') {
    await channel.says(text)
    await chats.settled(channel)
  }

  async function clicks(agent: TestAgent) {
    const rows = await chats
      .database()
      .db.selectFrom('events')
      .select('data')
      .where('agent_id', '=', agent.agentId)
      .where('key', '=', 'cta_click')
      .execute()
    return rows.map(({ data }) => JSON.parse(data ?? '{}').cta.name)
  }

  const texts = () => chats.peer.sent.flatMap(({ text, more }) => [text, ...more])

  for (const kind of kinds)
    it(`${kind}: a link is a button where the platform has one, and a text elsewhere`, async () => {
      const { channel } = await withCtas(kind, [PLANS])
      await answered(channel)
      const shown = kind === 'sms' ? [] : shownButtons(kind, sentBodies(channel).at(-1))
      if (NO_LINKS.includes(kind)) {
        assert.deepEqual(texts(), ['Hello\n\nSee our plans\nPlans: https://example.com/plans'])
        assert.deepEqual(shown, [])
        return
      }
      assert.deepEqual(texts(), ['Hello\n\nSee our plans'])
      assert.deepEqual(shown, [{ title: 'Plans', url: 'https://example.com/plans' }])
    })

  for (const kind of pressing)
    it(`${kind}: what the person presses is their text, and one click`, async () => {
      const { agent, channel } = await withCtas(kind, [{ ...CALL, max_per_conversation: 1 }])
      await answered(channel)
      assert.deepEqual(texts(), ['Hello\n\nShall we call you?'])
      const [button] = shownButtons(kind, sentBodies(channel).at(-1))
      assert.equal(button?.title, 'Yes, call me')
      const press = pressOf(kind, button ?? assert.fail(), `press-${kind}`)
      for (let n = 0; n < 2; n++) assert.equal((await channel.post(press)).status, 200)
      await chats.settled(channel)
      assert.deepEqual(await chats.messagesOf(agent, channel), [
        'user: Hello',
        'assistant: Hello',
        'user: Yes, call me',
        'assistant: Yes, call me',
      ])
      assert.deepEqual(await clicks(agent), ['Call'])
      if (kind === 'telegram') await chats.peer.untilCalled(`POST /bot${channel.secret}/answerCallbackQuery`)
    })

  it('a press is counted and answered while the agent is paused, too', async () => {
    const { agent, channel } = await withCtas('telegram', [{ ...CALL, max_per_conversation: 1 }])
    await answered(channel)
    const [button] = shownButtons('telegram', sentBodies(channel).at(-1))
    const path = `/conversations/${chats.externalId(channel)}/pause`
    assert.equal((await agent.post(path)).status, 200)
    await channel.post(pressOf('telegram', button ?? assert.fail(), 'paused'))
    await chats.peer.untilCalled(`POST /bot${channel.secret}/answerCallbackQuery`)
    await chats.settled(channel)
    assert.deepEqual(await clicks(agent), ['Call'])
  })

  it('telegram: a press below a message that the platform no longer has is the words on the button', async () => {
    const { agent, channel } = await withCtas('telegram', [{ ...CALL, max_per_conversation: 1 }])
    await answered(channel)
    const [button = assert.fail()] = shownButtons('telegram', sentBodies(channel).at(-1))
    // biome-ignore lint/suspicious/noExplicitAny: the body of a platform
    const press = pressOf('telegram', button, 'old') as any
    const { chat, message_id } = press.callback_query.message
    press.callback_query.message = { chat, message_id, date: 0 }
    await channel.post(press)
    await chats.settled(channel)
    assert.equal((await chats.messagesOf(agent, channel)).at(-2), 'user: Yes, call me')
    assert.deepEqual(await clicks(agent), ['Call'])
  })

  it('a press that names the button of another conversation is a text and no click', async () => {
    const { agent, channel } = await withCtas('messenger-one', [CALL])
    await channel.says('Hello', { from: '16505550000' })
    await answered(channel)
    const [theirs = assert.fail()] = sentBodies(channel)
      .filter(({ to }) => to === '16505550000')
      .flatMap((body) => shownButtons('messenger-one', body))
    for (const data of [theirs.data ?? '', 'cta:1:no-such', 'cta:x', '\u0000'])
      await channel.post(pressOf('messenger-one', { title: 'Yes', data }, `foreign-${data.length}`))
    await chats.settled(channel)
    const said = await chats.messagesOf(agent, channel)
    assert.equal(said.filter((text) => text === 'user: Yes').length, 4)
    assert.deepEqual(await clicks(agent), [])
  })

  it('titles are cut at the platform, and too many buttons or kinds of them are text', async () => {
    const long = { ...CALL, name: 'Long', button: 'Yes, please call me back today 👍🏽' }
    const { channel } = await withCtas('messenger-one', [long])
    await answered(channel)
    assert.deepEqual(
      shownButtons('messenger-one', sentBodies(channel).at(-1)).map(({ title }) => title),
      ['Yes, please call me…'],
    )
    const mixed = await withCtas('messenger-one', [PLANS, CALL])
    await answered(mixed.channel)
    assert.deepEqual(shownButtons('messenger-one', sentBodies(mixed.channel).at(-1)), [])
    assert.equal(
      texts().at(-1),
      'Hello\n\nSee our plans\nPlans: https://example.com/plans\n\nShall we call you?\nYes, call me',
    )
  })

  it('a long answer is followed by what is offered, with its buttons', async () => {
    const { channel } = await withCtas('messenger-three', [PLANS, CALL])
    service.model.next({ text: 'A long answer. '.repeat(30).trim() })
    await answered(channel)
    assert.deepEqual(texts(), ['A long answer. '.repeat(30).trim(), 'See our plans\n\nShall we call you?'])
    const shown = shownButtons('messenger-three', sentBodies(channel).at(-1))
    assert.deepEqual(
      shown.map(({ title, url }) => [title, url]),
      [
        ['Plans', 'https://example.com/plans'],
        ['Yes, call me', undefined],
      ],
    )
  })

  it('buttons that the platform refuses are sent as text, once', async () => {
    const { agent, channel } = await withCtas('telegram', [PLANS, CALL])
    chats.peer.failNext((response) =>
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"ok":false,"error_code":400,"description":"Bad Request: BUTTON_URL_INVALID"}'),
    )
    await answered(channel)
    assert.deepEqual(texts(), [
      'Hello\n\nSee our plans\n\nShall we call you?\n\nPlans: https://example.com/plans\nYes, call me',
    ])
    const rows = await chats.rowsOf(agent, channel)
    assert.equal(rows.at(-1).delivery, 'sent')
  })
})
