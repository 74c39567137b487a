import assert from 'node:assert/strict'
import { it } from 'node:test'
import { until } from '../../support/becomes.ts'
import { kinds, onChannels } from '../../support/on-channels.ts'
import { addChannel, LINE_DESTINATION, lineMessage, PERSON } from '../../support/platform-peer.ts'
import { addNotification, startReceiver } from '../../support/receiver.ts'
import { spokenIn } from '../../support/spoken-in.ts'

onChannels('answers on channels', (service, chats) => {
  const { externalId, settled, pass, messagesOf, states } = chats

  for (const kind of kinds) {
    it(`${kind}: a message is answered in its chat, and both are in the conversation`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      service.model.next({ text: 'It is on its way.' })
      await channel.says('Where is my order?')
      const [sent] = await chats.peer.untilSent(1)
      assert.equal(sent?.text, 'It is on its way.')
      if (kind !== 'messenger-three') assert.equal(sent?.thread, PERSON[kind])
      await settled(channel)
      assert.deepEqual(await messagesOf(agent, channel), [
        'user: Where is my order?',
        'assistant: It is on its way.',
      ])
      const { body } = await agent.get(`/chat/completions?channel_id=${channel.id}`)
      assert.equal(body.total, 1)
      assert.deepEqual(await service.eventsOf(agent), [
        'new_user',
        'new_conversation',
        'prompt_submit',
        'response_start',
        'response_end',
      ])
      // Incoming texts are kept only as messages.
      assert.ok((await states(channel)).every(({ payload, state }) => payload === null && state === 'done'))
    })

    it(`${kind}: a second message goes on with the history, and raises no second conversation`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      await channel.says('My name is Ana.')
      await chats.peer.untilSent(1)
      await channel.says('What is my name?')
      await chats.peer.untilSent(2)
      const asked = spokenIn(service.model.requests.at(-1)?.body).map(({ content }) => content)
      assert.deepEqual(asked, ['My name is Ana.', 'My name is Ana.', 'What is my name?'])
      assert.equal((await agent.get('/conversations')).body.total, 1)
    })

    it(`${kind}: a burst of messages is one prompt`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer, { debounce_ms: 60_000 })
      for (const text of ['hi', 'I have', 'a question']) await channel.says(text)
      assert.equal(service.model.requests.length, 0)
      pass(61_000)
      await chats.peer.untilSent(1)
      await settled(channel)
      assert.deepEqual(
        spokenIn(service.model.requests[0]?.body).map(({ content }) => content),
        ['hi\n\nI have\n\na question'],
      )
      assert.equal(chats.peer.sent.length, 1)
      assert.equal((await agent.get('/chat/completions')).body.total, 1)
    })

    it(`${kind}: a long answer is cut at the platform's limit, sent in as few calls as it allows, each once`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      const text = Array.from({ length: 2000 }, (_, n) => `This is sentence number ${n}.`).join(' ')
      service.model.next({ text })
      chats.peer.failNext(null, (response) => void response.writeHead(429).end())
      await channel.says('tell me everything')
      await until(async () =>
        (await states(channel)).some(({ kind, error }) => kind === 'send' && error !== null),
      )
      // Sending resumes at the part that failed.
      pass(2000)
      await settled(channel)
      const parts = chats.peer.sent.flatMap((call) => [call.text, ...call.more])
      assert.equal(parts.join(' '), text)
      assert.ok(parts.every((part) => part.endsWith('.')))
      if (kind === 'messenger-three')
        assert.deepEqual(
          chats.peer.sent.map(({ more }) => more.length),
          [4, 4, 1],
        )
      else assert.ok(chats.peer.sent.length > 1)
      const keys = chats.peer.sent.flatMap(({ retryKey }) => retryKey ?? [])
      assert.equal(new Set(keys).size, keys.length)
    })
  }

  it('messenger-three: a follow sends the greeting, an unfollow ends the conversation', async () => {
    const agent = await service.addAgent({ settings: { greeting: 'Welcome!' } })
    // Only messages wait for others that follow.
    const channel = await addChannel(agent, 'messenger-three', chats.peer, { debounce_ms: 60_000 })
    const person = PERSON['messenger-three']
    const event = (type: string, id: string) => ({
      destination: LINE_DESTINATION,
      events: [
        {
          type,
          mode: 'active',
          timestamp: 1,
          webhookEventId: id,
          source: { type: 'user', userId: person },
          ...(type === 'follow' ? { replyToken: 'follow-token', follow: { isUnblocked: false } } : {}),
        },
      ],
    })
    await channel.post(event('follow', 'follow-1'))
    const [sent] = await chats.peer.untilSent(1)
    assert.deepEqual([sent?.text, sent?.by, sent?.thread], ['Welcome!', 'reply', 'follow-token'])
    assert.equal(service.model.requests.length, 0)
    assert.deepEqual(await service.eventsOf(agent), ['new_user', 'new_conversation'])
    await channel.post(event('unfollow', 'unfollow-1'))
    await settled(channel)
    assert.ok((await agent.get(`/conversations/${externalId(channel)}`)).body.data.ended_at)
    await channel.says('I am back')
    pass(60_000)
    await chats.peer.untilSent(2)
    assert.equal((await agent.get(`/conversations/${externalId(channel)}`)).body.data.ended_at, null)
  })

  it('messenger-three: groups are answered when mentioned, if the channel says so', async () => {
    const agent = await service.addAgent()
    const quiet = await addChannel(agent, 'messenger-three', chats.peer)
    const channel = await addChannel(agent, 'messenger-three', chats.peer, { groups: 'mentioned' })
    const inGroup = (id: string, isSelf: boolean) => {
      const event = lineMessage('Uperson', id, '@bot hello')
      return {
        destination: LINE_DESTINATION,
        events: [
          {
            ...event,
            source: { type: 'group', groupId: 'Cgroup', userId: 'Uperson' },
            message: {
              ...event.message,
              mention: { mentionees: [{ index: 0, length: 4, type: 'user', userId: 'Ux', isSelf }] },
            },
          },
        ],
      }
    }
    await quiet.post(inGroup('group-quiet', true))
    await channel.post(inGroup('group-other', false))
    await channel.post(inGroup('group-self', true))
    const [sent] = await chats.peer.untilSent(1)
    assert.equal(sent?.text, '@bot hello')
    await settled(channel)
    assert.equal((await states(channel)).filter(({ kind }) => kind === 'message').length, 1)
    assert.equal((await states(quiet)).length, 0)
  })

  it('messenger-three: nothing is done in standby', async () => {
    const channel = await addChannel(await service.addAgent(), 'messenger-three', chats.peer)
    const event = { ...lineMessage(PERSON['messenger-three'], 'standby', 'hello'), mode: 'standby' }
    assert.equal((await channel.post({ destination: LINE_DESTINATION, events: [event] })).status, 200)
    assert.equal((await states(channel)).length, 0)
  })

  it('a prompt over the API into the conversation of a chat came through no channel', async () => {
    const agent = await service.addAgent()
    const receiver = await startReceiver()
    try {
      const events = [
        'new_conversation',
        'prompt_submit',
        'response_end',
        'automation_trigger',
        'response_like',
      ]
      await addNotification(agent, receiver.url, { events })
      const channel = await addChannel(agent, 'helpdesk', chats.peer)
      const automation = {
        name: 'Through the channel',
        condition: {
          all: [
            { field: 'channel', op: 'eq', value: channel.id },
            { field: 'platform', op: 'eq', value: 'helpdesk' },
          ],
        },
        actions: [{ type: 'add_note', text: 'came through' }],
      }
      assert.equal((await agent.post('/automations', automation)).status, 201)
      /** The channel and platform that the next events name, in the order of the events' keys. */
      const told = async (count: number) => {
        await receiver.until(count)
        return receiver.received
          .splice(0)
          .map(({ payload }) => [payload.event.key, payload.channel, payload.platform])
          .sort(([a], [b]) => (a < b ? -1 : 1))
      }
      const parts = [
        { id: channel.id, name: 'Test helpdesk' },
        { id: 4, name: 'helpdesk' },
      ]
      const none = [undefined, undefined]
      const byKey = (keys: string[], told: unknown[]) => keys.map((key) => [key, ...told])

      await channel.says('A chat')
      const through = ['automation_trigger', 'new_conversation', 'prompt_submit', 'response_end']
      assert.deepEqual(await told(4), byKey(through, parts))
      const { id } = await agent.prompt('Over the API', { external_id: externalId(channel) })
      assert.deepEqual(await told(2), byKey(['prompt_submit', 'response_end'], none))
      await agent.post(`/chat/completions/${id}/like`, { liked: true })
      assert.deepEqual(await told(1), byKey(['response_like'], none))

      // The other way round: the API opens the conversation.
      const opened = ['new_conversation', 'prompt_submit', 'response_end']
      await agent.prompt('Over the API', { external_id: externalId(channel, '78') })
      assert.deepEqual(await told(3), byKey(opened, none))
      await channel.says('Another chat', { from: '78' })
      assert.deepEqual(await told(3), byKey(['automation_trigger', ...opened.slice(1)], parts))
      const { data } = (await agent.get(`/chat/completions?channel_id=${channel.id}`)).body
      assert.deepEqual(
        data.map(({ prompt }: { prompt: string }) => prompt),
        ['Another chat', 'A chat'],
      )
    } finally {
      await receiver.close()
    }
  })

  it('an agent that was prompted through a channel of another is not seen', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    const channel = await addChannel(agent, 'messenger-three', chats.peer)
    await channel.says('hello')
    await chats.peer.untilSent(1)
    assert.equal((await other.get('/conversations')).body.total, 0)
    assert.equal((await other.get(`/conversations/${externalId(channel)}`)).status, 404)
  })
})
