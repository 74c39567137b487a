import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../../src/storage/database.ts'
import { turnsOfOwners } from '../../../src/storage/postgres/postgres-turns.ts'
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
  const inTurn = turnsOfOwners(
    { ofAgent: 1, ofTeam: { alone: 2, beside: 2 } },
    20,
    () => new Error('too late'),
  )
  const held = Promise.withResolvers<void>()
  const first = inTurn({ agentId: 1, teamId: 1 }, () => held.promise)
  let hasRun = false
  const late = inTurn({ agentId: 1, teamId: 1 }, async () => {
    hasRun = true
  })
  await assert.rejects(late, /too late/)
  assert.equal(await inTurn({ agentId: 2, teamId: 1 }, async () => 'another agent'), 'another agent')
  held.resolve()
  await first
  assert.equal(await inTurn({ agentId: 1, teamId: 1 }, async () => 'in time'), 'in time')
  assert.equal(hasRun, false)
})

it('a team with many agents leaves connections to other teams', async () => {
  const inTurn = turnsOfOwners(
    { ofAgent: 2, ofTeam: { alone: 3, beside: 1 } },
    60_000,
    () => new Error('too late'),
  )
  const held = Promise.withResolvers<void>()
  let begun = 0
  const greedy = [1, 2, 3].flatMap((agentId) =>
    [1, 2].map(() =>
      inTurn({ agentId, teamId: 1 }, async () => {
        begun++
        await held.promise
      }),
    ),
  )
  assert.equal(await inTurn({ agentId: 4, teamId: 2 }, async () => 'another team'), 'another team')
  assert.equal(begun, 3)
  held.resolve()
  await Promise.all(greedy)
  assert.equal(begun, 6)
})
