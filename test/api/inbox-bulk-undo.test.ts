import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runBulkActs } from '../../src/inbox/bulk/run-bulk.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { pause } from '../support/becomes.ts'
import { finished, openedBy } from '../support/bulk-acts.ts'
import { signInNew } from '../support/console.ts'
import { onBothEngines, type Service } from '../support/on-both-engines.ts'

const REFUND = [
  { type: 'tag', tag: 'refund' },
  { type: 'priority', priority: 'high' },
]

/** Begins a bulk act that runs a macro. */
async function begun(agent: TestAgent, ids: readonly string[], actions: object[]) {
  const macro = await agent.post('/macros', { name: 'Refund', actions, shared: true })
  const action = { type: 'macro', macro_id: macro.body.data.id }
  const started = await agent.post('/inbox/bulk', { ids, action })
  assert.equal(started.status, 202, started.text)
  return started.body.data.id as number
}

async function ran(agent: TestAgent, ids: readonly string[], actions: object[]) {
  const id = await begun(agent, ids, actions)
  await finished(agent, id)
  return id
}

const undo = (agent: TestAgent, id: number) => agent.post(`/inbox/bulk/${id}/undo`)

async function state(agent: TestAgent, id: string) {
  const { priority } = (await agent.get(`/inbox/${id}`)).body.data
  return { priority, tags: (await agent.get(`/conversations/${id}`)).body.data.tags }
}

async function typesOf(agent: TestAgent, id: string): Promise<string[]> {
  const { data } = (await agent.get(`/conversations/${id}/timeline?order=asc`)).body
  return data.map(({ type }: { type: string }) => type).filter((type: string) => type !== 'message')
}

