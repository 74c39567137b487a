import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startModelServer } from '../support/model-server.ts'
import { addChannel, PERSON, startPlatformPeer } from '../support/platform-peer.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'
import { telegramMessage } from '../support/telegram-peer.ts'

it('of two replicas one asks Telegram, and when it is killed the other goes on: nothing is lost or answered twice', async () => {
  await using model = await startModelServer()
  await using peer = await startPlatformPeer()
  const database = await databaseWithAgent('postgres')
  const env = settingsOn(database, { PARLEY_MODEL_URL: model.url, PARLEY_PRIVATE_TARGETS: '127.0.0.1/32' })
  const first = await startService(env)
  const channel = await addChannel(firstAgentOf(first)(first), 'telegram', peer)
  const bot = peer.botOf(channel)
  await bot.until(() => bot.waiting === 1, 'a call that waits for updates')
  const second = await startService(env)
  const { update_id } = telegramMessage(PERSON.telegram, 'of-first', '')
  const says = (at: number) => ({
    ...telegramMessage(PERSON.telegram, `said-${at}`, `Message ${at}`),
    update_id: update_id + at,
  })
  bot.happens(says(1))
  await peer.untilSent(1)
  await bot.until(() => bot.waiting === 1, 'the next call')
  assert.deepEqual(bot.calls.filter((call) => call === 'deleteWebhook').length, 1, 'one replica is connected')
  // It is killed with updates that nobody has confirmed, and while it sends nothing.
  const held = Promise.withResolvers<void>()
  model.next({ after: held.promise })
  bot.happens(says(2), says(3))
  await first.end('SIGKILL')
  held.resolve()
  bot.happens(says(4))
  await peer.untilSent(4)
  await bot.untilLeft(0)
  const agent = firstAgentOf(second)(second)
  const { data, total } = (await agent.get('/chat/completions')).body
  assert.equal(total, 4)
  assert.equal(new Set(data.map(({ response }: { response: string }) => response)).size, 4)
  const texts = peer.sent.map(({ text }) => text)
  assert.deepEqual(texts, ['Message 1', 'Message 2', 'Message 3', 'Message 4'])
  await second.end('SIGTERM')
  await database.remove()
})
