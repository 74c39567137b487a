import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onChannels } from '../../support/on-channels.ts'
import { addChannel, type TestChannel } from '../../support/platform-peer.ts'

const SCOPED = 'US.13491208655302741918'
const NUMBER = '16505551234'

let ids = 0

function webhook(value: object, field = 'messages') {
  const metadata = { display_phone_number: '15550783881', phone_number_id: '106540352242922' }
  return {
    object: 'whatsapp_business_account',
    entry: [{ id: '1', changes: [{ field, value: { messaging_product: 'whatsapp', metadata, ...value } }] }],
  }
}

onChannels('people with several ids on messenger-one', (service, chats) => {
  const { settled, messagesOf, errorsOf, rowsOf } = chats

  async function newChannel() {
    const agent = await service.addAgent()
    return { agent, channel: await addChannel(agent, 'messenger-one', chats.peer) }
  }

  /** A text of a person as far as the platform tells who it is. */
  async function says(channel: TestChannel, text: string, who: { from?: string; from_user_id?: string }) {
    const message = { id: `wamid.in-${++ids}`, type: 'text', text: { body: text } }
    const contact = { profile: { name: 'Ana', username: 'ana' }, user_id: who.from_user_id, wa_id: who.from }
    const { status } = await channel.post(
      webhook({ contacts: [contact], messages: [{ ...message, ...who }] }),
    )
    assert.equal(status, 200)
    await settled(channel)
  }

  const recipients = () =>
    chats.peer.requests
      .map(({ body }) => JSON.parse(body))
      .filter(({ type }) => type === 'text')
      .map(({ to, recipient }) => [to, recipient])

  it('a person without a number is answered under the scoped id', async () => {
    const { agent, channel } = await newChannel()
    await says(channel, 'hello', { from_user_id: SCOPED })
    assert.deepEqual(recipients(), [[undefined, SCOPED]])
    assert.deepEqual(await messagesOf(agent, channel, SCOPED), ['user: hello', 'assistant: hello'])
    const { data } = (await agent.get('/chat/completions')).body
    assert.equal(data[0].user_id, SCOPED)
  })

  it('a number that is hidden later leads to the same conversation, and answers go to the scoped id', async () => {
    const { agent, channel } = await newChannel()
    await says(channel, 'one', { from: NUMBER })
    await says(channel, 'two', { from: NUMBER, from_user_id: SCOPED })
    await says(channel, 'three', { from_user_id: SCOPED })
    assert.deepEqual(recipients(), [
      [NUMBER, undefined],
      [NUMBER, undefined],
      [undefined, SCOPED],
    ])
    assert.equal((await agent.get('/conversations')).body.total, 1)
    assert.equal((await messagesOf(agent, channel, NUMBER)).length, 6)
    // One person, too.
    assert.equal((await service.eventsOf(agent)).filter((key) => key === 'new_user').length, 1)
    assert.equal((await agent.get(`/chat/completions?user_id=${NUMBER}`)).body.total, 3)
  })

  it('a number that is told later leads to the same conversation', async () => {
    const { agent, channel } = await newChannel()
    await says(channel, 'one', { from_user_id: SCOPED })
    await says(channel, 'two', { from: NUMBER, from_user_id: SCOPED })
    await says(channel, 'three', { from: NUMBER })
    assert.equal((await agent.get('/conversations')).body.total, 1)
    assert.equal((await messagesOf(agent, channel, SCOPED)).length, 6)
  })

  it('both ids in one webhook, and two people beside each other', async () => {
    const { agent, channel } = await newChannel()
    const text = (body: string) => ({ id: `wamid.in-${++ids}`, type: 'text', text: { body } })
    await channel.post(
      webhook({
        messages: [
          { ...text('a'), from: NUMBER, from_user_id: SCOPED },
          { ...text('b'), from_user_id: SCOPED },
          { ...text('c'), from_user_id: 'DE.2' },
        ],
      }),
    )
    await settled(channel)
    assert.equal((await agent.get('/conversations')).body.total, 2)
  })

  it('ids of one channel say nothing of another', async () => {
    const { channel } = await newChannel()
    const other = await newChannel()
    await says(channel, 'one', { from: NUMBER, from_user_id: SCOPED })
    await says(other.channel, 'two', { from_user_id: SCOPED })
    assert.deepEqual(await messagesOf(other.agent, other.channel, SCOPED), ['user: two', 'assistant: two'])
  })

  it('a changed number goes on in the same conversation, and answers go to the new one', async () => {
    const { agent, channel } = await newChannel()
    await says(channel, 'one', { from: NUMBER })
    const system = { type: 'user_changed_number', body: 'changed', wa_id: '4915112345678' }
    await channel.post(
      webhook({ messages: [{ from: NUMBER, id: `wamid.in-${++ids}`, type: 'system', system }] }),
    )
    await settled(channel)
    await agent.post(`/conversations/messenger-one:${channel.id}:${NUMBER}/messages`, {
      content: 'Eva here.',
    })
    await settled(channel)
    assert.deepEqual(recipients().at(-1), ['4915112345678', undefined])
    await agent.post(`/conversations/messenger-one:${channel.id}:${NUMBER}/resume`)
    await says(channel, 'two', { from: '4915112345678' })
    assert.equal((await agent.get('/conversations')).body.total, 1)
    assert.deepEqual(recipients().at(-1), ['4915112345678', undefined])
  })

  it("a person's echo to a scoped id takes the conversation over, and a failed status marks the message", async () => {
    const { agent, channel } = await newChannel()
    await says(channel, 'hello', { from: NUMBER, from_user_id: SCOPED })
    const statuses = [
      { id: 'wamid.1', status: 'failed', recipient_user_id: SCOPED, errors: [{ code: 131026 }] },
    ]
    await channel.post(webhook({ statuses }))
    await settled(channel)
    const [, answer] = await rowsOf(agent, channel, NUMBER)
    assert.deepEqual([answer.delivery, answer.delivery_reason], ['failed', 'rejected'])
    assert.equal((await errorsOf(agent))[0]?.completion_id, answer.completion_id)

    const echo = {
      from: '1',
      to_user_id: SCOPED,
      id: 'wamid.echo',
      type: 'text',
      text: { body: 'Eva here.' },
    }
    await channel.post(webhook({ message_echoes: [echo] }, 'smb_message_echoes'))
    await settled(channel)
    const { data } = (await agent.get(`/conversations/messenger-one:${channel.id}:${NUMBER}`)).body
    assert.equal(data.agent_paused, true)
    assert.equal((await messagesOf(agent, channel, NUMBER)).at(-1), 'operator: Eva here.')
  })
})
