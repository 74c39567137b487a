import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { limitBacklog } from '../../../src/channels/backlog.ts'
import { ApiError } from '../../../src/errors.ts'
import { acceptItems } from '../../../src/mailboxes/accept.ts'
import { openFreshDatabase } from '../../support/databases.ts'

it('a backlog counts what it added, what others did, and nothing that is worked or goes out', async (t) => {
  let time = 0
  // Each look at the time takes some: counting does too, and rests after it.
  t.mock.method(performance, 'now', () => ++time)
  let now = 0
  const { fresh, ...database } = await openFreshDatabase('sqlite')
  const { db } = database
  const addAgent = () =>
    db.transaction().execute((db) => createAgent(db, { name: 'Test', teamId: null, nowMs: now }))
  const { agentId, teamId } = await addAgent()
  const other = await addAgent()
  const accept = acceptItems(db, database.engine, () => now)
  const item = (sourceId: string) => ({
    sourceId,
    thread: 'a',
    kind: 'message' as const,
    payload: {},
    writableUntil: null,
  })
  const backlog = limitBacklog(db, 14, () => now)
  const has = (room: number, team = teamId) =>
    backlog.require(team, room).then(
      () => true,
      (error: unknown) => error instanceof ApiError && error.code !== 'unavailable',
    )

  assert.ok(await has(10))
  backlog.added(teamId, 8)
  // Counted a moment ago: what was added since is what is known.
  assert.deepEqual([await has(3), await has(2)], [false, true])
  time += 1000
  assert.ok(await has(3), 'what was worked meanwhile makes room')

  // Another process takes all but one place, as far as it can in two milliseconds.
  const items = Array.from({ length: 9 }, (_, index) => item(String(index)))
  await accept({ channel: { id: 1, agent_id: agentId }, items, delayMs: 0 })
  time += 1000
  now += 2
  assert.deepEqual([await has(2), await has(1)], [false, true])

  await db.updateTable('mailbox_items').set({ state: 'done' }).where('source_id', '<', '5').execute()
  await db.updateTable('mailbox_items').set({ source_id: null }).where('source_id', '=', '8').execute()
  time += 1000
  assert.deepEqual([await has(8), await has(7)], [false, true])

  // The greedy team has all that it may have: seven of ten places, and the other one seven of ten of the rest.
  backlog.added(teamId, 7)
  assert.deepEqual(
    [await has(1), await has(3, other.teamId), await has(4, other.teamId)],
    [false, true, false],
  )
  await accept({
    channel: { id: 2, agent_id: other.agentId },
    items: [item('0'), item('1'), item('2')],
    delayMs: 0,
  })
  time += 1000
  assert.deepEqual([await has(6), await has(5)], [false, true], 'what others leave')
  await database.close()
  await fresh.remove()
})
