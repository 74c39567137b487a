import assert from 'node:assert/strict'
import { it } from 'node:test'
import { HOUR_MS } from '../../../src/lib/clock.ts'
import { DAY_MS, onChannels } from '../../support/on-channels.ts'
import { addChannel, mediaOf, messageOf, PERSON, takeoverOf } from '../../support/platform-peer.ts'

onChannels('instagram', (service, chats) => {
  it('calls its own host of the platform, by the id that it learns, and says what the account is called', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'instagram', chats.peer, { instagram_id: undefined })
    const { instagram_id } = (await agent.get(`/channels/${channel.id}`)).body.data.settings
    assert.equal(instagram_id, '17841400000000001')
    const checked = await agent.post(`/channels/${channel.id}/test`)
    assert.deepEqual(checked.body.data, { ok: true, account: 'Test account', failure: null })
    await channel.says('Hello')
    await chats.peer.untilSent(1)
    const { path, body } = chats.peer.requests.at(-1) ?? assert.fail()
    assert.match(path, /^\/v\d+\.0\/17841400000000001\/messages$/)
    assert.deepEqual(JSON.parse(body), { recipient: { id: PERSON.instagram }, message: { text: 'Hello' } })
  })

  it('cuts answers by their bytes', async () => {
    const channel = await addChannel(await service.addAgent(), 'instagram', chats.peer)
    service.model.next({ text: 'Grüße aus Köln. '.repeat(100) })
    await channel.says('Hello')
    await chats.settled(channel)
    const texts = chats.peer.sent.map(({ text }) => text)
    assert.ok(texts.length === 2 && texts.every((text) => Buffer.byteLength(text) <= 1000))
    assert.equal(texts.join(' '), 'Grüße aus Köln. '.repeat(100).trim())
  })

  it('takes the echo of its own message for none of a person, before and after the call has returned', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'instagram', chats.peer)
    const held = Promise.withResolvers<void>()
    const called = Promise.withResolvers<void>()
    chats.peer.failNext((response) => {
      called.resolve()
      void held.promise.then(() => response.end('{"recipient_id":"1","message_id":"echo-early"}'))
    })
    await channel.says('Hello')
    await called.promise
    assert.equal((await channel.post(takeoverOf('instagram', 'echo-early'))).status, 200)
    held.resolve()
    await chats.settled(channel)
    assert.equal((await channel.post(takeoverOf('instagram', 'echo-early'))).status, 200)
    await channel.says('Still there?')
    await chats.peer.untilSent(1)
    assert.deepEqual(await chats.messagesOf(agent, channel), [
      'user: Hello',
      'assistant: Hello',
      'user: Still there?',
      'assistant: Still there?',
    ])
  })

  it("a person's answer from the app pauses the agent; one over Parley may go out for seven days", async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'instagram', chats.peer)
    await channel.says('Hello')
    await chats.settled(channel)
    await channel.post(takeoverOf('instagram', 'by-a-person'))
    await chats.settled(channel)
    assert.equal((await chats.messagesOf(agent, channel)).at(-1), 'operator: Eva here.')
    for (const [at, later] of [HOUR_MS, 2 * DAY_MS].entries()) {
      chats.pass(later)
      await agent.post(`/conversations/${chats.externalId(channel)}/messages`, { content: 'Tom here.' })
      await chats.peer.untilSent(2 + at)
    }
    const bodies = chats.peer.requests.map(({ body }) => JSON.parse(body)).filter(({ message }) => message)
    assert.deepEqual(
      bodies.map(({ messaging_type, tag }) => [messaging_type, tag]),
      [
        [undefined, undefined],
        [undefined, undefined],
        ['MESSAGE_TAG', 'HUMAN_AGENT'],
      ],
    )
  })

  it('a message that the person takes back is redacted', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'instagram', chats.peer)
    await channel.says('My number is 4711', { id: 'taken-back' })
    await chats.settled(channel)
    await channel.post(mediaOf('instagram', 'taken-back', { is_deleted: true }))
    await chats.settled(channel)
    assert.equal((await chats.rowsOf(agent, channel))[0].redacted, 'scrub')
  })

  it('what is shared is told by its kind, and a reply to a story by its words', async () => {
    const agent = await service.addAgent({ settings: { unsupported_message: null } })
    assert.equal((await agent.patch('/agent', { model: { images: 'off' } })).status, 200)
    const channel = await addChannel(agent, 'instagram', chats.peer)
    for (const [at, type] of ['story_mention', 'ig_post', 'ig_reel', 'image', 'constructor'].entries())
      await channel.post(
        mediaOf('instagram', `shared-${at}`, { attachments: [{ type, payload: { url: 'x' } }] }),
      )
    const reply = messageOf('instagram', PERSON.instagram, 'story', 'So nice!') as {
      entry: { messaging: { message: object }[] }[]
    }
    const [event] = reply.entry[0]?.messaging ?? []
    if (event)
      event.message = { ...event.message, reply_to: { story: { id: '1', url: 'https://example.com' } } }
    await channel.post(reply)
    await chats.settled(channel)
    assert.deepEqual((await chats.messagesOf(agent, channel)).slice(0, -1), [
      'user: [other]',
      'user: [other]',
      'user: [video]',
      'user: [image]',
      'user: [other]',
      'user: So nice!',
    ])
  })
})
