import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { startApp } from '../support/app.ts'

/** More than a process has connections to PostgreSQL. */
const REDACTIONS = 15

it('redactions that wait for one of another replica leave the connections to others', async () => {
  await using app = await startApp('postgres')
  const { agent } = app
  const prompts = await Promise.all(Array.from({ length: REDACTIONS }, () => agent.prompt('I am Ann')))
  const replica = new pg.Client({ connectionString: app.app.foundation.config.databaseUrl ?? '' })
  await replica.connect()
  await replica.query('begin')
  await replica.query('select pg_advisory_xact_lock(1, $1::integer)', [agent.agentId])
  const scrubs = prompts.map(({ id }) => agent.post(`/chat/completions/${id}/scrub`))
  const waiting = async () =>
    (await replica.query(`select 1 from pg_locks where locktype = 'advisory' and not granted`)).rowCount
  while ((await waiting()) === 0);
  // Each of them has come as far as it can by the time that others have been answered as often.
  for (let call = 0; call < REDACTIONS; call++) assert.equal((await agent.get('/conversations')).status, 200)
  assert.equal(await waiting(), 1)
  await replica.query('commit')
  for (const { status, body } of await Promise.all(scrubs)) {
    assert.equal(status, 200)
    assert.equal(body.data.remaining, 0)
  }
  await replica.end()
})
