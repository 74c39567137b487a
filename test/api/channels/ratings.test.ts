import assert from 'node:assert/strict'
import { it } from 'node:test'
import { SILENCES } from '../../../src/transcripts/conversations/silence-store.ts'
import type { TestAgent } from '../../support/app.ts'
import { becomes } from '../../support/becomes.ts'
import { pressOf, shownButtons } from '../../support/button-peer.ts'
import { DAY_MS, kinds, onChannels } from '../../support/on-channels.ts'
import { addChannel, type Kind, type TestChannel } from '../../support/platform-peer.ts'

const QUESTION = 'How was it? Answer with a number from 1 (poor) to 5 (very good).'
interface TelegramPress {
  update_id: number
  callback_query: { message: { chat: object; message_id: number } }
}

const SCORES = ['1 ★', '2 ★', '3 ★', '4 ★', '5 ★']

onChannels('ratings on channels', (service, chats) => {
  const path = (channel: TestChannel) => `/conversations/${chats.externalId(channel)}`
  const settled = (channel: TestChannel) => chats.settled(channel)

  /** Returns an agent that asks for ratings, with a chat in which it has answered. */
  async function chatting(kind: Kind, settings: Record<string, unknown> = {}, text = 'Hello') {
    const agent = await service.addAgent()
    assert.equal((await agent.patch('/agent', { ask_rating: true, ...settings })).status, 200)
    const channel = await addChannel(agent, kind, chats.peer)
    await channel.says(text)
    await settled(channel)
    return { agent, channel }
  }

  async function ended(agent: TestAgent, channel: TestChannel) {
    assert.equal((await agent.post(`${path(channel)}/end`)).status, 200)
    await settled(channel)
  }

  const texts = () => chats.peer.sent.map(({ text }) => text)
  const questions = () => texts().filter((text) => text === QUESTION).length
  const rating = async (agent: TestAgent, channel: TestChannel) => {
    const { data } = (await agent.get(`${path(channel)}/rating`)).body
    return data && [data.score, data.comment]
  }
  const isEnded = async (agent: TestAgent, channel: TestChannel) =>
    (await agent.get(path(channel))).body.data.ended_at !== null
  const question = () =>
    chats.peer.requests
      .filter(({ body }) => body.startsWith('{'))
      .map(({ body }) => JSON.parse(body))
      .findLast((body) => JSON.stringify(body).includes('How was it?'))

  for (const kind of kinds)
    it(`${kind}: asks once when the conversation ends, and the answer rates it and is no prompt`, async () => {
      const { agent, channel } = await chatting(kind)
      await ended(agent, channel)
      assert.deepEqual(texts(), ['Hello', QUESTION])
      if (kind === 'sms') await channel.says(' 4 ')
      else {
        const shown = shownButtons(kind, question())
        assert.deepEqual(
          shown.map(({ title }) => title),
          SCORES,
        )
        const isChoice = kind !== 'telegram' && kind !== 'helpdesk'
        const press = pressOf(kind, shown[3] ?? assert.fail(), `rate-${kind}`, isChoice)
        for (let n = 0; n < 2; n++) assert.equal((await channel.post(press)).status, 200)
      }
      await settled(channel)
      assert.deepEqual(await rating(agent, channel), [4, null])
      assert.equal(await isEnded(agent, channel), true)
      assert.deepEqual(await chats.messagesOf(agent, channel), [
        'user: Hello',
        'assistant: Hello',
        `transition: ${QUESTION}`,
      ])
      assert.equal((await agent.get(`${path(channel)}/timeline`)).text.split('"rated"').length, 2)
      if (kind === 'telegram') await chats.peer.untilCalled(`POST /bot${channel.secret}/answerCallbackQuery`)
    })

  it('asks in the language of the conversation', async () => {
    const { agent, channel } = await chatting('sms', {}, 'Wo ist mein Paket, das ich gestern bestellt habe?')
    await ended(agent, channel)
    assert.match(texts().at(-1) ?? '', /^Wie war es\? Antworten Sie mit einer Zahl/)
  })

  it('any other answer is a message, and opens the conversation again; a score after it is one, too', async () => {
    const { agent, channel } = await chatting('sms')
    await ended(agent, channel)
    await channel.says('4 people are waiting')
    await settled(channel)
    assert.equal(await isEnded(agent, channel), false)
    await channel.says('5')
    await settled(channel)
    assert.equal(await rating(agent, channel), null)
    assert.deepEqual((await chats.messagesOf(agent, channel)).slice(3), [
      'user: 4 people are waiting',
      'assistant: 4 people are waiting',
      'user: 5',
      'assistant: 5',
    ])
  })

  it('a button counts after other words, until a week has passed; the last score counts', async () => {
    const { agent, channel } = await chatting('telegram')
    await ended(agent, channel)
    const [worst, , , , best] = shownButtons('telegram', question())
    const press = (button = worst, id = '') => channel.post(pressOf('telegram', button ?? assert.fail(), id))
    await channel.says('Thank you')
    await settled(channel)
    await press(worst, 'first')
    await settled(channel)
    assert.deepEqual(await rating(agent, channel), [1, null])
    await press(best, 'second')
    await settled(channel)
    assert.deepEqual(await rating(agent, channel), [5, null])
    chats.pass(8 * DAY_MS)
    await press(worst, 'late')
    await settled(channel)
    assert.deepEqual(await rating(agent, channel), [5, null])
    const said = await chats.messagesOf(agent, channel)
    assert.deepEqual(said.slice(3), ['user: Thank you', 'assistant: Thank you'], 'no press is a prompt')
    const answers = chats.peer.requests.filter(({ path }) => path.endsWith('/answerCallbackQuery'))
    await becomes(() => answers.length, 3)
  })

  it('a button of another question rates nothing', async () => {
    const { agent, channel } = await chatting('telegram')
    await ended(agent, channel)
    for (const data of ['rate:5:1', 'rate:6:1', 'rate:5:x'])
      await channel.post(pressOf('telegram', { title: data, data }, `foreign-${data}`))
    await settled(channel)
    assert.equal(await rating(agent, channel), null)
    const said = (await chats.messagesOf(agent, channel)).filter((text) => text.startsWith('user: rate'))
    assert.deepEqual(said, ['user: rate:6:1', 'user: rate:5:x'], 'what cannot be such a button is a text')
  })

  it('a button of a message that the platform no longer has rates, and says nothing when it is another one', async () => {
    const { agent, channel } = await chatting('telegram')
    await ended(agent, channel)
    const [, , , , best = assert.fail()] = shownButtons('telegram', question())
    const press = async (data: string, id: string) => {
      const { update_id, callback_query } = pressOf('telegram', { title: '', data }, id) as TelegramPress
      const { chat, message_id } = callback_query.message
      const message = { chat, message_id, date: 0 }
      await channel.post({ update_id, callback_query: { ...callback_query, message } })
    }
    await press(best.data ?? '', 'best')
    await press('of-another-bot', 'other')
    await settled(channel)
    assert.deepEqual(await rating(agent, channel), [5, null])
    assert.equal((await chats.messagesOf(agent, channel)).length, 3)
  })

  it('asks no second time within a month, and rates what is asked again', async () => {
    const { agent, channel } = await chatting('sms')
    await ended(agent, channel)
    for (const days of [1, 30]) {
      chats.pass(days * DAY_MS)
      await channel.says('Once more')
      await settled(channel)
      await ended(agent, channel)
      assert.equal(questions(), days === 1 ? 1 : 2)
    }
    await channel.says('★★')
    await settled(channel)
    assert.deepEqual(await rating(agent, channel), [2, null])
  })

  it('asks nobody: with the setting off, outside of the window, who is blocked, or has been silent for a week', async () => {
    const quiet: [string, Kind, (agent: TestAgent, channel: TestChannel) => Promise<unknown>][] = [
      ['off', 'sms', (agent) => agent.patch('/agent', { ask_rating: false })],
      ['closed', 'messenger-one', async () => chats.pass(DAY_MS + 1)],
      ['silent', 'sms', async () => chats.pass(8 * DAY_MS)],
      ['inactive', 'sms', (agent, { id }) => agent.patch(`/channels/${id}`, { active: false })],
    ]
    for (const [name, kind, prepare] of quiet) {
      const { agent, channel } = await chatting(kind)
      await prepare(agent, channel)
      await ended(agent, channel)
      const said = await chats.messagesOf(agent, channel)
      assert.deepEqual(said, ['user: Hello', 'assistant: Hello'], name)
    }
    const { agent, channel } = await chatting('sms')
    const users = (await agent.get('/users')).body.data
    await agent.put(`/users/${users[0].id}/blocked`, { blocked: true })
    await becomes(() => isEnded(agent, channel), true)
    assert.equal((await chats.messagesOf(agent, channel)).length, 2, 'blocked')
  })

  it('an end by silence, and several ends at once, ask once', async () => {
    const { agent, channel } = await chatting('sms')
    await Promise.all([
      agent.post(`${path(channel)}/end`),
      agent.put(`${path(channel)}/outcome`, { outcome: 'resolved' }),
      agent.post(`${path(channel)}/end`),
    ])
    await settled(channel)
    assert.equal(questions(), 1)
    const silent = await chatting('sms', {
      inactivity: { policy: 'resolve', follow_up_after: null, resolve_after: 5 },
    })
    chats.pass(6 * 60_000)
    chats.database().wakeUps.send(SILENCES)
    await becomes(() => isEnded(silent.agent, silent.channel), true)
    await settled(silent.channel)
    assert.equal(questions(), 2)
  })

  it('an act on many conversations and an automation ask, too', async () => {
    const { agent, channel } = await chatting('sms')
    const { id } = (await agent.get(path(channel))).body.data
    const act = { ids: [id], action: { type: 'end' } }
    assert.equal((await agent.post('/inbox/bulk', act)).status, 202)
    await becomes(async () => questions(), 1)
    const automatic = await service.addAgent()
    await automatic.patch('/agent', { ask_rating: true })
    const actions = [{ type: 'tag', tag: 'done' }, { type: 'end_conversation' }]
    const made = await automatic.post('/automations', { name: 'End', actions })
    assert.equal(made.status, 201, made.text)
    await (await addChannel(automatic, 'telegram', chats.peer)).says('Hello')
    await becomes(async () => questions(), 2)
  })

  it('the figures of support count who was asked', async () => {
    const { agent, channel } = await chatting('sms')
    await ended(agent, channel)
    await channel.says('5')
    await settled(channel)
    const day = new Date(service.clock()).toISOString().slice(0, 10)
    await becomes(async () => {
      const { body } = await agent.get(`/analytics/support?from=${day}&to=${day}`)
      const { asked, rated_5, rating_share } = body.data.totals
      return [asked, rated_5, rating_share]
    }, [1, 1, 1])
  })
})
