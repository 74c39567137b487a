import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('PUT /conversations/{id}/outcome', (service) => {
  const opened = async (agent: TestAgent) => (await agent.prompt('Where is my parcel?')).conversation_id
  const entry = async (agent: TestAgent, id: string) => (await agent.get(`/inbox/${id}`)).body.data
  async function ended(agent: TestAgent, id: string) {
    const { status, text } = await agent.post(`/conversations/${id}/end`)
    assert.equal(status, 200, text)
    return (await entry(agent, id)).outcome
  }
  /** The lines of a timeline that tell of its end, oldest first. */
  async function told(agent: TestAgent, id: string) {
    const { data } = (await agent.get(`/conversations/${id}/timeline?order=asc`)).body
    return data
      .filter(({ type }: { type: string }) => ['ended', 'outcome', 'reopened'].includes(type))
      .map(({ type, by, details }: Record<string, Record<string, unknown>>) => [type, by?.kind, details])
  }
  const say = (agent: TestAgent, id: string, content: string) =>
    agent.post(`/conversations/${id}/messages`, { content })
  const write = (agent: TestAgent, id: string) => agent.prompt('And now?', { conversation_id: id })

  it('200: it ends a conversation, or changes how one ended; one line each, and the audit tells who', async () => {
    const agent = await service.addAgent()
    const id = await opened(agent)
    const { body } = await agent.put(`/conversations/${id}/outcome`, { outcome: 'resolved' })
    const { ended_at, outcome_by, ...shown } = body.data
    assert.deepEqual(shown, { conversation_id: id, outcome: 'resolved' })
    assert.equal(outcome_by.kind, 'token')
    for (const _ of ['set', 'set once more'])
      await agent.put(`/conversations/${id}/outcome`, { outcome: 'abandoned' })
    const now = await entry(agent, id)
    assert.deepEqual([now.outcome, now.ended_at], ['abandoned', ended_at], 'it ended when it ended')
    await agent.post(`/conversations/${id}/reopen`)
    const again = await entry(agent, id)
    assert.deepEqual([again.outcome, again.outcome_by, again.ended_at], [null, null, null])
    assert.deepEqual(await told(agent, id), [
      ['ended', 'token', { outcome: 'resolved' }],
      ['outcome', 'token', { outcome: 'abandoned' }],
      ['reopened', 'token', {}],
    ])
    const { data: acts } = (await agent.get('/audit')).body
    const audited = acts.filter(({ details }: { details: object | null }) => details && 'outcome' in details)
    assert.deepEqual(
      audited.map(({ action, details }: Record<string, unknown>) => [action, details]),
      [
        ['conversation.outcome_set', { outcome: 'abandoned' }],
        ['conversation.ended', { outcome: 'resolved' }],
      ],
    )
  })

  it('400, 404: only the five outcomes, only conversations of the agent', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    const path = `/conversations/${await opened(agent)}/outcome`
    for (const outcome of ['solved', null, undefined])
      assertError(await agent.put(path, { outcome }), 400, 'invalid_request')
    assertError(await other.put(path, { outcome: 'resolved' }), 404, 'conversation_not_found')
    assertError(await agent.get('/inbox?outcome=solved'), 400, 'invalid_request')
  })

  it('who ends it without an outcome leaves it to what happened', async () => {
    const agent = await service.addAgent()
    const [answered, asked, failed, taken, later, alone] = await Promise.all(
      Array.from({ length: 6 }, () => opened(agent)),
    )
    assert.ok(answered && asked && failed && taken && later && alone)
    assert.equal(await ended(agent, answered), 'assumed')
    await agent.post(`/conversations/${asked}/wait`)
    assert.equal(await ended(agent, asked), 'abandoned')
    await agent.post(`/conversations/${failed}/wait`, { reason: 'unanswered' })
    assert.equal(await ended(agent, failed), 'unanswered')
    await say(agent, taken, 'It is on its way.')
    assert.equal(await ended(agent, taken), 'handed_off')
    // Its user asks once more, and nobody comes: a token is no person.
    await say(agent, later, 'It is on its way.')
    await write(agent, later)
    assert.equal(await ended(agent, later), 'abandoned')
    await write(agent, taken)
    assert.equal((await entry(agent, taken)).outcome, null, 'its user has opened it again')
    await agent.post(`/conversations/${taken}/resume`)
    await write(agent, taken)
    assert.equal(await ended(agent, taken), 'assumed', 'people had it before it was opened again')
    assert.equal((await told(agent, taken)).length, 3)
  })

  it('200: the inbox is filtered by it, counted by it, and exports have it', async () => {
    const agent = await service.addAgent()
    const [solved = '', other = ''] = [await opened(agent), await opened(agent)]
    await opened(agent)
    await agent.put(`/conversations/${solved}/outcome`, { outcome: 'resolved' })
    await agent.put(`/conversations/${other}/outcome`, { outcome: 'unanswered' })
    for (const view of ['ended', 'all']) {
      const { data } = (await agent.get(`/inbox?view=${view}&outcome=resolved`)).body
      assert.deepEqual(
        data.map(({ id }: { id: string }) => id),
        [solved],
        view,
      )
      const { data: counted } = (await agent.get(`/inbox/bulk/count?view=${view}&outcome=resolved`)).body
      assert.deepEqual(counted, { open: 0, ended: 1 }, view)
    }
    const exported = async (format: string) => {
      const { headers } = agent
      return (await fetch(`${agent.baseUrl}/export?format=${format}`, { headers })).text()
    }
    const lines = (await exported('jsonl')).split('\n')
    const outcomes = lines
      .filter((line) => line.startsWith('{"type":"conversation"'))
      .map((line) => JSON.parse(line).outcome)
    assert.deepEqual(outcomes, ['resolved', 'unanswered', null])
    const [header = '', first = ''] = (await exported('csv')).split('\r\n')
    assert.equal(first.split(',')[header.split(',').indexOf('outcome')], 'resolved')
  })
})
