import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'
import { bySystem } from '../../src/audit/record.ts'
import { writeCredential } from '../../src/credentials/credential-text.ts'
import { platforms } from '../../src/platforms/platforms.ts'
import { becomes, until } from '../support/becomes.ts'
import { forget } from '../support/forget.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import {
  addChannel,
  type Kind,
  kinds,
  LINE_DESTINATION,
  lineFollow,
  lineMessage,
  messageOf,
  PERSON,
  rawOf,
  sign,
  startPlatformPeer,
  type TestChannel,
  takeoverOf,
  tellsTakeovers,
  typeOf,
} from '../support/platform-peer.ts'
import { shared } from '../support/shared.ts'

/** Returns what a platform's webhook is answered when all is well. */
const done = (kind: Kind) => platforms[kind].form?.answer.body ?? '{}'

/** Returns the headers with which a channel's platform signs a body that it posts there. */
const signed = ({ kind, secret, url }: TestChannel, raw: string, by = secret) =>
  sign(kind, raw, by, Date.now(), url)

const ODD_TEXT = 'é 😀 / < \u2028 "quoted" \\'

onBothEngines('POST /channels/{id}/{kind}', (service) => {
  const peer = shared(startPlatformPeer)
  // What is answered late would count among the answers of the next test.
  afterEach(() =>
    until(async () => {
      const { db } = service.app.app.foundation.database
      const open = db.selectFrom('mailbox_items').select('id').where('state', 'in', ['waiting', 'sending'])
      return (await open.execute()).length === 0
    }),
  )

  async function stored(channel: TestChannel): Promise<number> {
    const { db } = service.app.app.foundation.database
    const rows = await db
      .selectFrom('mailbox_items')
      .select('id')
      .where('channel_id', '=', channel.id)
      .execute()
    return rows.length
  }

  for (const kind of kinds) {
    it(`${kind} 200: signed bytes with odd characters, answered {} and stored`, async () => {
      const channel = await addChannel(await service.addAgent(), kind, peer())
      const raw = rawOf(kind, messageOf(kind, PERSON[kind], `${kind}-odd`, ODD_TEXT)).replaceAll('/', '\\/')
      assert.deepEqual(await channel.post(raw), { status: 200, text: done(kind) })
      assert.ok((await stored(channel)) >= 1)
    })

    it(`${kind} 403: signature missing, malformed, of other bytes or with another secret`, async () => {
      const channel = await addChannel(await service.addAgent(), kind, peer())
      const body = rawOf(kind, messageOf(kind, PERSON[kind], `${kind}-unsigned`, 'hello'))
      const [name, value] = Object.entries(signed(channel, body)).at(-1) as [string, string]
      for (const wrong of [
        '',
        'x',
        value.slice(1),
        `${value}=`,
        value.toUpperCase(),
        'sha256=',
        'é'.normalize('NFC'),
      ]) {
        const headers = { [name]: Buffer.from(wrong).toString('latin1') }
        assert.equal((await channel.post(body, headers)).status, 403, wrong)
      }
      assert.equal((await channel.post(body, signed(channel, body, 'another secret'))).status, 403)
      // Telegram sends a token, which depends on nothing.
      if (kind !== 'telegram')
        assert.equal((await channel.post(body, signed(channel, `${body} `))).status, 403)
      const unsigned = await fetch(channel.url, {
        method: 'POST',
        body,
        headers: { 'content-type': typeOf(kind) },
      })
      assert.equal(unsigned.status, 403)
      assert.equal(await stored(channel), 0)
    })

    it(`${kind} 403: a channel without its secret refuses everything`, async () => {
      const agent = await service.addAgent()
      const none = { [platforms[kind].webhookSecret ?? '']: undefined }
      const channel = await addChannel(agent, kind, peer(), none)
      const body = rawOf(kind, messageOf(kind, PERSON[kind], `${kind}-none`, 'hello'))
      for (const secret of ['', 'undefined', 'null', channel.secret || 'x'])
        assert.equal((await channel.post(body, signed(channel, body, secret))).status, 403)
    })

    it(`${kind} 403: the old secret, and all once the channel is deleted, while requests are under way`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer())
      const path = `/channels/${channel.id}`
      let isOver = false
      const burst = Array.from({ length: 8 }, async () => {
        while (!isOver) await channel.post('{}')
      })
      const secret = '110201543:a-new-token'
      const settings = { [platforms[kind].webhookSecret ?? '']: secret }
      assert.equal((await agent.patch(path, { settings })).status, 200)
      assert.equal((await channel.post('{}')).status, 403)
      assert.equal((await channel.post('{}', signed(channel, '{}', secret))).status, 200)
      assert.equal((await agent.call('DELETE', path)).status, 204)
      assert.equal((await channel.post('{}', signed(channel, '{}', secret))).status, 403)
      isOver = true
      await Promise.all(burst)
    })

    it(`${kind} 403: unknown channel or one of another kind, like a wrong signature`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer())
      const wrong = await channel.post('{}', signed(channel, '{}', 'x'))
      for (const id of ['999999', 'x', '0', '%00', '9'.repeat(10_000)]) {
        const answer = await fetch(`${agent.baseUrl}/channels/${id}/${kind}`, {
          method: 'POST',
          body: '{}',
          headers: { 'content-type': typeOf(kind), ...signed(channel, '{}') },
        })
        assert.equal(answer.status, 403, id)
        assert.ok((await answer.text()).includes(JSON.parse(wrong.text).error.message))
      }
      const other = kinds.find((name) => name !== kind) as Kind
      const moved = channel.url.replace(kind, other)
      const signature = sign(other, '{}', channel.secret, Date.now(), moved)
      const headers = { 'content-type': typeOf(other), ...signature }
      assert.equal((await fetch(moved, { method: 'POST', body: '{}', headers })).status, 403)
    })

    it(`${kind} 400: empty, no JSON, no object, wrong or missing content type, too large`, async () => {
      const channel = await addChannel(await service.addAgent(), kind, peer())
      // Every other text is a form.
      const invalid = platforms[kind].form ? [] : ['{', 'nonsense', 'null', '[]', '7', '"text"', '{"a":']
      for (const raw of ['', ...invalid]) assert.equal((await channel.post(raw)).status, 400, raw)
      const body = rawOf(kind, messageOf(kind, PERSON[kind], `${kind}-type`, 'hello'))
      for (const type of [
        'text/plain',
        platforms[kind].form ? 'application/json' : 'application/x-www-form-urlencoded',
        'multipart/form-data',
        'nonsense',
        '',
      ])
        assert.equal((await channel.post(body, { 'content-type': type })).status, 400, type)
      const large = JSON.stringify({ large: 'x'.repeat(5 * 1024 * 1024) })
      assert.equal((await channel.post(large)).status, 400)
      assert.equal(await stored(channel), 0)
    })

    if (kind !== 'helpdesk' && kind !== 'telegram' && kind !== 'sms')
      it(`${kind} 400: events that are no list`, async () => {
        const channel = await addChannel(await service.addAgent(), kind, peer())
        const name = kind === 'messenger-three' ? 'events' : 'entry'
        for (const events of ['nope', 7, null, {}, { 0: {} }])
          assert.equal((await channel.post({ [name]: events })).status, 400)
        assert.equal((await channel.post({ [name]: [null, 7, 'nope', []] })).status, 200)
      })

    it(`${kind} 200: nothing to do`, async () => {
      const channel = await addChannel(await service.addAgent(), kind, peer())
      const empty = platforms[kind].form ? [] : [{}, { events: [] }, { entry: [] }]
      for (const body of [...empty, { object: 'page' }, { event: 'typing_on' }])
        assert.deepEqual(await channel.post(body), { status: 200, text: done(kind) })
      assert.equal(await stored(channel), 0)
    })

    it(`${kind}: twenty copies at once are one message`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer())
      const body = messageOf(kind, PERSON[kind], `${kind}-copies`, 'only once')
      const before = peer().sent.length
      const answers = await Promise.all(Array.from({ length: 20 }, () => channel.post(body)))
      assert.ok(answers.every(({ status }) => status === 200))
      await peer().untilSent(before + 1)
      const { body: completions } = await agent.get('/chat/completions')
      assert.equal(completions.total, 1)
    })

    // SMS tell no time.
    if (kind !== 'sms')
      it(`${kind}: a body that comes again does nothing, however old it is`, async () => {
        const { db } = service.app.app.foundation.database
        const agent = await service.addAgent()
        const channel = await addChannel(agent, kind, peer())
        const now = Date.now()
        const event =
          kind === 'messenger-three'
            ? { events: [lineFollow(PERSON[kind], 'again')] }
            : tellsTakeovers(kind)
              ? takeoverOf(kind, 'again')
              : messageOf(kind, PERSON[kind], 'again', '/start')
        const bodies = [messageOf(kind, PERSON[kind], `${kind}-again`, 'only once'), event].map((body) =>
          JSON.stringify(body).replaceAll('1749416383', `${Math.floor(now / 1000)}`),
        )
        /** Without what the channel itself sends meanwhile. */
        const received = async () =>
          (
            await db
              .selectFrom('mailbox_items')
              .select('id')
              .where('channel_id', '=', channel.id)
              .where('kind', 'in', ['message', 'takeover', 'follow'])
              .execute()
          ).length
        const headers = bodies.map((body) => sign(kind, body, channel.secret, now))
        const before = peer().sent.length
        for (const [at, body] of bodies.entries()) {
          assert.equal((await channel.post(body, headers[at])).status, 200)
          if (at === 0) await peer().untilSent(before + 1)
        }
        for (const days of [0, 1, 7, 12.9, 13.1, 14.1, 30, 400]) {
          service.clock = () => now + days * 24 * 60 * 60 * 1000
          await forget(db, 'finished items', service.clock())
          const kept = await received()
          for (const [at, body] of bodies.entries()) {
            // The helpdesk signs the time.
            const { status } = await channel.post(body, headers[at])
            assert.equal(status, kind === 'helpdesk' && days > 0 ? 403 : 200, `after ${days} days`)
          }
          assert.equal(await received(), kept, `after ${days} days`)
        }
        assert.equal((await agent.get('/chat/completions')).body.total, 1)
      })

    if (kind !== 'helpdesk')
      it(`${kind}: what comes a week late is worked, and so is a sample from before the channel`, async () => {
        const agent = await service.addAgent()
        const channel = await addChannel(agent, kind, peer())
        const now = Date.now()
        const before = peer().sent.length
        service.clock = () => now + 7.5 * 24 * 60 * 60 * 1000
        const late = rawOf(kind, messageOf(kind, PERSON[kind], `${kind}-late`, 'late'))
        await channel.post(late.replaceAll('1749416383', `${Math.floor(now / 1000) + 60}`))
        await becomes(async () => (await agent.get('/chat/completions')).body.total, 1)
        // A platform with a reply window would refuse the late answer.
        const sent = platforms[kind].replyWindowMs === null ? 1 : 0
        await peer().untilSent(before + sent)
        await channel.says('an old sample')
        await peer().untilSent(before + sent + 1)
      })

    it(`${kind}: an inactive channel acknowledges and does nothing`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer())
      // It was seen active.
      assert.equal((await channel.post({ event: 'none' })).status, 200)
      await agent.patch(`/channels/${channel.id}`, { active: false })
      await channel.says('anyone there?')
      assert.equal(await stored(channel), 0)
    })
  }

  it('messenger-three 403: destination of another account', async () => {
    const channel = await addChannel(await service.addAgent(), 'messenger-three', peer())
    const body = {
      destination: LINE_DESTINATION.replace(/1$/, '2'),
      events: [lineMessage('U1', 'dest', 'hello')],
    }
    assert.equal((await channel.post(body)).status, 403)
    assert.equal(await stored(channel), 0)
  })

  it("messenger-three 200: with the neutral header in place of the platform's own", async () => {
    const channel = await addChannel(await service.addAgent(), 'messenger-three', peer())
    const body = JSON.stringify(messageOf('messenger-three', 'U1', 'neutral', 'hello'))
    const signature = sign('messenger-three', body, channel.secret)['x-line-signature'] as string
    const answer = await fetch(channel.url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-messenger-three-signature': signature },
    })
    assert.deepEqual([answer.status, await answer.text()], [200, '{}'])
  })

  it("messenger-three: the agent's key in the address stands in for a signature; any other is 403", async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    const { database, credentials } = service.app.app.foundation
    const revoked = await credentials.issueKey(database.db, agent.agentId, 'test', bySystem)
    assert.ok(revoked && (await credentials.revokeKey({ id: revoked.key_id }, bySystem)))
    const channel = await addChannel(agent, 'messenger-three', peer())
    const send = (query: string, headers: Record<string, string> = {}) =>
      fetch(channel.url + query, {
        method: 'POST',
        body: JSON.stringify(messageOf('messenger-three', 'U1', 'keyed', 'hello')),
        headers: { 'content-type': 'application/json', ...headers },
      })
    assert.equal((await send(`?api_key=${agent.apiKey}`)).status, 200)
    const body = JSON.stringify(messageOf('messenger-three', 'U1', 'keyed', 'hello'))
    const signed = sign('messenger-three', body, channel.secret)
    for (const query of [
      '?api_key=',
      `?api_key=${other.apiKey}`,
      `?api_key=${agent.apiKey}x`,
      `?api_key=${writeCredential('key', Number(agent.apiKey.split('_')[2]))}`,
      `?api_key=${revoked.api_key}`,
      '?api_key=a&api_key=b',
    ])
      assert.equal((await send(query, signed)).status, 403, query)
  })

  it('several events in one request are stored together', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-three', peer())
    const events = ['a', 'b', 'c'].map((name) => lineMessage(`U${name}`, `several-${name}`, `hello ${name}`))
    const before = peer().sent.length
    assert.equal((await channel.post({ destination: LINE_DESTINATION, events })).status, 200)
    await peer().untilSent(before + 3)
    assert.equal((await agent.get('/conversations')).body.total, 3)
  })
})

