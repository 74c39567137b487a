import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../../support/app.ts'
import { until } from '../../support/becomes.ts'
import { signInNew } from '../../support/console.ts'
import { DAY_MS, kinds, onChannels } from '../../support/on-channels.ts'
import { addChannel, type Kind, PERSON, type TestChannel } from '../../support/platform-peer.ts'
import { rawTemplate } from '../../support/whatsapp-peer.ts'

/** The texts with which people name PERSON. */
const TO: Record<Kind, string> = { ...PERSON, 'messenger-one': '+1 650 555 1234', sms: '+1 500-555-0006' }
/** Texts that name nobody, in a form that a person might try. */
const NOBODY: Record<Kind, string> = {
  'messenger-one': '6505551234',
  'messenger-two': 'ana.smith',
  'messenger-three': 'ana',
  helpdesk: '#42',
  telegram: '@ana',
  instagram: '@ana',
  sms: '0500 5550006',
}
const NEEDS_FIRST: Kind[] = ['messenger-two', 'telegram', 'instagram']
const HAS_WINDOW: Kind[] = ['messenger-one', 'messenger-two', 'instagram']

onChannels('writing first', (service, chats) => {
  const write = (agent: TestAgent, channel: TestChannel, more: Record<string, unknown> = {}) =>
    agent.post('/conversations', {
      channel_id: channel.id,
      to: TO[channel.kind],
      message: { content: 'Your parcel is here.' },
      ...more,
    })

  async function isPaused(agent: TestAgent, id: string): Promise<boolean> {
    return (await agent.get(`/conversations/${id}`)).body.data.agent_paused
  }

  for (const kind of kinds) {
    it(`${kind}: a person who never wrote is written to, or that is refused`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      const answer = await write(agent, channel, { tags: { order: '17' }, author: 'Eva' })
      if (HAS_WINDOW.includes(kind) || NEEDS_FIRST.includes(kind)) {
        assertError(answer, 409, 'window_closed')
        assert.equal((await agent.get('/conversations')).body.total, 0)
        return
      }
      assert.equal(answer.status, 201, answer.text)
      const { id, external_id, tags, agent_paused } = answer.body.data
      assert.deepEqual([external_id, tags, agent_paused], [chats.externalId(channel), { order: '17' }, false])
      const [sent] = await chats.peer.untilSent(1)
      assert.deepEqual([sent?.thread, sent?.text], [PERSON[kind], 'Your parcel is here.'])
      await chats.settled(channel)
      const [row] = await chats.rowsOf(agent, channel)
      assert.deepEqual([row.role, row.author, row.delivery], ['operator', 'Eva', 'sent'])
      await channel.says('Thanks, where?')
      await chats.settled(channel)
      assert.deepEqual(await chats.messagesOf(agent, channel), [
        'operator: Your parcel is here.',
        'user: Thanks, where?',
        'assistant: Thanks, where?',
      ])
      const again = await write(agent, channel, { to: PERSON[kind].replace(/^(?=1650)/, '+') })
      assert.deepEqual([again.status, again.body.data.id], [200, id])
      await chats.settled(channel)
    })

    it(`${kind}: a person who wrote is written to in the same conversation, as long as the window is open`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      await channel.says('Hello')
      await chats.settled(channel)
      const answer = await write(agent, channel)
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.body.data.external_id, chats.externalId(channel))
      await chats.settled(channel)
      assert.deepEqual(
        (await chats.rowsOf(agent, channel)).map(({ role, delivery }) => [role, delivery]),
        [
          ['user', null],
          ['assistant', 'sent'],
          ['operator', 'sent'],
        ],
      )
    })

    it(`${kind}: whom a text does not name is told`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      const answer = await write(agent, channel, { to: NOBODY[kind] })
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, 'to')
      assert.ok(!answer.text.includes(NOBODY[kind]))
    })
  }

  for (const kind of HAS_WINDOW) {
    it(`${kind}: the window closes at its last moment, for a first message and for an answer`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      await channel.says('Hello')
      await chats.settled(channel)
      const { data } = (await agent.get(`/inbox?per_page=1`)).body
      const entry = (await agent.get(`/inbox/${data[0].id}`)).body.data
      const present = service.clock
      const end = Date.parse(entry.reply_until)
      const answer = () => agent.post(`/conversations/${data[0].id}/messages`, { content: 'Here I am.' })
      try {
        service.clock = () => end
        assertError(await answer(), 409, 'window_closed')
        assertError(await write(agent, channel), 409, 'window_closed')
        assert.equal(await isPaused(agent, data[0].id), false)
        service.clock = () => end - 1
        assert.equal((await answer()).status, 200)
        assert.equal((await write(agent, channel)).status, 200)
        await chats.settled(channel)
      } finally {
        service.clock = present
      }
      assert.ok(end - present() > (kind === 'messenger-one' ? 0 : 6 * DAY_MS))
    })
  }

  it('two people who write to the same person at once write in one conversation', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'sms', chats.peer)
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => write(agent, channel, { message: { content: `Text ${n}` } })),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 200, 200, 200, 201])
    assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1)
    await chats.settled(channel)
    assert.equal(chats.peer.sent.length, 6)
    assert.equal((await chats.rowsOf(agent, channel)).length, 6)
  })

  it('a repeat with its key writes nothing more, and another request with the key is refused', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'sms', chats.peer)
    const key = { 'idempotency-key': 'first-1' }
    const body = { channel_id: channel.id, to: TO.sms, message: { content: 'Hello' } }
    const answers = [
      await agent.post('/conversations', body, key),
      await agent.post('/conversations', body, key),
    ]
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.get('idempotent-replayed')]),
      [
        [201, null],
        [201, 'true'],
      ],
    )
    assertError(
      await agent.post('/conversations', { ...body, message: { content: 'Bye' } }, key),
      409,
      'idempotency_key_reused',
    )
    await chats.settled(channel)
    assert.deepEqual(
      chats.peer.sent.map(({ text }) => text),
      ['Hello'],
    )
  })

  it('agent_paused leaves the conversation to the person who writes', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'sms', chats.peer)
    const eva = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const answer = await eva.call('POST', `/agents/${agent.agentId}/conversations`, {
      channel_id: channel.id,
      to: TO.sms,
      message: { content: 'Hello' },
      agent_paused: true,
    })
    assert.equal(answer.status, 201, answer.text)
    const { id, agent_paused } = answer.body.data
    assert.equal(agent_paused, true)
    const item = (await agent.get('/inbox')).body.data.find((one: { id: string }) => one.id === id)
    assert.equal(item.assignee?.id, eva.operatorId)
    await channel.says('Who is this?')
    await chats.settled(channel)
    assert.equal(chats.peer.sent.length, 1)
  })

  it('a conversation that had ended opens again', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'sms', chats.peer)
    const { id } = (await write(agent, channel)).body.data
    assert.equal((await agent.post(`/conversations/${id}/end`)).status, 200)
    const again = await write(agent, channel)
    assert.deepEqual([again.status, again.body.data.id, again.body.data.ended_at], [200, id, null])
    const { actor_kind } = await chats
      .database()
      .db.selectFrom('happenings')
      .select('actor_kind')
      .where('conversation_id', '=', id)
      .where('kind', '=', 'reopened')
      .executeTakeFirstOrThrow()
    assert.equal(actor_kind, 'token')
    await chats.settled(channel)
  })

  it('what the platform refuses is told on the message', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'sms', chats.peer)
    chats.peer.failNext((response) => response.writeHead(400).end('{"code":21211}'))
    assert.equal((await write(agent, channel)).status, 201)
    await chats.settled(channel)
    const [row] = await chats.rowsOf(agent, channel)
    assert.deepEqual([row.delivery, row.delivery_reason], ['failed', 'rejected'])
  })

  it('whom the platform knows by several ids keeps one conversation', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-one', chats.peer)
    await channel.says('Hello')
    await chats.settled(channel)
    const { db } = chats.database()
    await db
      .insertInto('thread_aliases')
      .values({ channel_id: channel.id, alias: 'US.13491208655302741918', thread: PERSON['messenger-one'] })
      .execute()
    const answer = await write(agent, channel, { to: 'US.13491208655302741918' })
    assert.deepEqual([answer.status, answer.body.data.external_id], [200, chats.externalId(channel)])
    await chats.settled(channel)
  })

  it('who answers from another form of the number answers in the same conversation', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-one', chats.peer, { business_account_id: '1' })
    chats.peer.templates.splice(0, Infinity, rawTemplate('plain', 'We are back.'))
    const answer = JSON.stringify({
      contacts: [{ input: '5511987654321', wa_id: '551187654321' }],
      messages: [{ id: 'wamid.brazil' }],
    })
    chats.peer.failNext((response) => response.end(answer))
    const template = { name: 'plain', language: 'en_US' }
    const written = await write(agent, channel, { to: '+55 11 98765-4321', message: { template } })
    assert.equal(written.status, 201, written.text)
    await chats.settled(channel)
    await until(async () => {
      const { db } = chats.database()
      const known = await db
        .selectFrom('thread_aliases')
        .selectAll()
        .where('channel_id', '=', channel.id)
        .execute()
      return known.length > 0
    })
    await channel.says('Welcome back', { from: '551187654321' })
    await chats.settled(channel)
    assert.equal((await agent.get('/conversations')).body.total, 1)
    assert.deepEqual(await chats.messagesOf(agent, channel, '5511987654321'), [
      'operator: We are back.',
      'user: Welcome back',
      'assistant: Welcome back',
    ])
  })

  it('a new conversation goes by the id of the caller, and what the person answers comes into it', async () => {
    const settings = { pause_message: 'Nobody is here for {{user.name}} on {{channel}}.' }
    const agent = await service.addAgent({ settings })
    const channel = await addChannel(agent, 'messenger-three', chats.peer)
    const written = await write(agent, channel, { external_id: 'order-17' })
    assert.deepEqual([written.status, written.body.data.external_id], [201, 'order-17'], written.text)
    await chats.settled(channel)
    await channel.says('Thanks')
    await chats.settled(channel)
    const { id } = written.body.data
    for (const path of ['order-17', chats.externalId(channel)])
      assert.equal((await agent.get(`/conversations/${path}`)).body.data.id, id, path)
    const again = await write(agent, channel, { external_id: 'order-18' })
    assert.deepEqual([again.status, again.body.data.external_id], [200, 'order-17'])
    await chats.settled(channel)
    const person = await agent.patch(`/users/channel-${channel.id}:${PERSON['messenger-three']}`, {
      name: 'Ada',
    })
    assert.equal(person.status, 200, person.text)
    assert.equal((await agent.post('/pause')).status, 200)
    await chats.settled(channel)
    const said = await chats.messagesOf(agent, channel)
    assert.equal(said.at(-1), 'transition: Nobody is here for Ada on LINE.')
    const prompt = await agent.prompt('And over the API?', { external_id: 'order-17' })
    assert.equal(prompt.conversation_id, id)
    assert.equal((await agent.get('/conversations')).body.total, 1)
  })

  it('an id that another conversation has, or that cannot be told from one, is refused', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'sms', chats.peer)
    const { conversation_id } = await agent.prompt('Hello', { external_id: 'taken' })
    assertError(await write(agent, channel, { external_id: 'taken' }), 409, 'external_id_taken')
    for (const external_id of [conversation_id, `${channel.kind}:${channel.id}:+15005550009`, '', '..'])
      assertError(await write(agent, channel, { external_id }), 400, 'invalid_request')
    assert.equal((await agent.get('/conversations')).body.total, 1)
    assert.equal((await write(agent, channel, { external_id: 'free' })).status, 201)
    await chats.settled(channel)
  })

  it('refuses what is missing, and channels that are off or of others', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'sms', chats.peer)
    const other = await addChannel(await service.addAgent(), 'sms', chats.peer)
    assertError(await write(agent, other), 404, 'channel_not_found')
    assertError(await write(agent, channel, { message: {} }), 400, 'invalid_request')
    assertError(await write(agent, channel, { name: 'mine' }), 400, 'invalid_request')
    assertError(
      await write(agent, channel, { message: { template: { name: 'a', language: 'en' } } }),
      409,
      'no_templates',
    )
    const reader = await service.app.issue({ agentId: agent.agentId, teamId: agent.teamId, right: 'read' })
    assertError(await write(reader, channel), 403, 'insufficient_right')
    assert.equal((await agent.patch(`/channels/${channel.id}`, { active: false })).status, 200)
    assertError(await write(agent, channel), 409, 'channel_inactive')
    assert.equal((await agent.get('/conversations')).body.total, 0)
  })
})
