import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { lockAgent, setPaused } from '../../../src/agents/pause-state.ts'
import { timestamp } from '../../../src/lib/clock.ts'
import { until } from '../../support/becomes.ts'
import { DAY_MS, kinds, onChannels } from '../../support/on-channels.ts'
import { addChannel, PERSON } from '../../support/platform-peer.ts'

onChannels('pauses on channels', (service, chats) => {
  const { database, externalId, settled, pass, messagesOf, states } = chats

  for (const kind of kinds) {
    it(`${kind}: the pause message is sent once a pause and conversation`, async () => {
      const agent = await service.addAgent({ settings: { pause_message: 'We are closed.' } })
      const channel = await addChannel(agent, kind, chats.peer)
      await channel.says('hello')
      await chats.peer.untilSent(1)
      const { body } = await agent.post('/pause')
      assert.deepEqual([body.data.emitted, body.data.skipped], [1, 0])
      await chats.peer.untilSent(2)
      await channel.says('hello?')
      await channel.says('hello??')
      await settled(channel)
      assert.deepEqual(
        chats.peer.sent.map(({ text }) => text),
        ['hello', 'We are closed.'],
      )
      // Somebody new is told too, once.
      await channel.says('hi', { from: `${PERSON[kind]}9` })
      await channel.says('hi again', { from: `${PERSON[kind]}9` })
      await settled(channel)
      assert.equal(chats.peer.sent.length, 3)
      assert.equal(chats.peer.sent[2]?.text, 'We are closed.')
      await agent.post('/resume')
      service.model.next({ text: 'Back again.' })
      await channel.says('and now?')
      const sent = await chats.peer.untilSent(4)
      assert.equal(sent[3]?.text, 'Back again.')
      // The model is told that it is active, whatever the history says.
      assert.match(JSON.stringify(service.model.requests.at(-1)?.body.messages), /active again/)
    })

    it(`${kind}: paused in the conversation alone, it is said once`, async () => {
      const agent = await service.addAgent({ settings: { pause_message: 'One moment.' } })
      const channel = await addChannel(agent, kind, chats.peer)
      await channel.says('hello')
      await chats.peer.untilSent(1)
      await agent.post(`/conversations/${externalId(channel)}/pause`)
      for (const text of ['a', 'b', 'c']) await channel.says(text)
      await settled(channel)
      assert.deepEqual(
        chats.peer.sent.map(({ text }) => text),
        ['hello', 'One moment.'],
      )
      assert.equal(service.model.requests.length, 1)
    })
  }

  for (const kind of ['messenger-one', 'messenger-two'] as const) {
    it(`${kind}: outside the reply window a pause is skipped`, async () => {
      const agent = await service.addAgent({ settings: { pause_message: 'Closed.' } })
      const channel = await addChannel(agent, kind, chats.peer)
      await channel.says('hello')
      await chats.peer.untilSent(1)
      await settled(channel)
      pass(DAY_MS + 1000)
      assert.deepEqual((await agent.get('/pause')).body.data.would_skip_by_reason, [
        { reason: 'window_closed', count: 1 },
      ])
      const { body } = await agent.post('/pause')
      assert.deepEqual([body.data.emitted, body.data.skipped], [0, 1])
      assert.equal(chats.peer.sent.length, 1)
    })

    it(`${kind}: a pause skips an inactive channel`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      await channel.says('hello')
      await chats.peer.untilSent(1)
      await agent.patch(`/channels/${channel.id}`, { active: false })
      assert.deepEqual((await agent.get('/pause')).body.data.would_skip_by_reason, [
        { reason: 'channel_inactive', count: 1 },
      ])
      const { body } = await agent.post('/pause')
      assert.deepEqual([body.data.emitted, body.data.skipped], [0, 1])
    })
  }

  it('an answer waits for a pause that is just being stored, and is not sent behind it', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-two', chats.peer)
    const [held, locked, stored] = [1, 2, 3].map(() => Promise.withResolvers<void>())
    assert.ok(held && locked && stored)
    service.model.next({ text: 'too late', after: held.promise })
    await channel.says('hello')
    await service.model.request(0)
    const { db } = database()
    const pausing = db.transaction().execute(async (db) => {
      await lockAgent(db, agent.agentId)
      await setPaused(db, agent.agentId, true, timestamp(service.clock()))
      locked.resolve()
      await stored.promise
    })
    await locked.promise
    held.resolve()
    if (service.engine === 'postgres')
      await until(async () => {
        const { rows } = await sql`select 1 from pg_locks where not granted`.execute(db)
        return rows.length > 0 || (await states(channel)).some(({ kind }) => kind === 'send')
      })
    stored.resolve()
    await pausing
    await settled(channel)
    assert.ok(!chats.peer.sent.some(({ text }) => text === 'too late'))
    assert.ok((await messagesOf(agent, channel)).includes('assistant: too late'))
  })
})
