import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { until } from '../support/becomes.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import {
  addChannel,
  LINE_DESTINATION,
  lineFollow,
  messageOf,
  startPlatformPeer,
} from '../support/platform-peer.ts'
import { shared } from '../support/shared.ts'
import { addWidget } from '../support/widget-visitors.ts'

onBothEngines('PUT /users/{id}/blocked', (service) => {
  const peer = shared(startPlatformPeer)

  const block = (agent: TestAgent, id: string, blocked = true) =>
    agent.put(`/users/${encodeURIComponent(id)}/blocked`, { blocked })
  const conversationOf = async (agent: TestAgent, id: string) =>
    (await agent.get(`/conversations/${id}`)).body.data
  const inboxOf = async (agent: TestAgent) => (await agent.get('/inbox?view=open')).body.data

  it('200: says since when, ends the conversations, and is written into the audit once', async () => {
    const agent = await service.addAgent()
    const one = await agent.prompt('first', { user: 'ada', external_id: `a-${agent.agentId}` })
    const two = await agent.prompt('second', { user: 'ada' })
    const bobs = await agent.prompt('mine', { user: 'bob' })
    for (const _ of [1, 2]) {
      const { status, body } = await block(agent, 'ada')
      assert.equal(status, 200)
      assert.match(body.data.blocked_at, /Z$/)
    }
    for (const { conversation_id } of [one, two])
      assert.notEqual((await conversationOf(agent, conversation_id)).ended_at, null)
    assert.equal((await conversationOf(agent, bobs.conversation_id)).ended_at, null)
    const acts = (await agent.get('/audit?action=user.blocked')).body.data
    assert.deepEqual(
      acts.map(({ target }: { target: string }) => target),
      ['user ada'],
    )
    assert.equal((await block(agent, 'ada', false)).body.data.blocked_at, null)
    assert.notEqual((await conversationOf(agent, one.conversation_id)).ended_at, null, 'stays ended')
  })

  it('200: prompts are kept and answered by nobody, also while the agent is paused', async () => {
    const agent = await service.addAgent({ settings: { pause_message: 'Wait.' } })
    const { conversation_id } = await agent.prompt('first', { user: 'ada' })
    await block(agent, 'ada')
    const asked = service.model.requests.length
    for (const fields of [{ conversation_id }, { conversation_id, user: 'ada' }, { user: 'ada' }]) {
      const said = await agent.prompt('buy this', fields)
      assert.deepEqual(
        [said.agent_paused, said.choices[0].message.content],
        [true, ''],
        JSON.stringify(fields),
      )
      const kept = await conversationOf(agent, said.conversation_id)
      assert.notEqual(kept.ended_at, null, JSON.stringify(fields))
    }
    await agent.post('/pause')
    const paused = await agent.prompt('again', { user: 'ada' })
    assert.equal(paused.choices[0].message.content, '')
    assert.equal(service.model.requests.length, asked)
    const waiting = (await agent.get(`/conversations/${paused.conversation_id}/timeline`)).text.includes(
      'waiting',
    )
    assert.deepEqual([await inboxOf(agent), waiting], [[], false])
    const messages = (await agent.get(`/conversations/${conversation_id}/messages`)).body.data
    assert.equal(messages.filter(({ content }: { content: string }) => content === 'buy this').length, 2)
    await agent.post('/resume')
    await block(agent, 'ada', false)
    const answered = await agent.prompt('sorry', { conversation_id })
    assert.match(answered.choices[0].message.content, /sorry/)
    assert.equal((await conversationOf(agent, conversation_id)).ended_at, null)
  })

  it('409 user_blocked: people neither answer nor reopen, nor does anybody wait', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('first', { user: 'ada' })
    await block(agent, 'ada')
    const path = `/conversations/${conversation_id}`
    for (const [act, body] of [
      ['messages', { content: 'Hello' }],
      ['reopen', undefined],
      ['wait', { reason: 'asked' }],
    ] as const)
      assertError(await agent.post(`${path}/${act}`, body), 409, 'user_blocked')
    const actions = [
      { type: 'reply', text: 'Hello' },
      { type: 'send_message', text: 'Hello' },
    ]
    const macro = (await agent.post('/macros', { name: 'Greet', shared: true, actions })).body.data
    const ran = (await agent.post(`${path}/macros/${macro.id}`)).body.data
    assert.deepEqual(
      ran.actions.map(({ reason }: { reason: string }) => reason),
      ['user_blocked', 'user_blocked'],
    )
    await block(agent, 'ada', false)
    assert.equal((await agent.post(`${path}/messages`, { content: 'Hello' })).status, 200)
  })

  it('200: a visitor of a widget goes on in the ended conversation, and hears nothing', async () => {
    const { agent, ...widget } = await addWidget(service.app, await service.addAgent())
    const visitor = await widget.visit()
    const first = await visitor.say('Hello')
    await block(agent, visitor.session.visitor_id)
    const asked = service.model.requests.length
    const second = await visitor.say('Still here')
    assert.deepEqual([second.status, second.text], [200, ''])
    assert.equal(second.first.conversation_id, first.first.conversation_id)
    assert.equal(service.model.requests.length, asked)
    assert.deepEqual(await inboxOf(agent), [])
  })

  it('200: on a channel, messages are kept in the ended conversation and nothing is sent', async () => {
    const agent = await service.addAgent({ settings: { greeting: 'Welcome!' } })
    const channel = await addChannel(agent, 'messenger-three', peer())
    const from = `U${'b'.repeat(32)}`
    await channel.post(messageOf('messenger-three', from, '1', 'Hello'))
    await peer().untilSent(1)
    const id = `channel-${channel.id}:${from}`
    assert.equal((await block(agent, id)).status, 200)
    const sent = peer().sent.length
    await channel.post(messageOf('messenger-three', from, '2', 'Are you there?'))
    await channel.post({ destination: LINE_DESTINATION, events: [lineFollow(from, '3')] })
    // The last of the chat's messages: those before it have been worked then.
    await channel.post(messageOf('messenger-three', from, '4', 'Last call'))
    const [{ id: conversation }] = (await agent.get(`/users/${id}`)).body.data.conversations
    await until(async () => {
      const { data } = (await agent.get(`/conversations/${conversation}/messages`)).body
      return data.some(({ content }: { content: string }) => content === 'Last call')
    })
    assert.equal(peer().sent.length, sent)
    assert.notEqual((await conversationOf(agent, conversation)).ended_at, null)
  })

  it('404, 422: somebody unknown, another agent’s user, a body of another form', async () => {
    const agent = await service.addAgent()
    const other = await service.addAgent()
    await other.prompt('hi', { user: 'ada' })
    assertError(await block(agent, 'nobody'), 404, 'user_not_found')
    assertError(await block(agent, 'ada'), 404, 'user_not_found')
    for (const body of [{}, { blocked: 'yes' }, { blocked: true, more: 1 }])
      assertError(await other.put('/users/ada/blocked', body), 400, 'invalid_request')
  })
})
