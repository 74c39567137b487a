import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { runBulkActs } from '../../src/inbox/bulk/run-bulk.ts'
import { BULK_ACTS } from '../../src/inbox/bulk/start-bulk.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { becomes, pause, until } from '../support/becomes.ts'
import { finished, openedBy } from '../support/bulk-acts.ts'
import { signInNew } from '../support/console.ts'
import { forget } from '../support/forget.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { refuse } from '../support/poisoned.ts'
import { tryAgain } from '../support/try-again.ts'

const START = 1_800_000_000_000
const END = { action: { type: 'end' } }

onBothEngines('POST /inbox/bulk', (service) => {
  async function done(agent: TestAgent, body: Record<string, unknown>) {
    const started = await agent.post('/inbox/bulk', body)
    assert.equal(started.status, 202, started.text)
    const { state, matched, done, changed, skipped } = await finished(agent, started.body.data.id)
    const left = skipped.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
    assert.equal(left, done - changed, 'a reason for each that was left as it was')
    return { state, matched, done, changed }
  }
  const found = async (agent: TestAgent, query: string) =>
    (await agent.get(`/inbox?${query}`)).body.data.map(({ id }: { id: string }) => id).toSorted()

  it('202: a conversation that cannot be changed is left out after three tries, and holds up no other', async () => {
    const agent = await service.addAgent()
    const ids = await openedBy(agent, 3)
    const { database } = service.app.app.foundation
    await refuse(database, 'conversations', 'update', `new.id = '${ids[1]}'`)
    const started = await agent.post('/inbox/bulk', { ids, action: { type: 'tag', tags: { spam: true } } })
    const { id } = started.body.data
    await until(async () => {
      await tryAgain(database, 'bulk_acts', BULK_ACTS)
      return (await agent.get(`/inbox/bulk/${id}`)).body.data.finished_at !== null
    })
    const act = await finished(agent, id)
    assert.deepEqual([act.state, act.changed, act.skipped], ['done', 2, [{ reason: 'failed', count: 1 }]])
  })

  it('202: failures while conversations are gathered leave none of them out', async () => {
    const agent = await service.addAgent()
    await openedBy(agent, 2)
    const { database } = service.app.app.foundation
    await refuse(database, 'bulk_items', 'insert', 'new.bulk_id > 0')
    const action = { type: 'tag', tags: { spam: true } }
    const { id } = (await agent.post('/inbox/bulk', { filter: { view: 'all' }, action })).body.data
    const { db, engine } = database
    await until(async () => {
      await tryAgain(database, 'bulk_acts', BULK_ACTS)
      const row = await db.selectFrom('bulk_acts').select('attempts').where('id', '=', id).executeTakeFirst()
      return Number(row?.attempts) >= 3
    })
    await sql
      .raw(`drop trigger poison_bulk_items${engine.kind === 'sqlite' ? '' : ' on bulk_items'}`)
      .execute(db)
    await tryAgain(database, 'bulk_acts', BULK_ACTS)
    const act = await finished(agent, id)
    assert.deepEqual([act.state, act.changed, act.skipped], ['done', 2, []])
  })

  it('202: rows are assigned, tagged and ended; what is so already is no change', async () => {
    const agent = await service.addAgent()
    const { operatorId } = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const ids = await openedBy(agent, 4)
    const three = ids.slice(0, 3)
    await agent.post(`/conversations/${ids[0]}/end`)
    const ended = await done(agent, { ids: three, action: { type: 'end' } })
    assert.deepEqual(ended, { state: 'done', matched: 3, done: 3, changed: 2 })
    assert.deepEqual(await found(agent, 'view=ended'), three.toSorted())
    const tags = { spam: true }
    const tagged = await done(agent, { ids, action: { type: 'tag', tags } })
    assert.deepEqual(tagged, { state: 'done', matched: 4, done: 4, changed: 4 })
    assert.deepEqual(await found(agent, 'view=all&tag=spam:true'), ids.toSorted())
    const untagged = await done(agent, { ids: three, action: { type: 'tag', tags: { spam: null } } })
    assert.equal(untagged.changed, 3)
    const assign = { type: 'assign', operator_id: operatorId }
    // The same one twice is one.
    const twice = [ids[3] ?? '', (ids[3] ?? '').toUpperCase()]
    assert.deepEqual(await done(agent, { ids: twice, action: assign }), {
      state: 'done',
      matched: 1,
      done: 1,
      changed: 1,
    })
    assert.equal((await done(agent, { ids: twice.slice(0, 1), action: assign })).changed, 0)
    assert.deepEqual(await found(agent, `assignee=${operatorId}`), [ids[3]])
    const { data } = (await agent.get('/audit')).body
    const acts = data.map(({ action }: { action: string }) => action)
    const ofBulk = acts.filter((action: string) => action.startsWith('conversations.'))
    assert.deepEqual(ofBulk.toReversed(), [
      'conversations.ended',
      'conversations.tagged',
      'conversations.tagged',
      'conversations.assigned',
      'conversations.assigned',
    ])
    assert.equal(acts.filter((action: string) => action === 'conversation.ended').length, 1)
  })

  it('202: all of a filter, and nothing else; the count that is shown is the count that changed', async () => {
    const agent = await service.addAgent()
    const other = await service.addAgent({ teamId: agent.teamId })
    await openedBy(other, 2, { user: 'anna' })
    await openedBy(agent, 3, { user: 'ben' })
    const annas = await openedBy(agent, 6, { user: 'anna' })
    annas.push(...(await openedBy(agent, 1, { user: 'ann' })))
    assert.equal((await agent.post('/users/ann/merge', { into: 'anna' })).status, 200)
    const filter = { view: 'open', user_id: 'anna' }
    const ended = await done(agent, { filter, action: { type: 'end' } })
    assert.deepEqual(ended, { state: 'done', matched: 7, done: 7, changed: 7 })
    assert.deepEqual(await found(agent, 'view=ended'), annas.toSorted())
    assert.deepEqual((await agent.get('/inbox')).body.counts.open, 3)
    assert.deepEqual((await other.get('/inbox')).body.counts.open, 2)
    const none = await done(agent, { filter, action: { type: 'end' } })
    assert.deepEqual(none, { state: 'done', matched: 0, done: 0, changed: 0 })
  })

  it('202: ended ones are opened again; open ones are no change', async () => {
    const agent = await service.addAgent()
    const ids = await openedBy(agent, 3)
    await done(agent, { ids: ids.slice(0, 2), action: { type: 'end' } })
    const reopened = await done(agent, { ids, action: { type: 'reopen' } })
    assert.deepEqual(reopened, { state: 'done', matched: 3, done: 3, changed: 2 })
    assert.deepEqual(await found(agent, 'view=open'), ids.toSorted())
    assert.equal((await agent.get('/inbox')).body.counts.open, 3)
    const { data } = (await agent.get(`/conversations/${ids[0]}/timeline`)).body
    assert.equal(data.filter(({ type }: { type: string }) => type === 'reopened').length, 1)
    assert.equal((await agent.get('/audit')).body.data[0].action, 'conversations.reopened')
  })

  it('200: tells why conversations were left as they were, each reason with its number', async () => {
    const agent = await service.addAgent()
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const ids = await openedBy(agent, 5)
    const [first, second] = ids
    await agent.post(`/conversations/${first}/end`)
    await agent.call('PUT', `/conversations/${second}/assignee`, { operator_id: person.operatorId })
    const many = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`tag-${at}`, at]))
    await agent.patch(`/conversations/${first}`, { tags: many })
    await agent.patch(`/conversations/${second}`, { tags: { seen: true } })
    const assign = { type: 'assign', operator_id: person.operatorId }
    const skipped = async (action: object) => {
      const { body } = await agent.post('/inbox/bulk', { ids, action })
      return (await finished(agent, body.data.id)).skipped
    }
    assert.deepEqual(await skipped({ type: 'tag', tags: { seen: true } }), [
      { reason: 'already_tagged', count: 1 },
      { reason: 'too_many_tags', count: 1 },
    ])
    assert.deepEqual(await skipped({ type: 'reopen' }), [{ reason: 'already_open', count: 4 }])
    assert.deepEqual(await skipped({ type: 'end' }), [])
    assert.deepEqual(await skipped({ type: 'end' }), [{ reason: 'already_ended', count: 5 }])
    assert.deepEqual(await skipped(assign), [{ reason: 'already_assigned', count: 1 }])
    service.clock = () => START
    const { body } = await agent.post('/inbox/bulk', { ids, action: assign, delay_seconds: 10 })
    assert.deepEqual(body.data.skipped, [])
    const left = await agent.patch(`/operators/${person.operatorId}`, { active: false })
    assert.equal(left.status, 200, left.text)
    service.clock = () => START + 60_000
    const act = await finished(agent, body.data.id)
    assert.deepEqual(act.skipped, [{ reason: 'assignee_left', count: 5 }])
  })

  it('200: counts what an act on a filter would have, open and ended', async () => {
    const agent = await service.addAgent()
    const other = await service.addAgent({ teamId: agent.teamId })
    await openedBy(other, 1, { user: 'anna' })
    await openedBy(agent, 2, { user: 'ben' })
    const annas = await openedBy(agent, 4, { user: 'anna' })
    await agent.post(`/conversations/${annas[0]}/end`)
    const count = async (query: string) => {
      const { status, body, text } = await agent.get(`/inbox/bulk/count?${query}`)
      assert.equal(status, 200, text)
      return body.data
    }
    assert.deepEqual(await count(''), { open: 5, ended: 0 })
    assert.deepEqual(await count('view=ended'), { open: 0, ended: 1 })
    assert.deepEqual(await count('view=all&user_id=anna'), { open: 3, ended: 1 })
    assert.deepEqual(await count('view=all&tag=no:one'), { open: 0, ended: 0 })
    assertError(await agent.get('/inbox/bulk/count?view=mine'), 403, 'operator_needed')
    assertError(await agent.get('/inbox/bulk/count?view=none'), 400, 'invalid_request')
  })

  it('204: an act that waits can be cancelled and then changes nothing, also one of a filter', async () => {
    const agent = await service.addAgent()
    service.clock = () => START
    const ids = await openedBy(agent, 3)
    for (const target of [{ ids }, { filter: { view: 'open' } }]) {
      const { status, body } = await agent.post('/inbox/bulk', { ...target, ...END, delay_seconds: 10 })
      assert.equal(status, 202)
      assert.equal(body.data.starts_at, new Date(START + 10_000).toISOString())
      const path = `/inbox/bulk/${body.data.id}`
      // The conversations are stored at once, so that their number is known.
      const act = async () => (await agent.get(path)).body.data
      await becomes(async () => (await act()).state, 'working')
      assert.deepEqual((({ matched, done }) => ({ matched, done }))(await act()), { matched: 3, done: 0 })
      const stranger = await service.addAgent({ teamId: agent.teamId })
      assertError(await stranger.call('DELETE', path), 404, 'bulk_act_not_found')
      assert.equal((await agent.call('DELETE', path)).status, 204)
      assert.equal((await agent.call('DELETE', path)).status, 204)
      const { state, starts_at, finished_at } = await act()
      assert.deepEqual([state, starts_at, typeof finished_at], ['cancelled', null, 'string'])
      assert.equal((await agent.get('/audit')).body.data[0].action, 'bulk_act.cancelled')
    }
    service.clock = () => START + 60_000
    // A later act goes first to last through the same worker: what was cancelled has not come before it.
    await done(agent, { ids: ids.slice(0, 1), action: { type: 'tag', tags: { seen: true } } })
    assert.deepEqual(await found(agent, 'view=open'), ids.toSorted())
    const { db } = service.app.app.foundation.database
    await forget(db, 'bulk acts', START)
    assert.deepEqual(await db.selectFrom('bulk_items').selectAll().execute(), [])
  })

  it('403: that of somebody else is cancelled by those who manage alone', async () => {
    const agent = await service.addAgent()
    const ids = await openedBy(agent, 1)
    const sign = (right: 'respond' | 'manage') => signInNew(service.app, { teamId: agent.teamId, right })
    const [ada, grace, lead] = [await sign('respond'), await sign('respond'), await sign('manage')]
    const path = `/agents/${agent.agentId}/inbox/bulk`
    for (const [by, status] of [
      [ada, 204],
      [lead, 204],
    ] as const) {
      const { body } = await ada.call('POST', path, { ids, ...END, delay_seconds: 60 })
      const act = `${path}/${body.data.id}`
      assertError(await grace.call('DELETE', act), 403, 'insufficient_right')
      assert.equal((await by.call('DELETE', act)).status, status)
    }
    const token = await agent.post('/inbox/bulk', { ids, ...END, delay_seconds: 60 })
    assertError(await ada.call('DELETE', `${path}/${token.body.data.id}`), 403, 'insufficient_right')
    assert.equal((await agent.call('DELETE', `/inbox/bulk/${token.body.data.id}`)).status, 204)
  })

  it('409: an act that has begun is not cancelled; one that waits begins by itself', async () => {
    const agent = await service.addAgent()
    const ids = await openedBy(agent, 2)
    const now = await agent.post('/inbox/bulk', { ids: ids.slice(0, 1), ...END })
    assert.equal(now.body.data.starts_at, null)
    assertError(await agent.call('DELETE', `/inbox/bulk/${now.body.data.id}`), 409, 'bulk_act_begun')
    const later = await agent.post('/inbox/bulk', { filter: { view: 'all' }, ...END, delay_seconds: 1 })
    const { state, matched, changed, starts_at } = await finished(agent, later.body.data.id)
    assert.deepEqual(
      { state, matched, changed, starts_at },
      { state: 'done', matched: 2, changed: 1, starts_at: null },
    )
    assertError(await agent.call('DELETE', `/inbox/bulk/${later.body.data.id}`), 409, 'bulk_act_begun')
    assert.deepEqual(await found(agent, 'view=ended'), ids.toSorted())
    assertError(await agent.call('DELETE', '/inbox/bulk/999999'), 404, 'bulk_act_not_found')
  })

  it('202: nothing of a channel whose number is beyond the column', async () => {
    const agent = await service.addAgent()
    await openedBy(agent, 1)
    const filter = { view: 'open', channel_id: 2_147_483_648 }
    const { status, body } = await agent.post('/inbox/bulk', { filter, action: { type: 'end' } })
    assert.equal(status, 202)
    await becomes(async () => (await agent.get(`/inbox/bulk/${body.data.id}`)).body.data.state, 'done')
  })

  it('400, 403 and 404', async () => {
    const agent = await service.addAgent()
    const [id = ''] = await openedBy(agent, 1)
    const end = { type: 'end' }
    for (const [body, param] of [
      [{ action: end }, 'ids'],
      [{ ids: [id], filter: { view: 'open' }, action: end }, 'ids'],
      [{ ids: [], action: end }, 'ids'],
      [{ ids: ['ticket-1'], action: end }, 'ids.0'],
      [{ filter: {}, action: end }, 'filter.view'],
      [{ filter: { view: 'open', chanel_id: 1 }, action: end }, 'filter.chanel_id'],
      [{ ids: [id] }, 'action'],
      [{ ids: [id], action: end, delay_seconds: 61 }, 'delay_seconds'],
      [{ ids: [id], action: { type: 'delete' } }, 'action.type'],
      [{ ids: [id], action: { type: 'assign', operator_id: 123_456 } }, 'action.operator_id'],
      [
        { ids: [id], action: { type: 'tag', tags: { ['x'.repeat(65)]: 1 } } },
        `action.tags.${'x'.repeat(65)}`,
      ],
    ] as const) {
      const answer = await agent.post('/inbox/bulk', body)
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, param)
    }
    const mine = { filter: { view: 'mine' }, action: end }
    assertError(await agent.post('/inbox/bulk', mine), 403, 'operator_needed')
    const stranger = await service.addAgent({ teamId: agent.teamId })
    assertError(await stranger.post('/inbox/bulk', { ids: [id], action: end }), 404, 'conversation_not_found')
    const { body } = await agent.post('/inbox/bulk', { ids: [id], action: end })
    assertError(await stranger.get(`/inbox/bulk/${body.data.id}`), 404, 'bulk_act_not_found')
    for (const unknown of ['999999', 'x', '0'])
      assertError(await agent.get(`/inbox/bulk/${unknown}`), 404, 'bulk_act_not_found')
  })
})

