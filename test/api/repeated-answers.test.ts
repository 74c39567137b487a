import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent, type TestAnswer, testAgent } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { replicaOf } from '../support/replica-of.ts'

onBothEngines('POST /conversations/{id}/messages: Idempotency-Key', (service) => {
  const path = (id: string) => `/conversations/${id}/messages`
  const send = (agent: TestAgent, id: string, body: unknown, key: string) =>
    agent.post(path(id), body, { 'idempotency-key': key })
  const answersIn = async (agent: TestAgent, id: string): Promise<string[]> =>
    (await agent.get(path(id))).body.data
      .filter(({ role }: { role: string }) => role === 'operator')
      .map(({ content }: { content: string }) => content)

  it('200: a repeat gets the message of the first and makes nothing new, whatever came since', async () => {
    const agent = await service.addAgent()
    const { conversation_id: id } = await agent.prompt('Hello')
    const last = (await agent.get(path(id))).body.data.at(-1).id
    const first = await send(agent, id, { content: 'I am Tom.', after: last }, 'k')
    assert.equal(first.headers.get('idempotent-replayed'), null)
    const moved = await send(agent, id, { content: 'Me, too.', after: last }, 'other')
    assert.equal(moved.body.error.code, 'conversation_moved')
    const second = await send(agent, id, { content: 'I am Tom.', after: last }, 'k')
    assert.deepEqual([second.status, second.body], [200, first.body])
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
    const anyway = await send(agent, id, { content: 'Me, too.', after: last, send_anyway: true }, 'other')
    assert.equal(anyway.status, 200, 'a key was kept of an answer that was refused')
    assert.deepEqual(await answersIn(agent, id), ['I am Tom.', 'Me, too.'])
  })

  it('200: sent eight times at once, one message is made', async () => {
    const agent = await service.addAgent()
    const { conversation_id: id } = await agent.prompt('Hello')
    const sent = await Promise.all(
      Array.from({ length: 8 }, () => send(agent, id, { content: 'I am Tom.' }, 'k')),
    )
    assert.deepEqual(new Set(sent.map(({ status }) => status)), new Set([200]))
    assert.equal(new Set(sent.map(({ body }) => body.data.id)).size, 1)
    assert.equal(sent.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
    assert.deepEqual(await answersIn(agent, id), ['I am Tom.'])
  })

  it('409: another answer, one to another conversation or a prompt under the same key', async () => {
    const agent = await service.addAgent()
    const { conversation_id: id } = await agent.prompt('Hello')
    const { conversation_id: other } = await agent.prompt('Hello')
    await send(agent, id, { content: 'I am Tom.' }, 'k')
    const prompt = { messages: [{ role: 'user', content: 'Hello' }] }
    const ask = (key: string) => agent.post('/chat/completions', prompt, { 'idempotency-key': key })
    assert.equal((await ask('p')).status, 200)
    const others: Record<string, TestAnswer> = {
      'another answer': await send(agent, id, { content: 'I am Ann.' }, 'k'),
      'another author': await send(agent, id, { content: 'I am Tom.', author: 'Tom' }, 'k'),
      'another conversation': await send(agent, other, { content: 'I am Tom.' }, 'k'),
      'a prompt after an answer': await ask('k'),
      'an answer after a prompt': await send(agent, id, { content: 'I am Tom.' }, 'p'),
    }
    for (const [name, { status, body }] of Object.entries(others))
      assert.deepEqual([name, status, body.error?.code], [name, 409, 'idempotency_key_reused'])
    assert.deepEqual([await answersIn(agent, id), await answersIn(agent, other)], [['I am Tom.'], []])
  })

  it('200: a repeat after a restart, and after a scrub without the text', async () => {
    const agent = await service.addAgent()
    const { conversation_id: id } = await agent.prompt('Hello')
    const first = await send(agent, id, { content: 'A secret answer' }, 'k')
    {
      await using restarted = await replicaOf(service.app.app)
      const repeat = await send(testAgent(restarted.baseUrl, agent), id, { content: 'A secret answer' }, 'k')
      assert.deepEqual([repeat.status, repeat.body], [200, first.body])
    }
    await agent.post(`/chat/completions/${first.body.data.completion_id}/scrub`)
    const scrubbed = await send(agent, id, { content: 'A secret answer' }, 'k')
    assert.deepEqual([scrubbed.status, scrubbed.body.data.id], [200, first.body.data.id])
    assert.ok(!scrubbed.text.includes('secret'))
    assert.equal((await answersIn(agent, id)).length, 1)
  })

  it('400: a key that is empty or too long', async () => {
    const { agent } = service.app
    const { conversation_id: id } = await agent.prompt('Hello')
    for (const key of ['', 'k'.repeat(256)])
      assertError(await send(agent, id, { content: 'I am Tom.' }, key), 400, 'invalid_request')
    assert.deepEqual(await answersIn(agent, id), [])
  })
})
