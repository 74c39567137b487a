import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connectMoved } from '../../../src/channels/connections/store.ts'
import { timestamp } from '../../../src/lib/clock.ts'
import type { TestAgent } from '../../support/app.ts'
import { until } from '../../support/becomes.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'
import { onChannels } from '../../support/on-channels.ts'
import { addChannel, PERSON, startPlatformPeer, type TestChannel } from '../../support/platform-peer.ts'
import { shared } from '../../support/shared.ts'
import { TELEGRAM_NAME, telegramMessage } from '../../support/telegram-peer.ts'

const ME = PERSON.telegram

async function connectionOf(agent: TestAgent, { id }: TestChannel) {
  return (await agent.get(`/channels/${id}`)).body.data.connection
}

async function isConnected(
  agent: TestAgent,
  channel: TestChannel,
  by: string | null,
  failure: string | null,
) {
  await until(async () => {
    const connection = await connectionOf(agent, channel)
    return connection.by === by && connection.failure === failure
  })
}

onChannels('telegram without a public address', (service, chats) => {
  async function connected(settings: Record<string, unknown> = {}) {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'telegram', chats.peer, settings)
    const bot = chats.peer.botOf(channel)
    await bot.until(() => bot.waiting > 0, 'a call that waits for updates')
    return { agent, channel, bot }
  }

  it('is asked for messages, which are answered, and confirmed once they are stored', async () => {
    const { agent, channel, bot } = await connected()
    assert.deepEqual(await connectionOf(agent, channel), { by: 'polling', failure: null })
    const first = telegramMessage(ME, 'polled-1', 'Hello')
    bot.happens(first, { ...telegramMessage(ME, 'polled-2', 'Anybody?'), update_id: first.update_id + 1 })
    const sent = await chats.peer.untilSent(2)
    assert.deepEqual(
      sent.map(({ thread, text }) => [thread, text]),
      [
        [ME, 'Hello'],
        [ME, 'Anybody?'],
      ],
    )
    await bot.untilLeft(0)
    await bot.until(() => bot.calls.includes('sendChatAction'), 'typing')
    assert.equal(bot.calls[0], 'deleteWebhook', 'or the platform would refuse to be asked')
  })

  it('works an update once that comes again because it was not confirmed', async () => {
    const { agent, channel, bot } = await connected()
    // The call after the one with the update would confirm it.
    const update = telegramMessage(ME, 'unconfirmed', 'Only once')
    bot.failNext((response) => response.writeHead(502).end())
    bot.happens(update)
    await chats.peer.untilSent(1)
    // It is asked again after a second, by a call that confirms nothing.
    await bot.untilLeft(0)
    await chats.settled(channel)
    assert.equal(chats.peer.sent.length, 1)
    assert.deepEqual(await chats.messagesOf(agent, channel), ['user: Only once', 'assistant: Only once'])
    await isConnected(agent, channel, 'polling', null)
  })

  it('skips an update that cannot be read', async () => {
    const { bot } = await connected()
    const readable = telegramMessage(ME, 'readable', 'Hello')
    bot.happens({ update_id: 1 }, 'nonsense' as never, readable)
    const [sent] = await chats.peer.untilSent(1)
    assert.equal(sent?.text, 'Hello')
    await bot.untilLeft(0)
  })

  it('says that the token is refused, and connects with a new one at once', async () => {
    const { agent, channel, bot } = await connected()
    bot.failNext((response) => {
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end('{"ok":false,"error_code":401,"description":"Unauthorized"}')
    })
    bot.happens(telegramMessage(ME, 'before', 'Hello'))
    await isConnected(agent, channel, 'polling', 'unauthorized')
    await chats.peer.untilSent(1)
    const { body } = await agent.get('/channels')
    assert.equal(body.data[0].activity.token_refused, true)
    const renewed = { ...channel, secret: '999:a-new-token-of-the-bot' }
    await agent.patch(`/channels/${channel.id}`, { settings: { bot_token: renewed.secret } })
    const next = chats.peer.botOf(renewed)
    await next.until(() => next.waiting > 0, 'a call with the new token')
    await isConnected(agent, channel, 'polling', null)
    assert.equal((await agent.get('/channels')).body.data[0].activity.token_refused, false)
  })

  it('is not asked while the channel is off, and keeps what people write meanwhile', async () => {
    const { agent, channel, bot } = await connected()
    await agent.patch(`/channels/${channel.id}`, { active: false })
    await bot.until(() => bot.waiting === 0, 'the end of the call')
    await isConnected(agent, channel, null, null)
    bot.happens(telegramMessage(ME, 'meanwhile', 'Are you open?'))
    await agent.patch(`/channels/${channel.id}`, { active: true })
    const [sent] = await chats.peer.untilSent(1)
    assert.equal(sent?.text, 'Are you open?')
  })

  it('is no longer asked once the channel is deleted', async () => {
    const { agent, channel, bot } = await connected()
    assert.equal((await agent.call('DELETE', `/channels/${channel.id}`)).status, 204)
    await bot.until(() => bot.waiting === 0, 'the end of the call')
  })

  it('learns the name of the bot, and answers in a group when it is named', async () => {
    const { channel, bot, agent } = await connected({ bot_username: undefined, groups: 'mentioned' })
    const { bot_username } = (await agent.get(`/channels/${channel.id}`)).body.data.settings
    assert.equal(bot_username, TELEGRAM_NAME)
    const inGroup = (id: string, text: string, length: number) => {
      const { update_id, message } = telegramMessage(ME, id, text)
      const entities = [{ type: 'mention', offset: 0, length }]
      return { update_id, message: { ...message, chat: { id: -5, type: 'group' }, entities } }
    }
    bot.happens(
      inGroup('unmeant', '@somebody hello', 9),
      inGroup('meant', `@${TELEGRAM_NAME} hello`, TELEGRAM_NAME.length + 1),
    )
    const [sent] = await chats.peer.untilSent(1)
    assert.deepEqual([sent?.thread, sent?.text], ['-5', `@${TELEGRAM_NAME} hello`])
  })

  it('greets who presses Start, and ends the conversation of who blocks the bot', async () => {
    const { agent, channel, bot } = await connected()
    await agent.patch('/agent', { greeting: 'Welcome!' })
    bot.happens(telegramMessage(ME, 'start', '/start'))
    await chats.peer.untilSent(1)
    assert.deepEqual(await chats.messagesOf(agent, channel), ['assistant: Welcome!'])
    const { update_id, message } = telegramMessage(ME, 'blocked', '')
    const my_chat_member = { ...message, new_chat_member: { status: 'kicked' } }
    bot.happens({ update_id, my_chat_member } as never)
    await until(async () => {
      const { body } = await agent.get(`/conversations/${chats.externalId(channel)}`)
      return body.data.ended_at !== null
    })
  })

  it('an edit changes the stored message', async () => {
    const { agent, channel, bot } = await connected()
    const { update_id, message } = telegramMessage(ME, 'edited', 'Helo')
    bot.happens({ update_id, message } as never)
    await chats.peer.untilSent(1)
    bot.happens({ update_id: update_id + 1, edited_message: { ...message, text: 'Hello' } } as never)
    await until(async () => (await chats.messagesOf(agent, channel))[0] === 'user: Hello')
    assert.equal(service.model.requests.length, 1)
  })

  it('leaves the token out of what it answers', async () => {
    const { agent, channel } = await connected()
    const { text } = await agent.get(`/channels/${channel.id}`)
    assert.ok(!text.includes(channel.secret))
  })

  it('400: a token that is none', async () => {
    const agent = await service.addAgent()
    for (const bot_token of ['', 'x', '123', '123:a/b/../c-and-more', '123:short', `1:${'x'.repeat(300)}`]) {
      const { status, body } = await agent.post('/channels', { kind: 'telegram', settings: { bot_token } })
      assert.deepEqual([status, body.error.param], [400, 'settings.bot_token'], bot_token)
    }
  })

  it('does not ask again at once where a server answers without waiting', async () => {
    const { bot } = await connected()
    let calls = 0
    bot.failNext(
      ...Array.from({ length: 50 }, () => (response: import('node:http').ServerResponse) => {
        calls++
        response.end('{"ok":true,"result":[]}')
      }),
    )
    const update = telegramMessage(ME, 'wakes', 'Hello')
    bot.happens(update)
    await chats.peer.untilSent(1)
    await wait(700)
    assert.ok(calls >= 1 && calls <= 3, `${calls} calls`)
  })
})

