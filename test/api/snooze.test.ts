import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { bySystem } from '../../src/audit/record.ts'
import { setSnooze } from '../../src/desk/snooze/snooze-conversation.ts'
import { lockConversation } from '../../src/transcripts/conversations/store.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { signInNew } from '../support/console.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const HOUR_MS = 3_600_000

onBothEngines('PUT /conversations/{id}/snooze', (service) => {
  const after = (ms: number) => new Date(service.clock() + ms).toISOString()
  const opened = async (agent: TestAgent, fields: Record<string, unknown> = {}) =>
    (await agent.prompt('Where is my parcel?', fields)).conversation_id
  const snooze = (agent: TestAgent, id: string, until: unknown) =>
    agent.put(`/conversations/${id}/snooze`, { until })
  async function snoozed(agent: TestAgent, id: string, ms = HOUR_MS) {
    const { status, text } = await snooze(agent, id, after(ms))
    assert.equal(status, 200, text)
  }
  const found = async (agent: TestAgent, view: string) =>
    (await agent.get(`/inbox?view=${view}`)).body.data.map(({ id }: { id: string }) => id)
  /** The lines of a timeline that tell of snoozing, oldest first. */
  async function told(agent: TestAgent, id: string) {
    const { data } = (await agent.get(`/conversations/${id}/timeline?order=asc`)).body
    return data
      .filter(({ type }: { type: string }) => /snoozed/.test(type))
      .map(({ type, by, details }: Record<string, Record<string, unknown>>) => [type, by?.kind, details])
  }

  it('200: it leaves the open ones for its own view, and comes back when somebody says so', async () => {
    const agent = await service.addAgent()
    const [id, other] = [await opened(agent), await opened(agent)]
    await agent.post(`/conversations/${id}/wait`)
    await agent.post(`/conversations/${id}/pause`)
    const until = after(HOUR_MS)
    const { body } = await snooze(agent, id, until)
    assert.deepEqual(body, { data: { conversation_id: id, snoozed_until: until } })
    for (const view of ['open', 'unassigned']) assert.deepEqual(await found(agent, view), [other], view)
    for (const view of ['waiting', 'paused']) assert.deepEqual(await found(agent, view), [], view)
    assert.deepEqual(await found(agent, 'snoozed'), [id])
    assert.deepEqual((await found(agent, 'all')).toSorted(), [id, other].toSorted())
    const entry = (await agent.get(`/inbox/${id}`)).body.data
    assert.equal(entry.snoozed_until, until)
    const { counts } = (await agent.get('/inbox')).body
    assert.deepEqual(counts, { waiting: 0, mine: null, unassigned: 1, open: 1, snoozed: 1 })
    assert.deepEqual((await agent.get('/inbox/bulk/count?view=snoozed')).body.data, { open: 1, ended: 0 })
    await snooze(agent, id, until)
    assert.equal((await snooze(agent, id, null)).body.data.snoozed_until, null)
    assert.deepEqual(await found(agent, 'waiting'), [id])
    assert.deepEqual(await found(agent, 'paused'), [id])
    assert.deepEqual(await told(agent, id), [
      ['snoozed', 'token', { until }],
      ['unsnoozed', 'token', {}],
    ])
    const { data: acts } = (await agent.get('/audit')).body
    const audited = acts.filter(({ action }: { action: string }) => /snoozed/.test(action))
    assert.deepEqual(
      audited.map(({ action }: { action: string }) => action),
      ['conversation.unsnoozed', 'conversation.snoozed'],
    )
  })

  it('an offset is a time like any other', async () => {
    const agent = await service.addAgent()
    const id = await opened(agent)
    const { body } = await snooze(agent, id, '2099-01-01T09:00:00+01:00')
    assert.equal(body.data.snoozed_until, '2099-01-01T08:00:00.000Z')
  })

  it('400, 404, 409: times to come alone, conversations of the agent, none that have ended', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    const id = await opened(agent)
    for (const until of [after(-1), '9999-01-01T00:00:00Z', 'tomorrow', 5, undefined]) {
      const answer = await snooze(agent, id, until)
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, 'until')
    }
    assertError(await snooze(other, id, after(HOUR_MS)), 404, 'conversation_not_found')
    await snoozed(agent, id)
    await agent.post(`/conversations/${id}/end`)
    assertError(await snooze(agent, id, after(HOUR_MS)), 409, 'conversation_ended')
    assert.deepEqual(await found(agent, 'ended'), [id])
    await agent.post(`/conversations/${id}/reopen`)
    assert.deepEqual(await found(agent, 'open'), [id], 'it is not snoozed any more')
  })

  it('comes back at its time, unread for whoever had read it, once', async () => {
    const agent = await service.addAgent()
    const id = await opened(agent)
    const me = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const of = `/agents/${agent.agentId}`
    const read = (await me.call('GET', `${of}/inbox/${id}`)).body.data.last_message.id
    await me.call('PUT', `${of}/conversations/${id}/read`, { message_id: read })
    const unread = async () => (await me.call('GET', `${of}/inbox/${id}`)).body.data.unread
    assert.equal(await unread(), false)
    await snoozed(agent, id)
    // The later time counts alone.
    await snoozed(agent, id, 2 * HOUR_MS)
    service.pass(2 * HOUR_MS)
    await becomes(() => found(agent, 'open'), [id])
    assert.equal(await unread(), true)
    const [, , last, ...more] = await told(agent, id)
    assert.deepEqual(last, ['unsnoozed', 'system', { reason: 'due' }])
    assert.deepEqual(more, [])
    assert.deepEqual((await agent.get('/inbox')).body.counts.snoozed, 0)
  })

  it("comes back with its user's next message, and its time then does nothing", async () => {
    const agent = await service.addAgent()
    const id = await opened(agent)
    await snoozed(agent, id)
    await agent.prompt('Are you there?', { conversation_id: id })
    assert.deepEqual(await found(agent, 'open'), [id])
    const back = ['unsnoozed', 'user', { reason: 'replied' }]
    assert.deepEqual((await told(agent, id)).at(-1), back)
    service.pass(HOUR_MS)
    const { db } = service.app.app.foundation.database
    const left = db.selectFrom('snoozes').select('id').where('conversation_id', '=', id)
    await becomes(() => left.execute(), [])
    assert.equal((await told(agent, id)).length, 2)
  })

  it('comes back with a message that is stored while it is put aside', async () => {
    const agent = await service.addAgent()
    const id = await opened(agent)
    const { db } = service.app.app.foundation.database
    const prompted = await db.transaction().execute(async (within) => {
      const locked = await lockConversation(within, id)
      const prompting = agent.prompt('Are you there?', { conversation_id: id })
      if (service.engine === 'postgres')
        await becomes(async () => {
          const { rows } = await sql`select 1 from pg_locks where not granted`.execute(db)
          return rows.length > 0
        }, true)
      await setSnooze(within, locked, after(HOUR_MS), after(0), bySystem)
      return { prompting }
    })
    await prompted.prompting
    assert.deepEqual(await found(agent, 'open'), [id])
    assert.deepEqual((await told(agent, id)).at(-1), ['unsnoozed', 'user', { reason: 'replied' }])
  })

  it('202: many at once; those that have ended or are snoozed until then are left alone', async () => {
    const agent = await service.addAgent()
    const ids = [await opened(agent), await opened(agent), await opened(agent)]
    const [first = '', second = ''] = ids
    const until = after(HOUR_MS)
    await snooze(agent, first, until)
    await agent.post(`/conversations/${second}/end`)
    const past = { type: 'snooze', until: after(-HOUR_MS) }
    assertError(await agent.post('/inbox/bulk', { ids, action: past }), 400, 'invalid_request')
    async function done(action: object) {
      const { body } = await agent.post('/inbox/bulk', { ids, action })
      const read = async () => (await agent.get(`/inbox/bulk/${body.data.id}`)).body.data
      await becomes(async () => (await read()).state, 'done')
      const { changed, skipped } = await read()
      return { changed, skipped }
    }
    assert.deepEqual(await done({ type: 'snooze', until }), {
      changed: 1,
      skipped: [
        { reason: 'already_snoozed', count: 1 },
        { reason: 'already_ended', count: 1 },
      ],
    })
    assert.deepEqual((await done({ type: 'snooze', until: null })).changed, 2)
    assert.deepEqual(await found(agent, 'snoozed'), [])
  })

  it('what is snoozed by somebody who is removed belongs to nobody any more', async () => {
    const agent = await service.addAgent()
    const id = await opened(agent)
    const { operatorId } = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    await agent.put(`/conversations/${id}/assignee`, { operator_id: operatorId })
    await snoozed(agent, id)
    const theirs = async () =>
      (await agent.get(`/inbox?view=snoozed&assignee=${operatorId}`)).body.data.length
    assert.equal(await theirs(), 1)
    assert.equal((await agent.call('DELETE', `/operators/${operatorId}`)).status, 204)
    await becomes(async () => (await agent.get(`/inbox/${id}`)).body.data.assignee, null)
    assert.deepEqual(await found(agent, 'snoozed'), [id])
  })
})
