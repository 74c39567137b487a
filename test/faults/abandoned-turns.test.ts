import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createApp } from '../../src/app/create-app.ts'
import { openFoundation } from '../../src/foundation.ts'
import { endAbandonedTurns } from '../../src/turns/end-abandoned-turns.ts'
import { assertError, startApp, type TestAgent } from '../support/app.ts'
import { startModelServer } from '../support/model-server.ts'
import { onBothEngines, type Service } from '../support/on-both-engines.ts'
import { startPeer } from '../support/peer.ts'

const QUARTER_HOUR = 15 * 60_000
const HELLO = { messages: [{ role: 'user', content: 'hello' }] }

/** Gives the turns of an agent to a process that is there, and returns the function that marks it as gone. */
async function giveAway({ app }: Service, { agentId }: TestAgent) {
  const { db } = app.app.foundation.database
  const holder = `holder of ${agentId}`
  await db.insertInto('processes').values({ id: holder, seen_at: new Date().toISOString() }).execute()
  await db.updateTable('completions').set({ holder }).where('agent_id', '=', agentId).execute()
  return () => db.updateTable('processes').set({ gone: 1 }).where('id', '=', holder).execute()
}

onBothEngines('a turn that has lost its process', (service) => {
  it('is ended after a quarter of an hour, once, and keeps that end', async () => {
    const { database } = service.app.app.foundation
    const agent = await service.addAgent()
    const held = Promise.withResolvers<void>()
    service.model.next({ after: held.promise })
    const answering = agent.post('/chat/completions', HELLO)
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
    assertError(await answering, 503, 'unavailable')
    assert.deepEqual(await read(), ended)
    const events = await service.eventsOf(agent)
    assert.deepEqual(events, ['new_conversation', 'prompt_submit', 'error'])
  })
})

onBothEngines('a turn whose process is gone', (service) => {
  it('is ended at the next look', async () => {
    const { database } = service.app.app.foundation
    const agent = await service.addAgent()
    const held = Promise.withResolvers<void>()
    service.model.next({ after: held.promise })
    const answering = agent.post('/chat/completions', HELLO)
    await service.model.request(0)
    const read = async () => (await agent.get('/chat/completions')).body.data[0].finish_reason
    const markGone = await giveAway(service, agent)
    await endAbandonedTurns({ database, clock: Date.now })
    assert.equal(await read(), null)
    await markGone()
    await endAbandonedTurns({ database, clock: Date.now })
    assert.equal(await read(), 'error')
    held.resolve()
    assertError(await answering, 503, 'unavailable')
  })
})

onBothEngines('a turn that is taken up while its process hangs', (service) => {
  for (const [when, isCalling] of [
    ['asked its model', false],
    ['called a tool', true],
  ] as const) {
    it(`goes on once: the process that ${when} stores, calls and answers nothing more`, async () => {
      const agent = await service.addAgent()
      const result = Promise.withResolvers<void>()
      const called = Promise.withResolvers<void>()
      let calls = 0
      await using peer = await startPeer((response) => {
        calls++
        called.resolve()
        void result.promise.then(() => response.end('done'))
      })
      const tool = { kind: 'http', name: 'order', description: 'Orders.', method: 'POST', url: peer.url }
      assert.equal((await agent.post('/tools', tool)).status, 201)
      const ask = () => agent.post('/chat/completions', HELLO, { 'idempotency-key': 'k' })
      const order = { id: 'call_1', type: 'function' as const, function: { name: 'order', arguments: '{}' } }
      const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      service.model.next(
        { tool_calls: [order], ...(isCalling ? {} : { after: first.promise }) },
        { text: 'The second answer.', after: second.promise },
      )
      const hanging = ask()
      await (isCalling ? called.promise : service.model.request(0))
      await (await giveAway(service, agent))()
      const repeated = ask()
      await service.model.request(1)

      // It was only slow.
      first.resolve()
      result.resolve()
      assertError(await hanging, 503, 'unavailable')
      second.resolve()
      const answer = await repeated
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.body.choices[0].message.content, 'The second answer.')
      assert.equal(calls, isCalling ? 1 : 0)
      assert.equal(service.model.requests.length, 2)
      const { data, total } = (await agent.get('/chat/completions')).body
      assert.equal(total, 1)
      assert.deepEqual([data[0].response, data[0].finish_reason], ['The second answer.', 'stop'])
      assert.deepEqual((await ask()).body, answer.body)
    })
  }
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
