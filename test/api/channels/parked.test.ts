import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { timestamp } from '../../../src/lib/clock.ts'
import { MAILBOXES } from '../../../src/mailboxes/topics.ts'
import { assertError, type TestAgent } from '../../support/app.ts'
import { until } from '../../support/becomes.ts'
import { kinds, onChannels } from '../../support/on-channels.ts'
import { addChannel, PERSON } from '../../support/platform-peer.ts'
import { refuse } from '../../support/poisoned.ts'

onChannels('parked items of channels', (service, chats) => {
  const { database, settled, isFree, pass, messagesOf, states } = chats

  for (const kind of kinds) {
    it(`${kind}: a failing model is asked again; after five tries the message is parked and can be replayed`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      service.model.answer = { status: 500 }
      await channel.says('hello')
      for (let tries = 1; tries <= 5; tries++) {
        await service.model.request(tries - 1)
        await until(async () => {
          const [item] = await states(channel)
          return item?.state === 'parked' || item?.error !== null
        })
        await until(() => isFree(channel))
        if (tries < 5) pass(70_000)
      }
      const parked = await agent.get(`/channels/${channel.id}/parked`)
      assert.equal(parked.body.total, 1)
      assert.equal(parked.body.data[0].attempts, 5)
      assert.equal(parked.body.data[0].error, 'model_failed')
      assert.ok(!parked.text.includes('hello'))
      const other = await service.addAgent()
      const theirs = `/channels/${(await addChannel(other, kind, chats.peer)).id}/parked`
      assert.equal((await other.get(theirs)).body.total, 0)
      assert.equal((await other.post(`${theirs}/${parked.body.data[0].id}/replay`)).status, 404)
      const events = await service.eventsOf(agent)
      assert.equal(events.filter((key) => key === 'error').length, 1)
      assert.equal(chats.peer.sent.length, 0)

      service.model.answer = { text: 'Here I am.' }
      const replay = await agent.post(`/channels/${channel.id}/parked/${parked.body.data[0].id}/replay`)
      assert.equal(replay.status, 200)
      const sent = await chats.peer.untilSent(1)
      assert.equal(sent[0]?.text, 'Here I am.')
      await settled(channel)
      // Stored once, whatever the tries.
      assert.deepEqual(await messagesOf(agent, channel), ['user: hello', 'assistant: Here I am.'])
      assert.equal((await agent.get(`/channels/${channel.id}/parked`)).body.total, 0)
      const again = await agent.post(`/channels/${channel.id}/parked/${parked.body.data[0].id}/replay`)
      assert.equal(again.status, 404)
    })
  }

  it('an end that cannot be stored counts as a failure, and the model is not asked again at once', async () => {
    const { db, engine } = database()
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-one', chats.peer)
    service.model.answer = { status: 500 }
    // The last write of the transaction that stores the end.
    await refuse(database(), 'changes', 'insert', `new.changes like '%waiting_since%'`)
    const before = service.model.requests.length
    await channel.says('hello')
    for (let tries = 1; tries <= 5; tries++) {
      await service.model.request(before + tries - 1)
      await until(async () => (await states(channel))[0]?.error !== null)
      await until(() => isFree(channel))
      if (tries < 5) pass(70_000)
    }
    assert.equal(service.model.requests.length, before + 5)
    const on = engine.kind === 'sqlite' ? '' : ' on changes'
    await sql.raw(`drop trigger poison_changes${on}`).execute(db)
    pass(70_000)
    await until(async () => (await states(channel))[0]?.state === 'parked')
    assert.equal(service.model.requests.length, before + 6)
  })

  it('what waits parked is dropped when its person is scrubbed', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    const { db } = database()
    const parkedAt = async (agent: TestAgent) => {
      const channel = await addChannel(agent, 'messenger-one', chats.peer)
      const before = chats.peer.sent.length
      await channel.says('hello')
      await chats.peer.untilSent(before + 1)
      await settled(channel)
      await agent.patch(`/channels/${channel.id}`, { settings: { debounce_ms: 60_000 } })
      await channel.says('a parked secret')
      return channel
    }
    const [channel, another] = [await parkedAt(agent), await parkedAt(other)]
    // One that nothing of theirs was answered on: there is no conversation yet.
    const quiet = await addChannel(agent, 'messenger-one', chats.peer, { debounce_ms: 60_000 })
    await quiet.says('a parked secret')
    await db.updateTable('mailbox_items').set({ state: 'parked' }).where('state', '=', 'waiting').execute()
    assert.match(String((await states(channel)).at(-1)?.payload), /parked secret/)
    await channel.says('still to be answered')
    const person = PERSON['messenger-one']
    assertError(await agent.post(`/users/${person}/scrub`), 409, 'user_ambiguous')
    for (const { id } of [channel, quiet])
      assert.equal((await agent.post(`/users/channel-${id}:${person}/scrub`)).status, 200)
    const [parked, waiting] = (await states(channel)).slice(-2)
    assert.deepEqual([parked?.payload, parked?.state, parked?.error], [null, 'failed', 'redacted'])
    assert.match(String(waiting?.payload), /still to be answered/)
    assert.equal((await states(quiet)).at(-1)?.payload, null)
    assert.match(String((await states(another)).at(-1)?.payload), /parked secret/)
  })

  it('what waits parked is dropped also of a person of whom nothing else was ever stored', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-one', chats.peer, { debounce_ms: 60_000 })
    await channel.says('a parked secret')
    await database()
      .db.updateTable('mailbox_items')
      .set({ state: 'parked' })
      .where('channel_id', '=', channel.id)
      .execute()
    assert.equal((await agent.post(`/users/${PERSON['messenger-one']}/scrub`)).status, 200)
    assert.equal((await states(channel))[0]?.payload, null)
    assert.equal((await agent.post('/users/nobody/scrub')).status, 404)
  })

  it('a prompt of which nothing is left after a scrub is not answered when it is replayed', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-one', chats.peer)
    service.model.answer = { status: 500 }
    await channel.says('hello')
    await service.model.request(0)
    const { db } = database()
    await until(async () => (await states(channel))[0]?.attempts === 1 && (await isFree(channel)))
    // Its next try is the last, and is now.
    const due_at = timestamp(service.clock())
    const last = { attempts: 4, due_at }
    await db.updateTable('mailbox_items').set(last).where('channel_id', '=', channel.id).execute()
    await db.updateTable('mailboxes').set({ due_at }).where('channel_id', '=', channel.id).execute()
    database().wakeUps.send(MAILBOXES)
    await until(async () => (await states(channel))[0]?.state === 'parked')
    assert.equal((await agent.post(`/users/${PERSON['messenger-one']}/scrub`)).status, 200)
    service.model.answer = { text: 'To whom?' }
    const { body } = await agent.get(`/channels/${channel.id}/parked`)
    const replay = await agent.post(`/channels/${channel.id}/parked/${body.data[0].id}/replay`)
    assert.equal(replay.status, 200)
    await settled(channel)
    const asked = service.model.requests.map(({ body }) => JSON.stringify(body.messages))
    assert.ok(asked.length >= 2)
    assert.deepEqual(
      asked.filter((messages) => messages.includes('[REDACTED]')),
      [],
    )
    assert.equal((await states(channel))[0]?.state, 'done')
    assert.equal(chats.peer.sent.length, 0)
  })
})
