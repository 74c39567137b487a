import assert from 'node:assert/strict'
import { once } from 'node:events'
import { it } from 'node:test'
import pg from 'pg'
import { openFreshDatabase } from '../../support/databases.ts'

it('wake-ups go to other processes and come from them, also when the connection that listens was lost', async () => {
  const { fresh, wakeUps, close } = await openFreshDatabase('postgres')
  const other = new pg.Client({ connectionString: fresh.databaseUrl ?? '' })
  await other.connect()
  const heard = new Set<string>()
  for (const topic of ['before', 'after']) wakeUps.listen(topic, () => heard.add(topic))
  const untilHeard = async (topic: string) => {
    // In containers every process may have the same id.
    while (!heard.has(topic))
      await other.query('select pg_notify($1, $2)', ['parley_wake_up', `${process.pid} ${topic}`])
  }
  await untilHeard('before')
  const { rows } = await other.query(
    `select pid, pg_terminate_backend(pid, 10000) as is_gone from pg_stat_activity
      where datname = current_database() and application_name = 'parley session'`,
  )
  assert.deepEqual(
    rows.map(({ is_gone }) => is_gone),
    [true],
  )
  await untilHeard('after')

  await other.query('listen parley_wake_up')
  const told = once(other, 'notification')
  wakeUps.send('mailboxes')
  const [{ payload }] = await told
  assert.match(payload, /^[0-9a-f-]{36} mailboxes$/)
  await other.end()
  await close()
  await fresh.remove()
})
