import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../support/app.ts'
import { becomes } from '../../support/becomes.ts'
import { addChannel, mediaOf, PERSON, startPlatformPeer } from '../../support/platform-peer.ts'

/** Half of the connections of a process. */
const OF_ONE_AGENT = 5
const KIND = 'messenger-three'

it('pictures to an agent that wait for each other on postgres leave connections to other agents and teams', async (t) => {
  const peer = await startPlatformPeer()
  const { app, agent, addAgent, close } = await startApp('postgres')
  t.after(async () => {
    await close()
    await peer.close()
  })
  const { db } = app.foundation.database
  assert.equal((await agent.patch('/agent', { model: { images: 'off' } })).status, 200)
  await agent.prompt('the first')
  const colleague = await addAgent({ teamId: agent.teamId })
  const stranger = await addAgent()
  const channel = await addChannel(agent, KIND, peer)
  const picture = { type: 'image', contentProvider: { type: 'line' } }

  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = db.transaction().execute(async (db) => {
    await sql`select from agent_counters where agent_id = ${agent.agentId} for update`.execute(db)
    locked.resolve()
    await held.promise
  })
  await locked.promise
  for (let nth = 0; nth < 20; nth++) {
    const { [KIND]: person } = PERSON
    const event = JSON.stringify(mediaOf(KIND, `${nth}`, picture))
    const another = event.replaceAll(person, `U${String(nth).padStart(32, '0')}`)
    assert.equal((await channel.post(JSON.parse(another))).status, 200)
  }
  const waiting = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`.execute(db)
    return rows[0]?.count
  }
  await becomes(waiting, OF_ONE_AGENT)
  // With all connections taken, each of these would be answered 503 after three seconds.
  await stranger.prompt('from another team')
  await colleague.prompt('from another agent of the team')
  assert.equal(await waiting(), OF_ONE_AGENT)
  held.resolve()
  await holding
  const stored = async () => {
    const done = db.selectFrom('mailbox_items').select('id').where('state', '=', 'done')
    return (await done.where('source_id', 'is not', null).execute()).length
  }
  await becomes(stored, 20)
})