onBothEngines(
  'a backlog over its limit',
  (service) => {
    it('503 with Retry-After, nothing stored, status endpoints still answer', async () => {
      const agent = await service.addAgent()
      const peer = { url: 'http://127.0.0.1:9' }
      const channel = await addChannel(agent, 'messenger-three', peer, { debounce_ms: 60_000 })
      const events = (count: number, from: number) => ({
        destination: LINE_DESTINATION,
        events: Array.from({ length: count }, (_, index) =>
          lineMessage('U1', `backlog-${from + index}`, 'hello'),
        ),
      })
      assert.equal((await channel.post(events(3, 0))).status, 200)
      const raw = JSON.stringify(events(2, 3))
      const refused = await fetch(channel.url, {
        method: 'POST',
        body: raw,
        headers: { 'content-type': 'application/json', ...sign('messenger-three', raw, channel.secret) },
      })
      assert.equal(refused.status, 503)
      assert.ok(Number(refused.headers.get('retry-after')) > 0)
      const { db } = service.app.app.foundation.database
      assert.equal((await db.selectFrom('mailbox_items').select('id').execute()).length, 3)
      assert.equal((await fetch(channel.url)).status, 200)
      // There is room for one more.
      assert.equal((await channel.post(events(1, 3))).status, 200)
      const another = await addChannel(await service.addAgent(), 'messenger-three', peer, {
        debounce_ms: 60_000,
      })
      assert.equal((await another.post(events(1, 0))).status, 200, 'of another team')
    })
  },
  { PARLEY_BACKLOG_LIMIT: '6' },
)

onBothEngines('the time of a signature of the helpdesk', (service) => {
  for (const [name, minutes, status] of [
    ['now', 0, 200],
    ['14 minutes ago', -14, 200],
    ['16 minutes ago', -16, 403],
    ['in 14 minutes', 14, 200],
    ['in 16 minutes', 16, 403],
    ['no time at all', Number.NaN, 403],
  ] as const)
    it(`${status}: ${name}`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, 'helpdesk', { url: 'http://127.0.0.1:9' })
      const signed = sign('helpdesk', '{}', channel.secret, Date.now() + minutes * 60_000)
      assert.equal((await channel.post('{}', signed)).status, status)
    })
})
