import assert from 'node:assert/strict'
import { it } from 'node:test'
import { recount } from '../../src/analytics/recount.ts'
import { forgetEvents } from '../../src/events/kept-events.ts'
import { timestamp } from '../../src/lib/clock.ts'
import { forgetDeliveries } from '../../src/notifications/forget-deliveries.ts'
import { assertError } from '../support/app.ts'
import { forget } from '../support/forget.ts'
import { growingParts, planOf, queriesOf } from '../support/list-plans.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const DAY_MS = 24 * 60 * 60 * 1000

onBothEngines(
  'forgetting',
  (service) => {
    const database = () => service.app.app.foundation.database.db

    it('events older than asked go, two days late, and younger ones stay', async () => {
      const agent = await service.addAgent()
      const now = Date.now()
      const daysOf = async (kept: number[]) => {
        await forgetEvents(database(), now, 90)
        const rows = await database()
          .selectFrom('events')
          .selectAll()
          .where('agent_id', '=', agent.agentId)
          .execute()
        const days = rows.map(({ occurred_at }) => Math.round((now - Date.parse(occurred_at)) / DAY_MS))
        assert.deepEqual(
          [...new Set(days)].toSorted((a, b) => a - b),
          kept,
        )
      }
      for (const days of [93, 91, 1]) {
        service.clock = () => now - days * DAY_MS
        await agent.prompt(`of ${days} days ago`)
      }
      await daysOf([1, 91])
      const old = { agent_id: agent.agentId, key: 'error', occurred_at: timestamp(now - 100 * DAY_MS) }
      await database().deleteFrom('events').execute()
      for (let count = 0; count < 5; count++)
        await database()
          .insertInto('events')
          .values(Array.from({ length: 500 }, () => old))
          .execute()
      await daysOf([])
      // A clock that was once wrong: more events than one window has.
      for (const [days, events] of [
        [-400, 1500],
        [100, 900],
        [100, 900],
        [1, 1],
      ] as const) {
        const rows = Array.from({ length: events }, () => ({
          ...old,
          occurred_at: timestamp(now - days * DAY_MS),
        }))
        await database().insertInto('events').values(rows).execute()
      }
      await daysOf([-400, 1])
    })

    it('replay: 409 event_gone for a delivery whose event is too old; new events are delivered as before', async () => {
      const agent = await service.addAgent()
      const { body } = await agent.post('/notifications', {
        name: 'n',
        url: 'http://127.0.0.1:9/',
        events: ['prompt_submit'],
      })
      const log = `/notifications/${body.data.id}/deliveries`
      const now = Date.now()
      service.clock = () => now - 91 * DAY_MS
      await agent.prompt('long ago')
      service.clock = () => now
      const [old] = (await agent.get(log)).body.data
      assertError(await agent.post(`${log}/${old.id}/replay`), 409, 'event_gone')
      service.clock = () => now + 10 * DAY_MS
      await forgetEvents(database(), service.clock(), 90)
      assertError(await agent.post(`${log}/${old.id}/replay`), 409, 'event_gone')
      await agent.prompt('today')
      const [young] = (await agent.get(log)).body.data
      assert.notEqual(young.id, old.id)
      assert.equal((await agent.post(`${log}/${young.id}/replay`)).status, 202)
    })

    it('after all events went, none is taken for an earlier one: not by replays, nor by a recount', async () => {
      const agent = await service.addAgent()
      const { body } = await agent.post('/notifications', {
        name: 'n',
        url: 'http://127.0.0.1:9/',
        events: ['prompt_submit'],
      })
      const now = Date.now()
      service.clock = () => now
      await database().deleteFrom('events').execute()
      await agent.prompt('before the quiet time')
      const figures = () =>
        database()
          .selectFrom('quarter_counters')
          .select(['day', 'name', ({ fn }) => fn.sum('count').as('count')])
          .where('agent_id', '=', agent.agentId)
          .groupBy(['day', 'name'])
          .orderBy('name')
          .execute()
      const before = await figures()
      assert.ok(before.length > 0)
      service.clock = () => now + 100 * DAY_MS
      await database().deleteFrom('events').execute()
      const log = `/notifications/${body.data.id}/deliveries`
      const [{ id }] = (await agent.get(log)).body.data
      await (await service.addAgent()).prompt('of another agent')
      service.clock = () => now
      assertError(await agent.post(`${log}/${id}/replay`), 409, 'event_gone')
      const report = () => {}
      await recount({ database: service.app.app.foundation.database, clock: Date.now, report }, null)
      assert.deepEqual(await figures(), before)
    })

    it('calls to action: their counts go once they were not shown for long, and then begin anew', async () => {
      const agent = await service.addAgent()
      const now = Date.now()
      await agent.post('/ctas', {
        name: 'c',
        content: 'Call us',
        max_per_conversation: 1,
        condition: { field: 'prompt.length', op: 'gte', value: 0 },
      })
      const shown = async (conversation_id?: string) => {
        const answer = await agent.call('POST', '/chat/completions', {
          messages: [{ role: 'user', content: 'hello' }],
          ...(conversation_id ? { conversation_id } : {}),
        })
        return { id: answer.body.conversation_id, ctas: answer.body.ctas.length }
      }
      service.clock = () => now - 91 * DAY_MS
      const { id, ctas } = await shown()
      const other = await shown()
      assert.equal(ctas, 1)
      service.clock = () => now
      assert.equal((await shown(id)).ctas, 0)
      await forget(database(), 'rule records', now, 92)
      assert.equal((await shown(id)).ctas, 0)
      await forget(database(), 'rule records', now)
      assert.equal((await shown(id)).ctas, 1)
      await forget(database(), 'rule records', now)
      assert.equal((await shown(id)).ctas, 0)
      assert.equal((await shown(other.id)).ctas, 1)
    })

    it('automations: jobs that are done or parked go by their age, and those that wait stay', async () => {
      const agent = await service.addAgent()
      const { id, conversation_id } = await agent.prompt('hello')
      const now = Date.now()
      const jobs = () => database().selectFrom('automation_jobs')
      const common = { agent_id: agent.agentId, completion_id: id, conversation_id, facts: '{}', runs: '[]' }
      for (const [state, days] of [
        ['done', 91],
        ['parked', 91],
        ['done', 89],
        ['waiting', 91],
      ] as const)
        await database()
          .insertInto('automation_jobs')
          .values({ ...common, state, due_at: '2999', created_at: timestamp(now - days * DAY_MS) })
          .execute()
      await forget(database(), 'rule records', now)
      const left = await jobs()
        .select(['state', 'created_at'])
        .where('completion_id', '=', id)
        .orderBy('id')
        .execute()
      assert.deepEqual(left, [
        { state: 'done', created_at: timestamp(now - 89 * DAY_MS) },
        { state: 'waiting', created_at: timestamp(now - 91 * DAY_MS) },
      ])
    })

    it('plans: nothing is looked for through a whole table', async () => {
      const db = database()
      const now = Date.now()
      const old = { agent_id: 1, key: 'error', occurred_at: timestamp(now - 100 * DAY_MS) } as const
      await db.insertInto('events').values(old).execute()
      const queries = await queriesOf(db, async () => {
        await forgetEvents(db, now, 90)
        await forget(db, 'rule records', now)
        await forget(db, 'idempotency keys', now)
        await forgetDeliveries(db, now, 30)
      })
      const deletes = queries.filter(({ sql }) => sql.startsWith('delete'))
      assert.ok(deletes.length >= 6)
      for (const query of deletes) {
        const plan = await planOf(db, service.engine, query)
        assert.deepEqual(growingParts(plan, query), [], `${query.sql}\n${plan.join('\n')}`)
      }
    })
  },
  { PARLEY_ROLES: 'api' },
)
