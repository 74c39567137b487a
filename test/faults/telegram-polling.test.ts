import assert from 'node:assert/strict'
import { it } from 'node:test'
import { engines } from '../support/databases.ts'
import { startModelServer } from '../support/model-server.ts'
import { addChannel, PERSON, startPlatformPeer } from '../support/platform-peer.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'
import { telegramMessage } from '../support/telegram-peer.ts'

for (const engine of engines) {
  const what = engine === 'sqlite' ? 'the next process' : 'the other replica'

  it(`${what} asks Telegram once the one that did is killed: nothing is lost or answered twice, on ${engine}`, async () => {
    await using model = await startModelServer()
    await using peer = await startPlatformPeer()
    const database = await databaseWithAgent(engine)
    const env = settingsOn(database, { PARLEY_MODEL_URL: model.url, PARLEY_PRIVATE_TARGETS: '127.0.0.1/32' })
    const first = await startService(env)
    const agentOf = firstAgentOf(first)
    const bot = peer.botOf(await addChannel(agentOf(first), 'telegram', peer))
    const connected = () => bot.calls.filter((call) => call === 'deleteWebhook').length
    await bot.until(() => bot.waiting === 1, 'a call that waits for updates')
    const other = engine === 'postgres' ? await startService(env) : null
    const says = (update_id: number) => ({
      ...telegramMessage(PERSON.telegram, `said-${update_id}`, `Message ${update_id}`),
      update_id,
    })
    bot.happens(says(1))
    await peer.untilSent(1)
    await bot.until(() => bot.waiting === 1, 'the next call')
    assert.equal(connected(), 1, 'one process asks')

    // It is killed when it has stored two updates that it has not confirmed, and answers the first of them.
    const unconfirmed = Promise.withResolvers<void>()
    bot.failNext(() => unconfirmed.resolve())
    const held = Promise.withResolvers<void>()
    model.next({ after: held.promise })
    bot.happens(says(2), says(3))
    await Promise.all([unconfirmed.promise, model.request(1)])
    await first.end('SIGKILL')
    held.resolve()
    bot.happens(says(4))
    const next = other ?? (await startService(env))
    await peer.untilSent(4)
    await bot.untilLeft(0)

    const { data } = (await agentOf(next).get('/chat/completions')).body
    const texts = ['Message 1', 'Message 2', 'Message 3', 'Message 4']
    assert.deepEqual(data.map(({ response }: { response: string }) => response).sort(), texts)
    assert.deepEqual(
      peer.sent.map(({ text }) => text),
      texts,
    )
    assert.equal(connected(), 2, 'one process asks again')
    await next.end('SIGTERM')
    await database.remove()
  })
}
