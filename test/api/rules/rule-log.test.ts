import assert from 'node:assert/strict'
import { it } from 'node:test'
import { DAY_MS } from '../../../src/lib/clock.ts'
import { assertError, type TestAgent } from '../../support/app.ts'
import { until } from '../../support/becomes.ts'
import { forget } from '../../support/forget.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'

onBothEngines('GET /rules/{kind}/{id}/log', (service) => {
  const make = async (agent: TestAgent, path: string, body: object): Promise<number> => {
    const made = await agent.post(path, body)
    assert.equal(made.status, 201, made.text)
    return made.body.data.id
  }
  const logOf = async (agent: TestAgent, kind: string, id: number) =>
    (await agent.get(`/rules/${kind}/${id}/log`)).body.data
  const shortPrompt = (agent: TestAgent) =>
    make(agent, '/evaluators', { name: 'short', kind: 'length', settings: { max: 5 } })
  /** An evaluator that fails: its server cannot be reached. */
  const broken = (agent: TestAgent) =>
    make(agent, '/evaluators', { name: 'gone', kind: 'webhook', settings: { url: 'http://127.0.0.1:9/' } })

  it('200: a guardrail that acted, with what decided; one that did not act leaves no entry', async () => {
    const agent = await service.addAgent()
    const evaluator = await shortPrompt(agent)
    const id = await make(agent, '/guardrails', {
      name: 'g',
      on: 'prompt',
      evaluator_id: evaluator,
      action: 'flag',
    })
    await agent.prompt('hello there')
    assert.deepEqual(await logOf(agent, 'guardrail', id), [])
    const answer = await agent.prompt('hi')
    const [entry, ...others] = await logOf(agent, 'guardrail', id)
    assert.deepEqual(others, [])
    assert.deepEqual(
      { ...entry, id: 0, at: '', evaluation: entry.evaluation.passed },
      {
        id: 0,
        at: '',
        outcome: 'fired',
        reason: null,
        conversation_id: answer.conversation_id,
        completion_id: answer.id,
        conditions: [],
        evaluator: { id: evaluator, name: 'short' },
        evaluation: true,
      },
    )
    const { body } = await agent.get(`/conversations/${answer.conversation_id}/timeline`)
    const line = body.data.find(({ type }: { type: string }) => type === 'rule_fired')
    assert.deepEqual(
      [line.by, line.details],
      [
        { kind: 'rule', id, name: 'g' },
        { kind: 'guardrail', on: 'prompt', action: 'flag' },
      ],
    )
  })

  it('the list of rules says how often each fired in 30 days, and when it did last', async () => {
    const agent = await service.addAgent()
    const evaluator_id = await shortPrompt(agent)
    const rule = { on: 'prompt', evaluator_id, action: 'flag' }
    const acting = await make(agent, '/guardrails', { name: 'g', ...rule })
    const idle = await make(agent, '/guardrails', { name: 'idle', ...rule, active: false })
    const failing = await make(agent, '/guardrails', {
      name: 'failing',
      ...rule,
      evaluator_id: await broken(agent),
    })
    await agent.prompt('hi')
    await agent.prompt('yo')
    await agent.prompt('hello there')
    const [last, first] = await logOf(agent, 'guardrail', acting)
    const activityOf = async (id: number) => {
      const { body } = await agent.get('/guardrails')
      return body.data.find((one: { id: number }) => one.id === id).activity
    }
    assert.deepEqual(await activityOf(acting), { fired: 2, last_fired_at: last.at })
    assert.deepEqual(await activityOf(idle), { fired: 0, last_fired_at: null })
    assert.deepEqual((await logOf(agent, 'guardrail', failing)).length, 3)
    assert.deepEqual(await activityOf(failing), { fired: 0, last_fired_at: null })
    const { db } = service.app.app.foundation.database
    const old = new Date(Date.parse(first.at) - 31 * DAY_MS).toISOString()
    await db.updateTable('rule_log').set({ at: old }).where('id', '=', first.id).execute()
    assert.deepEqual(await activityOf(acting), { fired: 1, last_fired_at: last.at })
    const { id: _, ...entry } = await db
      .selectFrom('rule_log')
      .selectAll()
      .where('id', '=', last.id)
      .executeTakeFirstOrThrow()
    for (let round = 0; round < 11; round++)
      await db.insertInto('rule_log').values(Array(100).fill(entry)).execute()
    assert.equal((await activityOf(acting)).fired, 1000)
  })

  it('200: a CTA that was attached, with the outcome of each comparison', async () => {
    const agent = await service.addAgent()
    const evaluator = await shortPrompt(agent)
    const condition = {
      all: [
        { field: 'prompt.text', op: 'contains', value: 'price' },
        {
          any: [
            { field: 'prompt.length', op: 'gt', value: 3 },
            { field: `evaluator.${evaluator}.passed`, op: 'eq', value: true },
          ],
        },
        { not: { field: 'tags.vip', op: 'exists' } },
      ],
    }
    const id = await make(agent, '/ctas', { name: 'c', content: 'Look', condition })
    await agent.prompt('hello')
    await agent.prompt('the price')
    const log = await logOf(agent, 'cta', id)
    assert.equal(log.length, 1)
    assert.deepEqual(log[0].conditions, [
      { field: 'prompt.text', op: 'contains', held: true },
      { field: 'prompt.length', op: 'gt', held: true },
      { field: `evaluator.${evaluator}.passed`, op: 'eq', held: null },
      { field: 'tags.vip', op: 'exists', held: false },
    ])
    assert.ok(!JSON.stringify(log).includes('price'))
  })

  it('200: an automation that ran or failed, and a rule whose evaluator failed', async () => {
    const agent = await service.addAgent()
    const condition = { field: 'prompt.text', op: 'contains', value: 'go' }
    const note = { type: 'add_note', text: 'x' }
    const call = { type: 'call_webhook', url: 'http://127.0.0.1:9/' }
    const ran = await make(agent, '/automations', { name: 'a', condition, actions: [note] })
    const failed = await make(agent, '/automations', { name: 'b', actions: [call] })
    const evaluator_id = await broken(agent)
    const flag = { name: 'g', on: 'prompt', evaluator_id, action: 'flag' }
    const open = await make(agent, '/guardrails', { ...flag, on_failure: 'pass' })
    const closed = await make(agent, '/guardrails', { ...flag, on_failure: 'block' })
    const { conversation_id } = await agent.prompt('go')
    await until(async () => (await service.eventsOf(agent)).includes('automations_end'))
    const outcomes = async (kind: string, id: number) =>
      (await logOf(agent, kind, id)).map((entry: { outcome: string; reason: string }) => [
        entry.outcome,
        entry.reason,
      ])
    assert.deepEqual(await outcomes('automation', ran), [['fired', null]])
    assert.deepEqual((await logOf(agent, 'automation', ran))[0].conditions, [
      { field: 'prompt.text', op: 'contains', held: true },
    ])
    const [[outcome, reason]] = await outcomes('automation', failed)
    assert.equal(outcome, 'failed')
    assert.match(reason, /^(failed|unknown)$/)
    assert.deepEqual(await outcomes('guardrail', open), [['failed', 'evaluator_failed']])
    assert.deepEqual(await outcomes('guardrail', closed), [['fired', 'evaluator_failed']])
    const { body } = await agent.get(`/conversations/${conversation_id}/timeline?order=asc`)
    const types = body.data.map(({ type }: { type: string }) => type)
    for (const type of ['rule_fired', 'rule_failed', 'note']) assert.ok(types.includes(type), type)
  })

  it('it is forgotten after PARLEY_EVENT_DAYS', async () => {
    const agent = await service.addAgent()
    const evaluator_id = await shortPrompt(agent)
    const id = await make(agent, '/guardrails', { name: 'g', on: 'prompt', evaluator_id, action: 'flag' })
    await agent.prompt('hi')
    const { db } = service.app.app.foundation.database
    await forget(db, 'rule records', Date.now() + 89 * DAY_MS)
    assert.equal((await logOf(agent, 'guardrail', id)).length, 1)
    await forget(db, 'rule records', Date.now() + 91 * DAY_MS)
    assert.equal((await logOf(agent, 'guardrail', id)).length, 0)
  })

  it('400 for a kind that there is not, 403 with chat, 404 for a rule of another kind or agent', async () => {
    const agent = await service.addAgent()
    const stranger = await service.addAgent()
    const id = await make(agent, '/ctas', { name: 'c', content: 'Look' })
    assertError(await agent.get(`/rules/rule/${id}/log`), 400, 'invalid_request')
    assertError(await agent.get(`/rules/guardrail/${id}/log`), 404, 'guardrail_not_found')
    assertError(await stranger.get(`/rules/cta/${id}/log`), 404, 'cta_not_found')
    assertError(await agent.get('/rules/automation/x/log'), 404, 'automation_not_found')
    const site = await service.app.issue({ ...agent, right: 'chat' })
    assertError(await site.get(`/rules/cta/${id}/log`), 403, 'insufficient_right')
  })
})
