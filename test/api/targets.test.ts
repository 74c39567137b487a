import assert from 'node:assert/strict'
import { it } from 'node:test'
import { RECOUNTS } from '../../src/targets/store.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { becomes, until } from '../support/becomes.ts'
import { signInNew } from '../support/console.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { refuse } from '../support/poisoned.ts'
import { tryAgain } from '../support/try-again.ts'

const MINUTE_MS = 60_000
/** A Thursday. */
const NOON = Date.parse('2026-11-26T12:00:00Z')
const HOURS = {
  time_zone: 'Europe/Berlin',
  week: [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }],
  holidays: [],
}

onBothEngines('targets of time', (service) => {
  /** Lets it be so many minutes after noon. */
  const at = (minutes: number) => {
    service.clock = () => NOON + minutes * MINUTE_MS
  }
  const iso = (minutes: number) => new Date(NOON + minutes * MINUTE_MS).toISOString()
  const add = async (agent: TestAgent, target: object) => {
    const { status, text, body } = await agent.post('/targets', { name: 'Fast', ...target })
    assert.equal(status, 201, text)
    return body.data
  }
  async function waiting(agent: TestAgent, content = 'Where is my parcel?') {
    const { conversation_id: id } = await agent.prompt(content)
    await agent.post(`/conversations/${id}/wait`)
    return id
  }
  const due = async (agent: TestAgent, id: string) => {
    const { due } = (await agent.get(`/inbox/${id}`)).body.data
    return due && [due.kind, due.state, due.at]
  }
  const answer = (agent: TestAgent, id: string) =>
    agent.post(`/conversations/${id}/messages`, { content: 'I will look.' })
  const told = async (agent: TestAgent, id: string) =>
    (await agent.get(`/conversations/${id}/timeline?order=asc`)).body.data
      .filter(({ type }: { type: string }) => type.startsWith('target_'))
      .map(({ type, details }: { type: string; details: Record<string, unknown> }) => {
        const { target: _, ...rest } = details
        return [type, rest]
      })

  it('201, 200, 204: a target is added, listed in its order, changed and deleted by who manages', async () => {
    const agent = await service.addAgent()
    const [second, first] = [
      await add(agent, { name: 'Second', resolution: 60 }),
      await add(agent, { name: 'First', position: 1, first_response: 5 }),
    ]
    const { created_at, updated_at, version, ...fields } = second
    assert.deepEqual(fields, {
      ...{ id: second.id, name: 'Second', position: 100, condition: null, within_hours: true },
      ...{ first_response: null, next_response: null, resolution: 60 },
    })
    const list = async () => (await agent.get('/targets')).body.data.map(({ name }: { name: string }) => name)
    assert.deepEqual(await list(), ['First', 'Second'])
    const patched = await agent.patch(`/targets/${second.id}`, { position: 0, version })
    assert.equal(patched.status, 200, patched.text)
    assert.deepEqual(await list(), ['Second', 'First'])
    assertError(await agent.patch(`/targets/${second.id}`, { name: 'X', version }), 409, 'version_outdated')
    assert.equal((await agent.call('DELETE', `/targets/${first.id}`)).status, 204)
    assert.deepEqual(await list(), ['Second'])
    const { data: acts } = (await agent.get('/audit?action=target.added')).body
    assert.equal(acts.length, 2)
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const of = `/agents/${agent.agentId}/targets`
    assert.equal((await person.call('GET', of)).status, 200)
    assertError(await person.call('POST', of, { name: 'Mine', resolution: 1 }), 403, 'insufficient_right')
  })

  it('400, 404: minutes, conditions without evaluators, targets of the agent', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    for (const [param, body] of [
      ['first_response', { name: 'None' }],
      ['first_response', { name: 'Zero', first_response: 0 }],
      ['resolution', { name: 'Long', resolution: 366 * 24 * 60 + 1 }],
      ['name', { name: ' ', resolution: 1 }],
      [
        'condition',
        { name: 'Judged', resolution: 1, condition: { field: 'evaluator.1.passed', op: 'eq', value: true } },
      ],
    ] as const) {
      const answer = await agent.post('/targets', body)
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, param)
    }
    const { id } = await add(agent, { resolution: 1 })
    const emptied = await agent.patch(`/targets/${id}`, { resolution: null })
    assertError(emptied, 400, 'invalid_request')
    assertError(await other.patch(`/targets/${id}`, { name: 'Theirs' }), 404, 'target_not_found')
    assertError(await other.call('DELETE', `/targets/${id}`), 404, 'target_not_found')
  })

  it('clocks run while it waits, stand while its user is to write or it is snoozed, and end', async () => {
    at(0)
    const agent = await service.addAgent()
    await add(agent, { first_response: 30, next_response: 20, resolution: 60, within_hours: false })
    const id = await waiting(agent)
    assert.deepEqual(await due(agent, id), ['first_response', 'running', iso(30)])
    at(10)
    await agent.put(`/conversations/${id}/snooze`, { until: iso(500) })
    assert.deepEqual(await due(agent, id), ['first_response', 'stopped', null])
    at(20)
    await agent.put(`/conversations/${id}/snooze`, { until: null })
    assert.deepEqual(await due(agent, id), ['first_response', 'running', iso(40)])
    at(25)
    assert.equal((await answer(agent, id)).status, 200)
    assert.deepEqual(await due(agent, id), ['resolution', 'stopped', null])
    at(100)
    await agent.prompt('And now?', { conversation_id: id })
    assert.deepEqual(await due(agent, id), ['next_response', 'running', iso(120)])
    at(110)
    await answer(agent, id)
    at(200)
    await agent.prompt('Thank you!', { conversation_id: id })
    // 15 and 10 minutes have passed.
    await answer(agent, id)
    at(300)
    await agent.post(`/conversations/${id}/end`)
    assert.deepEqual((await due(agent, id)).slice(1, 2), ['met'])
    assert.deepEqual(await told(agent, id), [])
    const { db } = service.app.app.foundation.database
    const clocks = await db
      .selectFrom('target_clocks')
      .select(['kind', 'missed_at', 'ended_at'])
      .where('conversation_id', '=', id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      clocks.map(({ kind }) => kind),
      ['first_response', 'resolution', 'next_response', 'next_response'],
    )
    assert.ok(clocks.every(({ missed_at, ended_at }) => missed_at === null && ended_at !== null))
  })

  it('what goes back to the agent has none', async () => {
    at(0)
    const agent = await service.addAgent()
    await add(agent, { first_response: 30, resolution: 60, within_hours: false })
    const id = await waiting(agent)
    await agent.post(`/conversations/${id}/resume`)
    assert.equal(await due(agent, id), null)
    at(5)
    await agent.post(`/conversations/${id}/wait`)
    assert.deepEqual(await due(agent, id), ['first_response', 'running', iso(35)])
  })

  it('missed: told once, at its time; an answer later does not change it', async () => {
    at(0)
    const agent = await service.addAgent()
    await add(agent, { first_response: 30, within_hours: false })
    const id = await waiting(agent)
    at(31)
    await becomes(async () => (await due(agent, id))?.[1], 'missed')
    assert.deepEqual(await due(agent, id), ['first_response', 'missed', iso(30)])
    assert.deepEqual(await told(agent, id), [['target_missed', { kind: 'first_response', due_at: iso(30) }]])
    await answer(agent, id)
    assert.deepEqual(await due(agent, id), ['first_response', 'missed', iso(30)])
  })

  it('an answer in time is none that was late, and a late one is missed even if nobody had looked', async () => {
    at(0)
    const agent = await service.addAgent()
    await add(agent, { first_response: 30, within_hours: false })
    const [early, late] = [await waiting(agent), await waiting(agent)]
    at(29)
    await answer(agent, early)
    assert.equal((await due(agent, early))[1], 'met')
    at(30)
    await answer(agent, late)
    assert.equal((await due(agent, late))[1], 'missed')
    assert.equal((await told(agent, late)).length, 1)
  })

  it('only the hours count: those of the group, or else of the agent; changed ones count anew, and the timeline says why', async () => {
    at(0)
    const agent = await service.addAgent({ settings: { hours: HOURS } })
    const owner = await signInNew(service.app, { teamId: agent.teamId, right: 'own' })
    await add(agent, { first_response: 300 })
    const id = await waiting(agent)
    // 13:00 in Berlin: four hours today, one on Friday.
    assert.deepEqual(await due(agent, id), ['first_response', 'running', '2026-11-27T09:00:00.000Z'])
    const longer = { ...HOURS, week: [{ days: [4], from: '09:00', to: '24:00' }] }
    await agent.patch('/agent', { hours: longer })
    await becomes(async () => (await due(agent, id))[2], iso(300))
    const changes = await told(agent, id)
    assert.deepEqual(changes, [
      [
        'target_moved',
        {
          ...{ kind: 'first_response', reason: 'hours' },
          ...{ due_at: iso(300), was_due_at: '2026-11-27T09:00:00.000Z' },
        },
      ],
    ])
    const { body } = await owner.call('POST', '/groups', { name: 'Night', hours: HOURS })
    assert.deepEqual(body.data.hours, HOURS)
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const assign = `/agents/${agent.agentId}/conversations/${id}/assignee`
    await person.call('PUT', assign, { group_id: body.data.id })
    assert.equal((await due(agent, id))[2], '2026-11-27T09:00:00.000Z')
    assert.equal((await told(agent, id))[1][1].reason, 'group')
    await owner.call('PATCH', `/groups/${body.data.id}`, { hours: null })
    await becomes(async () => (await due(agent, id))[2], iso(300))
    const [target] = (await agent.get('/targets')).body.data
    await agent.patch(`/targets/${target.id}`, { first_response: 10, within_hours: false })
    await becomes(async () => (await due(agent, id))[2], iso(10))
    assert.equal((await told(agent, id)).at(-1)[1].reason, 'target')
    await agent.call('DELETE', `/targets/${target.id}`)
    await becomes(() => due(agent, id), null)
  })

  it('over the end of summer time, another time zone and back count it anew', async () => {
    // A Friday, 16:30 in Berlin and 10:30 in New York; the clocks of Berlin go back on Sunday.
    const friday = Date.parse('2026-10-23T14:30:00Z')
    service.clock = () => friday
    const agent = await service.addAgent()
    await agent.patch('/agent', { hours: HOURS })
    await add(agent, { first_response: 60 })
    const id = await waiting(agent)
    const monday = ['first_response', 'running', '2026-10-26T08:30:00.000Z']
    assert.deepEqual(await due(agent, id), monday)
    await agent.patch('/agent', { hours: { ...HOURS, time_zone: 'America/New_York' } })
    await becomes(() => due(agent, id), ['first_response', 'running', '2026-10-23T15:30:00.000Z'])
    await agent.patch('/agent', { hours: HOURS })
    await becomes(() => due(agent, id), monday)
  })

  it('the first that fits counts', async () => {
    at(0)
    const agent = await service.addAgent()
    const condition = { field: 'prompt.text', op: 'contains', value: 'invoice' }
    await add(agent, { first_response: 5, within_hours: false, condition })
    await add(agent, { first_response: 50, within_hours: false })
    assert.equal((await due(agent, await waiting(agent, 'My invoice is wrong')))[2], iso(5))
    assert.equal((await due(agent, await waiting(agent, 'Where is my parcel?')))[2], iso(50))
  })

  it('sort=due: what is due first, then the others; pages go on', async () => {
    at(0)
    const agent = await service.addAgent()
    const { conversation_id: none } = await agent.prompt('Hello')
    await add(agent, { first_response: 30, within_hours: false })
    const ids = []
    for (const minutes of [2, 1, 3]) {
      at(minutes)
      ids.push([minutes, await waiting(agent)] as const)
    }
    const inOrder = ids.toSorted(([a], [b]) => a - b).map(([, id]) => id)
    const all: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const more: string = cursor ? `&cursor=${cursor}` : ''
      const { status, body, text } = await agent.get(`/inbox?sort=due&per_page=1${more}`)
      assert.equal(status, 200, text)
      all.push(...body.data.map(({ id }: { id: string }) => id))
      cursor = body.next_cursor
    }
    assert.deepEqual(all, [...inOrder, none])
    assert.deepEqual((await agent.get('/inbox?sort=due&view=ended')).body.data, [])
  })

  it('a conversation whose clocks cannot be counted anew holds up no other, and says so', async () => {
    const agent = await service.addAgent()
    const target = await add(agent, { first_response: 30, resolution: 600 })
    const [bad, good] = [await waiting(agent), await waiting(agent)]
    const { database } = service.app.app.foundation
    await refuse(database, 'target_clocks', 'update', `new.conversation_id = '${bad}'`)
    const before = await due(agent, good)
    await agent.patch(`/targets/${target.id}`, { first_response: 60 })
    await until(async () => {
      await tryAgain(database, 'target_recounts', RECOUNTS)
      return (await due(agent, good))[2] !== before[2]
    })
    assert.equal(Date.parse((await due(agent, good))[2]) - Date.parse(before[2]), 30 * MINUTE_MS)
    await until(async () => {
      const left = await database.db
        .selectFrom('target_recounts')
        .select('due_at')
        .where('agent_id', '=', agent.agentId)
        .execute()
      return left.every(({ due_at }) => due_at === null)
    })
    const { data } = (await agent.get(`/conversations/${bad}/timeline`)).body
    const failed = data.filter(({ type }: { type: string }) => type === 'failed')
    assert.deepEqual(
      failed.map(({ details }: { details: object }) => details),
      [{ code: 'targets_not_counted' }],
    )
    assert.equal((await service.eventsOf(agent)).filter((key) => key === 'error').length, 1)
  })
})
