import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onChannels } from '../../support/on-channels.ts'
import { startPeer } from '../../support/peer.ts'
import { addChannel, messageOf } from '../../support/platform-peer.ts'

onChannels('hand-overs to people on a helpdesk', (service, chats) => {
  const { externalId, settled, messagesOf } = chats

  /** The statuses that the helpdesk was told to give conversation 42. */
  const toggles = (account = 7) =>
    chats.peer.requests
      .filter(({ path }) => path === `/api/v1/accounts/${account}/conversations/42/toggle_status`)
      .map(({ body }) => JSON.parse(body).status)

  it('helpdesk: a recorded event with another delivery id hands nothing over again', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'helpdesk', chats.peer)
    await channel.says('hello')
    await chats.peer.untilSent(1)
    const isPaused = async () =>
      (await agent.get(`/conversations/${externalId(channel)}`)).body.data.agent_paused
    const event = { event: 'conversation_status_changed', id: 42, account: { id: 7 } }
    const taken = { ...event, status: 'open', updated_at: 1749416383.1 }
    await channel.post(taken, { 'x-chatwoot-delivery': 'one' })
    await settled(channel)
    assert.equal(await isPaused(), true)
    await channel.post({ ...event, status: 'pending', updated_at: 1749416384.2 })
    await settled(channel)
    assert.equal(await isPaused(), false)
    await channel.post(taken, { 'x-chatwoot-delivery': 'two' })
    await settled(channel)
    assert.equal(await isPaused(), false)
    await channel.post({ ...taken, updated_at: 1749416385.3 }, { 'x-chatwoot-delivery': 'two' })
    await settled(channel)
    assert.equal(await isPaused(), true)
  })

  it('helpdesk: people get the conversation while the agent is paused, and the agent gets it back', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'helpdesk', chats.peer)
    await channel.says('hello')
    await chats.peer.untilSent(1)
    await agent.post('/pause')
    await settled(channel)
    assert.deepEqual(toggles(), ['open'])
    // The helpdesk's event about Parley's own change is not taken for a person's.
    await channel.post({ event: 'conversation_status_changed', id: 42, status: 'open', account: { id: 7 } })
    await settled(channel)
    assert.equal((await agent.get(`/conversations/${externalId(channel)}`)).body.data.agent_paused, false)
    await agent.post('/resume')
    await settled(channel)
    assert.deepEqual(toggles(), ['open', 'pending'])
    await channel.says('are you back?')
    const sent = await chats.peer.untilSent(3)
    assert.equal(sent[2]?.text, 'are you back?')
  })

  it('helpdesk: a pause and a resume touch the chats of their own agent alone', async () => {
    const settings = { pause_message: 'We are closed.' }
    const [agent, other] = [await service.addAgent({ settings }), await service.addAgent({ settings })]
    const channel = await addChannel(agent, 'helpdesk', chats.peer)
    const theirs = await addChannel(other, 'helpdesk', chats.peer, { account_id: '8' })
    await channel.says('hello')
    await theirs.post({ ...messageOf('helpdesk', '42', '800', 'hello'), account: { id: 8 } })
    await chats.peer.untilSent(2)
    const told = (account: number) =>
      chats.peer.requests.filter(
        ({ path, body }) => path.includes(`/accounts/${account}/`) && body.includes('We are closed.'),
      ).length
    const allSettled = () => Promise.all([settled(channel), settled(theirs)])
    // The clock stands still: in a busy installation, pauses share a moment.
    const now = service.clock()
    service.clock = () => now
    await other.post('/pause')
    await allSettled()
    assert.deepEqual([toggles(7), toggles(8)], [[], ['open']])
    await agent.post('/pause')
    await allSettled()
    assert.deepEqual([toggles(7), toggles(8)], [['open'], ['open']])
    assert.deepEqual([told(7), told(8)], [1, 1])
    await other.post('/resume')
    await allSettled()
    assert.deepEqual([toggles(7), toggles(8)], [['open'], ['open', 'pending']])
  })

  it('helpdesk: a pause leaves those alone that people have already, and those that have ended', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'helpdesk', chats.peer)
    const toggles = () =>
      chats.peer.requests
        .filter(({ path }) => path.endsWith('/toggle_status'))
        .map(({ path, body }) => `${path.split('/').at(-2)} ${JSON.parse(body).status}`)
    for (const thread of ['42', '43', '44']) await channel.says('hello', { from: thread })
    await chats.peer.untilSent(3)
    await channel.post({ event: 'conversation_opened', id: 42, status: 'open', account: { id: 7 } })
    await channel.post({ event: 'conversation_resolved', id: 43, status: 'resolved', account: { id: 7 } })
    await settled(channel)
    await agent.post('/pause')
    await settled(channel)
    assert.deepEqual(toggles(), ['44 open'])
    // People already have the conversation, so it is not handed over again.
    await agent.post(`/conversations/${externalId(channel, '44')}/pause`)
    await settled(channel)
    assert.deepEqual(toggles(), ['44 open'])
  })

  it('helpdesk: a pause in the conversation and an answer over the API give it to people, its resume back', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'helpdesk', chats.peer)
    await channel.says('hello')
    await chats.peer.untilSent(1)
    const before = toggles().length
    for (const [verb, body] of [
      ['pause'],
      ['resume'],
      ['messages', { content: 'I am a person' }],
      ['resume'],
    ]) {
      await agent.post(`/conversations/${externalId(channel)}/${verb}`, body)
      await settled(channel)
    }
    assert.deepEqual(toggles().slice(before), ['open', 'pending', 'open', 'pending'])
  })

  it('helpdesk: a conversation that could not be given to people is taken over when they take it', async () => {
    const agent = await service.addAgent()
    await using refuses = await startPeer((response, { path }) =>
      response.writeHead(path.endsWith('/toggle_status') ? 403 : 200).end('{}'),
    )
    const channel = await addChannel(agent, 'helpdesk', refuses)
    await channel.says('hello')
    await settled(channel)
    await agent.post('/pause')
    await settled(channel)
    assert.ok((await service.eventsOf(agent)).includes('error'))
    await channel.post({ event: 'conversation_opened', id: 42, status: 'open', account: { id: 7 } })
    await settled(channel)
    assert.equal((await agent.get(`/conversations/${externalId(channel)}`)).body.data.agent_paused, true)
    await agent.post('/resume')
    await settled(channel)
    // The people keep the conversation.
    assert.equal(refuses.requests.filter(({ path }) => path.endsWith('/toggle_status')).length, 1)
  })

  it("helpdesk: a person's doings pause, resume and end the conversation", async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'helpdesk', chats.peer)
    await channel.says('hello')
    await chats.peer.untilSent(1)
    const conversation = async () => (await agent.get(`/conversations/${externalId(channel)}`)).body.data
    const tell = async (status: string, event = 'conversation_status_changed') => {
      await channel.post({ event, id: 42, status, account: { id: 7 }, at: Math.random() })
      await settled(channel)
    }
    await tell('open', 'conversation_opened')
    assert.equal((await conversation()).agent_paused, true)
    await tell('pending')
    assert.equal((await conversation()).agent_paused, false)
    await channel.post({
      ...messageOf('helpdesk', '42', '700', 'Eva here.'),
      message_type: 'outgoing',
      sender: { id: 1, name: 'Eva', type: 'user' },
    })
    await settled(channel)
    assert.equal((await conversation()).agent_paused, true)
    await tell('resolved', 'conversation_resolved')
    assert.ok((await conversation()).ended_at)
    for (const message of [
      { ...messageOf('helpdesk', '42', '701', 'a note'), private: true },
      {
        ...messageOf('helpdesk', '42', '702', 'own'),
        message_type: 'outgoing',
        sender: { type: 'agent_bot' },
      },
    ])
      await channel.post(message)
    await settled(channel)
    assert.equal(chats.peer.sent.length, 1)
    assert.equal((await messagesOf(agent, channel)).length, 3)
  })
})
