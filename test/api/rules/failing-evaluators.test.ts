import assert from 'node:assert/strict'
import { it } from 'node:test'
import { automationsEnd, away, made, onRules, streamed } from '../../support/on-rules.ts'
import { addNotification } from '../../support/receiver.ts'

onRules('evaluators that fail', (service, peers) => {
  it("an evaluator that fails in an automation's condition is told too", async () => {
    const agent = await service.addAgent()
    await addNotification(agent, peers.receiver.url, { events: ['error'] })
    const id = await made(agent, '/evaluators', {
      name: 'away',
      kind: 'webhook',
      settings: { url: 'http://127.0.0.1:9/' },
    })
    await made(agent, '/automations', {
      name: 'A',
      condition: { field: `evaluator.${id}.passed`, op: 'eq', value: true },
      actions: [{ type: 'tag', tag: 'x' }],
    })
    const answer = await agent.prompt('hello')
    assert.deepEqual(await automationsEnd(service, agent, answer.id), [])
    const [error] = await peers.receiver.until(1)
    assert.deepEqual(Object.keys(error?.payload), ['notification', 'event', 'agent', 'completion', 'trace'])
  })

  it('a failing evaluator is told, and counts as it says', async () => {
    const agent = await service.addAgent()
    const id = await made(agent, '/evaluators', {
      name: 'away',
      kind: 'webhook',
      settings: { url: 'http://127.0.0.1:9/' },
      on_error: 'pass',
    })
    await made(agent, '/guardrails', {
      name: 'G',
      on: 'prompt',
      action: 'block',
      reply: 'Later.',
      evaluator_id: id,
    })
    const answer = await agent.prompt('hello')
    assert.equal(answer.choices[0].message.content, 'Later.')
    assert.ok((await service.eventsOf(agent)).includes('error'))
    await agent.patch(`/evaluators/${id}`, { on_error: 'fail' })
    assert.equal((await agent.prompt('hello')).choices[0].message.content, 'hello')
  })

  for (const on of ['prompt', 'response'])
    for (const [action, on_failure, works, text, finish_reason] of [
      ['block', undefined, 'block', 'Later.', 'content_filter'],
      ['block', 'block', 'block', 'Later.', 'content_filter'],
      ['block', 'pass', 'pass', 'hello', 'stop'],
      ['replace', undefined, 'block', '[gone]', 'stop'],
      ['replace', 'pass', 'pass', 'hello', 'stop'],
      ['flag', undefined, 'pass', 'hello', 'stop'],
      ['flag', 'block', 'block', 'hello', 'stop'],
    ] as const)
      it(`a guardrail on a ${on} whose evaluator fails: ${action}, on_failure ${on_failure}`, async () => {
        const agent = await service.addAgent()
        const evaluator_id = await away(agent)
        const fields = { reply: 'Later.', replacement: '[gone]', ...(on_failure && { on_failure }) }
        const id = await made(agent, '/guardrails', { name: 'G', on, action, evaluator_id, ...fields })
        assert.equal((await agent.get(`/guardrails/${id}`)).body.data.on_failure, works)
        assert.equal((await agent.get('/guardrails')).body.data[0].on_failure, works)
        const answer = await agent.prompt('hello')
        const [{ message, finish_reason: ended }] = answer.choices
        assert.deepEqual([message.content, ended], [text, finish_reason])
        assert.equal((await streamed(agent, 'hello')).text, text)
        const events = await service.eventsOf(agent)
        assert.equal(events.filter((key) => key === 'error').length, 2)
        assert.equal(events.includes('guardrail_trigger'), works === 'block')
        const { data } = (await agent.get(`/chat/completions/${answer.id}`)).body
        assert.deepEqual(
          data.evaluations.map(({ score, passed }: { score: unknown; passed: unknown }) => [score, passed]),
          [[null, null]],
        )
      })

  it('a condition knows nothing of an evaluator that failed', async () => {
    const agent = await service.addAgent()
    const field = `evaluator.${await away(agent)}.passed`
    for (const value of [true, false])
      await made(agent, '/ctas', { name: 'C', content: 'Look', condition: { field, op: 'eq', value } })
    const unknown = { field, op: 'exists', value: false }
    await made(agent, '/ctas', { name: 'unknown', content: 'Look', condition: unknown })
    const { ctas } = await agent.prompt('hello')
    assert.deepEqual(
      (ctas as { name: string }[]).map(({ name }) => name),
      ['unknown'],
    )
  })
})