onBothEngines(
  'a bulk act whose worker is stopped',
  (service) => {
    it('409: more acts than may be under way at once, of this agent alone', async () => {
      const [agent, other] = [await service.addAgent(), await service.addAgent()]
      const act = { filter: { view: 'open' }, action: { type: 'end' } }
      for (let open = 0; open < 20; open++) assert.equal((await agent.post('/inbox/bulk', act)).status, 202)
      assertError(await agent.post('/inbox/bulk', act), 409, 'too_many_bulk_acts')
      assert.equal((await other.post('/inbox/bulk', act)).status, 202)
      const { database } = service.app.app.foundation
      await database.db.deleteFrom('bulk_acts').execute()
    })

    it('goes on where it was, and works each conversation once', async () => {
      const agent = await service.addAgent()
      const ids = await openedBy(agent, 30)
      const { database, clock } = service.app.app.foundation
      const { log: logger } = service.app.app.server
      const act = { filter: { view: 'open' }, action: { type: 'tag', tags: { seen: true } } }
      const { data } = (await agent.post('/inbox/bulk', act)).body
      assert.deepEqual([data.state, data.matched], ['gathering', 0])
      const state = async () => (await agent.get(`/inbox/bulk/${data.id}`)).body.data
      let round = 0
      for (; (await state()).finished_at === null; round++) {
        let stopped: Promise<void> | undefined
        let reads = 0
        // Each worker begins when the lease of the one before has run out, and reads the clock for each conversation.
        const readClock = () => {
          if (++reads === 8) stopped = worker.stop(0)
          return clock() + round * 60_000
        }
        const unused = {} as Pick<Parameters<typeof runBulkActs>[0], 'box' | 'outbound'>
        const lessons = { disliked: async () => {}, handedOff: async () => {}, ended: async () => {} }
        const worker = runBulkActs({ ...unused, database, clock: readClock, logger, lessons })
        worker.start()
        while (!stopped && (await state()).finished_at === null) await pause()
        await (stopped ?? worker.stop(0))
      }
      assert.ok(round > 2, `it was stopped ${round} times`)
      const { state: end, matched, done, changed } = await state()
      assert.deepEqual({ end, matched, done, changed }, { end: 'done', matched: 30, done: 30, changed: 30 })
      const { db } = database
      const told = await db
        .selectFrom('happenings')
        .select('conversation_id')
        .where('agent_id', '=', agent.agentId)
        .where('kind', '=', 'tagged')
        .execute()
      assert.deepEqual(told.map(({ conversation_id }) => conversation_id).toSorted(), ids.toSorted())
      assert.deepEqual(await db.selectFrom('bulk_items').selectAll().execute(), [])
    })
  },
  { PARLEY_ROLES: 'api' },
)
