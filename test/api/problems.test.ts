import assert from 'node:assert/strict'
import { it } from 'node:test'
import { CONNECTIONS } from '../../src/channels/connections/store.ts'
import { DAY_MS } from '../../src/lib/clock.ts'
import type { TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { addChannel, PERSON, startPlatformPeer } from '../support/platform-peer.ts'
import { addNotification } from '../support/receiver.ts'
import { shared } from '../support/shared.ts'
import { telegramMessage } from '../support/telegram-peer.ts'

onBothEngines('GET /problems', (service) => {
  const peer = shared(startPlatformPeer)

  const kinds = async (agent: TestAgent) =>
    (await agent.get('/problems')).body.data.map(({ kind }: { kind: string }) => kind)

  it('200: nothing where all is well', async () => {
    const agent = await service.addAgent()
    const { status, body } = await agent.get('/problems')
    assert.deepEqual([status, body.data], [200, []])
  })

  it('an endpoint that keeps failing, until it is tried again', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    const { id } = await addNotification(agent, 'http://127.0.0.1:9/', { name: 'Orders' })
    const { db } = service.app.app.foundation.database
    const held_until = new Date(service.clock() + 60_000).toISOString()
    await db.updateTable('notifications').set({ failures: 10, held_until }).where('id', '=', id).execute()
    assert.deepEqual((await agent.get('/problems')).body.data, [
      { kind: 'endpoint_held', id, name: 'Orders' },
    ])
    assert.deepEqual(await kinds(other), [])
    service.clock = () => Date.now() + 61_000
    assert.deepEqual(await kinds(agent), [])
  })

  it('a channel whose platform refused the token, for a day', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-one', peer())
    peer().failNext((response) => void response.writeHead(401).end())
    await channel.says('hello')
    await becomes(() => kinds(agent), ['channel_refused'])
    service.clock = () => Date.now() + 25 * 60 * 60_000
    assert.deepEqual(await kinds(agent), [])
  })

  it('a channel that cannot be connected because the platform refuses the token, until it can', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'telegram', peer())
    const bot = peer().botOf(channel)
    await bot.until(() => bot.waiting > 0, 'a call that waits for updates')
    bot.failNext((response) => response.writeHead(401).end('{"ok":false,"error_code":401}'))
    bot.happens(telegramMessage(PERSON.telegram, 'a', 'Hello'))
    await becomes(() => kinds(agent), ['channel_refused'])
    service.clock = () => Date.now() + DAY_MS
    service.app.app.foundation.database.wakeUps.send(CONNECTIONS)
    await becomes(() => kinds(agent), [])
  })

  it('a site that could not be read', async () => {
    const agent = await service.addAgent()
    const url = 'https://nowhere.invalid/'
    const { status, text } = await agent.post('/knowledge/imports', { url })
    assert.equal(status, 201, text)
    await becomes(() => kinds(agent), ['import_failed'])
  })

  it('a role to which PostgreSQL applies no policies', async () => {
    const agent = await service.addAgent()
    const { engine } = service.app.app.foundation.database
    const { rowSecurityWarning, name } = engine
    engine.rowSecurityWarning = async () => 'the role bypasses row-level security'
    try {
      assert.deepEqual((await agent.get('/problems')).body.data, [
        { kind: 'row_security_bypassed', id: null, name },
      ])
    } finally {
      engine.rowSecurityWarning = rowSecurityWarning
    }
    assert.deepEqual(await kinds(agent), [])
  })

  it('a budget that is spent, until it is raised', async () => {
    const agent = await service.addAgent()
    const prices = { 'test-model': { input: 1_000_000, output: 0 } }
    await agent.patch('/agent', { prices, budget: { day: 1 } })
    service.model.next({ text: 'ok', usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 } })
    await agent.prompt('hello')
    await agent.prompt('hello again')
    assert.deepEqual((await agent.get('/problems')).body.data, [
      { kind: 'budget_spent', id: null, name: 'day' },
    ])
    await agent.patch('/agent', { budget: { day: 1000 } })
    assert.deepEqual(await kinds(agent), [])
  })

  it('a budget that is spent, until a price is corrected; when it is reached again, an event tells it', async () => {
    const agent = await service.addAgent()
    const priced = (input: number) =>
      agent.patch('/agent', { prices: { 'test-model': { input, output: 0 } } })
    const usage = { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 }
    const ask = async (text: string) => {
      service.model.next({ text: 'ok', usage })
      await agent.prompt(text)
    }
    const errors = async () => (await service.eventsOf(agent)).filter((key) => key === 'error').length
    await priced(1_000_000)
    await agent.patch('/agent', { budget: { day: 2 } })
    await ask('hello')
    await agent.prompt('hello again')
    assert.deepEqual([await kinds(agent), await errors()], [['budget_spent'], 1])
    await priced(500_000)
    assert.deepEqual([await kinds(agent), await errors()], [[], 1])
    await ask('and again')
    for (const text of ['once more', 'and more']) await agent.prompt(text)
    assert.deepEqual([await kinds(agent), await errors()], [['budget_spent'], 2])
  })
})