onBothEngines('POST /inbox/bulk/{id}/undo', (service) => {
  it('202: leaves the agent paused where a person has answered since', async () => {
    const agent = await service.addAgent()
    const [answered = '', other = ''] = await openedBy(agent, 2)
    const id = await ran(agent, [answered, other], [{ type: 'pause_conversation' }])
    await agent.post(`/conversations/${answered}/messages`, { content: 'Eva here.' })
    const act = await finished(agent, (await undo(agent, id)).body.data.id)
    assert.deepEqual([act.changed, act.skipped], [1, [{ reason: 'changed_since', count: 1 }]])
    for (const [conversation, isPaused] of [
      [answered, true],
      [other, false],
    ] as const)
      assert.equal((await agent.get(`/conversations/${conversation}`)).body.data.agent_paused, isPaused)
  })

  it('202: undoes all that nobody has changed since, says why the rest stayed, and is the same asked twice', async () => {
    const agent = await service.addAgent()
    const [whole = '', changed = '', unneeded = '', undone = ''] = await openedBy(agent, 4)
    await agent.patch(`/conversations/${unneeded}`, { tags: { refund: true } })
    await agent.call('PUT', `/conversations/${unneeded}/priority`, { priority: 'high' })
    const id = await ran(agent, [whole, changed, unneeded, undone], REFUND)
    const before = (await agent.get(`/inbox/bulk/${id}`)).body.data
    assert.deepEqual([before.can_undo, before.undone_by], [true, null])
    await agent.call('PUT', `/conversations/${changed}/priority`, { priority: 'low' })
    const runs = (await agent.get(`/inbox/bulk/${id}/runs`)).body.data
    const single = runs.find((run: { conversation_id: string }) => run.conversation_id === undone)
    await agent.post(`/conversations/${undone}/macro-runs/${single.id}/undo`)

    const answers = await Promise.all([undo(agent, id), undo(agent, id)])
    const [started] = answers
    for (const { status, body, text } of answers) {
      assert.equal(status, 202, text)
      assert.equal(body.data.id, started?.body.data.id, 'asked at the same time')
    }
    assert.deepEqual(started?.body.data.action, { type: 'undo_macro', bulk_act: id })
    const act = await finished(agent, started?.body.data.id)
    assert.deepEqual(
      [act.state, act.matched, act.done, act.changed, act.can_undo],
      ['done', 3, 3, 1, false],
      'the one that was undone by itself is none of them',
    )
    assert.deepEqual(act.skipped, [
      { reason: 'changed_since', count: 1 },
      { reason: 'nothing_to_undo', count: 1 },
    ])
    assert.deepEqual(await state(agent, whole), { priority: 'normal', tags: {} })
    assert.deepEqual(await state(agent, changed), { priority: 'low', tags: {} })
    assert.deepEqual(await state(agent, unneeded), { priority: 'high', tags: { refund: true } })
    assert.deepEqual(await typesOf(agent, whole), ['macro', 'macro_undone'])
    assert.deepEqual(await typesOf(agent, unneeded), ['tagged', 'prioritized', 'macro'])
    const again = await undo(agent, id)
    assert.equal(again.status, 202)
    assert.deepEqual(again.body.data, act, 'asked once more')
    const after = (await agent.get(`/inbox/bulk/${id}`)).body.data
    assert.deepEqual([after.can_undo, after.undone_by], [false, act.id])
    const line = (await agent.get(`/conversations/${whole}/timeline`)).body.data[0]
    assert.deepEqual([line.type, line.by.kind, line.details.bulk_act], ['macro_undone', 'token', id])
    const { data } = (await agent.get(`/inbox/bulk/${act.id}/runs`)).body
    const stepsOf = (id: string) =>
      data
        .find((run: { conversation_id: string }) => run.conversation_id === id)
        .actions.map(({ undone }: { undone: boolean | null }) => undone)
    assert.deepEqual(stepsOf(whole), [true, true])
    assert.deepEqual(stepsOf(changed), [true, false])
    const audit = (await agent.get('/audit?action=macro.undone')).body.data
    assert.deepEqual(
      audit.map(({ details }: { details: object }) => details),
      [{ bulk_act: act.id, macro: before.action.macro_id, undoes: id }, { macro: before.action.macro_id }],
    )
  })

  it('202: each undoes what they may see; what they left, somebody else may', async () => {
    const agent = await service.addAgent()
    const { teamId, agentId } = agent
    const owner = await signInNew(service.app, { teamId, right: 'own' })
    const ada = await signInNew(service.app, { teamId, right: 'respond' })
    const [hers = '', other = ''] = await openedBy(agent, 2)
    await agent.call('PUT', `/conversations/${hers}/assignee`, { operator_id: ada.operatorId })
    await owner.call('PATCH', `/operators/${ada.operatorId}`, { scope: 'own' })
    const id = await ran(agent, [hers, other], REFUND)
    const byAda = () => ada.call('POST', `/agents/${agentId}/inbox/bulk/${id}/undo`)
    const first = (await byAda()).body.data
    const half = await finished(agent, first.id)
    assert.deepEqual([half.matched, half.changed], [2, 1])
    assert.deepEqual(half.skipped, [{ reason: 'outside_scope', count: 1 }])
    assert.deepEqual(await state(agent, other), { priority: 'high', tags: { refund: true } })
    assert.equal((await byAda()).body.data.id, first.id)
    const rest = await finished(agent, (await undo(agent, id)).body.data.id)
    assert.notEqual(rest.id, first.id)
    assert.deepEqual([rest.matched, rest.changed, rest.skipped], [1, 1, []])
    for (const id of [hers, other])
      assert.deepEqual(await state(agent, id), { priority: 'normal', tags: {} }, id)
  })

  it('404 and 409', async () => {
    const agent = await service.addAgent()
    const ids = await openedBy(agent, 1)
    const stranger = await service.addAgent({ teamId: agent.teamId })
    const id = await ran(agent, ids, REFUND)
    assertError(await undo(stranger, id), 404, 'bulk_act_not_found')
    for (const unknown of ['999999', 'x', '0'])
      assertError(await agent.post(`/inbox/bulk/${unknown}/undo`), 404, 'bulk_act_not_found')
    const ended = (await agent.post('/inbox/bulk', { ids, action: { type: 'end' } })).body.data.id
    await finished(agent, ended)
    assertError(await undo(agent, ended), 409, 'bulk_act_final')
    const undoing = (await undo(agent, id)).body.data.id
    await finished(agent, undoing)
    assertError(await undo(agent, undoing), 409, 'bulk_act_final')
  })
})

type Outbound = Parameters<typeof runBulkActs>[0]['outbound']

const CALLS_NOBODY = { of: () => ({}) } as unknown as Outbound

/** Starts a worker of bulk acts. */
function startWorker(service: Service, clock: () => number, outbound = CALLS_NOBODY) {
  const { database, box } = service.app.app.foundation
  const { log: logger } = service.app.app.server
  const lessons = { disliked: async () => {}, handedOff: async () => {}, ended: async () => {} }
  const worker = runBulkActs({ outbound, box, database, clock, logger, lessons })
  worker.start()
  return worker
}

