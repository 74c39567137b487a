import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { assertError } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('GET /conversations/{id}, /pause, /resume, /end and /reopen', (service) => {
  it('GET 200: by UUID in either case of its letters, and by external id', async () => {
    const agent = await service.addAgent()
    const { conversation_id: id } = await agent.prompt('hello', { external_id: 'ticket/7 ünïcode ?' })
    const found = await agent.get(`/conversations/${id}`)
    assert.equal(found.status, 200)
    assert.equal(found.body.data.id, id)
    assert.deepEqual(found.body.data, (await agent.get('/conversations')).body.data[0])
    assert.deepEqual((await agent.get(`/conversations/${id.toUpperCase()}`)).body, found.body)
    const byExternalId = await agent.get(`/conversations/${encodeURIComponent('ticket/7 ünïcode ?')}`)
    assert.deepEqual(byExternalId.body, found.body)
  })

  it("POST /chat/completions 400: an external id that is a conversation's UUID; any other UUID is taken", async () => {
    const agent = await service.addAgent()
    const { conversation_id: id } = await agent.prompt('first')
    const messages = [{ role: 'user', content: 'second' }]
    for (const external_id of [id, id.toUpperCase()]) {
      for (const body of [
        { messages, external_id },
        { messages, metadata: { external_id } },
      ]) {
        const answer = await agent.post('/chat/completions', body)
        assertError(answer, 400, 'invalid_request')
        assert.equal(answer.body.error.param, 'external_id')
      }
    }
    assert.equal((await agent.get('/conversations')).body.total, 1)
    const external_id = randomUUID()
    const other = await agent.prompt('hello', { external_id })
    assert.equal((await agent.get(`/conversations/${external_id}`)).body.data.id, other.conversation_id)
  })

  it('POST /chat/completions 400: ids that no path can carry', async () => {
    const agent = await service.addAgent()
    const messages = [{ role: 'user', content: 'hello' }]
    for (const id of ['.', '..']) {
      for (const [fields, param] of [
        [{ external_id: id }, 'external_id'],
        [{ metadata: { external_id: id } }, 'metadata.external_id'],
        [{ user: id }, 'user'],
      ] as const) {
        const answer = await agent.post('/chat/completions', { messages, ...fields })
        assertError(answer, 400, 'invalid_request')
        assert.equal(answer.body.error.param, param)
      }
    }
    assert.equal((await agent.get('/conversations')).body.total, 0)
  })

  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/messages'],
    ['POST', '/pause'],
    ['POST', '/resume'],
    ['POST', '/end'],
    ['POST', '/reopen'],
  ] as const) {
    it(`${method} ${path} 404: unknown, another agent's, another team's`, async () => {
      const agent = await service.addAgent()
      const colleague = await service.addAgent({ teamId: agent.teamId })
      const stranger = await service.addAgent()
      const external_id = `case-${method}${path}`.replace('/', '-')
      const mine = await agent.prompt('hello', { external_id })
      for (const other of [colleague, stranger]) {
        for (const id of [
          mine.conversation_id,
          external_id,
          'unknown',
          '%00',
          '019d0000-0000-7000-8000-000000000000',
        ]) {
          assertError(await other.call(method, `/conversations/${id}${path}`), 404, 'conversation_not_found')
        }
      }
      const { data } = (await agent.get(`/conversations/${external_id}`)).body
      assert.deepEqual([data.agent_paused, data.ended_at], [false, null])
    })

    it(`${method} ${path} 403: without credentials`, async () => {
      const { conversation_id } = await service.app.agent.prompt('hello')
      const headers = { authorization: 'Bearer nonsense' }
      const answer = await service.app.agent.call(
        method,
        `/conversations/${conversation_id}${path}`,
        undefined,
        headers,
      )
      assertError(answer, 403, 'invalid_credentials')
    })
  }

  it('POST pause 200, again, resume 200, again: times are set once a change', async () => {
    const agent = await service.addAgent()
    const { conversation_id: id } = await agent.prompt('hello')
    let time = 1_800_000_000_000
    service.clock = () => time
    const state = async (verb: string) => {
      time += 1000
      const { status, body } = await agent.post(`/conversations/${id}/${verb}`)
      assert.equal(status, 200)
      assert.deepEqual(body, (await agent.get(`/conversations/${id}`)).body)
      return [body.data.agent_paused, body.data.agent_paused_at, body.data.agent_resumed_at]
    }
    const [first, third, fifth] = [1, 3, 5].map((n) => new Date(1_800_000_000_000 + n * 1000).toISOString())
    assert.deepEqual(await state('pause'), [true, first, null])
    assert.deepEqual(await state('pause'), [true, first, null])
    assert.deepEqual(await state('resume'), [false, first, third])
    assert.deepEqual(await state('resume'), [false, first, third])
    assert.deepEqual(await state('pause'), [true, fifth, third])
  })

  it('POST resume 200: one that was never paused stays as it is', async () => {
    const agent = await service.addAgent()
    const { conversation_id: id } = await agent.prompt('hello')
    const { data } = (await agent.post(`/conversations/${id}/resume`)).body
    assert.deepEqual([data.agent_paused, data.agent_resumed_at], [false, null])
  })

  it('POST pause 200: other conversations and the agent itself stay as they are', async () => {
    const agent = await service.addAgent()
    const { conversation_id: paused } = await agent.prompt('one')
    const { conversation_id: other } = await agent.prompt('two')
    await agent.post(`/conversations/${paused}/pause`)
    assert.equal((await agent.get(`/conversations/${other}`)).body.data.agent_paused, false)
    assert.equal((await agent.get('/agent')).body.data.is_paused, false)
  })

  it('POST end 200: ended_at is set once; the next prompt opens the conversation again', async () => {
    const agent = await service.addAgent()
    const { conversation_id: id } = await agent.prompt('hello')
    const ended = await agent.post(`/conversations/${id}/end`)
    assert.equal(ended.status, 200)
    assert.match(ended.body.data.ended_at, /^\d{4}-.*Z$/)
    service.clock = () => Date.now() + 60_000
    assert.deepEqual((await agent.post(`/conversations/${id}/end`)).body, ended.body)
    const { counts } = (await agent.get('/inbox')).body
    const reopened = await agent.post(`/conversations/${id}/reopen`)
    assert.deepEqual([reopened.status, reopened.body.data], [200, { ...ended.body.data, ended_at: null }])
    assert.deepEqual((await agent.post(`/conversations/${id}/reopen`)).body, reopened.body)
    assert.equal((await agent.get('/inbox')).body.counts.open, counts.open + 1)
    const { data } = (await agent.get(`/conversations/${id}/timeline?order=asc`)).body
    assert.equal(data.filter(({ type }: { type: string }) => type === 'reopened').length, 1)
    await agent.prompt('I am back', { conversation_id: id })
    assert.equal((await agent.get(`/conversations/${id}`)).body.data.ended_at, null)
  })

  it('POST 200: any body of any content type is taken', async () => {
    const agent = await service.addAgent()
    const { conversation_id: id } = await agent.prompt('hello')
    for (const [type, body] of [
      ['application/json', ''],
      ['application/json', '{broken'],
      ['text/plain', 'x'],
      ['nonsense', 'x'],
    ] as const) {
      const { status } = await agent.post(`/conversations/${id}/pause`, body, { 'content-type': type })
      assert.equal(status, 200, type)
    }
  })
})
