import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventKeys } from '../../../src/events/keys.ts'
import { automationsEnd, guardrail, keywords, made, onRules, streamed } from '../../support/on-rules.ts'
import { addNotification } from '../../support/receiver.ts'

onRules('events of rules', (service, peers) => {
  it('events tell the evaluation that decided, the outcome and the trace, also behind the response', async () => {
    const agent = await service.addAgent()
    await addNotification(agent, peers.receiver.url, { events: ['cta_trigger', 'automation_trigger'] })
    const id = await keywords(agent, 'zebra')
    const condition = { field: `evaluator.${id}.passed`, op: 'eq', value: true }
    await made(agent, '/ctas', { name: 'C', content: 'Look', condition })
    const automation = await made(agent, '/automations', {
      name: 'A',
      condition,
      actions: [{ type: 'tag', tag: 'x' }],
    })
    const trace_id = '0af7651916cd43dd8448eb211c80319c'
    const traceparent = `00-${trace_id}-b7ad6b7169203331-01`
    const messages = [{ role: 'user', content: 'a zebra' }]
    const answer = await agent.post('/chat/completions', { messages }, { traceparent })
    const received = await peers.receiver.until(2)
    for (const { payload } of received) {
      assert.deepEqual(payload.evaluator, { id, name: 'zebra' })
      assert.deepEqual(payload.evaluation, { score: 1, passed: true, content: 'zebra' })
      assert.equal(payload.trace.trace_id, trace_id)
    }
    const triggered = received.find(({ payload }) => payload.event.key === 'automation_trigger')
    assert.deepEqual(triggered?.payload.completion.automations, [
      { id: automation, name: 'A', status: 'succeeded' },
    ])
    await automationsEnd(service, agent, answer.body.id)
    const { evaluations } = (await agent.get(`/chat/completions/${answer.body.id}`)).body.data
    assert.ok(evaluations.some(({ rule_id }: { rule_id: number }) => rule_id === automation))
  })

  for (const stream of [false, true])
    it(`guardrails are told when they act, in the order of a turn${stream ? ' that streams' : ''}`, async () => {
      const agent = await service.addAgent()
      await addNotification(agent, peers.receiver.url)
      let time = Date.parse('2026-11-22T10:00:00Z')
      service.clock = () => (time += 1000)
      await guardrail(agent, { on: 'prompt', action: 'flag' }, 'hello')
      await guardrail(agent, { on: 'response', action: 'block' }, 'world')
      service.model.next({ pieces: ['Well. ', 'Hello world. '], text: 'Well. Hello world.' })
      if (stream) await streamed(agent, 'hello')
      else await agent.prompt('hello')
      const { db } = service.app.app.foundation.database
      const rows = await db
        .selectFrom('events')
        .select(['key', 'occurred_at'])
        .where('agent_id', '=', agent.agentId)
        .orderBy('id')
        .execute()
      assert.deepEqual(
        rows.map(({ key }) => key),
        [
          'new_conversation',
          'prompt_submit',
          'guardrail_trigger',
          'response_start',
          'guardrail_trigger',
          'response_end',
        ],
      )
      const times = rows.map(({ occurred_at }) => occurred_at).slice(1)
      assert.deepEqual(times, times.toSorted())
      assert.equal(new Set(times).size, times.length)
    })

  it('each of the keys reaches a receiver, by nothing but the public API', async () => {
    const agent = await service.addAgent()
    await addNotification(agent, peers.receiver.url)
    await guardrail(agent, { on: 'prompt', action: 'flag' }, 'everything')
    const cta = await made(agent, '/ctas', { name: 'C', content: 'Look', url: 'https://example.com/' })
    await made(agent, '/automations', { name: 'A', actions: [{ type: 'tag', tag: 'seen' }] })
    const answer = await agent.prompt('everything', { user: 'u', device_id: 'd', session_id: 's' })
    await agent.post(`/chat/completions/${answer.id}/like`, { liked: true })
    await agent.post(`/chat/completions/${answer.id}/flag`, { flagged: true, reason: 'wrong' })
    await agent.post(`/chat/completions/${answer.id}/feedback`, { feedback: 'good' })
    for (const kind of ['referral', 'cta', 'attribution', 'footer'])
      await agent.post(`/chat/completions/${answer.id}/clicks`, { kind, target: String(cta) })
    service.model.next({ status: 500 })
    await agent.post('/chat/completions', { messages: [{ role: 'user', content: 'fails' }] })
    const seen = () => new Set(peers.receiver.received.map(({ payload }) => payload.event.key))
    for (let count = 1; seen().size < Object.keys(eventKeys).length; count++)
      await peers.receiver.until(count)
    assert.deepEqual([...seen()].toSorted(), Object.keys(eventKeys).toSorted())
    const of = (key: string) =>
      peers.receiver.received.find(({ payload }) => payload.event.key === key)?.payload
    assert.deepEqual(of('cta_click').cta, { id: cta, name: 'C', content: 'Look' })
    assert.equal(of('guardrail_trigger').guardrail.name, 'Guard')
    assert.equal(of('guardrail_trigger').evaluation.passed, true)
    assert.equal(of('automation_trigger').automation.name, 'A')
    assert.deepEqual(
      of('automations_end').completion.automations.map(({ status }: { status: string }) => status),
      ['succeeded'],
    )
    assert.deepEqual(of('automations_end').completion.tags, ['seen'])
    assert.ok(!('cta' in of('prompt_submit')))
  })
})
