import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { createAgent } from '../../src/agents/create-agent.ts'
import { type RaisedEvent, raise } from '../../src/events/raise.ts'
import { openFreshDatabase } from '../support/databases.ts'

it('transactions that count the same in another order do not wait for each other for ever', async (t) => {
  // All count in one place.
  t.mock.method(Math, 'random', () => 0)
  const { db, fresh, close } = await openFreshDatabase('postgres')
  const clients = [1, 2].map(() => new pg.Client({ connectionString: fresh.databaseUrl ?? '' }))
  const [holder, watcher] = clients as [pg.Client, pg.Client]
  for (const client of clients) await client.connect()
  const { agentId } = await db
    .transaction()
    .execute((db) => createAgent(db, { name: 'Test', teamId: null, nowMs: Date.now() }))
  const at = { agent_id: agentId, occurred_at: new Date().toISOString() }
  const response: RaisedEvent = { ...at, key: 'response_end' }
  const click: RaisedEvent = { ...at, key: 'cta_click', data: { target: '1' } }
  const raiseAll = (...events: RaisedEvent[]) => db.transaction().execute((db) => raise(db, ...events))
  const untilWaiting = async (count: number) => {
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while ((await watcher.query(waiting)).rowCount !== count);
  }
  await raiseAll(response, click)
  const { rows } = await holder.query('select name from quarter_counters')
  assert.equal(rows.length, 2)
  for (const { name } of rows) {
    await holder.query('begin')
    await holder.query('select from quarter_counters where name = $1 for update', [name])
    const one = raiseAll(response, click)
    await untilWaiting(1)
    const other = raiseAll(click, response)
    await untilWaiting(2)
    await holder.query('commit')
    await Promise.all([one, other])
  }
  for (const client of clients) await client.end()
  await close()
  await fresh.remove()
})
