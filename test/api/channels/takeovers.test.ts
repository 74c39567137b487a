import assert from 'node:assert/strict'
import { it } from 'node:test'
import { HOUR_MS } from '../../../src/lib/clock.ts'
import type { TestAgent } from '../../support/app.ts'
import { until } from '../../support/becomes.ts'
import { holdJudge } from '../../support/hold-judge.ts'
import { DAY_MS, kinds, onChannels } from '../../support/on-channels.ts'
import { addChannel, type Kind, messageOf, PERSON, takeoverOf } from '../../support/platform-peer.ts'

onChannels('people take over on channels', (service, chats) => {
  const { externalId, settled, pass, messagesOf, rowsOf, states } = chats

  for (const kind of kinds) {
    it(`${kind}: a person's answer over the API is sent and pauses the agent there`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      await channel.says('hello')
      await chats.peer.untilSent(1)
      const path = `/conversations/${externalId(channel)}/messages`
      assert.equal((await agent.post(path, { content: 'This is Tom.', author: 'Tom' })).status, 200)
      const sent = await chats.peer.untilSent(2)
      assert.equal(sent[1]?.text, 'This is Tom.')
      await channel.says('thanks')
      await settled(channel)
      // A person has it: no answer, and no word about a pause.
      assert.equal(chats.peer.sent.length, 2)
      assert.equal(service.model.requests.length, 1)
    })

    it(`${kind}: an answer in the making is not sent after a person took over`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      await channel.says('hello')
      await chats.peer.untilSent(1)
      service.model.next({ hang: true })
      await channel.says('anyone?')
      await service.model.request(1)
      await agent.post(`/conversations/${externalId(channel)}/messages`, { content: 'I am here.' })
      await service.model.aborted()
      await settled(channel)
      assert.deepEqual(
        chats.peer.sent.map(({ text }) => text),
        ['hello', 'I am here.'],
      )
      assert.deepEqual((await messagesOf(agent, channel)).slice(2), ['user: anyone?', 'operator: I am here.'])
    })
  }

  it("messenger-two: a person's answer may go out for seven days, after the first with the tag that says so", async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-two', chats.peer)
    await channel.says('hello')
    await chats.peer.untilSent(1)
    await settled(channel)
    for (const [at, later] of [HOUR_MS, 2 * DAY_MS].entries()) {
      pass(later)
      await agent.post(`/conversations/${externalId(channel)}/messages`, { content: 'Eva here.' })
      await chats.peer.untilSent(2 + at)
    }
    const bodies = chats.peer.requests.map(({ body }) => JSON.parse(body)).filter(({ message }) => message)
    assert.deepEqual(
      bodies.map(({ messaging_type, tag }) => [messaging_type, tag]),
      [
        ['RESPONSE', undefined],
        ['RESPONSE', undefined],
        ['MESSAGE_TAG', 'HUMAN_AGENT'],
      ],
    )
  })

  it('messenger-two: its own echo is skipped; the echo of a person takes the conversation over', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-two', chats.peer)
    await channel.says('hello')
    await chats.peer.untilSent(1)
    const own = chats.peer.requests.map(({ body }) => body).findLast((body) => body.includes('"metadata"'))
    const { metadata } = JSON.parse(own ?? '{}').message
    const echo = (mid: string, fields: Record<string, unknown>) => ({
      object: 'page',
      entry: [
        {
          id: '2200',
          time: 1,
          messaging: [
            {
              sender: { id: '2200' },
              recipient: { id: PERSON['messenger-two'] },
              timestamp: 1,
              message: { mid, is_echo: true, ...fields },
            },
          ],
        },
      ],
    })
    await channel.post(echo('m_own', { text: 'hello', metadata, app_id: 1 }))
    await channel.post(echo('m_person', { text: 'This is Eva from the shop.' }))
    await settled(channel)
    const { body } = await agent.get(`/conversations/${externalId(channel)}`)
    assert.equal(body.data.agent_paused, true)
    assert.deepEqual(await messagesOf(agent, channel), [
      'user: hello',
      'assistant: hello',
      'operator: This is Eva from the shop.',
    ])
    // It is on the platform already.
    assert.equal(chats.peer.sent.length, 1)
  })

  it('messenger-one: an answer from the phone app takes over; a failed delivery is told', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-one', chats.peer)
    await channel.says('hello')
    await chats.peer.untilSent(1)
    const value = (field: string, more: Record<string, unknown>) => ({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '1',
          changes: [{ field, value: { metadata: { phone_number_id: '106540352242922' }, ...more } }],
        },
      ],
    })
    const to = PERSON['messenger-one']
    await channel.post(
      value('smb_message_echoes', {
        message_echoes: [{ from: '1', to, id: 'wamid.echo', type: 'text', text: { body: 'Eva here.' } }],
      }),
    )
    for (const status of ['sent', 'delivered', 'read', 'failed'])
      await channel.post(
        value('messages', {
          statuses: [{ id: 'wamid.1', status, recipient_id: to, errors: [{ code: 131026 }] }],
        }),
      )
    await settled(channel)
    assert.equal((await agent.get(`/conversations/${externalId(channel)}`)).body.data.agent_paused, true)
    assert.ok((await messagesOf(agent, channel)).includes('operator: Eva here.'))
    assert.equal((await service.eventsOf(agent)).filter((key) => key === 'error').length, 1)
  })

  for (const kind of ['messenger-one', 'messenger-two', 'helpdesk'] as const) {
    it(`${kind}: a person who takes over on the platform stops the answer in the making`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      service.model.next({ hang: true })
      await channel.says('anyone?')
      await service.model.request(0)
      // Another message is between them: the takeover is not the next in line.
      await channel.says('still there?')
      await channel.post(takeoverOf(kind, `${kind}-meanwhile`))
      await service.model.aborted()
      await settled(channel)
      assert.deepEqual(chats.peer.sent, [])
      assert.deepEqual((await messagesOf(agent, channel)).toSorted(), [
        'operator: Eva here.',
        'user: anyone?',
        'user: still there?',
      ])
      assert.equal((await agent.get(`/conversations/${externalId(channel)}`)).body.data.agent_paused, true)
    })

    it(`${kind}: an answer that is made is withheld when a takeover is reported before it is queued`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      await using judge = await holdJudge()
      const evaluator_id = await judge.addTo(agent)
      assert.equal((await agent.post('/ctas', { name: 'C', content: 'Look', evaluator_id })).status, 201)
      service.model.next({ text: 'too late' })
      await channel.says('anyone?')
      await judge.asked
      await channel.says('still there?')
      await channel.post(takeoverOf(kind, `${kind}-judged`))
      await settled(channel)
      assert.deepEqual(chats.peer.sent, [])
      assert.deepEqual((await messagesOf(agent, channel)).toSorted(), [
        'assistant: too late',
        'operator: Eva here.',
        'user: anyone?',
        'user: still there?',
      ])
      assert.equal((await agent.get(`/conversations/${externalId(channel)}`)).body.data.agent_paused, true)
    })

    it(`${kind}: nor is one sent that the platform had no room for before`, async () => {
      const agent = await service.addAgent()
      const channel = await answerRefused(agent, kind)
      await channel.post(takeoverOf(kind, `${kind}-later`))
      await settled(channel)
      pass(61_000)
      await settled(channel)
      assert.deepEqual(chats.peer.sent, [])
      assert.equal((await agent.get(`/conversations/${externalId(channel)}`)).body.data.agent_paused, true)
    })
  }

  /** Has the platform refuse the answer to a first message for a minute. */
  async function answerRefused(agent: TestAgent, kind: Kind) {
    const channel = await addChannel(agent, kind, chats.peer)
    chats.peer.failNext((response) => response.writeHead(429, { 'retry-after': '60' }).end())
    service.model.next({ text: 'too late' })
    await channel.says('anyone?')
    await until(async () =>
      (await states(channel)).some(({ kind, error }) => kind === 'send' && error !== null),
    )
    return channel
  }

  for (const kind of kinds) {
    const takings: Record<string, { body?: object; path: string; sent: string[] }> = {
      'a pause': { path: '/pause', sent: [] },
      "a person's answer": { path: '/messages', body: { content: 'I am here.' }, sent: ['I am here.'] },
    }
    for (const [name, { path, body, sent }] of Object.entries(takings))
      it(`${kind}: ${name} over the API holds back an answer that the platform had no room for`, async () => {
        const agent = await service.addAgent()
        const channel = await answerRefused(agent, kind)
        const taken = await agent.post(`/conversations/${externalId(channel)}${path}`, body)
        assert.equal(taken.status, 200, taken.text)
        const answer = (await rowsOf(agent, channel)).find(({ role }) => role === 'assistant')
        assert.deepEqual([answer.content, answer.delivery, answer.delivery_reason], ['too late', null, null])
        await settled(channel)
        pass(61_000)
        await settled(channel)
        assert.deepEqual(
          chats.peer.sent.map(({ text }) => text),
          sent,
        )
        assert.deepEqual(await chats.errorsOf(agent), [])
      })
  }

  for (const kind of kinds)
    it(`${kind}: a pause of the agent holds back all its waiting answers for good, and no other agent's`, async () => {
      const agent = await service.addAgent({ settings: { pause_message: 'Closed.' } })
      const neighbour = await service.addAgent()
      const channels = [await answerRefused(agent, kind), await answerRefused(agent, kind)]
      const beside = await answerRefused(neighbour, kind)
      assert.equal((await agent.post('/pause')).body.data.emitted, 2)
      for (const channel of channels) {
        const answer = (await rowsOf(agent, channel)).find(({ role }) => role === 'assistant')
        assert.deepEqual([answer.content, answer.delivery, answer.delivery_reason], ['too late', null, null])
      }
      await chats.peer.untilSent(2)
      assert.equal((await agent.post('/resume')).status, 200)
      for (const channel of channels) await until(() => chats.isFree(channel))
      pass(61_000)
      for (const channel of [...channels, beside]) await settled(channel)
      assert.deepEqual(chats.peer.sent.map(({ text }) => text).toSorted(), ['Closed.', 'Closed.', 'too late'])
      assert.deepEqual(await chats.errorsOf(agent), [])
    })

  for (const isTaken of [false, true])
    it(`an automation's pause withdraws nothing${isTaken ? ', but the answer of a person after it does' : ''}`, async () => {
      const agent = await service.addAgent()
      const actions = [{ type: 'send_message', text: 'Eva will answer.' }, { type: 'pause_conversation' }]
      assert.equal((await agent.post('/automations', { name: 'A', actions })).status, 201)
      const channel = await answerRefused(agent, 'messenger-one')
      const path = `/conversations/${externalId(channel)}`
      await until(async () => (await agent.get(path)).body.data.agent_paused)
      if (isTaken) await agent.post(`${path}/messages`, { content: 'I am here.' })
      const said = (await rowsOf(agent, channel)).filter(({ role }) => role === 'assistant')
      const queued = isTaken ? null : 'queued'
      assert.deepEqual(
        said.map(({ delivery }) => delivery),
        [queued, queued],
      )
      await until(() => chats.isFree(channel))
      pass(61_000)
      await settled(channel)
      assert.deepEqual(
        chats.peer.sent.map(({ text }) => text),
        isTaken ? ['I am here.'] : ['too late', 'Eva will answer.'],
      )
    })

  it('helpdesk: a person who opens the conversation stops the answer in the making', async () => {
    const agent = await service.addAgent({ settings: { pause_message: 'A person will answer.' } })
    const channel = await addChannel(agent, 'helpdesk', chats.peer)
    service.model.next({ hang: true })
    await channel.says('anyone?')
    await service.model.request(0)
    await channel.post({ event: 'conversation_opened', id: 42, status: 'open', account: { id: 7 } })
    await service.model.aborted()
    await settled(channel)
    assert.deepEqual(
      chats.peer.sent.map(({ text }) => text),
      ['A person will answer.'],
    )
  })

  for (const kind of ['messenger-one', 'messenger-two', 'helpdesk'] as const) {
    it(`${kind}: what Parley sent is known by the platform's id when it comes back, even before that is told`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      const isPaused = async () =>
        (await agent.get(`/conversations/${externalId(channel)}`)).body.data.agent_paused
      const id = { 'messenger-one': 'wamid.early', 'messenger-two': 'early', helpdesk: '71' }[kind]
      chats.peer.failNext((response) => {
        void channel.post(takeoverOf(kind, id)).then(() => {
          response.setHeader('content-type', 'application/json')
          response.end(JSON.stringify({ id: Number(id) || 1, message_id: id, messages: [{ id }] }))
        })
      })
      await channel.says('hello')
      await settled(channel)
      assert.equal(await isPaused(), false)
      await channel.post(takeoverOf(kind, id))
      await channel.says('and again')
      const [sent] = await chats.peer.untilSent(1)
      assert.equal(sent?.text, 'and again')
      await channel.post(takeoverOf(kind, `${kind}-person`))
      await settled(channel)
      assert.equal(await isPaused(), true)
    })
  }

  it('helpdesk: people who take over here and there at once all get through', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'helpdesk', chats.peer)
    await channel.says('hello')
    await chats.peer.untilSent(1)
    const path = `/conversations/${externalId(channel)}`
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => [
        agent.post(`${path}/messages`, { content: `answer ${n}` }),
        agent.post(`${path}/resume`),
        agent.post(`${path}/pause`),
        channel.post(takeoverOf('helpdesk', `at-once-${n}`)),
        channel.says(`message ${n}`),
      ]).flat(),
    )
    for (const answer of answers) assert.equal(answer?.status ?? 200, 200)
    await settled(channel)
    assert.ok((await states(channel)).every(({ error }) => error === null || error === 'taken_over'))
    const operator = (await messagesOf(agent, channel)).filter((text: string) => text.startsWith('operator'))
    assert.equal(operator.length, 24)
  })

  it('a picture from a person of the page takes the conversation over', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-two', chats.peer)
    await channel.says('hello')
    await chats.peer.untilSent(1)
    await settled(channel)
    const echo = messageOf('messenger-two', PERSON['messenger-two'], 'm_picture', '') as {
      entry: { messaging: { sender: object; recipient: object; message: object }[] }[]
    }
    const [event] = echo.entry[0]?.messaging ?? []
    assert.ok(event)
    ;[event.sender, event.recipient] = [event.recipient, event.sender]
    event.message = { mid: 'm_picture', is_echo: true, attachments: [{ type: 'image' }] }
    assert.equal((await channel.post(echo)).status, 200)
    await settled(channel)
    const { data } = (await agent.get(`/conversations/${externalId(channel)}`)).body
    assert.equal(data.agent_paused, true)
    assert.deepEqual(await messagesOf(agent, channel), ['user: hello', 'assistant: hello'])
  })
})
