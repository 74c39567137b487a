import assert from 'node:assert/strict'
import { it } from 'node:test'
import { timestamp } from '../../src/lib/clock.ts'
import { whoIsAvailable } from '../../src/operators/availability.ts'
import { writeConversation } from '../../src/transcripts/conversations/store.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { signInNew } from '../support/console.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('the groups of a team', (service) => {
  /** An agent, a person who owns its team, and the calls of both. */
  async function team() {
    const agent = await service.addAgent()
    const owner = await signInNew(service.app, { teamId: agent.teamId, right: 'own' })
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const desk = (method: string, path: string, body?: unknown) =>
      person.call(method, `/agents/${agent.agentId}${path}`, body)
    return { agent, owner, person, desk }
  }

  const opened = async (agent: TestAgent) => (await agent.prompt('Where is my parcel?')).conversation_id

  it('201, 200, 204: a group is added, listed, changed and deleted by who owns the team', async () => {
    const { agent, owner, person } = await team()
    const values = { name: 'Sales', operators: [person.operatorId], agents: [agent.agentId] }
    const added = await owner.call('POST', '/groups', { ...values, assignment: 'round_robin', at_once: 3 })
    assert.equal(added.status, 201, added.text)
    const { id, created_at, version, ...rest } = added.body.data
    assert.deepEqual(rest, { ...values, assignment: 'round_robin', at_once: 3, hours: null })
    assert.match(created_at, /Z$/)
    assert.deepEqual((await person.call('GET', '/groups')).body.data, [added.body.data])
    const changed = await owner.call('PATCH', `/groups/${id}`, { operators: [], at_once: null, version })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual([changed.body.data.operators, changed.body.data.at_once], [[], null])
    assertError(await owner.call('PATCH', `/groups/${id}`, { name: 'Old', version }), 409, 'version_outdated')
    const acts = (await owner.call('GET', '/audit')).body.data.map(({ action }: { action: string }) => action)
    assert.ok(acts.includes('group.added') && acts.includes('group.changed'))
    assert.equal((await owner.call('DELETE', `/groups/${id}`)).status, 204)
    assert.deepEqual((await owner.call('GET', '/groups')).body.data, [])
    assertError(await owner.call('DELETE', `/groups/${id}`), 404, 'group_not_found')
    assertError(await owner.call('PATCH', `/groups/${id}`, { name: 'Sales' }), 404, 'group_not_found')
  })

  it('400, 403, 409: people and agents of other teams, others than owners, and a name twice are refused', async () => {
    const { owner, person } = await team()
    const other = await team()
    const add = (body: object) => owner.call('POST', '/groups', { name: 'Sales', ...body })
    for (const [field, body] of [
      ['operators', { operators: [other.person.operatorId] }],
      ['agents', { agents: [other.agent.agentId] }],
      ['at_once', { at_once: 0 }],
      ['name', { name: ' ' }],
    ] as const) {
      const refused = await add(body)
      assertError(refused, 400, 'invalid_request')
      assert.equal(refused.body.error.param, field)
    }
    assertError(await person.call('POST', '/groups', { name: 'Sales' }), 403, 'insufficient_right')
    assert.equal((await add({})).status, 201)
    assertError(await add({}), 409, 'group_name_taken')
    assert.equal((await other.owner.call('POST', '/groups', { name: 'Sales' })).status, 201)
  })

  it('a conversation is given to a group and to a person, each by itself; both are in inbox, filter and timeline', async () => {
    const { agent, owner, person, desk } = await team()
    const other = (await owner.call('POST', '/groups', { name: 'Sales', agents: [agent.agentId] })).body.data
    const group = (await owner.call('POST', '/groups', { name: 'Support' })).body.data
    const [id, another] = [await opened(agent), await opened(agent)]
    const put = (body: object) => desk('PUT', `/conversations/${id}/assignee`, body)
    const name = { id: group.id, name: 'Support' }
    const assignee = { id: person.operatorId, name: 'Test Person' }
    assert.deepEqual((await put({ group_id: group.id })).body.data, {
      conversation_id: id,
      assignee: null,
      group: name,
    })
    assert.deepEqual((await put({ operator_id: person.operatorId })).body.data, {
      conversation_id: id,
      assignee,
      group: name,
    })
    assert.deepEqual((await desk('GET', `/inbox/${id}`)).body.data.group, name)
    for (const view of ['open', 'all', 'mine', 'ended', 'unassigned', 'waiting']) {
      const found = (await desk('GET', `/inbox?view=${view}&group=${group.id}`)).body.data
      const wanted = ['open', 'all', 'mine'].includes(view) ? [id] : []
      assert.deepEqual(
        found.map((item: { id: string }) => item.id),
        wanted,
        view,
      )
    }
    const counted = await desk('GET', `/inbox/bulk/count?view=all&group=${group.id}`)
    assert.deepEqual(counted.body.data, { open: 1, ended: 0 })
    const lines = (await desk('GET', `/conversations/${id}/timeline`)).body.data
    const told = lines.flatMap(({ type, details }: { type: string; details: unknown }) =>
      type === 'assigned' ? [details] : [],
    )
    assert.deepEqual(told, [{ operator: assignee }, { group: name }])
    assert.deepEqual((await put({ group_id: null, operator_id: null })).body.data, {
      conversation_id: id,
      assignee: null,
      group: null,
    })
    assertError(await put({}), 400, 'invalid_request')
    assertError(await put({ group_id: group.id + 1000 }), 400, 'invalid_request')
    const action = { type: 'assign', group_id: other.id }
    const act = await desk('POST', '/inbox/bulk', { ids: [id, another], action })
    assert.equal(act.status, 202, act.text)
    await becomes(async () => (await desk('GET', `/inbox?group=${other.id}`)).body.data.length, 2)
    assertError(
      await desk('POST', '/inbox/bulk', { ids: [id], action: { type: 'assign' } }),
      400,
      'invalid_request',
    )
  })

  it('a conversation that begins to wait gets the group of its agent, if exactly one fits', async () => {
    const { agent, owner, desk } = await team()
    const wait = async () => {
      const id = await opened(agent)
      await agent.post(`/conversations/${id}/wait`)
      return (await desk('GET', `/inbox/${id}`)).body.data.group?.name ?? null
    }
    assert.equal(await wait(), null)
    const second = await service.addAgent({ teamId: agent.teamId })
    await owner.call('POST', '/groups', { name: 'Other', agents: [second.agentId] })
    assert.equal(await wait(), null)
    await owner.call('POST', '/groups', { name: 'Mine', agents: [agent.agentId] })
    assert.equal(await wait(), 'Mine')
    await owner.call('POST', '/groups', { name: 'All' })
    assert.equal(await wait(), null)
  })

  it('conversations of a deleted group are in none, and who is removed is in no group', async () => {
    const { agent, owner, person, desk } = await team()
    const add = async (name: string) =>
      (await owner.call('POST', '/groups', { name, operators: [person.operatorId] })).body.data.id
    const [group, kept, third] = [await add('Sales'), await add('Support'), await add('Other')]
    const [open, ended] = [await opened(agent), await opened(agent)]
    for (const id of [open, ended]) await desk('PUT', `/conversations/${id}/assignee`, { group_id: group })
    await agent.post(`/conversations/${ended}/end`)
    await owner.call('DELETE', `/groups/${group}`)
    const inGroup = async () => (await desk('GET', `/inbox?view=all&group=${group}`)).body.data.length
    await becomes(inGroup, 0)
    // A transaction that read the group before commits after that.
    const { database } = service.app.app.foundation
    await database.db.transaction().execute((db) => writeConversation(db, open, { group_id: group }))
    await owner.call('DELETE', `/groups/${kept}`)
    await becomes(inGroup, 0)
    await owner.call('DELETE', `/operators/${person.operatorId}`)
    const [left] = (await owner.call('GET', '/groups')).body.data
    assert.deepEqual([left.id, left.operators], [third, []])
  })

  it('a conversation that waits in a group goes to who is available, when they have room, and stays theirs', async () => {
    const { agent, owner, person, desk } = await team()
    const available = (available: boolean) => person.call('PUT', '/availability', { available })
    const values = { name: 'Support', operators: [person.operatorId], assignment: 'least_loaded', at_once: 1 }
    assert.equal((await owner.call('POST', '/groups', values)).status, 201)
    const away = { available: false, until: null, groups: 1 }
    assert.deepEqual((await person.call('GET', '/availability')).body.data, away)
    const [first, second, third] = [await opened(agent), await opened(agent), await opened(agent)]
    for (const id of [first, second]) await agent.post(`/conversations/${id}/wait`)
    const assignee = async (id: string) => (await desk('GET', `/inbox/${id}`)).body.data.assignee?.id ?? null
    const here = await available(true)
    assert.equal(here.status, 200, here.text)
    assert.deepEqual([here.body.data.available, here.body.data.groups], [true, 1])
    assert.match(here.body.data.until, /Z$/)
    await becomes(() => assignee(first), person.operatorId)
    assert.equal(await assignee(second), null)
    await desk('POST', `/conversations/${first}/end`)
    await becomes(() => assignee(second), person.operatorId)
    assert.deepEqual((await available(false)).body.data, away)
    await agent.post(`/conversations/${third}/wait`)
    await desk('POST', `/conversations/${second}/resume`)
    assert.equal(await assignee(third), null)
    await available(true)
    await becomes(() => assignee(third), person.operatorId)
    const told = (await desk('GET', `/conversations/${third}/timeline`)).body.data
    const [line] = told.filter(({ type }: { type: string }) => type === 'assigned')
    assert.deepEqual([line.by.kind, line.details.operator.id], ['system', person.operatorId])
    assert.equal((await person.call('DELETE', '/session')).status, 204)
    const reader = await signInNew(service.app, { teamId: agent.teamId, right: 'read' })
    assertError(await reader.call('PUT', '/availability', { available: true }), 403, 'insufficient_right')
  })

  it('nobody is given conversations whose account is reset or disabled, or lacks a required second factor', async () => {
    const { agent, owner, person } = await team()
    const { db } = service.app.app.foundation.database
    const colleague = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const [one, other] = [person.operatorId, colleague.operatorId]
    for (const { call } of [person, colleague]) await call('PUT', '/availability', { available: true })
    const here = () => whoIsAvailable(db, [one, other], timestamp(service.clock()))
    assert.deepEqual(await here(), [one, other])
    await db.updateTable('teams').set({ require_two_factor: 1 }).where('id', '=', agent.teamId).execute()
    assert.deepEqual(await here(), [])
    await db.updateTable('teams').set({ require_two_factor: 0 }).where('id', '=', agent.teamId).execute()
    assert.equal((await owner.call('POST', `/operators/${one}/reset`)).status, 200)
    assert.deepEqual(await here(), [other])
    for (const active of [false, true])
      assert.equal((await owner.call('PATCH', `/operators/${other}`, { active })).status, 200)
    assert.deepEqual(await here(), [])
  })
})
