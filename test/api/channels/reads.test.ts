import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onChannels } from '../../support/on-channels.ts'
import { addChannel, type Kind, messageOf, PERSON, type TestChannel } from '../../support/platform-peer.ts'

/** Returns the platform's report that the person has seen the messages of the account. */
function readOf(kind: Kind, { id, at }: { id: string; at: number }): object {
  // biome-ignore lint/suspicious/noExplicitAny: payloads of every platform
  const payload = messageOf(kind, PERSON[kind], 'replaced', 'replaced') as any
  if (kind === 'messenger-one') {
    const [change] = payload.entry[0].changes
    const { messages: _, ...value } = change.value
    const status = {
      id,
      status: 'read',
      timestamp: String(Math.floor(at / 1000)),
      recipient_id: PERSON[kind],
    }
    change.value = { ...value, statuses: [status] }
    return payload
  }
  const [{ message: _, ...event }] = payload.entry[0].messaging
  const read = kind === 'instagram' ? { mid: id } : { watermark: at }
  payload.entry[0].messaging = [{ ...event, read }]
  return payload
}

onChannels('what people have seen', (service, chats) => {
  const deliveries = async (agent: Parameters<typeof chats.rowsOf>[0], channel: TestChannel) =>
    (await chats.rowsOf(agent, channel)).map(({ delivery }) => delivery)

  for (const [kind, idOf] of [
    ['messenger-one', (count: number) => `wamid.${count}`],
    ['messenger-two', (count: number) => `m_${count}`],
    ['instagram', (count: number) => `m_${count}`],
  ] as const)
    it(`${kind}: messages that the person has seen are read, and later ones are not`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      for (const text of ['One', 'Two']) {
        await channel.says(text)
        await chats.settled(channel)
      }
      assert.deepEqual(await deliveries(agent, channel), [null, 'sent', null, 'sent'])
      const [, , , last] = await chats.rowsOf(agent, channel)
      const report = readOf(kind, { id: idOf(2), at: Date.parse(last.created_at) })
      await channel.says('Three')
      await chats.settled(channel)
      assert.equal((await channel.post(report)).status, 200)
      await chats.settled(channel)
      const expected = [null, 'read', null, 'read', null, 'sent']
      assert.deepEqual(await deliveries(agent, channel), expected)
      // It comes again, and one about a message that nobody knows.
      await channel.post(report)
      await channel.post(readOf(kind, { id: 'of-nobody', at: 0 }))
      await chats.settled(channel)
      assert.deepEqual(await deliveries(agent, channel), expected)
      const states = await chats.states(channel)
      assert.ok(states.every(({ state }) => state === 'done'))
    })

  it('a report does not part messages that are to be answered together, and no failure becomes read', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-two', chats.peer, { debounce_ms: 60_000 })
    await channel.says('One')
    await channel.post(readOf('messenger-two', { id: '', at: Date.now() }))
    await channel.says('Two')
    chats.peer.failNext((response) => response.writeHead(400).end())
    chats.pass(61_000)
    await chats.settled(channel)
    assert.equal(service.model.requests.length, 1)
    await channel.post(readOf('messenger-two', { id: '', at: Date.now() + 3_600_000 }))
    await chats.settled(channel)
    assert.deepEqual(await deliveries(agent, channel), [null, null, 'failed'])
  })
})
