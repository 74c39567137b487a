import assert from 'node:assert/strict'
import { once } from 'node:events'
import { it } from 'node:test'
import pg from 'pg'
import { z } from 'zod'
import { openFreshDatabase } from '../../support/databases.ts'

it('wake-ups go to other processes and come from them, also after a lost connection and what cannot be read', async () => {
  const { fresh, wakeUps, close } = await openFreshDatabase('postgres')
  const other = new pg.Client({ connectionString: fresh.databaseUrl ?? '' })
  await other.connect()
  const heard = new Set<string>()
  for (const topic of ['before', 'after']) wakeUps.listen(topic, () => heard.add(topic))
  const untilHeard = async (topic: string) => {
    // In containers every process may have the same id.
    while (!heard.has(topic))
      await other.query('select pg_notify($1, $2)', ['parley_wake_up', `${process.pid}\n${topic}`])
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

  // Anyone who may connect to the database can send anything.
  const said: { text: string }[] = []
  let refusals = 0
  wakeUps.hear('sayings', z.object({ text: z.string() }), (one) => said.push(one))
  wakeUps.onRefused(() => refusals++)
  const unreadable = [
    'no JSON',
    'null',
    '[]',
    '["sayings"]',
    '["sayings","no JSON"]',
    '["sayings","{\\"text\\":1}"]',
  ]
  const readable = JSON.stringify(['sayings', JSON.stringify({ text: 'something' })])
  const unheard = JSON.stringify(['error', JSON.stringify({ text: 'something' })])
  await other.query('select pg_notify($1, $2)', ['parley_wake_up', 'other\nerror'])
  await other.query('select pg_notify($1, $2)', ['parley_saying', ''])
  for (const line of [...unreadable, unheard, readable])
    await other.query('select pg_notify($1, $2)', ['parley_saying', `other\n${line}`])
  while (said.length === 0) await other.query('select 1')
  assert.deepEqual([said, refusals], [[{ text: 'something' }], unreadable.length])

  // One that cannot be read keeps nobody from what comes with it, and is told of once.
  const last = JSON.stringify(['sayings', JSON.stringify({ text: 'last' })])
  for (const lines of [[...unreadable, readable], [last]])
    await other.query('select pg_notify($1, $2)', ['parley_saying', ['other', ...lines].join('\n')])
  while (said.at(-1)?.text !== 'last') await other.query('select 1')
  assert.deepEqual(
    [said.map(({ text }) => text), refusals],
    [['something', 'something', 'last'], unreadable.length + 1],
  )

  await other.query('listen parley_wake_up')
  const told = once(other, 'notification')
  wakeUps.send('mailboxes')
  const [{ payload }] = await told
  assert.match(payload, /^[0-9a-f-]{36}\nmailboxes$/)
  await other.end()
  await close()
  await fresh.remove()
})
