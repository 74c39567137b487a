import assert from 'node:assert/strict'
import { after, afterEach, before, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { lockAgent, setPaused } from '../../src/agents/pause-state.ts'
import { timestamp } from '../../src/lib/clock.ts'
import { MAILBOXES } from '../../src/mailboxes/topics.ts'
import type { TestAgent } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { startPeer } from '../support/peer.ts'
import {
  addChannel,
  type Kind,
  LINE_DESTINATION,
  lineMessage,
  messageOf,
  PERSON,
  type PlatformPeer,
  startPlatformPeer,
  type TestChannel,
} from '../support/platform-peer.ts'
import { addNotification, startReceiver } from '../support/receiver.ts'

const kinds: Kind[] = ['messenger-one', 'messenger-two', 'messenger-three', 'helpdesk']
const DAY_MS = 24 * 60 * 60 * 1000

onBothEngines('conversations on channels', (service) => {
  let peer: PlatformPeer
  before(async () => {
    peer = await startPlatformPeer()
  })
  after(() => peer.close())
  afterEach(() => {
    peer.sent.length = 0
    peer.calls.length = 0
    peer.requests.length = 0
  })

  const database = () => service.app.app.foundation.database
  const externalId = ({ kind, id }: TestChannel, thread = PERSON[kind]) => `${kind}:${id}:${thread}`

  async function until(condition: () => Promise<boolean>): Promise<void> {
    while (!(await condition())) await wait(3)
  }

  /** Everything that was accepted has been worked. */
  async function settled(channel: TestChannel): Promise<void> {
    await until(async () => {
      const open = await database()
        .db.selectFrom('mailbox_items')
        .select('id')
        .where('channel_id', '=', channel.id)
        .where('state', 'in', ['waiting', 'sending'])
        .executeTakeFirst()
      return open === undefined
    })
  }

  /** Whether no worker has the one mailbox of a channel. */
  async function isFree(channel: TestChannel): Promise<boolean> {
    const row = await database()
      .db.selectFrom('mailboxes')
      .select('leased_until')
      .where('channel_id', '=', channel.id)
      .executeTakeFirst()
    return row?.leased_until === null
  }

  /** Lets the service's time pass. */
  function pass(milliseconds: number): void {
    const present = service.clock
    service.clock = () => present() + milliseconds
    database().wakeUps.send(MAILBOXES)
  }

  async function messagesOf(agent: TestAgent, channel: TestChannel, thread?: string) {
    const { body } = await agent.get(`/conversations/${externalId(channel, thread)}/messages?per_page=100`)
    return body.data.map(({ role, content }: { role: string; content: string }) => `${role}: ${content}`)
  }

  async function states(channel: TestChannel) {
    return database()
      .db.selectFrom('mailbox_items')
      .select(['kind', 'state', 'error', 'attempts', 'payload'])
      .where('channel_id', '=', channel.id)
      .orderBy('id')
      .execute()
  }

  for (const kind of kinds) {
    it(`${kind}: a message is answered in its chat, and both are in the conversation`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer)
      service.model.next({ text: 'It is on its way.' })
      await channel.says('Where is my order?')
      const [sent] = await peer.untilSent(1)
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
      // What came in is kept as a message alone.
      assert.ok((await states(channel)).every(({ payload, state }) => payload === null && state === 'done'))
    })

    it(`${kind}: a second message goes on with the history, and raises no second conversation`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer)
      await channel.says('My name is Ana.')
      await peer.untilSent(1)
      await channel.says('What is my name?')
      await peer.untilSent(2)
      const asked = service.model.requests.at(-1)?.body.messages.map(({ content }) => content)
      assert.deepEqual(asked, ['My name is Ana.', 'My name is Ana.', 'What is my name?'])
      assert.equal((await agent.get('/conversations')).body.total, 1)
    })

    it(`${kind}: a person's answer over the API is sent and pauses the agent there`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer)
      await channel.says('hello')
      await peer.untilSent(1)
      const path = `/conversations/${externalId(channel)}/messages`
      assert.equal((await agent.post(path, { content: 'This is Tom.', author: 'Tom' })).status, 200)
      const sent = await peer.untilSent(2)
      assert.equal(sent[1]?.text, 'This is Tom.')
      await channel.says('thanks')
      await settled(channel)
      // A person has it: no answer, and no word about a pause.
      assert.equal(peer.sent.length, 2)
      assert.equal(service.model.requests.length, 1)
    })

    it(`${kind}: an answer in the making is not sent after a person took over`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer)
      await channel.says('hello')
      await peer.untilSent(1)
      const held = Promise.withResolvers<void>()
      service.model.next({ text: 'too late', after: held.promise })
      await channel.says('anyone?')
      await service.model.request(1)
      await agent.post(`/conversations/${externalId(channel)}/messages`, { content: 'I am here.' })
      held.resolve()
      await settled(channel)
      assert.deepEqual(
        peer.sent.map(({ text }) => text),
        ['hello', 'I am here.'],
      )
      assert.ok((await messagesOf(agent, channel)).includes('assistant: too late'))
    })

    it(`${kind}: the pause message is sent once a pause and conversation`, async () => {
      const agent = await service.addAgent({ settings: { pause_message: 'We are closed.' } })
      const channel = await addChannel(agent, kind, peer)
      await channel.says('hello')
      await peer.untilSent(1)
      const { body } = await agent.post('/pause')
      assert.deepEqual([body.data.emitted, body.data.skipped], [1, 0])
      await peer.untilSent(2)
      await channel.says('hello?')
      await channel.says('hello??')
      await settled(channel)
      assert.deepEqual(
        peer.sent.map(({ text }) => text),
        ['hello', 'We are closed.'],
      )
      // Somebody new is told too, once.
      await channel.says('hi', { from: `${PERSON[kind]}9` })
      await channel.says('hi again', { from: `${PERSON[kind]}9` })
      await settled(channel)
      assert.equal(peer.sent.length, 3)
      assert.equal(peer.sent[2]?.text, 'We are closed.')
      await agent.post('/resume')
      service.model.next({ text: 'Back again.' })
      await channel.says('and now?')
      const sent = await peer.untilSent(4)
      assert.equal(sent[3]?.text, 'Back again.')
      // The model is told that it is active, whatever the history says.
      assert.match(JSON.stringify(service.model.requests.at(-1)?.body.messages), /active again/)
    })

    it(`${kind}: paused in the conversation alone, it is said once`, async () => {
      const agent = await service.addAgent({ settings: { pause_message: 'One moment.' } })
      const channel = await addChannel(agent, kind, peer)
      await channel.says('hello')
      await peer.untilSent(1)
      await agent.post(`/conversations/${externalId(channel)}/pause`)
      for (const text of ['a', 'b', 'c']) await channel.says(text)
      await settled(channel)
      assert.deepEqual(
        peer.sent.map(({ text }) => text),
        ['hello', 'One moment.'],
      )
      assert.equal(service.model.requests.length, 1)
    })

    it(`${kind}: a burst of messages is one prompt`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer, { debounce_ms: 60_000 })
      for (const text of ['hi', 'I have', 'a question']) await channel.says(text)
      assert.equal(service.model.requests.length, 0)
      pass(61_000)
      await peer.untilSent(1)
      await settled(channel)
      assert.deepEqual(
        service.model.requests[0]?.body.messages.map(({ content }) => content),
        ['hi', 'I have', 'a question'],
      )
      assert.equal(peer.sent.length, 1)
      assert.equal((await agent.get('/chat/completions')).body.total, 1)
    })

    it(`${kind}: a long answer is cut at the platform's limit, sent in as few calls as it allows, each once`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer)
      const text = Array.from({ length: 2000 }, (_, n) => `This is sentence number ${n}.`).join(' ')
      service.model.next({ text })
      peer.failNext(null, (response) => void response.writeHead(503).end())
      await channel.says('tell me everything')
      await until(async () =>
        (await states(channel)).some(({ kind, error }) => kind === 'send' && error !== null),
      )
      // It goes on where it failed.
      pass(2000)
      await settled(channel)
      const parts = peer.sent.flatMap((call) => [call.text, ...call.more])
      assert.equal(parts.join(' '), text)
      assert.ok(parts.every((part) => part.endsWith('.')))
      if (kind === 'messenger-three')
        assert.deepEqual(
          peer.sent.map(({ more }) => more.length),
          [4, 4, 1],
        )
      else assert.ok(peer.sent.length > 1)
      const keys = peer.sent.flatMap(({ retryKey }) => retryKey ?? [])
      assert.equal(new Set(keys).size, keys.length)
    })

    it(`${kind}: a failing model is asked again; after five tries the message is parked and can be replayed`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer)
      service.model.answer = { status: 500 }
      await channel.says('hello')
      for (let tries = 1; tries <= 5; tries++) {
        await service.model.request(tries - 1)
        await until(async () => {
          const [item] = await states(channel)
          return item?.state === 'parked' || item?.error !== null
        })
        await until(() => isFree(channel))
        if (tries < 5) pass(70_000)
      }
      const parked = await agent.get(`/channels/${channel.id}/parked`)
      assert.equal(parked.body.total, 1)
      assert.equal(parked.body.data[0].attempts, 5)
      assert.equal(parked.body.data[0].error, 'model_failed')
      assert.ok(!parked.text.includes('hello'))
      const other = await service.addAgent()
      const theirs = `/channels/${(await addChannel(other, kind, peer)).id}/parked`
      assert.equal((await other.get(theirs)).body.total, 0)
      assert.equal((await other.post(`${theirs}/${parked.body.data[0].id}/replay`)).status, 404)
      const events = await service.eventsOf(agent)
      assert.equal(events.filter((key) => key === 'error').length, 1)
      assert.equal(peer.sent.length, 0)

      service.model.answer = { text: 'Here I am.' }
      const replay = await agent.post(`/channels/${channel.id}/parked/${parked.body.data[0].id}/replay`)
      assert.equal(replay.status, 200)
      const sent = await peer.untilSent(1)
      assert.equal(sent[0]?.text, 'Here I am.')
      await settled(channel)
      // Stored once, whatever the tries.
      assert.deepEqual(await messagesOf(agent, channel), ['user: hello', 'assistant: Here I am.'])
      assert.equal((await agent.get(`/channels/${channel.id}/parked`)).body.total, 0)
      const again = await agent.post(`/channels/${channel.id}/parked/${parked.body.data[0].id}/replay`)
      assert.equal(again.status, 404)
    })

    it(`${kind}: a platform that is down is tried again, one that says how long to wait is obeyed`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer)
      peer.failNext(
        (response) => response.writeHead(503).end(),
        (response) => response.writeHead(429, { 'retry-after': '120' }).end(),
      )
      await channel.says('hello')
      const due = async () => {
        const row = await database()
          .db.selectFrom('mailboxes')
          .select(['due_at', 'leased_until'])
          .where('channel_id', '=', channel.id)
          .executeTakeFirst()
        return row?.leased_until === null && row.due_at ? Date.parse(row.due_at) - service.clock() : null
      }
      const attempts = async () => (await states(channel)).find(({ kind }) => kind === 'send')?.attempts
      await until(async () => (await attempts()) === 1 && (await due()) !== null)
      pass(2000)
      await until(async () => (await attempts()) === 2 && (await due()) !== null)
      assert.ok(((await due()) ?? 0) > 100_000)
      pass(125_000)
      await peer.untilSent(1)
      await settled(channel)
      assert.equal(peer.sent.length, 1)
    })

    it(`${kind}: a refused token is told as an error and not tried again`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer)
      peer.failNext((response) => response.writeHead(401).end())
      await channel.says('hello')
      await settled(channel)
      assert.equal(peer.sent.length, 0)
      assert.equal((await states(channel)).at(-1)?.error, 'unauthorized')
      assert.equal((await service.eventsOf(agent)).at(-1), 'error')
    })

    it(`${kind}: a connection that is cut is ${kind === 'messenger-three' ? 'asked again with the same key' : 'told as unknown and not sent again'}`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer)
      peer.failNext((response) => response.destroy())
      const body =
        kind === 'messenger-three'
          ? {
              destination: LINE_DESTINATION,
              events: [{ ...lineMessage(PERSON[kind], 'cut', 'hello'), replyToken: null }],
            }
          : messageOf(kind, PERSON[kind], 'cut', 'hello')
      await channel.post(body)
      if (kind === 'messenger-three') {
        await until(async () =>
          (await states(channel)).some((item) => item.kind === 'send' && item.error !== null),
        )
        pass(2000)
        await peer.untilSent(1)
        await settled(channel)
        const keys = peer.requests.filter(({ path }) => path.endsWith('/push')).slice(-2)
        assert.equal(keys[0]?.headers['x-line-retry-key'], keys[1]?.headers['x-line-retry-key'])
        assert.ok(keys[0]?.headers['x-line-retry-key'])
      } else {
        await settled(channel)
        assert.equal(peer.sent.length, 0)
        assert.equal((await states(channel)).at(-1)?.state, 'unknown')
        assert.equal((await service.eventsOf(agent)).at(-1), 'error')
      }
    })

    it(`${kind}: what waits to be sent goes out as it was redacted meanwhile`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer)
      service.model.next({ text: 'Your number is 12345.' })
      peer.failNext((response) => response.writeHead(503).end())
      await channel.says('hello')
      await until(async () =>
        (await states(channel)).some((item) => item.kind === 'send' && item.error !== null),
      )
      const { body } = await agent.get('/chat/completions')
      await agent.post(`/chat/completions/${body.data[0].id}/scrub`)
      pass(2000)
      const sent = await peer.untilSent(1)
      assert.equal(sent[0]?.text, '[REDACTED]')
    })
  }

  it('messenger-three: the fresh reply token is used first, and once', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-three', peer)
    await channel.says('hello', { replyToken: 'fresh' })
    const [sent] = await peer.untilSent(1)
    assert.deepEqual([sent?.by, sent?.thread, sent?.retryKey], ['reply', 'fresh', undefined])
    await agent.post(`/conversations/${externalId(channel)}/messages`, { content: 'and I' })
    const [, pushed] = await peer.untilSent(2)
    assert.deepEqual([pushed?.by, pushed?.thread], ['push', PERSON['messenger-three']])
    assert.match(pushed?.retryKey ?? '', /^[0-9a-f-]{36}$/)
  })

  it('messenger-three: a reply token that is too old is not used', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-three', peer)
    const held = Promise.withResolvers<void>()
    service.model.next({ text: 'sorry for the wait', after: held.promise })
    await channel.says('hello')
    await service.model.request(0)
    pass(55_000)
    held.resolve()
    const [sent] = await peer.untilSent(1)
    assert.equal(sent?.by, 'push')
  })

  it('messenger-three: a reply token that the platform refuses is followed by a push', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-three', peer)
    peer.failNext((response) => response.writeHead(400).end('{"message":"Invalid reply token"}'))
    await channel.says('hello')
    const [sent] = await peer.untilSent(1)
    assert.equal(sent?.by, 'push')
  })

  it('messenger-three: a reply that a dead worker may have sent is asked about with its token, never pushed', async () => {
    for (const [answer, pause, expected] of [
      ['refused', 0, 'unknown'],
      ['accepted', 0, 'done'],
      ['not asked', 60_000, 'unknown'],
    ] as const) {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, 'messenger-three', peer)
      const held = Promise.withResolvers<void>()
      peer.failNext((response) => void held.promise.then(() => response.destroy()))
      await channel.says('hello')
      await until(async () => (await states(channel)).some(({ state }) => state === 'sending'))
      if (answer === 'refused')
        peer.failNext((response) => response.writeHead(400).end('{"message":"Invalid reply token"}'))
      // Its lease runs out while it hangs: another worker takes the mailbox.
      pass(11_000 + pause)
      await settled(channel)
      assert.equal((await states(channel)).at(-1)?.state, expected, answer)
      held.resolve()
      assert.ok(peer.requests.every(({ path }) => !path.endsWith('/push')))
      assert.equal(peer.sent.length, expected === 'done' ? 1 : 0)
      service.clock = Date.now
      peer.sent.length = 0
      peer.requests.length = 0
    }
  })

  it('messenger-three: a reply that the platform has no room for is tried as a reply again', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-three', peer)
    peer.failNext((response) => response.writeHead(429).end())
    await channel.says('hello')
    await until(async () =>
      (await states(channel)).some(({ kind, error }) => kind === 'send' && error !== null),
    )
    pass(2000)
    const [sent] = await peer.untilSent(1)
    assert.equal(sent?.by, 'reply')
  })

  it('messenger-three: a follow sends the greeting, an unfollow ends the conversation', async () => {
    const agent = await service.addAgent({ settings: { greeting: 'Welcome!' } })
    // Messages alone wait for others that follow.
    const channel = await addChannel(agent, 'messenger-three', peer, { debounce_ms: 60_000 })
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
    const [sent] = await peer.untilSent(1)
    assert.deepEqual([sent?.text, sent?.by, sent?.thread], ['Welcome!', 'reply', 'follow-token'])
    assert.equal(service.model.requests.length, 0)
    assert.deepEqual(await service.eventsOf(agent), ['new_user', 'new_conversation'])
    await channel.post(event('unfollow', 'unfollow-1'))
    await settled(channel)
    assert.ok((await agent.get(`/conversations/${externalId(channel)}`)).body.data.ended_at)
    await channel.says('I am back')
    pass(60_000)
    await peer.untilSent(2)
    assert.equal((await agent.get(`/conversations/${externalId(channel)}`)).body.data.ended_at, null)
  })

  it('messenger-three: groups are answered when mentioned, if the channel says so', async () => {
    const agent = await service.addAgent()
    const quiet = await addChannel(agent, 'messenger-three', peer)
    const channel = await addChannel(agent, 'messenger-three', peer, { groups: 'mentioned' })
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
    const [sent] = await peer.untilSent(1)
    assert.equal(sent?.text, '@bot hello')
    await settled(channel)
    assert.equal((await states(channel)).filter(({ kind }) => kind === 'message').length, 1)
    assert.equal((await states(quiet)).length, 0)
  })

  it('messenger-three: nothing is done in standby', async () => {
    const channel = await addChannel(await service.addAgent(), 'messenger-three', peer)
    const event = { ...lineMessage(PERSON['messenger-three'], 'standby', 'hello'), mode: 'standby' }
    assert.equal((await channel.post({ destination: LINE_DESTINATION, events: [event] })).status, 200)
    assert.equal((await states(channel)).length, 0)
  })

  for (const kind of ['messenger-one', 'messenger-two'] as const) {
    it(`${kind}: an answer that comes after the reply window has closed is told as an error, not sent`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer)
      const held = Promise.withResolvers<void>()
      service.model.next({ text: 'a day late', after: held.promise })
      await channel.says('hello')
      await service.model.request(0)
      const present = service.clock
      service.clock = () => present() + DAY_MS + 1000
      held.resolve()
      await until(async () => (await states(channel)).some(({ error }) => error === 'window_closed'))
      assert.equal(peer.sent.length, 0)
      assert.equal((await service.eventsOf(agent)).at(-1), 'error')
    })

    it(`${kind}: a reply window that the platform itself says is closed is told the same way`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer)
      const error = kind === 'messenger-one' ? { code: 131047 } : { code: 10, error_subcode: 2018278 }
      peer.failNext((response) => response.writeHead(400).end(JSON.stringify({ error })))
      await channel.says('hello')
      await settled(channel)
      assert.equal((await states(channel)).at(-1)?.error, 'window_closed')
      assert.equal((await service.eventsOf(agent)).at(-1), 'error')
    })

    it(`${kind}: outside the reply window a pause is skipped`, async () => {
      const agent = await service.addAgent({ settings: { pause_message: 'Closed.' } })
      const channel = await addChannel(agent, kind, peer)
      await channel.says('hello')
      await peer.untilSent(1)
      await settled(channel)
      pass(DAY_MS + 1000)
      const { body } = await agent.post('/pause')
      assert.deepEqual([body.data.emitted, body.data.skipped], [0, 1])
      assert.equal(peer.sent.length, 1)
    })

    it(`${kind}: a pause skips an inactive channel`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer)
      await channel.says('hello')
      await peer.untilSent(1)
      await agent.patch(`/channels/${channel.id}`, { active: false })
      const { body } = await agent.post('/pause')
      assert.deepEqual([body.data.emitted, body.data.skipped], [0, 1])
    })
  }

  it("messenger-two: a person's answer may go out for seven days, with the tag that says so", async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-two', peer)
    await channel.says('hello')
    await peer.untilSent(1)
    await settled(channel)
    pass(2 * DAY_MS)
    await agent.post(`/conversations/${externalId(channel)}/messages`, { content: 'Eva here.' })
    await peer.untilSent(2)
    const bodies = peer.requests.map(({ body }) => JSON.parse(body)).filter(({ message }) => message)
    assert.deepEqual(
      bodies.map(({ messaging_type, tag }) => [messaging_type, tag]),
      [
        ['RESPONSE', undefined],
        ['MESSAGE_TAG', 'HUMAN_AGENT'],
      ],
    )
  })

  it('messenger-two: its own echo is skipped; the echo of a person takes the conversation over', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-two', peer)
    await channel.says('hello')
    await peer.untilSent(1)
    const own = peer.requests.map(({ body }) => body).findLast((body) => body.includes('"metadata"'))
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
    assert.equal(peer.sent.length, 1)
  })

  it('messenger-one: an answer from the phone app takes over; a failed delivery is told', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-one', peer)
    await channel.says('hello')
    await peer.untilSent(1)
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

  /** What a platform tells when a person takes the conversation over there. */
  const takeovers = {
    'messenger-one': (id: string) => ({
      entry: [
        {
          changes: [
            {
              field: 'smb_message_echoes',
              value: {
                metadata: { phone_number_id: '106540352242922' },
                message_echoes: [
                  { to: PERSON['messenger-one'], id, type: 'text', text: { body: 'Eva here.' } },
                ],
              },
            },
          ],
        },
      ],
    }),
    'messenger-two': (mid: string) => ({
      entry: [
        {
          id: '2200',
          messaging: [
            {
              recipient: { id: PERSON['messenger-two'] },
              message: { mid, is_echo: true, text: 'Eva here.' },
            },
          ],
        },
      ],
    }),
    helpdesk: (id: string) => ({
      ...messageOf('helpdesk', PERSON.helpdesk, id, 'Eva here.'),
      message_type: 'outgoing',
      sender: { id: 1, name: 'Eva', type: 'user' },
    }),
  }

  for (const kind of ['messenger-one', 'messenger-two', 'helpdesk'] as const) {
    it(`${kind}: an answer in the making is not sent after a person took over on the platform`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer)
      const held = Promise.withResolvers<void>()
      service.model.next({ text: 'too late', after: held.promise })
      await channel.says('anyone?')
      await service.model.request(0)
      // Another message is between them: the takeover is not the next in line.
      await channel.says('still there?')
      await channel.post(takeovers[kind](`${kind}-meanwhile`))
      held.resolve()
      await settled(channel)
      assert.deepEqual(peer.sent, [])
      assert.deepEqual((await messagesOf(agent, channel)).toSorted(), [
        'assistant: too late',
        'operator: Eva here.',
        'user: anyone?',
        'user: still there?',
      ])
      assert.equal((await agent.get(`/conversations/${externalId(channel)}`)).body.data.agent_paused, true)
    })

    it(`${kind}: nor one that the platform had no room for before`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer)
      peer.failNext((response) => response.writeHead(429, { 'retry-after': '60' }).end())
      service.model.next({ text: 'too late' })
      await channel.says('anyone?')
      await until(async () =>
        (await states(channel)).some(({ kind, error }) => kind === 'send' && error !== null),
      )
      await channel.post(takeovers[kind](`${kind}-later`))
      await settled(channel)
      pass(61_000)
      await settled(channel)
      assert.deepEqual(peer.sent, [])
      assert.equal((await agent.get(`/conversations/${externalId(channel)}`)).body.data.agent_paused, true)
    })
  }

  it('helpdesk: a person who opens the conversation stops the answer in the making', async () => {
    const agent = await service.addAgent({ settings: { pause_message: 'A person will answer.' } })
    const channel = await addChannel(agent, 'helpdesk', peer)
    const held = Promise.withResolvers<void>()
    service.model.next({ text: 'too late', after: held.promise })
    await channel.says('anyone?')
    await service.model.request(0)
    await channel.post({ event: 'conversation_opened', id: 42, status: 'open', account: { id: 7 } })
    held.resolve()
    await settled(channel)
    assert.deepEqual(
      peer.sent.map(({ text }) => text),
      ['A person will answer.'],
    )
  })

  for (const kind of ['messenger-one', 'messenger-two', 'helpdesk'] as const) {
    it(`${kind}: what Parley sent is known by the platform's id when it comes back, even before that is told`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer)
      const isPaused = async () =>
        (await agent.get(`/conversations/${externalId(channel)}`)).body.data.agent_paused
      const id = { 'messenger-one': 'wamid.early', 'messenger-two': 'early', helpdesk: '71' }[kind]
      peer.failNext((response) => {
        void channel.post(takeovers[kind](id)).then(() => {
          response.setHeader('content-type', 'application/json')
          response.end(JSON.stringify({ id: Number(id) || 1, message_id: id, messages: [{ id }] }))
        })
      })
      await channel.says('hello')
      await settled(channel)
      assert.equal(await isPaused(), false)
      await channel.post(takeovers[kind](id))
      await channel.says('and again')
      const [sent] = await peer.untilSent(1)
      assert.equal(sent?.text, 'and again')
      await channel.post(takeovers[kind](`${kind}-person`))
      await settled(channel)
      assert.equal(await isPaused(), true)
    })
  }

  it('helpdesk: people who take over here and there at once all get through', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'helpdesk', peer)
    await channel.says('hello')
    await peer.untilSent(1)
    const path = `/conversations/${externalId(channel)}`
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => [
        agent.post(`${path}/messages`, { content: `answer ${n}` }),
        agent.post(`${path}/resume`),
        agent.post(`${path}/pause`),
        channel.post(takeovers.helpdesk(`at-once-${n}`)),
        channel.says(`message ${n}`),
      ]).flat(),
    )
    for (const answer of answers) assert.equal(answer?.status ?? 200, 200)
    await settled(channel)
    assert.ok((await states(channel)).every(({ error }) => error === null || error === 'taken_over'))
    const operator = (await messagesOf(agent, channel)).filter((text: string) => text.startsWith('operator'))
    assert.equal(operator.length, 24)
  })

  it('an answer waits for a pause that is just being stored, and is not sent behind it', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-two', peer)
    const [held, locked, stored] = [1, 2, 3].map(() => Promise.withResolvers<void>())
    assert.ok(held && locked && stored)
    service.model.next({ text: 'too late', after: held.promise })
    await channel.says('hello')
    await service.model.request(0)
    const { db } = database()
    const pausing = db.transaction().execute(async (db) => {
      await lockAgent(db, agent.agentId)
      await setPaused(db, agent.agentId, true, timestamp(service.clock()))
      locked.resolve()
      await stored.promise
    })
    await locked.promise
    held.resolve()
    if (service.engine === 'postgres')
      await until(async () => {
        const { rows } = await sql`select 1 from pg_locks where not granted`.execute(db)
        return rows.length > 0 || (await states(channel)).some(({ kind }) => kind === 'send')
      })
    stored.resolve()
    await pausing
    await settled(channel)
    assert.ok(!peer.sent.some(({ text }) => text === 'too late'))
    assert.ok((await messagesOf(agent, channel)).includes('assistant: too late'))
  })

  /** What the helpdesk was told to make of its conversation. */
  const toggles = (account = 7) =>
    peer.requests
      .filter(({ path }) => path === `/api/v1/accounts/${account}/conversations/42/toggle_status`)
      .map(({ body }) => JSON.parse(body).status)

  it('helpdesk: people get the conversation while the agent is paused, and the agent gets it back', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'helpdesk', peer)
    await channel.says('hello')
    await peer.untilSent(1)
    await agent.post('/pause')
    await settled(channel)
    assert.deepEqual(toggles(), ['open'])
    // What the helpdesk tells of Parley's own change is not taken for a person's.
    await channel.post({ event: 'conversation_status_changed', id: 42, status: 'open', account: { id: 7 } })
    await settled(channel)
    assert.equal((await agent.get(`/conversations/${externalId(channel)}`)).body.data.agent_paused, false)
    await agent.post('/resume')
    await settled(channel)
    assert.deepEqual(toggles(), ['open', 'pending'])
    await channel.says('are you back?')
    const sent = await peer.untilSent(3)
    assert.equal(sent[2]?.text, 'are you back?')
  })

  it('helpdesk: a pause and a resume touch the chats of their own agent alone', async () => {
    const settings = { pause_message: 'We are closed.' }
    const [agent, other] = [await service.addAgent({ settings }), await service.addAgent({ settings })]
    const channel = await addChannel(agent, 'helpdesk', peer)
    const theirs = await addChannel(other, 'helpdesk', peer, { account_id: '8' })
    await channel.says('hello')
    await theirs.post({ ...messageOf('helpdesk', '42', '800', 'hello'), account: { id: 8 } })
    await peer.untilSent(2)
    const told = (account: number) =>
      peer.requests.filter(
        ({ path, body }) => path.includes(`/accounts/${account}/`) && body.includes('We are closed.'),
      ).length
    const allSettled = () => Promise.all([settled(channel), settled(theirs)])
    // All in one moment, as pauses of a busy installation are.
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
    const channel = await addChannel(agent, 'helpdesk', peer)
    const toggles = () =>
      peer.requests
        .filter(({ path }) => path.endsWith('/toggle_status'))
        .map(({ path, body }) => `${path.split('/').at(-2)} ${JSON.parse(body).status}`)
    for (const thread of ['42', '43', '44']) await channel.says('hello', { from: thread })
    await peer.untilSent(3)
    await channel.post({ event: 'conversation_opened', id: 42, status: 'open', account: { id: 7 } })
    await channel.post({ event: 'conversation_resolved', id: 43, status: 'resolved', account: { id: 7 } })
    await settled(channel)
    await agent.post('/pause')
    await settled(channel)
    assert.deepEqual(toggles(), ['44 open'])
    // It has been given to them once.
    await agent.post(`/conversations/${externalId(channel, '44')}/pause`)
    await settled(channel)
    assert.deepEqual(toggles(), ['44 open'])
  })

  it('helpdesk: a pause in the conversation and an answer over the API give it to people, its resume back', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'helpdesk', peer)
    await channel.says('hello')
    await peer.untilSent(1)
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
    // They keep it.
    assert.equal(refuses.requests.filter(({ path }) => path.endsWith('/toggle_status')).length, 1)
  })

  it("helpdesk: a person's doings pause, resume and end the conversation", async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'helpdesk', peer)
    await channel.says('hello')
    await peer.untilSent(1)
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
    assert.equal(peer.sent.length, 1)
    assert.equal((await messagesOf(agent, channel)).length, 3)
  })

  it('what a dead worker may have sent is not sent again where the platform has no key', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-one', peer)
    const held = Promise.withResolvers<void>()
    peer.failNext((response) => void held.promise.then(() => response.destroy()))
    await channel.says('hello')
    await until(async () => (await states(channel)).some(({ state }) => state === 'sending'))
    // Its lease runs out while it hangs: another worker takes the mailbox.
    pass(11_000)
    await settled(channel)
    assert.equal((await states(channel)).at(-1)?.state, 'unknown')
    held.resolve()
    assert.equal(peer.sent.length, 0)
  })

  it('a picture from a person of the page takes the conversation over', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-two', peer)
    await channel.says('hello')
    await peer.untilSent(1)
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

  it('what waits parked is dropped when its person is scrubbed', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    const { db } = database()
    const parkedAt = async (agent: TestAgent) => {
      const channel = await addChannel(agent, 'messenger-one', peer)
      const before = peer.sent.length
      await channel.says('hello')
      await peer.untilSent(before + 1)
      await settled(channel)
      await agent.patch(`/channels/${channel.id}`, { settings: { debounce_ms: 60_000 } })
      await channel.says('a parked secret')
      return channel
    }
    const [channel, another] = [await parkedAt(agent), await parkedAt(other)]
    // One that nothing of theirs was answered on: there is no conversation yet.
    const quiet = await addChannel(agent, 'messenger-one', peer, { debounce_ms: 60_000 })
    await quiet.says('a parked secret')
    await db.updateTable('mailbox_items').set({ state: 'parked' }).where('state', '=', 'waiting').execute()
    assert.match(String((await states(channel)).at(-1)?.payload), /parked secret/)
    await channel.says('still to be answered')
    assert.equal((await agent.post(`/users/${PERSON['messenger-one']}/scrub`)).status, 200)
    const [parked, waiting] = (await states(channel)).slice(-2)
    assert.deepEqual([parked?.payload, parked?.state, parked?.error], [null, 'failed', 'redacted'])
    assert.match(String(waiting?.payload), /still to be answered/)
    assert.equal((await states(quiet)).at(-1)?.payload, null)
    assert.match(String((await states(another)).at(-1)?.payload), /parked secret/)
  })

  it('what waits parked is dropped also of a person of whom nothing else was ever stored', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-one', peer, { debounce_ms: 60_000 })
    await channel.says('a parked secret')
    await database()
      .db.updateTable('mailbox_items')
      .set({ state: 'parked' })
      .where('channel_id', '=', channel.id)
      .execute()
    assert.equal((await agent.post(`/users/${PERSON['messenger-one']}/scrub`)).status, 200)
    assert.equal((await states(channel))[0]?.payload, null)
    assert.equal((await agent.post('/users/nobody/scrub')).status, 404)
  })

  it('a prompt of which nothing is left after a scrub is not answered when it is replayed', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-one', peer)
    service.model.answer = { status: 500 }
    await channel.says('hello')
    await service.model.request(0)
    const { db } = database()
    await until(async () => (await states(channel))[0]?.attempts === 1 && (await isFree(channel)))
    // Its next try is the last, and is now.
    const due_at = timestamp(service.clock())
    const last = { attempts: 4, due_at }
    await db.updateTable('mailbox_items').set(last).where('channel_id', '=', channel.id).execute()
    await db.updateTable('mailboxes').set({ due_at }).where('channel_id', '=', channel.id).execute()
    database().wakeUps.send(MAILBOXES)
    await until(async () => (await states(channel))[0]?.state === 'parked')
    assert.equal((await agent.post(`/users/${PERSON['messenger-one']}/scrub`)).status, 200)
    service.model.answer = { text: 'To whom?' }
    const { body } = await agent.get(`/channels/${channel.id}/parked`)
    const replay = await agent.post(`/channels/${channel.id}/parked/${body.data[0].id}/replay`)
    assert.equal(replay.status, 200)
    await settled(channel)
    const asked = service.model.requests.map(({ body }) => JSON.stringify(body.messages))
    assert.ok(asked.length >= 2)
    assert.deepEqual(
      asked.filter((messages) => messages.includes('[REDACTED]')),
      [],
    )
    assert.equal((await states(channel))[0]?.state, 'done')
    assert.equal(peer.sent.length, 0)
  })

  it('what goes to a conversation of a channel that was deleted raises an error', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-three', peer)
    await channel.says('hello')
    await peer.untilSent(1)
    await settled(channel)
    assert.equal((await agent.call('DELETE', `/channels/${channel.id}`)).status, 204)
    const path = `/conversations/${externalId(channel)}/messages`
    assert.equal((await agent.post(path, { content: 'Still there?' })).status, 200)
    await settled(channel)
    const events = await database()
      .db.selectFrom('events')
      .select('data')
      .where('key', '=', 'error')
      .where('agent_id', '=', agent.agentId)
      .execute()
    assert.deepEqual(
      events.map(({ data }) => JSON.parse(data ?? '')),
      [{ code: 'channel_send_failed', reason: 'channel_deleted', channel_id: channel.id }],
    )
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
      const channel = await addChannel(agent, 'helpdesk', peer)
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
      /** What the next events tell of the channel, by key. */
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

      // And the other way round: the API opens it.
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
    const channel = await addChannel(agent, 'messenger-three', peer)
    await channel.says('hello')
    await peer.untilSent(1)
    assert.equal((await other.get('/conversations')).body.total, 0)
    assert.equal((await other.get(`/conversations/${externalId(channel)}`)).status, 404)
  })
})
