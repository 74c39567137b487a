import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('GET and POST /conversations/{id}/rating', (service) => {
  it('POST 200: the last rating counts, and GET 200 tells it', async () => {
    const agent = await service.addAgent()
    const path = `/conversations/${(await agent.prompt('Hello')).conversation_id}/rating`
    assert.deepEqual((await agent.get(path)).body, { data: null })
    assert.equal((await agent.post(path, { score: 2, comment: 'slow' })).status, 200)
    const { status, body } = await agent.post(path, { score: 5 })
    assert.equal(status, 200)
    assert.deepEqual({ ...body.data, created_at: '' }, { score: 5, comment: null, created_at: '' })
    assert.deepEqual((await agent.get(path)).body, body)
    const audit = await agent.get('/audit?action=conversation.rated')
    assert.deepEqual(
      audit.body.data.map(({ details }: { details: object }) => details),
      [{ score: 5 }, { score: 2 }],
    )
    assert.ok(!audit.text.includes('slow'))
  })

  it('redaction reaches the comment, also one that comes after it, and keeps the score', async () => {
    const agent = await service.addAgent()
    const { id, conversation_id } = await agent.prompt('Hello')
    const path = `/conversations/${conversation_id}/rating`
    for (const comment of ['call 030 1234567 or ada@example.com', 'again ada@example.com']) {
      await agent.post(path, { score: 1, comment })
      await agent.post(`/chat/completions/${id}/anonymize`)
      const { data } = (await agent.get(path)).body
      assert.equal(data.score, 1)
      assert.match(data.comment, /\[EMAIL_ADDRESS\]/)
    }
  })

  for (const [name, body] of [
    ['no score', {}],
    ['a score below 1', { score: 0 }],
    ['a score above 5', { score: 6 }],
    ['half a score', { score: 1.5 }],
    ['a score in words', { score: '5' }],
    ['too long a comment', { score: 5, comment: 'a'.repeat(10_001) }],
    ['a field it does not know', { score: 5, text: 'x' }],
  ] as const) {
    it(`POST 400: ${name}`, async () => {
      const agent = await service.addAgent()
      const path = `/conversations/${(await agent.prompt('Hello')).conversation_id}/rating`
      assertError(await agent.post(path, body), 400, 'invalid_request')
      assert.deepEqual((await agent.get(path)).body, { data: null })
    })
  }

  it('403, 404', async () => {
    const agent = await service.addAgent()
    const stranger = await service.addAgent()
    const reader = await service.app.issue({ ...agent, right: 'read' })
    const path = `/conversations/${(await agent.prompt('Hello')).conversation_id}/rating`
    assertError(await stranger.get(path), 404, 'conversation_not_found')
    assertError(await stranger.post(path, { score: 1 }), 404, 'conversation_not_found')
    assertError(await reader.post(path, { score: 1 }), 403, 'insufficient_right')
  })
})
