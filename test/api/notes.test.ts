import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { signInNew } from '../support/console.ts'
import { filesWith } from '../support/files-with.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const SECRET = 'Quittenbrot'

onBothEngines('GET and POST /conversations/{id}/notes', (service) => {
  const conversationOf = async (agent: TestAgent) =>
    (await agent.prompt('Where is my parcel?')).conversation_id

  it('POST 201: a person notes something, with whom it mentions, and GET 200 lists it', async () => {
    const agent = await service.addAgent()
    const answer = await agent.prompt('Where is my parcel?')
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const gone = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    await agent.patch(`/operators/${gone.operatorId}`, { name: 'Gone Away', active: false })
    await agent.patch(`/operators/${person.operatorId}`, { name: 'Ada Lovelace' })
    const path = `/conversations/${answer.conversation_id}/notes`
    const text = '@ada, @Gone Away: he waits.'
    const made = await person.call('POST', `/agents/${agent.agentId}${path}`, { text })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(
      { ...made.body.data, id: 0, created_at: '' },
      {
        id: 0,
        completion_id: answer.id,
        text,
        author: 'Ada Lovelace',
        operator_id: person.operatorId,
        mentions: [{ id: person.operatorId, name: 'Ada Lovelace' }],
        created_at: '',
      },
    )
    const byToken = (await agent.post(path, { text: 'a program' })).body.data
    assert.deepEqual([byToken.author, byToken.operator_id, byToken.mentions], ['test', null, []])
    const { body } = await agent.get(path)
    assert.deepEqual([body.data, body.total], [[made.body.data, byToken], 2])
  })

  it('POST 201: it is recorded, without its text', async () => {
    const agent = await service.addAgent()
    const id = await conversationOf(agent)
    await agent.post(`/conversations/${id}/notes`, { text: SECRET })
    const { body, text } = await agent.get('/audit?action=note.added')
    assert.deepEqual(
      body.data.map(({ action, target }: Record<string, string>) => [action, target]),
      [['note.added', `conversation ${id}`]],
    )
    assert.ok(!text.includes(SECRET))
  })

  it('it reaches neither the model, nor messages, nor a web site', async () => {
    const agent = await service.addAgent()
    const site = await service.app.issue({ ...agent, right: 'chat' })
    const conversation_id = await conversationOf(agent)
    const path = `/conversations/${conversation_id}`
    assert.equal((await agent.post(`${path}/notes`, { text: SECRET })).status, 201)
    service.model.reset()
    const answer = await agent.prompt('And now?', { conversation_id })
    const asked = await service.model.request(0)
    assert.ok(!JSON.stringify(asked.body).includes(SECRET))
    assertError(await site.get(`${path}/notes`), 403, 'insufficient_right')
    assertError(await site.post(`${path}/notes`, { text: 'x' }), 403, 'insufficient_right')
    for (const place of [path, `${path}/messages`, `/chat/completions/${answer.id}`]) {
      assert.ok(!(await site.get(place)).text.includes(SECRET), place)
      assert.ok(!(await agent.get(place)).text.includes(SECRET), place)
    }
  })

  for (const mode of ['scrub', 'anonymize'] as const) {
    it(`${mode}: reaches the notes of a completion, and those added after it`, async () => {
      const agent = await service.addAgent()
      const { id, conversation_id } = await agent.prompt('Where is my parcel?')
      const path = `/conversations/${conversation_id}/notes`
      const text = `Haselhuhn ${mode}: write to ada@example.com.`
      const told = async () => (await agent.get(path)).body.data.map((note: { text: string }) => note.text)
      const redacted = mode === 'scrub' ? '[REDACTED]' : `Haselhuhn ${mode}: write to [EMAIL_ADDRESS].`
      await agent.post(path, { text })
      await agent.post(`/chat/completions/${id}/${mode}`)
      assert.deepEqual(await told(), [redacted])
      await agent.post(path, { text })
      await agent.post(`/chat/completions/${id}/${mode}`)
      assert.deepEqual(await told(), [redacted, redacted])
      if (mode === 'scrub' && service.engine === 'sqlite')
        assert.deepEqual(await filesWith(service.app.dataDir, 'Haselhuhn scrub'), [])
    })
  }

  for (const [name, body] of [
    ['no text', {}],
    ['an empty text', { text: '' }],
    ['too long a text', { text: 'a'.repeat(20_001) }],
    ['a text of another type', { text: ['x'] }],
    ['a field it does not know', { text: 'x', author: 'Grace' }],
  ] as const) {
    it(`POST 400: ${name}`, async () => {
      const agent = await service.addAgent()
      const path = `/conversations/${await conversationOf(agent)}/notes`
      assertError(await agent.post(path, body), 400, 'invalid_request')
      assert.equal((await agent.get(path)).body.total, 0)
    })
  }

  it('GET and POST 403, 404', async () => {
    const agent = await service.addAgent()
    const stranger = await service.addAgent()
    const reader = await service.app.issue({ ...agent, right: 'read' })
    const path = `/conversations/${await conversationOf(agent)}/notes`
    assertError(await stranger.get(path), 404, 'conversation_not_found')
    assertError(await stranger.post(path, { text: 'x' }), 404, 'conversation_not_found')
    assertError(await reader.post(path, { text: 'x' }), 403, 'insufficient_right')
    assert.equal((await reader.get(path)).status, 200)
  })
})
