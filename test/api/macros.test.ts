import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { pause } from '../support/becomes.ts'
import { signInNew } from '../support/console.ts'
import { forget } from '../support/forget.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { startPeer } from '../support/peer.ts'
import { shared } from '../support/shared.ts'

onBothEngines('macros', (service) => {
  const hook = shared(startPeer)

  type Person = Awaited<ReturnType<typeof signInNew>>

  /** An agent with a person, a conversation, and calls of the person. */
  async function begin(right: 'respond' | 'manage' = 'respond') {
    const agent = await service.addAgent()
    const ada = await signInNew(service.app, { teamId: agent.teamId, right })
    const { conversation_id: id } = await agent.prompt('Where is my parcel?', { tags: { plan: 'gold' } })
    const path = `/agents/${agent.agentId}`
    const make = async (actions: object[], fields: object = {}) => {
      const made = await ada.call('POST', `${path}/macros`, { name: 'Refund', actions, ...fields })
      assert.equal(made.status, 201, made.text)
      return made.body.data.id as number
    }
    const run = async (macro: number, conversation = id) => {
      const ran = await ada.call('POST', `${path}/conversations/${conversation}/macros/${macro}`)
      assert.equal(ran.status, 200, ran.text)
      return ran.body.data
    }
    const undo = (runId: number) => ada.call('POST', `${path}/conversations/${id}/macro-runs/${runId}/undo`)
    return { agent, ada, id, path, make, run, undo }
  }

  interface Step {
    type: string
    outcome: string
    reason: string | null
    can_undo: boolean
    undone: boolean | null
  }
  const outcomes = (actions: Step[]) => actions.map(({ type, outcome }) => `${type} ${outcome}`)
  const entry = async (agent: TestAgent, id: string) => (await agent.get(`/inbox/${id}`)).body.data
  const timeline = async (agent: TestAgent, id: string) =>
    (await agent.get(`/conversations/${id}/timeline?order=asc`)).body.data as {
      type: string
      by: { name: string }
      details: Record<string, unknown>
      message?: { content: string; role: string; author: string }
    }[]

  const EVERYTHING = [
    { type: 'reply', text: 'We refund {tags.plan}.' },
    { type: 'tag', tag: 'refund' },
    { type: 'priority', priority: 'high' },
    { type: 'add_note', text: 'Refunded.' },
    { type: 'snooze', minutes: 60 },
  ]

  it('DELETE 204: its id is not given to the next one, so that nothing goes on with another macro', async () => {
    const { ada, path, make } = await begin()
    const first = await make([{ type: 'tag', tag: 'one' }])
    assert.equal((await ada.call('DELETE', `${path}/macros/${first}`)).status, 204)
    const second = await make([{ type: 'tag', tag: 'two' }])
    assert.ok(second > first, `${second} after ${first}`)
  })

  it('201, 200, 204: own ones are of one person, shared ones of all', async () => {
    const { agent, ada, path, make } = await begin()
    const grace = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const own = await make(EVERYTHING)
    await make([{ type: 'end_conversation' }], { name: 'End', shared: true })
    const names = async (by: Person) =>
      (await by.call('GET', `${path}/macros`)).body.data.map(({ name }: { name: string }) => name)
    assert.deepEqual(await names(ada), ['End', 'Refund'])
    assert.deepEqual(await names(grace), ['End'])
    assertError(await grace.call('PATCH', `${path}/macros/${own}`, { name: 'x' }), 404, 'macro_not_found')
    const changed = await ada.call('PATCH', `${path}/macros/${own}`, { shared: true, name: 'Refunds' })
    assert.deepEqual([changed.status, changed.body.data.shared], [200, true])
    assert.deepEqual(await names(grace), ['End', 'Refunds'])
    assert.equal((await ada.call('DELETE', `${path}/macros/${own}`)).status, 204)
    assertError(await ada.call('DELETE', `${path}/macros/${own}`), 404, 'macro_not_found')
    const acts = (await agent.get('/audit')).body.data.map(({ action }: { action: string }) => action)
    assert.deepEqual(
      acts.filter((action: string) => action.startsWith('macro.')).toReversed(),
      ['macro.added', 'macro.changed', 'macro.removed'],
      'what somebody kept for themselves is not told',
    )
  })

  it('403: a shared one is changed and deleted by who made it and those who manage alone', async () => {
    const { agent, ada, path, make } = await begin()
    const sign = (right: 'respond' | 'manage') => signInNew(service.app, { teamId: agent.teamId, right })
    const [grace, lead] = [await sign('respond'), await sign('manage')]
    const macro = `${path}/macros/${await make([{ type: 'end_conversation' }], { shared: true })}`
    const mayChange = async (by: Person) => (await by.call('GET', `${path}/macros`)).body.data[0].can_change
    for (const [by, may] of [
      [ada, true],
      [grace, false],
      [lead, true],
    ] as const) {
      assert.equal(await mayChange(by), may)
      const changed = await by.call('PATCH', macro, { name: 'Close' })
      if (may) assert.equal(changed.status, 200, changed.text)
      else assertError(changed, 403, 'insufficient_right')
    }
    assertError(await grace.call('DELETE', macro), 403, 'insufficient_right')
    const byToken = await agent.post('/macros', {
      name: 'A',
      actions: [{ type: 'end_conversation' }],
      shared: true,
    })
    assertError(await ada.call('DELETE', `${path}/macros/${byToken.body.data.id}`), 403, 'insufficient_right')
    assert.equal((await lead.call('DELETE', macro)).status, 204)
  })

  it('PATCH 200: one that is no longer shared is its maker’s again, or of who takes it from nobody', async () => {
    const { agent, ada, path, make } = await begin()
    const lead = await signInNew(service.app, { teamId: agent.teamId, right: 'manage' })
    const macro = await make([{ type: 'end_conversation' }], { shared: true })
    const unshare = () => lead.call('PATCH', `${path}/macros/${macro}`, { shared: false })
    const share = (by: Person) => by.call('PATCH', `${path}/macros/${macro}`, { shared: true })
    const ids = async (by: Person) =>
      (await by.call('GET', `${path}/macros`)).body.data.map(({ id }: { id: number }) => id)
    const unshared = await unshare()
    assert.equal(unshared.status, 200, unshared.text)
    assert.deepEqual([unshared.body.data.shared, unshared.body.data.can_change], [false, false])
    assert.deepEqual([await ids(ada), await ids(lead)], [[macro], []])
    const told = (await agent.get('/audit?action=macro.changed')).body.data
    assert.deepEqual(
      told.map(({ actor }: { actor: { id: number } }) => actor.id),
      [lead.operatorId],
      'who shared a macro must be able to see who took it back',
    )
    assert.equal((await share(ada)).status, 200)
    await agent.patch(`/operators/${ada.operatorId}`, { active: false })
    assert.equal((await unshare()).body.data.can_change, true, 'its maker is disabled')
    assert.deepEqual(await ids(lead), [macro])
    await share(lead)
    await agent.call('DELETE', `/operators/${ada.operatorId}`)
    assert.equal((await unshare()).status, 200)
    assert.deepEqual(await ids(lead), [macro])
  })

  it('200: each action is carried out, and the timeline has one line that names the macro', async () => {
    const { agent, ada, id, make, run } = await begin()
    const macro = await make(EVERYTHING)
    const { actions, finished_at } = await run(macro)
    assert.deepEqual(
      outcomes(actions),
      EVERYTHING.map(({ type }) => `${type} done`),
    )
    assert.notEqual(finished_at, null)
    const { priority, snoozed_until, assignee, agent_paused } = await entry(agent, id)
    assert.deepEqual(
      [priority, snoozed_until !== null, assignee.id, agent_paused],
      ['high', true, ada.operatorId, true],
    )
    const lines = await timeline(agent, id)
    assert.deepEqual(
      lines.map(({ type }) => type),
      ['message', 'message', 'macro', 'message'],
      'what it has changed is no line of its own',
    )
    const [, , told, answer] = lines
    assert.deepEqual(told?.details.macro, { id: macro, name: 'Refund' })
    assert.deepEqual(
      told?.details.done,
      EVERYTHING.map(({ type }) => type),
    )
    assert.equal(answer?.message?.content, 'We refund gold.')
    const again = await run(macro)
    assert.deepEqual(outcomes(again.actions).slice(1, 4), [
      'tag unchanged',
      'priority unchanged',
      'add_note done',
    ])
  })

  it('GET 200: a preview says what would happen and does none of it', async () => {
    const { agent, ada, id, path, make } = await begin('manage')
    const rest = [
      { type: 'assign', operator_id: ada.operatorId },
      { type: 'call_webhook', url: hook().url },
      { type: 'reply', text: 'Hello {user.name}' },
    ]
    const macro = await make([...EVERYTHING, { type: 'pause_conversation' }, ...rest])
    await agent.call('PUT', `/conversations/${id}/priority`, { priority: 'high' })
    const before = [await entry(agent, id), await timeline(agent, id)]
    hook().requests.length = 0
    const shown = await ada.call('GET', `${path}/conversations/${id}/macros/${macro}`)
    assert.equal(shown.status, 200, shown.text)
    const { actions } = shown.body.data
    assert.deepEqual(outcomes(actions), [
      'reply pending',
      'tag pending',
      'priority unchanged',
      'add_note pending',
      'snooze pending',
      'pause_conversation pending',
      'assign pending',
      'call_webhook pending',
      'reply failed',
    ])
    assert.deepEqual([actions.at(-1).reason, actions.at(-1).unfilled], ['variables_unfilled', ['user.name']])
    assert.deepEqual(actions[0].unfilled, [])
    const undoable = actions.filter(({ can_undo }: Step) => can_undo).map(({ type }: Step) => type)
    assert.deepEqual(undoable, ['tag', 'snooze', 'pause_conversation', 'assign'])
    assert.deepEqual([await entry(agent, id), await timeline(agent, id)], before)
    assert.equal(hook().requests.length, 0)
  })

  it('200: undo takes back what can be and what nobody has changed since', async () => {
    const { agent, ada, id, make, run, undo } = await begin()
    const macro = await make([
      { type: 'assign', operator_id: ada.operatorId },
      { type: 'tag', tag: 'refund' },
      { type: 'priority', priority: 'urgent' },
      { type: 'pause_conversation' },
      { type: 'add_note', text: 'Done.' },
      { type: 'end_conversation' },
    ])
    const ran = await run(macro)
    await agent.call('PUT', `/conversations/${id}/priority`, { priority: 'low' })
    const undone = await undo(ran.id)
    assert.equal(undone.status, 200, undone.text)
    assert.deepEqual(
      undone.body.data.actions.map(({ undone }: Step) => undone),
      [true, true, false, true, null, true],
    )
    const now = await entry(agent, id)
    assert.deepEqual([now.assignee, now.priority, now.agent_paused, now.ended_at], [null, 'low', false, null])
    const { tags } = (await agent.get(`/conversations/${id}`)).body.data
    assert.deepEqual(tags, { plan: 'gold' })
    const types = (await timeline(agent, id)).map(({ type }) => type)
    assert.deepEqual(types.slice(2), ['macro', 'prioritized', 'macro_undone'])
    const again = await undo(ran.id)
    assert.deepEqual(again.body, undone.body, 'once is enough')
    assertError(await undo(999_999), 404, 'macro_run_not_found')
  })

  it('200: undo leaves the agent paused where a person has answered since, the macro aside', async () => {
    const { agent, id, make, run, undo } = await begin()
    const macro = await make([{ type: 'pause_conversation' }, { type: 'reply', text: 'One moment.' }])
    const pauseUndone = async (runId: number) => {
      const { body } = await undo(runId)
      return [body.data.actions[0].undone, (await entry(agent, id)).agent_paused]
    }
    const first = await run(macro)
    assert.deepEqual(await pauseUndone(first.id), [true, false])
    const second = await run(macro)
    assert.equal((await agent.post(`/conversations/${id}/messages`, { content: 'Eva here.' })).status, 200)
    assert.deepEqual(await pauseUndone(second.id), [false, true])
    await agent.post(`/conversations/${id}/resume`)
    const third = await run(macro)
    await agent.post(`/conversations/${id}/resume`)
    await agent.post(`/conversations/${id}/pause`)
    assert.deepEqual(await pauseUndone(third.id), [false, true], 'paused anew')
  })

  it('200: undone by two people at the same time, each action is told as undone', async () => {
    const { make, run, undo } = await begin()
    const tags = ['a', 'b', 'c', 'd'].map((tag) => ({ type: 'tag', tag }))
    const ran = await run(await make(tags))
    const answers = await Promise.all([undo(ran.id), undo(ran.id)])
    for (const { status, body, text } of [...answers, await undo(ran.id)]) {
      assert.equal(status, 200, text)
      assert.deepEqual(
        body.data.actions.map(({ undone }: Step) => undone),
        [true, true, true, true],
      )
    }
  })

  it('a macro may name people in any order', async () => {
    const { agent, make } = await begin()
    const grace = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const hugo = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const assign = ({ operatorId }: Person) => ({ type: 'assign', operator_id: operatorId })
    await make([assign(hugo), assign(grace)])
  })

  it('an action that fails is told, and those behind it are carried out unless it stops', async () => {
    const { agent, ada, id, path, make, run } = await begin()
    const grace = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const assign = { type: 'assign', operator_id: grace.operatorId }
    const tag = { type: 'tag', tag: 'x' }
    const going = await make([assign, tag])
    const stopping = await make([{ ...assign, on_failure: 'stop' }, tag])
    const owner = await signInNew(service.app, { teamId: agent.teamId, right: 'own' })
    assert.equal((await owner.call('DELETE', `/operators/${grace.operatorId}`)).status, 204)
    const stopped = await run(stopping)
    assert.deepEqual(outcomes(stopped.actions), ['assign failed', 'tag skipped'])
    assert.equal(stopped.actions[0].reason, 'assignee_left')
    assert.deepEqual(outcomes((await run(going)).actions), ['assign failed', 'tag done'])
    const gone = await ada.call('POST', `${path}/conversations/${id}/macros/999999`)
    assertError(gone, 404, 'macro_not_found')
  })

  it('a webhook is signed, names the macro, and takes the right to manage', async () => {
    const { agent, ada, id, path, make, run } = await begin('manage')
    const actions = [{ type: 'call_webhook', url: hook().url, secret: 'a long random text' }]
    const macro = await make(actions, { shared: true })
    hook().requests.length = 0
    assert.deepEqual(outcomes((await run(macro)).actions), ['call_webhook done'])
    const [called] = hook().requests
    assert.deepEqual(JSON.parse(called?.body ?? '').conversation, { id })
    assert.ok(called?.headers['webhook-signature'])
    assert.equal(called?.headers['user-agent'], 'Parley-Macros/1.0')
    const listed = (await ada.call('GET', `${path}/macros`)).text
    assert.ok(!listed.includes('a long random text'))
    const grace = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const refused = await grace.call('POST', `${path}/macros`, { name: 'x', actions })
    assertError(refused, 403, 'insufficient_right')
    const moved = await grace.call('PATCH', `${path}/macros/${macro}`, { actions })
    assertError(moved, 403, 'insufficient_right')
  })

  it('in many conversations: each once, with what failed said for each', async () => {
    const { agent, ada, id, path, make } = await begin()
    const { conversation_id: other } = await agent.prompt('And mine?')
    await agent.post(`/conversations/${other}/end`)
    const macro = await make([
      { type: 'snooze', minutes: 60 },
      { type: 'tag', tag: 'later' },
    ])
    const bulk = { ids: [id, other], action: { type: 'macro', macro_id: macro } }
    const started = await ada.call('POST', `${path}/inbox/bulk`, bulk)
    assert.equal(started.status, 202, started.text)
    const act = `${path}/inbox/bulk/${started.body.data.id}`
    let found = started.body.data
    while (found.finished_at === null) {
      await pause()
      found = (await ada.call('GET', act)).body.data
    }
    assert.deepEqual(
      [found.done, found.changed, found.skipped],
      [2, 1, [{ reason: 'macro_failed', count: 1 }]],
    )
    const runs = (await ada.call('GET', `${act}/runs`)).body.data
    assert.deepEqual(
      runs.map((one: { conversation_id: string }) => one.conversation_id).toSorted(),
      [id, other].toSorted(),
    )
    const { data } = (await ada.call('GET', `${act}/runs?failed=true`)).body
    assert.equal(data.length, 1)
    assert.equal(data[0].conversation_id, other)
    assert.deepEqual(outcomes(data[0].actions), ['snooze failed', 'tag done'])
    assert.equal(data[0].actions[0].reason, 'conversation_ended')
    const line = (await timeline(agent, id)).find(({ type }) => type === 'macro')
    assert.equal(line?.by.name, 'Test Person', 'the person who began it')
    const unknown = { ...bulk, action: { type: 'macro', macro_id: 999_999 } }
    assertError(await ada.call('POST', `${path}/inbox/bulk`, unknown), 404, 'macro_not_found')
  })

  it('409 too_many_macros: 100 shared ones and 100 of each person, also at once', async () => {
    const { ada, path } = await begin()
    for (const shared of [true, false]) {
      const save = () =>
        ada.call('POST', `${path}/macros`, { name: 'x', actions: [{ type: 'end_conversation' }], shared })
      const statuses: number[] = []
      for (let n = 0; n < 98; n++) statuses.push((await save()).status)
      statuses.push(...(await Promise.all(Array.from({ length: 6 }, save))).map(({ status }) => status))
      assert.equal(statuses.filter((status) => status === 201).length, 100)
      assert.equal(statuses.filter((status) => status === 409).length, 4)
    }
  })

  it('runs are forgotten after 30 days', async () => {
    const { make, run, undo } = await begin()
    const ran = await run(await make([{ type: 'tag', tag: 'x' }]))
    const { db } = service.app.app.foundation.database
    await forget(db, 'runs of macros', Date.parse(ran.created_at) + 29 * 86_400_000)
    assert.equal((await undo(ran.id)).status, 200)
    await forget(db, 'runs of macros', Date.parse(ran.created_at) + 31 * 86_400_000)
    assertError(await undo(ran.id), 404, 'macro_run_not_found')
  })

  it('403 for a token that wants one of its own, and for who may only read', async () => {
    const { agent, path } = await begin()
    const macro = { name: 'x', actions: [{ type: 'end_conversation' }] }
    assertError(await agent.post('/macros', macro), 403, 'operator_needed')
    assert.equal((await agent.post('/macros', { ...macro, shared: true })).status, 201)
    const reader = await signInNew(service.app, { teamId: agent.teamId, right: 'read' })
    assertError(await reader.call('POST', `${path}/macros`, macro), 403, 'insufficient_right')
  })

  for (const [name, body] of [
    ['no actions', { actions: [] }],
    ['an unknown action', { actions: [{ type: 'x' }] }],
    ['nobody to assign to', { actions: [{ type: 'assign' }] }],
    ['somebody of no team', { actions: [{ type: 'assign', operator_id: 999_999 }] }],
    ['no group of the team', { actions: [{ type: 'assign', group_id: 999_999 }] }],
    ['no time', { actions: [{ type: 'snooze', minutes: 0 }] }],
    ['an address that may not be called', { actions: [{ type: 'call_webhook', url: 'ftp://x' }] }],
  ] as const)
    it(`400: ${name}`, async () => {
      const { ada, path } = await begin('manage')
      const answer = await ada.call('POST', `${path}/macros`, { name: 'x', ...body })
      assertError(answer, 400, 'invalid_request')
    })
})
