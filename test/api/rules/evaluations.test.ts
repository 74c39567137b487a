import assert from 'node:assert/strict'
import { it } from 'node:test'
import { automationsEnd, guardrail, made, onRules, streamed } from '../../support/on-rules.ts'
import { addNotification } from '../../support/receiver.ts'

onRules('evaluations of rules', (service, peers) => {
  it('evaluations and notes are redacted with their completion', async () => {
    const agent = await service.addAgent()
    await guardrail(agent, { on: 'prompt', action: 'flag' }, 'zebra')
    await made(agent, '/automations', { name: 'N', actions: [{ type: 'add_note', text: 'a zebra note' }] })
    const answer = await agent.prompt('a zebra')
    await automationsEnd(service, agent, answer.id)
    await agent.post(`/chat/completions/${answer.id}/scrub`)
    const read = await agent.get(`/chat/completions/${answer.id}`)
    const notes = await agent.get(`/conversations/${answer.conversation_id}/notes`)
    assert.ok(
      !JSON.stringify(read.body.data.evaluations.map(({ content }: { content: string }) => content)).includes(
        'zebra',
      ),
    )
    assert.equal(notes.body.data[0].text, '[REDACTED]')
    // Events are kept, so there is no text in them.
    const { data } = await service.app.app.foundation.database.db
      .selectFrom('events')
      .select('data')
      .where('completion_id', '=', answer.id)
      .where('key', '=', 'guardrail_trigger')
      .executeTakeFirstOrThrow()
    assert.deepEqual(JSON.parse(data ?? '').evaluation, { score: 1, passed: true })
  })

  it('what was said of a response that was redacted while it was made is redacted', async () => {
    const agent = await service.addAgent()
    await guardrail(agent, { on: 'prompt', action: 'flag' }, 'zebra')
    const pieces = service.model.feed()
    const pending = streamed(agent, 'a zebra')
    await service.model.request(0)
    const [{ id }] = (await agent.get('/chat/completions')).body.data
    await agent.post(`/chat/completions/${id}/scrub`)
    pieces.end()
    await pending
    const [evaluation] = (await agent.get(`/chat/completions/${id}`)).body.data.evaluations
    assert.deepEqual([evaluation.passed, evaluation.content], [true, '[REDACTED]'])
  })

  it('what an evaluator said goes out redacted with its completion', async () => {
    const agent = await service.addAgent()
    const { id } = await addNotification(agent, peers.receiver.url, { events: ['guardrail_trigger'] })
    await guardrail(agent, { on: 'prompt', action: 'flag' }, 'zebra')
    const { db } = service.app.app.foundation.database
    const hold = (held_until: string | null) =>
      db.updateTable('notifications').set({ held_until }).where('id', '=', id).execute()
    await hold('2999-01-01T00:00:00.000Z')
    const answer = await agent.prompt('a zebra')
    await agent.post(`/chat/completions/${answer.id}/scrub`)
    await hold(null)
    const [delivery] = await peers.receiver.until(1)
    assert.deepEqual(delivery?.payload.evaluation, { score: 1, passed: true, content: '[REDACTED]' })
  })

  it('a quote with a NUL in it is stored like any other', async () => {
    const agent = await service.addAgent()
    const evaluator = { name: 'E', kind: 'regex', settings: { pattern: 'secret.*' } }
    const evaluator_id = await made(agent, '/evaluators', evaluator)
    await made(agent, '/guardrails', { name: 'G', evaluator_id, on: 'response', action: 'flag' })
    service.model.next({ text: 'the secret \u0000 is' })
    const { id } = await agent.prompt('hello')
    const { data } = (await agent.get(`/chat/completions/${id}`)).body
    assert.equal(data.evaluations[0].content, 'secret  is')
    assert.equal(data.finish_reason, 'stop')
  })
})
