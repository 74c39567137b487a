import assert from 'node:assert/strict'
import { it } from 'node:test'
import { inboxViews } from '../../src/inbox/inbox-views.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('PUT /conversations/{id}/priority', (service) => {
  async function opened(agent: TestAgent, priority?: string, fields: Record<string, unknown> = {}) {
    const { conversation_id: id } = await agent.prompt('Where is my parcel?', fields)
    if (priority) {
      const { status, text } = await agent.put(`/conversations/${id}/priority`, { priority })
      assert.equal(status, 200, text)
    }
    return id
  }
  async function found(agent: TestAgent, query: string) {
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { status, body, text } = await agent.get(`/inbox?per_page=2&${query}${cursor}`)
      assert.equal(status, 200, text)
      seen.push(...body.data.map(({ id }: { id: string }) => id))
      if (body.next_cursor === null) return seen
      cursor = `&cursor=${body.next_cursor}`
    }
  }

  it('200: a conversation is normal until somebody says otherwise; timeline and audit tell of the change', async () => {
    const agent = await service.addAgent()
    const id = await opened(agent)
    const shown = async () => (await agent.get(`/inbox/${id}`)).body.data.priority
    assert.equal(await shown(), 'normal')
    for (const _ of ['set', 'set once more']) {
      const { body } = await agent.put(`/conversations/${id}/priority`, { priority: 'urgent' })
      assert.deepEqual(body, { data: { conversation_id: id, priority: 'urgent' } })
    }
    assert.equal(await shown(), 'urgent')
    const { data: lines } = (await agent.get(`/conversations/${id}/timeline`)).body
    const told = lines.filter(({ type }: { type: string }) => type === 'prioritized')
    assert.deepEqual(
      told.map(({ details }: { details: unknown }) => details),
      [{ priority: 'urgent' }],
    )
    const { data: acts } = (await agent.get('/audit')).body
    const audited = acts.filter(({ action }: { action: string }) => action === 'conversation.prioritized')
    assert.equal(audited.length, 1)
    assert.deepEqual(audited[0].details, { priority: 'urgent' })
  })

  it('400, 404: only the four priorities, only conversations of the agent', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    const id = await opened(agent)
    for (const priority of ['critical', 1, null])
      assertError(await agent.put(`/conversations/${id}/priority`, { priority }), 400, 'invalid_request')
    const path = `/conversations/${id}/priority`
    assertError(await other.put(path, { priority: 'low' }), 404, 'conversation_not_found')
    assertError(await agent.get('/inbox?priority=critical'), 400, 'invalid_request')
  })

  it('200: the inbox is filtered and ordered by it, page by page, in every view', async () => {
    const agent = await service.addAgent()
    const tags = { plan: 'pro' }
    const low = await opened(agent, 'low')
    const urgent = await opened(agent, 'urgent', { tags })
    const plain = await opened(agent)
    const high = await opened(agent, 'high')
    const second = await opened(agent, 'urgent')
    const ended = await opened(agent, 'urgent')
    await agent.post(`/conversations/${ended}/end`)
    await agent.post(`/conversations/${urgent}/wait`)
    await agent.post(`/conversations/${plain}/wait`)
    await agent.post(`/conversations/${low}/pause`)
    assert.deepEqual(await found(agent, 'sort=priority'), [second, urgent, high, plain, low])
    assert.deepEqual(await found(agent, 'sort=priority&view=waiting'), [urgent, plain])
    assert.deepEqual(await found(agent, 'sort=priority&view=paused'), [low])
    assert.deepEqual(await found(agent, 'sort=priority&view=ended'), [ended])
    assert.deepEqual(await found(agent, 'sort=priority&tag=plan:pro'), [urgent])
    assert.deepEqual(await found(agent, 'sort=priority&priority=urgent'), [second, urgent])
    assert.deepEqual(await found(agent, 'sort=waiting&priority=urgent'), [urgent, second])
    for (const view of inboxViews.filter((view) => view !== 'mine')) {
      const all = (await agent.get(`/inbox?view=${view}`)).body.data
      for (const priority of ['urgent', 'high', 'normal', 'low']) {
        const wanted = all.filter((item: { priority: string }) => item.priority === priority)
        const ids = wanted.map(({ id }: { id: string }) => id)
        assert.deepEqual(await found(agent, `view=${view}&priority=${priority}`), ids, `${view} ${priority}`)
        const { open, ended } = (await agent.get(`/inbox/bulk/count?view=${view}&priority=${priority}`)).body
          .data
        assert.equal(open + ended, ids.length, `${view} ${priority} counted`)
      }
    }
  })

  it('202: a bulk act sets it, and leaves alone what has it', async () => {
    const agent = await service.addAgent()
    const ids = [await opened(agent, 'high'), await opened(agent), await opened(agent)]
    const act = { ids, action: { type: 'priority', priority: 'high' } }
    const { body } = await agent.post('/inbox/bulk', act)
    const skipped = [{ reason: 'already_prioritized', count: 1 }]
    await becomes(
      async () => {
        const { state, changed, skipped } = (await agent.get(`/inbox/bulk/${body.data.id}`)).body.data
        return { state, changed, skipped }
      },
      { state: 'done', changed: 2, skipped },
    )
    assert.deepEqual((await found(agent, 'priority=high')).toSorted(), ids.toSorted())
  })

  it('an automation sets it', async () => {
    const agent = await service.addAgent()
    const { status, text } = await agent.post('/automations', {
      name: 'Complaints are urgent',
      actions: [{ type: 'priority', priority: 'urgent' }],
    })
    assert.equal(status, 201, text)
    const { conversation_id: id } = await agent.prompt('My parcel is broken')
    await becomes(async () => (await agent.get(`/inbox/${id}`)).body.data.priority, 'urgent')
  })
})
