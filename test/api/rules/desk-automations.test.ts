import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../../support/app.ts'
import { becomes } from '../../support/becomes.ts'
import { signInNew } from '../../support/console.ts'
import { keywords, made, onRules } from '../../support/on-rules.ts'
import { startPeer } from '../../support/peer.ts'

const MINUTE_MS = 60_000

onRules('automations at the desk', (service, peers) => {
  const db = () => service.app.app.foundation.database.db
  const opened = async (agent: TestAgent, content = 'Where is my parcel?') =>
    (await agent.prompt(content)).conversation_id as string
  const automation = (agent: TestAgent, on: string, actions: object[], fields: object = {}) =>
    made(agent, '/automations', { name: on, on, actions, ...fields })
  const note = (text: string) => ({ type: 'add_note', text })
  const tag = (tag: string) => ({ type: 'tag', tag })
  const tagsOf = async (agent: TestAgent, id: string) =>
    Object.keys((await agent.get(`/conversations/${id}`)).body.data.tags ?? {}).sort()
  const notes = async (agent: TestAgent, id: string) =>
    (await agent.get(`/conversations/${id}/notes`)).body.data.map(({ text }: { text: string }) => text).sort()
  const entry = async (agent: TestAgent, id: string) => (await agent.get(`/inbox/${id}`)).body.data
  const log = async (agent: TestAgent, id: number) =>
    (await agent.get(`/rules/automation/${id}/log`)).body.data
  /** Waits until an agent has no jobs that are due. */
  const settled = (agent: TestAgent) =>
    becomes(async () => {
      const jobs = await db()
        .selectFrom('desk_jobs')
        .select('id')
        .where('agent_id', '=', agent.agentId)
        .where('state', '=', 'waiting')
        .where('due_at', '<=', new Date(service.clock()).toISOString())
        .execute()
      return jobs.length
    }, 0)
  /** Lets time pass for the whole service, until the test ends. */
  const later = (minutes: number) => service.pass(minutes * MINUTE_MS)
  const waits = (agent: TestAgent, id: string, reason = 'asked') =>
    agent.post(`/conversations/${id}/wait`, { reason })

  it('run on each kind of happening, once for each, and on no answer', async () => {
    const agent = await service.addAgent()
    for (const on of ['opened', 'waiting', 'tagged', 'ended']) await automation(agent, on, [note(on)])
    const id = await opened(agent)
    await becomes(() => notes(agent, id), ['opened'])
    await agent.patch(`/conversations/${id}`, { tags: { a: 1 } })
    await becomes(() => notes(agent, id), ['opened', 'tagged'])
    await waits(agent, id, 'unanswered')
    await becomes(() => notes(agent, id), ['opened', 'tagged', 'waiting'])
    await waits(agent, id)
    assert.equal((await entry(agent, id)).waiting_reason, 'asked', 'a better reason')
    await agent.post(`/conversations/${id}/end`)
    await becomes(() => notes(agent, id), ['ended', 'opened', 'tagged', 'waiting'])
    await settled(agent)
    assert.equal((await notes(agent, id)).length, 4)
    const { data } = (await agent.get('/chat/completions')).body
    assert.deepEqual(data[0].automations, [], 'they belong to no answer')
    assert.ok(!(await service.eventsOf(agent)).includes('automations_end'))
  })

  it('their log and event name the conversation, and no completion; a webhook is told what happened', async () => {
    const agent = await service.addAgent()
    const url = `${peers.hook.url}/desk`
    const secret = 'a-secret-of-the-crm-12'
    const rule = await automation(agent, 'ended', [{ type: 'call_webhook', url, secret }])
    const id = await opened(agent)
    await agent.post(`/conversations/${id}/end`)
    await becomes(async () => (await log(agent, rule)).length, 1)
    const [fired] = await log(agent, rule)
    assert.deepEqual(
      [fired.outcome, fired.conversation_id, fired.completion_id, fired.conditions],
      ['fired', id, null, []],
    )
    const [called] = peers.hook.requests
    assert.partialDeepStrictEqual(JSON.parse(called?.body ?? ''), {
      automation: { id: rule, name: 'ended' },
      agent: { id: agent.agentId },
      on: 'ended',
      conversation: { id },
    })
    assert.ok(called?.headers['webhook-signature'])
    assert.ok((await service.eventsOf(agent)).includes('automation_trigger'))
    const { data } = (await agent.get(`/conversations/${id}/timeline`)).body
    const told = data.find(({ type }: { type: string }) => type === 'rule_fired')
    assert.deepEqual([told.by.kind, told.by.id], ['rule', rule])
  })

  it('conditions ask about the latest prompt, the tags as they are, and evaluators', async () => {
    const agent = await service.addAgent()
    const evaluator = await keywords(agent, 'refund')
    const passes = { field: `evaluator.${evaluator}.passed`, op: 'eq', value: true }
    await automation(agent, 'waiting', [note('refund')], { condition: passes })
    const gold = { field: 'tags.gold', op: 'exists' }
    await automation(agent, 'waiting', [note('gold')], { condition: gold })
    const [one, other] = [await opened(agent, 'I want a refund'), await opened(agent, 'Hello')]
    await agent.patch(`/conversations/${other}`, { tags: { gold: 'yes' } })
    for (const id of [one, other]) await waits(agent, id)
    await becomes(() => notes(agent, one), ['refund'])
    await becomes(() => notes(agent, other), ['gold'])
    const { data } = (await agent.get('/chat/completions')).body
    assert.equal(
      data.filter(({ evaluations }: { evaluations: object[] }) => evaluations.length > 0).length,
      2,
    )
  })

  it('automations that would answer themselves, and one another, each run once', async () => {
    const agent = await service.addAgent()
    const people = []
    for (const _ of 'abc')
      people.push((await signInNew(service.app, { teamId: agent.teamId, right: 'manage' })).operatorId)
    const [ann, bob, carl] = people
    const rules: number[] = []
    for (const operator_id of [ann, bob])
      rules.push(
        await automation(agent, 'assigned', [{ type: 'assign', operator_id }, tag(`of ${operator_id}`)]),
      )
    rules.push(await automation(agent, 'tagged', [tag('tagged'), tag('again')]))
    const id = await opened(agent)
    await agent.put(`/conversations/${id}/assignee`, { operator_id: carl })
    await becomes(() => tagsOf(agent, id), ['again', `of ${ann}`, `of ${bob}`, 'tagged'].sort())
    await settled(agent)
    for (const rule of rules) assert.equal((await log(agent, rule)).length, 1)
    assert.equal((await entry(agent, id)).assignee.id, bob, 'in their order')
    // What a person does next is another cause.
    await agent.put(`/conversations/${id}/assignee`, { operator_id: carl })
    await becomes(async () => (await log(agent, rules[1] ?? 0)).length, 2)
    await settled(agent)
    assert.equal((await log(agent, rules[0] ?? 0)).length, 2)
  })

  it('what an automation after an answer does starts others, each once', async () => {
    const agent = await service.addAgent()
    await made(agent, '/automations', { name: 'A', actions: [tag('one'), tag('two')] })
    const rule = await automation(agent, 'tagged', [note('tagged')])
    const id = await opened(agent)
    await becomes(() => tagsOf(agent, id), ['one', 'two'])
    await becomes(() => notes(agent, id), ['tagged'])
    await settled(agent)
    assert.equal((await log(agent, rule)).length, 1)
    await agent.prompt('And the other one?', { conversation_id: id })
    await agent.patch(`/conversations/${id}`, { tags: { three: 1 } })
    await becomes(async () => (await log(agent, rule)).length, 2)
  })

  it('what a queue gives away again at once goes back to the automation that took it from somebody', async () => {
    const agent = await service.addAgent()
    const owner = await signInNew(service.app, { teamId: agent.teamId, right: 'own' })
    const values = { name: 'Sales', operators: [owner.operatorId], agents: [agent.agentId] }
    const group = await owner.call('POST', '/groups', { ...values, assignment: 'round_robin' })
    assert.equal(group.status, 201, group.text)
    await owner.call('PUT', '/availability', { available: true })
    const rule = await automation(agent, 'assigned', [{ type: 'assign', operator_id: null }])
    const id = await opened(agent)
    await waits(agent, id)
    // The last of its jobs finds that the automation has run.
    await becomes(async () => {
      const jobs = await db()
        .selectFrom('desk_jobs')
        .select('runs')
        .where('conversation_id', '=', id)
        .execute()
      return jobs.some(({ runs }) => runs?.includes('"skipped"'))
    }, true)
    await settled(agent)
    await becomes(async () => (await entry(agent, id)).assignee?.id, owner.operatorId)
    assert.equal((await log(agent, rule)).length, 1)
  })

  it('what a queue gives away while the automation on what went in still runs starts it no second time', async () => {
    const agent = await service.addAgent()
    const owner = await signInNew(service.app, { teamId: agent.teamId, right: 'own' })
    const values = { name: 'Sales', operators: [owner.operatorId], agents: [], assignment: 'round_robin' }
    const group = await owner.call('POST', '/groups', values)
    let release = () => {}
    const hook = await startPeer((response) => {
      release = () => response.end('{}')
    })
    try {
      const rule = await automation(agent, 'assigned', [{ type: 'call_webhook', url: hook.url }])
      const id = await opened(agent)
      await waits(agent, id)
      await agent.put(`/conversations/${id}/assignee`, { group_id: group.body.data.id })
      await becomes(() => hook.requests.length, 1)
      await owner.call('PUT', '/availability', { available: true })
      await becomes(async () => (await entry(agent, id)).assignee?.id, owner.operatorId)
      const runs = async () =>
        (
          await db().selectFrom('desk_jobs').select('runs').where('conversation_id', '=', id).execute()
        ).filter((job) => job.runs?.includes('"skipped"')).length
      await becomes(async () => (await runs()) + hook.requests.length, 2)
      release()
      await settled(agent)
      assert.equal((await log(agent, rule)).length, 1)
      assert.equal(hook.requests.length, 1)
    } finally {
      release()
      await hook.close()
    }
  })

  it('removing an assignment starts nothing', async () => {
    const agent = await service.addAgent()
    const { operatorId } = await signInNew(service.app, { teamId: agent.teamId, right: 'manage' })
    const rule = await automation(agent, 'assigned', [note('given')])
    const id = await opened(agent)
    await agent.put(`/conversations/${id}/assignee`, { operator_id: operatorId })
    await becomes(() => notes(agent, id), ['given'])
    await agent.put(`/conversations/${id}/assignee`, { operator_id: null })
    await becomes(
      async () =>
        (await db().selectFrom('desk_jobs').select('id').where('conversation_id', '=', id).execute()).length,
      2,
    )
    await settled(agent)
    assert.equal((await log(agent, rule)).length, 1)
  })

  it('waited: after its minutes, unless somebody has answered, and not while it is put aside', async () => {
    const agent = await service.addAgent()
    const priority = [{ type: 'priority', priority: 'urgent' }]
    const rule = await automation(agent, 'waited', priority, { minutes: 30 })
    const ids = [await opened(agent), await opened(agent), await opened(agent)]
    const [waiting = '', answered = '', snoozed = ''] = ids
    for (const id of ids) await waits(agent, id)
    await agent.post(`/conversations/${answered}/messages`, { content: 'Here it is.' })
    const until = new Date(service.clock() + 60 * MINUTE_MS).toISOString()
    await agent.put(`/conversations/${snoozed}/snooze`, { until })
    await settled(agent)
    later(29)
    await settled(agent)
    assert.deepEqual(await log(agent, rule), [])
    later(1)
    await becomes(async () => (await entry(agent, waiting)).priority, 'urgent')
    await settled(agent)
    assert.equal((await log(agent, rule)).length, 1)
    later(30)
    await becomes(async () => (await entry(agent, snoozed)).priority, 'urgent')
    await settled(agent)
    assert.equal((await entry(agent, answered)).priority, 'normal')
    // It waits anew: that is another wait.
    await waits(agent, answered)
    await settled(agent)
    later(30)
    await becomes(async () => (await entry(agent, answered)).priority, 'urgent')
  })

  it('waited within hours: time counts while people are there', async () => {
    const days = [1, 2, 3, 4, 5, 6, 7]
    const agent = await service.addAgent()
    const opensAt = new Date(service.clock() + 2 * 60 * MINUTE_MS)
    const time = (at: Date) => at.toISOString().slice(11, 16)
    const from = time(opensAt)
    const to = time(new Date(opensAt.getTime() + 8 * 60 * MINUTE_MS))
    await agent.patch('/agent', { hours: { time_zone: 'UTC', week: [{ days, from, to }] } })
    const rule = await automation(agent, 'waited', [note('late')], { minutes: 30, within_hours: true })
    const id = await opened(agent)
    await waits(agent, id)
    await settled(agent)
    later(2 * 60)
    await settled(agent)
    assert.deepEqual(await log(agent, rule), [])
    later(30)
    await becomes(() => notes(agent, id), ['late'])
  })

  it('a preview says what one would do in a conversation, and does nothing', async () => {
    const agent = await service.addAgent()
    const id = await opened(agent)
    await agent.patch(`/conversations/${id}`, { tags: { gold: true } })
    const condition = {
      any: [
        { field: 'tags.gold', op: 'exists' },
        { field: 'evaluator.9.passed', op: 'exists' },
      ],
    }
    const actions = [
      tag('gold'),
      note('n'),
      { type: 'call_webhook', url: peers.hook.url },
      { type: 'end_conversation' },
    ]
    const rule = await automation(agent, 'ended', actions)
    const preview = async (conversation = id, automation: unknown = rule) =>
      agent.get(`/conversations/${conversation}/automations/${automation}`)
    const { data } = (await preview()).body
    assert.deepEqual([data.automation, data.condition], [{ id: rule, name: 'ended' }, null])
    assert.deepEqual(
      data.actions.map(({ type, outcome }: Record<string, string>) => `${type} ${outcome}`),
      ['tag unchanged', 'add_note pending', 'call_webhook pending', 'end_conversation pending'],
    )
    assert.deepEqual([(await notes(agent, id)).length, (await entry(agent, id)).ended_at], [0, null])
    assert.equal(peers.hook.requests.length, 0)
    const [held] = condition.any
    await agent.patch(`/automations/${rule}`, { condition: held })
    assert.deepEqual((await preview()).body.data.condition, { ...held, held: true })
    assertError(await preview('none'), 404, 'conversation_not_found')
    const cta = await made(agent, '/ctas', { name: 'C', content: 'Look' })
    for (const wrong of [cta, 'x']) assertError(await preview(id, wrong), 404, 'automation_not_found')
    const other = await service.addAgent()
    assertError(await other.get(`/conversations/${id}/automations/${rule}`), 404, 'conversation_not_found')
  })

  it('those that are off or deleted do nothing; one that changes is started by what it says now', async () => {
    const agent = await service.addAgent()
    const off = await automation(agent, 'opened', [note('off')], { active: false })
    const changed = await automation(agent, 'opened', [note('changed')])
    const patched = await agent.patch(`/automations/${changed}`, { on: 'ended' })
    assert.equal(patched.body.data.on, 'ended')
    const id = await opened(agent)
    await agent.post(`/conversations/${id}/end`)
    await becomes(() => notes(agent, id), ['changed'])
    await settled(agent)
    assert.deepEqual(await log(agent, off), [])
  })

  it('a version without events has made its automations for answers', async () => {
    const agent = await service.addAgent()
    const id = await made(agent, '/automations', { name: 'A', actions: [tag('x')] })
    const { on, minutes, within_hours } = (await agent.get(`/automations/${id}`)).body.data
    assert.deepEqual([on, minutes, within_hours], ['response', null, false])
    const settings = JSON.stringify({ condition: null, actions: [tag('x')] })
    await db().updateTable('rules').set({ settings }).where('id', '=', id).execute()
    assert.equal((await agent.get(`/automations/${id}`)).body.data.on, 'response')
    const conversation = await opened(agent)
    await becomes(() => tagsOf(agent, conversation), ['x'])
  })

  for (const [what, fields] of [
    ['an unknown event', { on: 'closed' }],
    ['waited without minutes', { on: 'waited' }],
    ['minutes without waited', { on: 'opened', minutes: 5 }],
    ['no minute', { on: 'waited', minutes: 0 }],
    ['more than 30 days', { on: 'waited', minutes: 43_201 }],
  ] as const)
    it(`400: ${what}`, async () => {
      const agent = await service.addAgent()
      const body = { name: 'A', actions: [tag('x')], ...fields }
      assertError(await agent.post('/automations', body), 400, 'invalid_request')
    })
})