/** Works bulk acts until one has finished, by workers that are stopped after some work. Returns the number of those. */
async function workInterrupted(service: Service, agent: TestAgent, id: number, readsOfEach: number) {
  const { clock } = service.app.app.foundation
  const isFinished = async () => (await agent.get(`/inbox/bulk/${id}`)).body.data.finished_at !== null
  let round = 0
  for (; !(await isFinished()); round++) {
    let stopped: Promise<void> | undefined
    let reads = 0
    // Each worker begins when the lease of the one before has run out, and reads the clock for each action.
    const readClock = () => {
      if (++reads === readsOfEach) stopped = worker.stop(0)
      return clock() + round * 60_000
    }
    const worker = startWorker(service, readClock)
    while (!stopped && !(await isFinished())) await pause()
    await (stopped ?? worker.stop(0))
  }
  return round
}

onBothEngines(
  'a macro in a bulk act whose worker is stopped',
  (service) => {
    it('stops behind a call whose outcome nobody knows, if it stops behind one that fails', async () => {
      const agent = await service.addAgent()
      const ids = await openedBy(agent, 1)
      const call = { type: 'call_webhook', url: 'http://crm.example/' }
      const calls: string[] = []
      const outcomes = async (on_failure: string) => {
        const id = await begun(agent, ids, [
          { ...call, on_failure },
          { type: 'tag', tag: on_failure },
        ])
        const asked = Promise.withResolvers<void>()
        const request = () => {
          calls.push(on_failure)
          asked.resolve()
          return new Promise((_, reject) => setImmediate(() => reject(new Error('stopped'))))
        }
        const outbound = { of: () => ({ request }) } as unknown as Outbound
        const worker = startWorker(service, service.app.app.foundation.clock, outbound)
        await asked.promise
        await worker.stop(0)
        await workInterrupted(service, agent, id, Number.POSITIVE_INFINITY)
        assert.deepEqual((await finished(agent, id)).skipped, [{ reason: 'macro_failed', count: 1 }])
        const [run] = (await agent.get(`/inbox/bulk/${id}/runs?failed=true`)).body.data
        return run.actions.map(({ outcome }: { outcome: string }) => outcome)
      }
      assert.deepEqual(await outcomes('stop'), ['unknown', 'skipped'])
      assert.deepEqual(await outcomes('continue'), ['unknown', 'done'])
      assert.deepEqual(calls, ['stop', 'continue'], 'each is called once')
    })

    it('409: more acts than may be under way; one that has not finished, until it has', async () => {
      const agent = await service.addAgent()
      const ids = await openedBy(agent, 1)
      const id = await begun(agent, ids, REFUND)
      assertError(await undo(agent, id), 409, 'bulk_act_unfinished')
      await workInterrupted(service, agent, id, Number.POSITIVE_INFINITY)
      const act = { filter: { view: 'open' }, action: { type: 'end' } }
      for (let open = 0; open < 20; open++) assert.equal((await agent.post('/inbox/bulk', act)).status, 202)
      assertError(await undo(agent, id), 409, 'too_many_bulk_acts')
      await service.app.app.foundation.database.db.deleteFrom('bulk_acts').execute()
    })

    it('goes on where it was, and undoes each run once', async () => {
      const agent = await service.addAgent()
      const ids = await openedBy(agent, 12)
      const id = await begun(agent, ids, REFUND)
      await workInterrupted(service, agent, id, Number.POSITIVE_INFINITY)
      const undoing = (await undo(agent, id)).body.data.id
      const rounds = await workInterrupted(service, agent, undoing, 8)
      assert.ok(rounds > 3, `it was stopped ${rounds} times`)
      const act = await finished(agent, undoing)
      assert.deepEqual([act.state, act.matched, act.done, act.changed], ['done', 12, 12, 12])
      for (const id of ids) {
        assert.deepEqual(await state(agent, id), { priority: 'normal', tags: {} }, id)
        assert.deepEqual(await typesOf(agent, id), ['macro', 'macro_undone'], id)
      }
      const { db } = service.app.app.foundation.database
      await db.updateTable('bulk_acts').set({ state: 'failed' }).where('id', '=', undoing).execute()
      const again = await undo(agent, id)
      assert.equal(again.status, 202, again.text)
      assert.notEqual(again.body.data.id, undoing, 'one that failed can be tried again')
      await workInterrupted(service, agent, again.body.data.id, Number.POSITIVE_INFINITY)
      assert.equal((await finished(agent, again.body.data.id)).matched, 0)
    })
  },
  { PARLEY_ROLES: 'api' },
)