onBothEngines(
  'telegram with a public address',
  (service) => {
    const peer = shared(startPlatformPeer)

    const ADDRESS = 'https://parley.example/shop/api/v1'

    it('is told by the service where messages go, and by which token they are known', async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, 'telegram', peer())
      const bot = peer().botOf(channel)
      await bot.until(() => bot.webhook !== null, 'the webhook')
      const { url, secret_token, allowed_updates } = bot.webhook ?? assert.fail()
      assert.equal(url, `${ADDRESS}/channels/${channel.id}/telegram`)
      assert.match(secret_token, /^[A-Za-z0-9_-]{20,256}$/)
      assert.ok(!channel.secret.includes(secret_token))
      assert.ok(allowed_updates.includes('edited_message'))
      await isConnected(agent, channel, 'webhook', null)
      const body = telegramMessage(ME, 'by-webhook', 'Hello')
      const headers = { 'x-telegram-bot-api-secret-token': secret_token }
      assert.deepEqual(await channel.post(body, headers), { status: 200, text: '{}' })
      const [sent] = await peer().untilSent(1)
      assert.deepEqual([sent?.thread, sent?.text], [ME, 'Hello'])
      await agent.patch(`/channels/${channel.id}`, { active: false })
      await bot.until(() => bot.webhook === null, 'the end of the webhook')
    })

    it('tells it again when the address of the service has changed since', async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, 'telegram', peer())
      const { db, wakeUps } = service.app.app.foundation.database
      await isConnected(agent, channel, 'webhook', null)
      const due = () =>
        db
          .selectFrom('channel_connections')
          .select('due_at')
          .where('id', '=', channel.id)
          .executeTakeFirstOrThrow()
      await connectMoved(db, ADDRESS, timestamp(Date.now()))
      assert.equal((await due()).due_at, null)
      const url = `https://parley.example/shop/api/v12/channels/${channel.id}/telegram`
      await db
        .updateTable('channel_connections')
        .set({ webhook_url: url })
        .where('id', '=', channel.id)
        .execute()
      await connectMoved(db, ADDRESS, timestamp(Date.now()))
      wakeUps.send('connections')
      await until(async () => {
        const { webhook_url } = await db
          .selectFrom('channel_connections')
          .select('webhook_url')
          .where('id', '=', channel.id)
          .executeTakeFirstOrThrow()
        return webhook_url === `${ADDRESS}/channels/${channel.id}/telegram`
      })
    })
  },
  { PARLEY_PUBLIC_URL: 'https://parley.example/shop/' },
)
