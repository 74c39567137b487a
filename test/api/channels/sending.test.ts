import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { it } from 'node:test'
import type { TestAgent } from '../../support/app.ts'
import { until } from '../../support/becomes.ts'
import { DAY_MS, kinds, onChannels } from '../../support/on-channels.ts'
import {
  addChannel,
  LINE_DESTINATION,
  lineMessage,
  PERSON,
  type TestChannel,
} from '../../support/platform-peer.ts'

interface Row {
  role: string
  kind: string
  delivery: string | null
  delivery_reason: string | null
}

/** The event with which the platform tells that it could not deliver a message after all. */
const whatsAppStatus = (id: string, code: number) => ({
  entry: [
    {
      changes: [
        {
          field: 'messages',
          value: {
            metadata: { phone_number_id: '106540352242922' },
            statuses: [{ id, status: 'failed', recipient_id: PERSON['messenger-one'], errors: [{ code }] }],
          },
        },
      ],
    },
  ],
})

onChannels('sending through channels', (service, chats) => {
  const { database, externalId, settled, isFree, pass, rowsOf, states, errorsOf } = chats

  /** Role, delivery and reason of each message of a chat. */
  async function deliveries(agent: TestAgent, channel: TestChannel) {
    const rows = await rowsOf(agent, channel)
    return rows.map(({ role, delivery, delivery_reason }: Row) => [role, delivery, delivery_reason])
  }

  async function untilSendFailed(channel: TestChannel): Promise<void> {
    await until(async () =>
      (await states(channel)).some(({ kind, error }) => kind === 'send' && error !== null),
    )
    await until(() => isFree(channel))
  }

  const lineCalls = (name: string) =>
    chats.peer.requests.filter(({ path }) => path === `/v2/bot/message/${name}`)

  /** A message without a reply token, so that its answer cannot be a reply. */
  const unaskedLine = (id: string) => ({
    destination: LINE_DESTINATION,
    events: [{ ...lineMessage(PERSON['messenger-three'], id, 'hello'), replyToken: null }],
  })

  for (const kind of kinds) {
    it(`${kind}: a platform that has no room is tried again, one that says how long to wait is obeyed`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      chats.peer.failNext(
        (response) => response.writeHead(429).end(),
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
      await chats.peer.untilSent(1)
      await settled(channel)
      assert.equal(chats.peer.sent.length, 1)
    })

    it(`${kind}: an answer that was sent says so`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      await channel.says('hello')
      await settled(channel)
      assert.deepEqual(await deliveries(agent, channel), [
        ['user', null, null],
        ['assistant', 'sent', null],
      ])
      const { data } = (await agent.get('/chat/completions')).body
      assert.deepEqual(
        data[0].messages.map(({ kind, delivery }: Row) => [kind, delivery]),
        [
          ['text', null],
          ['text', 'sent'],
        ],
      )
    })

    it(`${kind}: a refused token leaves its trace everywhere, and a person has the answer sent after all`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      chats.peer.failNext((response) => response.writeHead(401).end())
      service.model.next({ text: 'the answer' })
      await channel.says('hello')
      await settled(channel)
      assert.equal(chats.peer.sent.length, 0)
      assert.deepEqual((await deliveries(agent, channel)).at(-1), ['assistant', 'failed', 'unauthorized'])
      const [completion] = (await agent.get('/chat/completions')).body.data
      assert.deepEqual(await errorsOf(agent), [
        {
          conversation_id: completion.conversation_id,
          completion_id: completion.id,
          data: {
            code: 'channel_send_failed',
            reason: 'unauthorized',
            delivery: 'failed',
            status: 401,
            channel_id: channel.id,
          },
        },
      ])
      const [parked] = (await agent.get(`/channels/${channel.id}/parked`)).body.data
      assert.deepEqual(
        [parked.kind, parked.completion_id, parked.delivery, parked.error, parked.message_id],
        ['send', completion.id, 'failed', 'unauthorized', completion.messages[1].id],
      )
      const replay = await agent.post(`/channels/${channel.id}/parked/${parked.id}/replay`)
      assert.deepEqual([replay.status, replay.body.data.delivery], [200, 'queued'])
      const [sent] = await chats.peer.untilSent(1)
      assert.equal(sent?.text, 'the answer')
      await settled(channel)
      assert.deepEqual((await deliveries(agent, channel)).at(-1), ['assistant', 'sent', null])
      assert.equal((await agent.get(`/channels/${channel.id}/parked`)).body.total, 0)
    })

    for (const [name, fail, reason] of [
      ['a connection that is cut', (response) => response.destroy(), 'unreachable'],
      ['a 500 without a word', (response) => response.writeHead(500).end(), 'unreachable'],
      ['a 504', (response) => response.writeHead(504).end('<html>'), 'too_slow'],
    ] as [string, (response: ServerResponse) => void, string][]) {
      if (kind === 'messenger-three') {
        it(`${kind}: ${name}: the push is repeated with the same key`, async () => {
          const agent = await service.addAgent()
          const channel = await addChannel(agent, kind, chats.peer)
          chats.peer.failNext(fail)
          await channel.post(unaskedLine(name))
          await untilSendFailed(channel)
          assert.equal((await states(channel)).at(-1)?.state, 'sending')
          pass(2000)
          await settled(channel)
          const keys = lineCalls('push').map(({ headers }) => headers['x-line-retry-key'])
          assert.equal(keys.length, 2)
          assert.ok(keys[0])
          assert.equal(keys[0], keys[1])
          assert.deepEqual((await deliveries(agent, channel)).at(-1), ['assistant', 'sent', null])
        })

        it(`${kind}: ${name}: the reply is repeated with its token, and never pushed when that is refused`, async () => {
          const agent = await service.addAgent()
          const channel = await addChannel(agent, kind, chats.peer)
          const refuse = (response: ServerResponse) =>
            void response.writeHead(400).end('{"message":"Invalid reply token"}')
          // The second attempt is rate limited, so the outcome of the first stays unknown.
          chats.peer.failNext(fail, (response) => response.writeHead(429).end(), refuse)
          await channel.says('hello', { replyToken: 'the-token' })
          for (const attempts of [1, 2]) {
            await until(async () => {
              const item = (await states(channel)).at(-1)
              return item?.kind === 'send' && item.attempts === attempts && item.error !== null
            })
            await until(() => isFree(channel))
            pass(5000)
          }
          await settled(channel)
          assert.deepEqual(
            lineCalls('reply').map(({ body }) => JSON.parse(body).replyToken),
            ['the-token', 'the-token', 'the-token'],
          )
          assert.equal(lineCalls('push').length, 0)
          assert.equal((await deliveries(agent, channel)).at(-1)?.[1], 'unknown')
          assert.equal((await errorsOf(agent)).at(-1)?.data.delivery, 'unknown')
        })
      } else {
        it(`${kind}: ${name}: not sent again, and told as unknown`, async () => {
          const agent = await service.addAgent()
          const channel = await addChannel(agent, kind, chats.peer)
          chats.peer.failNext(fail)
          await channel.says('hello')
          await settled(channel)
          pass(100_000)
          await channel.says('next')
          await chats.peer.untilSent(1)
          assert.equal(chats.peer.sent[0]?.text, 'next')
          const [, answer] = await rowsOf(agent, channel)
          assert.deepEqual([answer.delivery, answer.delivery_reason], ['unknown', reason])
          const [error] = await errorsOf(agent)
          assert.deepEqual(
            [error?.completion_id, error?.data.reason, error?.data.delivery],
            [answer.completion_id, reason, 'unknown'],
          )
          const [parked] = (await agent.get(`/channels/${channel.id}/parked`)).body.data
          assert.deepEqual([parked.delivery, parked.error], ['unknown', reason])
        })
      }
    }

    it(`${kind}: a platform that has no room five times is given up`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      for (let tries = 0; tries < 5; tries++) chats.peer.failNext((response) => response.writeHead(429).end())
      await channel.says('hello')
      await until(async () => {
        if ((await states(channel)).at(-1)?.state === 'parked') return true
        if (await isFree(channel)) pass(70_000)
        return false
      })
      assert.deepEqual((await deliveries(agent, channel)).at(-1), ['assistant', 'failed', 'rejected'])
      assert.equal((await errorsOf(agent)).length, 1)
      assert.equal(chats.peer.sent.length, 0)
    })

    it(`${kind}: what waits to be sent goes out as it was redacted meanwhile`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      service.model.next({ text: 'Your number is 12345.' })
      chats.peer.failNext((response) => response.writeHead(429).end())
      await channel.says('hello')
      await untilSendFailed(channel)
      const { body } = await agent.get('/chat/completions')
      await agent.post(`/chat/completions/${body.data[0].id}/scrub`)
      pass(2000)
      const sent = await chats.peer.untilSent(1)
      assert.equal(sent[0]?.text, '[REDACTED]')
    })
  }

  it('messenger-three: the fresh reply token is used first, and once', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-three', chats.peer)
    await channel.says('hello', { replyToken: 'fresh' })
    const [sent] = await chats.peer.untilSent(1)
    assert.deepEqual([sent?.by, sent?.thread, sent?.retryKey], ['reply', 'fresh', undefined])
    await agent.post(`/conversations/${externalId(channel)}/messages`, { content: 'and I' })
    const [, pushed] = await chats.peer.untilSent(2)
    assert.deepEqual([pushed?.by, pushed?.thread], ['push', PERSON['messenger-three']])
    assert.match(pushed?.retryKey ?? '', /^[0-9a-f-]{36}$/)
  })

  it('messenger-three: a reply token that is too old is not used', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-three', chats.peer)
    const held = Promise.withResolvers<void>()
    service.model.next({ text: 'sorry for the wait', after: held.promise })
    await channel.says('hello')
    await service.model.request(0)
    pass(55_000)
    held.resolve()
    const [sent] = await chats.peer.untilSent(1)
    assert.equal(sent?.by, 'push')
  })

  it('messenger-three: a reply token that the platform refuses is followed by a push', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-three', chats.peer)
    chats.peer.failNext((response) => response.writeHead(400).end('{"message":"Invalid reply token"}'))
    await channel.says('hello')
    const [sent] = await chats.peer.untilSent(1)
    assert.equal(sent?.by, 'push')
  })

  it('messenger-three: a reply that a dead worker may have sent is asked about with its token, never pushed', async () => {
    for (const [answer, pause, expected] of [
      ['refused', 0, 'parked'],
      ['accepted', 0, 'done'],
      ['refused', 60_000, 'parked'],
    ] as const) {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, 'messenger-three', chats.peer)
      const held = Promise.withResolvers<void>()
      chats.peer.failNext((response) => void held.promise.then(() => response.destroy()))
      await channel.says('hello')
      await until(async () => (await states(channel)).some(({ state }) => state === 'sending'))
      if (answer === 'refused')
        chats.peer.failNext((response) => response.writeHead(400).end('{"message":"Invalid reply token"}'))
      // Its lease runs out while it hangs: another worker takes the mailbox.
      pass(11_000 + pause)
      await settled(channel)
      assert.equal((await states(channel)).at(-1)?.state, expected, answer)
      held.resolve()
      assert.ok(chats.peer.requests.every(({ path }) => !path.endsWith('/push')))
      assert.equal(chats.peer.sent.length, expected === 'done' ? 1 : 0)
      service.clock = Date.now
      chats.peer.sent.length = 0
      chats.peer.requests.length = 0
    }
  })

  it('messenger-three: a reply that the platform has no room for is tried as a reply again', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-three', chats.peer)
    chats.peer.failNext((response) => response.writeHead(429).end())
    await channel.says('hello')
    await untilSendFailed(channel)
    pass(2000)
    const [sent] = await chats.peer.untilSent(1)
    assert.equal(sent?.by, 'reply')
  })

  for (const kind of ['messenger-one', 'messenger-two'] as const) {
    it(`${kind}: an answer that comes after the reply window has closed is told as an error, not sent`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      const held = Promise.withResolvers<void>()
      service.model.next({ text: 'a day late', after: held.promise })
      await channel.says('hello')
      await service.model.request(0)
      service.pass(DAY_MS + 1000)
      held.resolve()
      await until(async () => (await states(channel)).some(({ error }) => error === 'window_closed'))
      assert.equal(chats.peer.sent.length, 0)
      assert.equal((await service.eventsOf(agent)).at(-1), 'error')
    })

    it(`${kind}: a reply window that the platform itself says is closed is told the same way`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      const error = kind === 'messenger-one' ? { code: 131047 } : { code: 10, error_subcode: 2018278 }
      chats.peer.failNext((response) => response.writeHead(400).end(JSON.stringify({ error })))
      await channel.says('hello')
      await settled(channel)
      assert.equal((await states(channel)).at(-1)?.error, 'window_closed')
      assert.equal((await service.eventsOf(agent)).at(-1), 'error')
    })
  }

  it('what a dead worker may have sent is not sent again where the platform has no key', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-one', chats.peer)
    const held = Promise.withResolvers<void>()
    chats.peer.failNext((response) => void held.promise.then(() => response.destroy()))
    await channel.says('hello')
    await until(async () => (await states(channel)).some(({ state }) => state === 'sending'))
    // Its lease runs out while it hangs: another worker takes the mailbox.
    pass(11_000)
    await settled(channel)
    assert.deepEqual((await deliveries(agent, channel)).at(-1), ['assistant', 'unknown', 'unreachable'])
    held.resolve()
    assert.equal(chats.peer.sent.length, 0)
  })

  it('what goes to a conversation of a channel that was deleted raises an error', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-three', chats.peer)
    await channel.says('hello')
    await chats.peer.untilSent(1)
    await settled(channel)
    assert.equal((await agent.call('DELETE', `/channels/${channel.id}`)).status, 204)
    const path = `/conversations/${externalId(channel)}/messages`
    assert.equal((await agent.post(path, { content: 'Still there?' })).status, 200)
    await settled(channel)
    const conversation = (await agent.get(`/conversations/${externalId(channel)}`)).body.data
    assert.deepEqual(
      (await errorsOf(agent)).map(({ conversation_id, data }) => ({ conversation_id, ...data })),
      [
        {
          conversation_id: conversation.id,
          code: 'channel_send_failed',
          reason: 'channel_deleted',
          delivery: 'failed',
          channel_id: channel.id,
        },
      ],
    )
    assert.deepEqual((await deliveries(agent, channel)).at(-1), ['operator', 'failed', 'unreachable'])
  })

  it('an answer of an inactive channel is parked until the channel is active again', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'helpdesk', chats.peer)
    const held = Promise.withResolvers<void>()
    service.model.next({ text: 'the answer', after: held.promise })
    await channel.says('hello')
    await service.model.request(0)
    await agent.patch(`/channels/${channel.id}`, { active: false })
    held.resolve()
    await settled(channel)
    assert.deepEqual((await deliveries(agent, channel)).at(-1), ['assistant', 'failed', 'unreachable'])
    assert.equal((await errorsOf(agent))[0]?.data.reason, 'channel_inactive')
    await agent.patch(`/channels/${channel.id}`, { active: true })
    const [parked] = (await agent.get(`/channels/${channel.id}/parked`)).body.data
    await agent.post(`/channels/${channel.id}/parked/${parked.id}/replay`)
    assert.equal((await chats.peer.untilSent(1))[0]?.text, 'the answer')
  })

  it('messenger-one: what the platform says later that it could not deliver is marked, told and can be sent again', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-one', chats.peer)
    await channel.says('hello')
    await chats.peer.untilSent(1)
    await settled(channel)
    await channel.post(whatsAppStatus('wamid.1', 131047))
    await settled(channel)
    const [, answer] = await rowsOf(agent, channel)
    assert.deepEqual([answer.delivery, answer.delivery_reason], ['failed', 'window_closed'])
    const [error] = await errorsOf(agent)
    assert.equal(error?.completion_id, answer.completion_id)
    assert.deepEqual(error?.data, {
      code: 'channel_send_failed',
      reason: 'window_closed',
      delivery: 'failed',
      platform_code: '131047',
      channel_id: channel.id,
    })
    const [parked] = (await agent.get(`/channels/${channel.id}/parked`)).body.data
    await agent.post(`/channels/${channel.id}/parked/${parked.id}/replay`)
    await chats.peer.untilSent(2)
  })
})
