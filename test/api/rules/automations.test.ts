import assert from 'node:assert/strict'
import { it } from 'node:test'
import { pause, until } from '../../support/becomes.ts'
import { holdJudge } from '../../support/hold-judge.ts'
import { automationsEnd, keywords, made, onRules } from '../../support/on-rules.ts'
import { startPeer } from '../../support/peer.ts'
import { addChannel, startPlatformPeer } from '../../support/platform-peer.ts'

onRules('automations', (service, peers) => {
  it('ask whether people are there, by the hours of the agent', async () => {
    const agent = await service.addAgent()
    for (const [name, value] of [
      ['there', true],
      ['away', false],
    ] as const)
      await made(agent, '/automations', {
        name,
        condition: { field: 'within_hours', op: 'eq', value },
        actions: [{ type: 'tag', tag: name }],
      })
    const tagsOf = async () => {
      const { conversation_id: id } = await agent.prompt('Hello')
      let tags: Record<string, unknown> | null = null
      while (!tags) {
        await pause()
        tags = (await agent.get(`/conversations/${id}`)).body.data.tags
      }
      return tags
    }
    assert.deepEqual(await tagsOf(), { there: true }, 'an agent without hours')
    await agent.patch('/agent', { hours: { time_zone: 'UTC', week: [] } })
    assert.deepEqual(await tagsOf(), { away: true }, 'nobody is ever there')
    const all = [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }]
    await agent.patch('/agent', { hours: { time_zone: 'UTC', week: all } })
    assert.deepEqual(await tagsOf(), { there: true }, 'somebody always is')
  })

  it('what automations send, hand to people and end is so in channels', async () => {
    const agent = await service.addAgent()
    const actions = [
      { type: 'send_message', text: 'A person will come.' },
      { type: 'pause_conversation' },
      { type: 'end_conversation' },
    ]
    await made(agent, '/automations', { name: 'A', actions })
    await using peer = await startPlatformPeer()
    await addChannel(agent, 'helpdesk', peer).then((channel) => channel.says('hello'))
    const sent = await peer.untilSent(2)
    assert.deepEqual(
      sent.map(({ text }) => text),
      ['hello', 'A person will come.'],
    )
    await until(() => peer.requests.some(({ path }) => path.endsWith('/toggle_status')))
    for (let isOpen = true; isOpen; ) {
      const [{ agent_paused, ended_at }] = (await agent.get('/conversations')).body.data
      assert.equal(agent_paused, true)
      isOpen = ended_at === null
    }
  })

  it('conditions see the prompt also when a pause message took the place of the answer', async () => {
    const agent = await service.addAgent({ settings: { pause_message: 'One moment.' } })
    await made(agent, '/automations', {
      name: 'Refunds',
      condition: { field: 'prompt.text', op: 'contains', value: 'refund' },
      actions: [{ type: 'tag', tag: 'refund' }],
    })
    await using judge = await holdJudge()
    await made(agent, '/ctas', { name: 'C', content: 'Look', evaluator_id: await judge.addTo(agent) })
    await using peer = await startPlatformPeer()
    const channel = await addChannel(agent, 'messenger-one', peer)
    service.model.next({ text: 'Of course.' })
    await channel.says('I want a refund')
    // The answer is made and not stored: a pause that came earlier would have stopped it.
    await judge.asked
    const [open] = (await agent.get('/chat/completions')).body.data
    await agent.post(`/conversations/${open.conversation_id}/pause`)
    await peer.untilSent(1)
    assert.equal(peer.sent[0]?.text, 'One moment.')
    await automationsEnd(service, agent, open.id)
    const { data } = (await agent.get(`/chat/completions/${open.id}`)).body
    assert.deepEqual(
      data.messages.map(({ role }: { role: string }) => role),
      ['user', 'assistant', 'transition'],
    )
    assert.deepEqual([data.prompt, data.response], ['I want a refund', 'One moment.'])
    assert.deepEqual(data.tags, ['refund'])
  })

  for (const stream of [false, true])
    it(`an answer that a pause stopped${stream ? ', in a stream' : ''} runs no automation, and none ends`, async () => {
      const agent = await service.addAgent({ settings: { pause_message: 'One moment.' } })
      await made(agent, '/automations', { name: 'A', actions: [{ type: 'tag', tag: 'answered' }] })
      service.model.next({ hang: true })
      const pending = agent.call('POST', '/chat/completions', {
        messages: [{ role: 'user', content: 'hello' }],
        external_id: 'stopped',
        stream,
      })
      await service.model.request(0)
      await agent.post('/conversations/stopped/pause')
      await service.model.aborted()
      assert.match((await pending).text, /One moment\./)
      const { data: stopped } = (await agent.get('/chat/completions')).body
      assert.deepEqual(
        stopped.map(({ finish_reason, tags }: Record<string, unknown>) => [finish_reason, tags]),
        [['cancelled', []]],
      )
      await agent.post('/conversations/stopped/resume')
      // Automations run in the order of their answers: when the next one's have ended, none of the first is left.
      const next = await agent.prompt('still there?')
      await automationsEnd(service, agent, next.id)
      const events = await service.eventsOf(agent)
      for (const key of ['automation_trigger', 'automations_end'])
        assert.equal(events.filter((one) => one === key).length, 1, key)
      assert.deepEqual((await agent.get('/conversations/stopped')).body.data.tags, null)
    })

  it('automations run after the response: every action, in order, once', async () => {
    const agent = await service.addAgent()
    await made(agent, '/automations', {
      name: 'Escalate',
      condition: { field: 'prompt.text', op: 'contains', value: 'refund' },
      actions: [
        { type: 'tag', tag: 'refund' },
        { type: 'add_note', text: 'Wants money back' },
        { type: 'send_message', text: 'A person will look at this.' },
        { type: 'call_webhook', url: `${peers.hook.url}/crm`, secret: 'a-secret-of-the-crm-12' },
        { type: 'pause_conversation' },
      ],
    })
    await made(agent, '/automations', {
      name: 'Never',
      condition: { field: 'prompt.text', op: 'contains', value: 'unicorn' },
      actions: [{ type: 'end_conversation' }],
    })
    const answer = await agent.prompt('I want a refund')
    assert.deepEqual(
      (await automationsEnd(service, agent, answer.id)).map(
        ({ name, status }: { name: string; status: string }) => [name, status],
      ),
      [['Escalate', 'succeeded']],
    )
    const conversation = (await agent.get(`/conversations/${answer.conversation_id}`)).body.data
    assert.deepEqual(conversation.tags, { refund: true })
    assert.equal(conversation.agent_paused, true)
    assert.equal(conversation.ended_at, null)
    assert.deepEqual((await agent.get(`/chat/completions/${answer.id}`)).body.data.tags, ['refund'])
    const notes = await agent.get(`/conversations/${answer.conversation_id}/notes`)
    assert.deepEqual(
      notes.body.data.map(({ text, author }: { text: string; author: string }) => [text, author]),
      [['Wants money back', 'Escalate']],
    )
    const messages = await agent.get(`/conversations/${answer.conversation_id}/messages`)
    assert.equal(messages.body.data.at(-1).content, 'A person will look at this.')
    assert.equal(peers.hook.requests.length, 1)
    const called = JSON.parse(peers.hook.requests[0]?.body ?? '{}')
    assert.equal(called.completion.prompt, 'I want a refund')
    assert.match(String(peers.hook.requests[0]?.headers['x-webhook-signature']), /^sha256=[0-9a-f]{64}$/)
    assert.match(String(peers.hook.requests[0]?.headers['webhook-id']), /^automation_\d+_\d+_3$/)
    const events = await service.eventsOf(agent)
    assert.equal(events.filter((key) => key === 'automation_trigger').length, 1)
    assert.equal(events.filter((key) => key === 'automations_end').length, 1)
  })

  it('automations by what a response came of: those that cannot hold are not run, and the end is told', async () => {
    const agent = await service.addAgent()
    const tags = (tag: string, condition: object) =>
      made(agent, '/automations', { name: tag, condition, actions: [{ type: 'tag', tag }] })
    const score = (op: string) => ({ field: 'retrieval.score', op, value: 0.5 })
    await tags('found', score('gte'))
    await tags('not found', { all: [score('lt'), { field: 'message_count', op: 'eq', value: 2 }] })
    await tags('longer', { field: 'message_count', op: 'gt', value: 2 })
    const unknown = await agent.prompt('Where do herons nest in winter?')
    assert.deepEqual(
      (await automationsEnd(service, agent, unknown.id)).map(({ name }: { name: string }) => name),
      ['not found'],
    )

    const silent = await service.addAgent()
    const never = { field: 'prompt.text', op: 'contains', value: 'refund' }
    await made(silent, '/automations', {
      name: 'never',
      condition: never,
      actions: [{ type: 'tag', tag: 'x' }],
    })
    const answer = await silent.prompt('Where do herons nest in winter?')
    // Nothing had to wait for a worker.
    assert.equal((await service.eventsOf(silent)).filter((key) => key === 'automations_end').length, 1)
    assert.deepEqual((await silent.get(`/chat/completions/${answer.id}`)).body.data.automations, [])

    const knowing = await service.addAgent()
    const title = 'Herons'
    const content = 'Herons nest in winter in the old harbour.'
    await made(knowing, '/knowledge', { title, content })
    await made(knowing, '/automations', {
      name: 'found',
      condition: score('gte'),
      actions: [{ type: 'tag', tag: 'found' }],
    })
    const known = await knowing.prompt('Where do herons nest in winter?')
    assert.deepEqual(
      (await automationsEnd(service, knowing, known.id)).map(({ name }: { name: string }) => name),
      ['found'],
    )
  })

  it('an automation may depend on what one before it did', async () => {
    const agent = await service.addAgent()
    const tag = (name: string, condition: object) =>
      made(agent, '/automations', { name, condition, actions: [{ type: 'tag', tag: name }] })
    await tag('first', { field: 'prompt.text', op: 'contains', value: 'herons' })
    await tag('second', { field: 'tags.first', op: 'exists' })
    const nest = `evaluator.${await keywords(agent, 'nest')}.passed`
    await tag('third', {
      all: [
        { field: 'tags.second', op: 'exists' },
        { field: nest, op: 'eq', value: true },
      ],
    })
    const { id } = await agent.prompt('Where do herons nest?')
    const names = (await automationsEnd(service, agent, id)).map(({ name }: { name: string }) => name)
    assert.deepEqual(names, ['first', 'second', 'third'])
  })

  for (const [on_failure, tags] of [
    [undefined, ['behind']],
    ['continue', ['behind']],
    ['stop', []],
  ] as const)
    it(`an automation whose webhook fails is told, and with on_failure ${on_failure} ${tags.length > 0 ? 'goes on' : 'stops'}`, async () => {
      const agent = await service.addAgent()
      await made(agent, '/automations', {
        name: 'Broken',
        actions: [
          { type: 'call_webhook', url: 'http://127.0.0.1:9/', ...(on_failure && { on_failure }) },
          { type: 'tag', tag: 'behind' },
          ...(on_failure === 'stop' ? [] : [{ type: 'pause_conversation' }]),
        ],
      })
      const { id, conversation_id } = await agent.prompt('hello')
      assert.equal((await automationsEnd(service, agent, id))[0].status, 'failed')
      assert.ok((await service.eventsOf(agent)).includes('error'))
      assert.deepEqual((await agent.get(`/chat/completions/${id}`)).body.data.tags, tags)
      const { agent_paused } = (await agent.get(`/conversations/${conversation_id}`)).body.data
      assert.equal(agent_paused, on_failure !== 'stop')
    })

  it('an action that was saved before it could say what follows its failure goes on', async () => {
    const agent = await service.addAgent()
    const call = { type: 'call_webhook', url: 'http://127.0.0.1:9/' }
    const id = await made(agent, '/automations', { name: 'Old', actions: [call] })
    const { db } = service.app.app.foundation.database
    const settings = JSON.stringify({ condition: null, actions: [call, { type: 'tag', tag: 'behind' }] })
    await db.updateTable('rules').set({ settings }).where('id', '=', id).execute()
    const answer = await agent.prompt('hello')
    await automationsEnd(service, agent, answer.id)
    assert.deepEqual((await agent.get(`/chat/completions/${answer.id}`)).body.data.tags, ['behind'])
    const { data } = (await agent.get(`/automations/${id}`)).body
    assert.deepEqual(
      data.actions.map(({ on_failure }: { on_failure: string }) => on_failure),
      ['continue', 'continue'],
    )
  })

  it('an automation whose tag is one too many for the conversation is told, and stops where it says so', async () => {
    const agent = await service.addAgent()
    const actions = (...tags: string[]) => tags.map((tag) => ({ type: 'tag', tag, on_failure: 'stop' }))
    await made(agent, '/automations', { name: 'Fits', actions: actions('t0') })
    await made(agent, '/automations', { name: 'Too many', actions: actions('t1', 'more', 't2') })
    await made(agent, '/automations', { name: 'Last', actions: actions('more') })
    const tags = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`t${at}`, 1]))
    const { id, conversation_id } = await agent.prompt('hello', { tags })
    assert.deepEqual(
      (await automationsEnd(service, agent, id)).map(({ name, status }: { name: string; status: string }) => [
        name,
        status,
      ]),
      [
        ['Fits', 'succeeded'],
        ['Too many', 'failed'],
        ['Last', 'failed'],
      ],
    )
    const events = await service.eventsOf(agent)
    assert.equal(events.filter((key) => key === 'error').length, 2)
    assert.deepEqual((await agent.get(`/conversations/${conversation_id}`)).body.data.tags, {
      ...tags,
      t0: true,
      t1: true,
    })
    assert.deepEqual((await agent.get(`/chat/completions/${id}`)).body.data.tags, ['t0', 't1'])
  })

  it('what died between two actions goes on behind them, and calls no webhook twice', async () => {
    const agent = await service.addAgent()
    const called = Promise.withResolvers<void>()
    const hanging = await startPeer(() => called.resolve())
    try {
      await made(agent, '/automations', {
        name: 'Crash',
        actions: [
          { type: 'tag', tag: 'before' },
          { type: 'call_webhook', url: hanging.url },
          { type: 'tag', tag: 'after' },
        ],
      })
      const answer = await agent.prompt('hello')
      await called.promise
      // The worker is taken for dead: the next one claims the job, and the first may write nothing more.
      const { db } = service.app.app.foundation.database
      await db
        .updateTable('automation_jobs')
        .set({ leased_until: null })
        .where('state', '=', 'waiting')
        .execute()
      const [run] = await automationsEnd(service, agent, answer.id)
      assert.equal(run.status, 'unknown')
      assert.equal(hanging.requests.length, 1)
      const { tags } = (await agent.get(`/chat/completions/${answer.id}`)).body.data
      assert.deepEqual(tags, ['before', 'after'])
    } finally {
      await hanging.close()
    }
  })

  it('a webhook that failed stays failed when the process dies right behind it', async () => {
    const agent = await service.addAgent()
    await made(agent, '/automations', {
      name: 'Broken',
      actions: [
        { type: 'call_webhook', url: 'http://127.0.0.1:9/', on_failure: 'stop' },
        { type: 'tag', tag: 'never' },
      ],
    })
    const { id } = await agent.prompt('hello')
    await automationsEnd(service, agent, id)
    // The job as it was before the automation's end was stored.
    const { db } = service.app.app.foundation.database
    const ofPrompt = (done: string) =>
      db
        .selectFrom('automation_jobs')
        .selectAll()
        .where('completion_id', '=', id)
        .where('state', '=', done as 'done')
    const { runs, ...job } = await ofPrompt('done').executeTakeFirstOrThrow()
    const [run] = JSON.parse(runs)
    await db
      .updateTable('automation_jobs')
      .set({ state: 'waiting', leased_until: null, runs: JSON.stringify([{ ...run, status: 'running' }]) })
      .where('id', '=', job.id)
      .execute()
    await until(async () => (await ofPrompt('done').executeTakeFirst()) !== undefined)
    const { automations, tags } = (await agent.get(`/chat/completions/${id}`)).body.data
    assert.deepEqual([automations[0].status, tags], ['failed', []])
  })
})
