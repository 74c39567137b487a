import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../../src/storage/database.ts'
import { turnsOfAgents } from '../../../src/storage/postgres-turns.ts'
import { startApp } from '../../support/app.ts'
import { becomes } from '../../support/becomes.ts'
import { freshDatabase } from '../../support/databases.ts'

/** Half of the connections of a process. */
const OF_ONE_AGENT = 5

it('prompts of an agent that wait for each other on postgres leave connections to other agents', async (t) => {
  const fresh = await freshDatabase('postgres')
  const { agent, addAgent, close } = await startApp('postgres', {
    PARLEY_DATABASE_URL: fresh.databaseUrl ?? '',
    PARLEY_ROLES: 'api',
  })
  const database = await openDatabase(fresh)
  t.after(async () => {
    await close()
    await database.close()
    await fresh.remove()
  })
  await agent.prompt('the first')
  const other = await addAgent()

  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = database.db.transaction().execute(async (db) => {
    await sql`select from agent_counters where agent_id = ${agent.agentId} for update`.execute(db)
    locked.resolve()
    await held.promise
  })
  await locked.promise
  const waiting = Promise.all(Array.from({ length: 20 }, () => agent.prompt('waits')))
  const waitingBackends = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`.execute(database.db)
    return rows[0]?.count
  }
  await becomes(waitingBackends, OF_ONE_AGENT)
  // With all connections taken, this would answer 503 after three seconds.
  await other.prompt('does not wait')
  assert.equal(await waitingBackends(), OF_ONE_AGENT)
  held.resolve()
  await holding
  assert.equal((await waiting).length, 20)
})

it('a transaction whose turn does not come in time is refused and never runs; later ones run', async () => {
  const inTurn = turnsOfAgents(1, 20, () => new Error('too late'))
  const held = Promise.withResolvers<void>()
  const first = inTurn(1, () => held.promise)
  let hasRun = false
  const late = inTurn(1, async () => {
    hasRun = true
  })
  await assert.rejects(late, /too late/)
  assert.equal(await inTurn(2, async () => 'another agent'), 'another agent')
  held.resolve()
  await first
  assert.equal(await inTurn(1, async () => 'in time'), 'in time')
  assert.equal(hasRun, false)
})
