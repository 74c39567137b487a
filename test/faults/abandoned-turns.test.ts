import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createApp } from '../../src/app/create-app.ts'
import { openFoundation } from '../../src/foundation.ts'
import { endAbandonedTurns } from '../../src/turns/end-abandoned-turns.ts'
import { startApp } from '../support/app.ts'
import { startModelServer } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const QUARTER_HOUR = 15 * 60_000

onBothEngines('a turn that has lost its process', (service) => {
  it('is ended after a quarter of an hour, once, and keeps that end', async () => {
    const { database } = service.app.app.foundation
    const agent = await service.addAgent()
    const held = Promise.withResolvers<void>()
    service.model.next({ after: held.promise })
    const answering = agent.prompt('hello')
    await service.model.request(0)
    const read = async () => (await agent.get('/chat/completions')).body.data[0]
    const begun = Date.parse((await read()).created_at)

    await endAbandonedTurns({ database, clock: () => begun + QUARTER_HOUR })
    assert.equal((await read()).finish_reason, null)

    const late = { database, clock: () => begun + QUARTER_HOUR + 1 }
    await Promise.all([endAbandonedTurns(late), endAbandonedTurns(late)])
    const ended = await read()
    assert.deepEqual([ended.finish_reason, ended.response], ['error', null])

    // Its process was only slow.
    held.resolve()
    await answering
    assert.deepEqual(await read(), ended)
    const events = await service.eventsOf(agent)
    assert.deepEqual(events, ['new_conversation', 'prompt_submit', 'error'])
  })
})

onBothEngines('a turn whose process is gone', (service) => {
  it('is ended at the next look', async () => {
    const { database } = service.app.app.foundation
    const { db } = database
    const agent = await service.addAgent()
    const held = Promise.withResolvers<void>()
    service.model.next({ after: held.promise })
    const answering = agent.prompt('hello')
    await service.model.request(0)
    const read = async () => (await agent.get('/chat/completions')).body.data[0].finish_reason
    const holder = 'another process'
    const seen_at = new Date().toISOString()
    await db.insertInto('processes').values({ id: holder, seen_at }).execute()
    await db.updateTable('completions').set({ holder }).where('agent_id', '=', agent.agentId).execute()
    await endAbandonedTurns({ database, clock: Date.now })
    assert.equal(await read(), null)
    await db.updateTable('processes').set({ gone: 1 }).where('id', '=', holder).execute()
    await endAbandonedTurns({ database, clock: Date.now })
    assert.equal(await read(), 'error')
    held.resolve()
    await answering
  })
})

// With SQLite there is one process: what it left is ended at the next start, as the tests of kills show.
it('another replica that starts on postgres leaves the turns of the first alone', async () => {
  await using model = await startModelServer()
  await using first = await startApp('postgres', { PARLEY_MODEL_URL: model.url })
  const held = Promise.withResolvers<void>()
  model.next({ text: 'kept', after: held.promise })
  const answering = first.agent.prompt('hello')
  await model.request(0)
  const second = await createApp(await openFoundation(first.app.foundation.config))
  await second.listen()
  held.resolve()
  const { id } = await answering
  await second.close()
  const { data } = (await first.agent.get(`/chat/completions/${id}`)).body
  assert.deepEqual([data.response, data.finish_reason], ['kept', 'stop'])
})
