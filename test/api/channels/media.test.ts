import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Chats, kinds, onChannels } from '../../support/on-channels.ts'
import {
  addChannel,
  type Kind,
  LINE_DESTINATION,
  mediaOf,
  PERSON,
  rawOf,
  sign,
} from '../../support/platform-peer.ts'
import { spokenIn } from '../../support/spoken-in.ts'

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS

const image: Record<Kind, Record<string, unknown>> = {
  'messenger-one': { type: 'image', image: { id: '1', mime_type: 'image/jpeg' } },
  'messenger-two': { attachments: [{ type: 'image', payload: { url: 'https://example.com/1' } }] },
  'messenger-three': { type: 'image', contentProvider: { type: 'line' } },
  helpdesk: { attachments: [{ file_type: 'image' }] },
  instagram: { attachments: [{ type: 'image', payload: { url: 'https://example.com/1' } }] },
  sms: { NumMedia: '1', MediaUrl0: 'https://example.com/1', MediaContentType0: 'image/jpeg' },
  telegram: {
    photo: [
      { file_id: '1', width: 90 },
      { file_id: '2', width: 900 },
    ],
  },
}

const captioned = {
  'messenger-one': { type: 'image', image: { id: '1', caption: 'What is this?' } },
  'messenger-two': { text: 'What is this?', attachments: [{ type: 'image' }] },
  helpdesk: { content: 'What is this?', attachments: [{ file_type: 'image' }] },
  instagram: { text: 'What is this?', attachments: [{ type: 'image' }] },
  sms: { Body: 'What is this?', NumMedia: '1', MediaContentType0: 'image/png' },
  telegram: { caption: 'What is this?', photo: [{ file_id: '1' }] },
}

onChannels('what is no text on channels', (service, chats: Chats) => {
  const { externalId, settled, pass, rowsOf, messagesOf } = chats

  /** Adds an agent whose model is sent no pictures. */
  async function addBlind(unsupported_message: string | null) {
    const agent = await service.addAgent({ settings: { unsupported_message } })
    assert.equal((await agent.patch('/agent', { model: { images: 'off' } })).status, 200)
    return agent
  }

  for (const kind of kinds) {
    it(`${kind}: a picture that the model does not see is a message row, and its person is told once an hour`, async () => {
      const agent = await addBlind('Text only, please.')
      const channel = await addChannel(agent, kind, chats.peer)
      for (const id of ['701', '702'])
        assert.equal((await channel.post(mediaOf(kind, id, image[kind]))).status, 200)
      const [sent] = await chats.peer.untilSent(1)
      assert.equal(sent?.text, 'Text only, please.')
      await settled(channel)
      assert.deepEqual((await messagesOf(agent, channel)).toSorted(), [
        'assistant: Text only, please.',
        'user: [image]',
        'user: [image]',
      ])
      const rows = await rowsOf(agent, channel)
      assert.deepEqual(
        rows.filter(({ role }) => role === 'user').map(({ kind, completion_id }) => [kind, completion_id]),
        [
          ['image', null],
          ['image', null],
        ],
      )
      assert.deepEqual(await service.eventsOf(agent), ['new_user', 'new_conversation'])
      assert.equal(service.model.requests.length, 0)
      assert.equal(chats.peer.sent.length, 1)
      pass(HOUR_MS + 1000)
      const later = rawOf(kind, mediaOf(kind, '703', image[kind]))
      const { status } = await channel.post(
        later,
        sign(kind, later, channel.secret, service.clock(), channel.url),
      )
      assert.equal(status, 200)
      await chats.peer.untilSent(2)
    })

    it(`${kind}: a picture and the text after it are one prompt`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer, { debounce_ms: 60_000 })
      await channel.post(mediaOf(kind, '710', image[kind]))
      await channel.says('What is this?', { id: '711' })
      pass(61_000)
      await chats.peer.untilSent(1)
      await settled(channel)
      assert.deepEqual(
        spokenIn(service.model.requests[0]?.body).map(({ content }) => content),
        ['[image]\n\nWhat is this?'],
      )
      const rows = await rowsOf(agent, channel)
      assert.deepEqual(
        rows.map(({ kind }) => kind),
        ['image', 'text', 'text'],
      )
    })

    it(`${kind}: while the agent is paused the pause message is said, and no other`, async () => {
      const settings = { unsupported_message: 'Text only.', pause_message: 'We are closed.' }
      const agent = await service.addAgent({ settings })
      const channel = await addChannel(agent, kind, chats.peer)
      await agent.post('/pause')
      for (const id of ['720', '721']) await channel.post(mediaOf(kind, id, image[kind]))
      await settled(channel)
      assert.deepEqual(
        chats.peer.sent.map(({ text }) => text),
        ['We are closed.'],
      )
    })

    it(`${kind}: without an unsupported_message nothing is said`, async () => {
      const agent = await addBlind(null)
      const channel = await addChannel(agent, kind, chats.peer)
      await channel.post(mediaOf(kind, '730', image[kind]))
      await settled(channel)
      assert.deepEqual(await messagesOf(agent, channel), ['user: [image]'])
      assert.equal(chats.peer.sent.length, 0)
    })
  }

  it('a picture that the model does not see begins the wait for a silent user anew', async () => {
    const agent = await addBlind('Text only.')
    const inactivity = { policy: 'resolve', follow_up_after: null, resolve_after: 60 }
    assert.equal((await agent.patch('/agent', { inactivity })).status, 200)
    const channel = await addChannel(agent, 'instagram', chats.peer)
    await channel.says('hello')
    await settled(channel)
    chats.pass(59 * MINUTE_MS)
    await channel.post(mediaOf('instagram', 'late', image.instagram))
    await settled(channel)
    const [row = assert.fail()] = await chats
      .database()
      .db.selectFrom('silences')
      .select('due_at')
      .where('agent_id', '=', agent.agentId)
      .execute()
    assert.ok(Date.parse(row.due_at ?? '') > service.clock() + 59 * MINUTE_MS)
  })

  for (const kind of Object.keys(captioned) as (keyof typeof captioned)[])
    it(`${kind}: a caption is a prompt`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      await channel.post(mediaOf(kind, '740', captioned[kind]))
      await chats.peer.untilSent(1)
      await settled(channel)
      assert.equal(spokenIn(service.model.requests[0]?.body).at(-1)?.content, '[image] What is this?')
      const [prompt] = await rowsOf(agent, channel)
      assert.deepEqual([prompt.kind, prompt.content], ['image', '[image] What is this?'])
      assert.ok(prompt.completion_id)
    })

  it('what a person sent without a word is redacted with the person', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-one', chats.peer)
    const file = { type: 'document', document: { id: '1', filename: 'Jane Doe.pdf' } }
    await channel.post(mediaOf('messenger-one', '750', file))
    await settled(channel)
    assert.equal((await rowsOf(agent, channel))[0].content, '[file: Jane Doe.pdf]')
    assert.equal((await agent.post(`/users/${PERSON['messenger-one']}/scrub`)).status, 200)
    const [row] = await rowsOf(agent, channel)
    assert.deepEqual([row.content, row.kind, row.redacted], ['[FILE]', 'file', 'scrub'])
    assert.deepEqual([row.attachments[0].name, row.attachments[0].state], [null, 'deleted'])
  })

  it('messenger-three: what is no text is kept of groups only when the account was mentioned', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-three', chats.peer, { groups: 'mentioned' })
    const event = {
      ...(mediaOf('messenger-three', '760', image['messenger-three']) as { events: object[] }).events[0],
      source: { type: 'group', groupId: 'Cgroup', userId: 'Uperson' },
    }
    await channel.post({ destination: LINE_DESTINATION, events: [event] })
    assert.equal((await agent.get(`/conversations/${externalId(channel, 'Cgroup')}`)).status, 404)
  })

  it('the default unsupported_message is told, and the setting is checked', async () => {
    const agent = await service.addAgent()
    const { data } = (await agent.get('/agent')).body
    assert.match(data.unsupported_message, /only read text/)
    const changed = await agent.patch('/agent', { unsupported_message: 'Nur Text, bitte.' })
    assert.equal(changed.body.data.unsupported_message, 'Nur Text, bitte.')
    const refused = await agent.patch('/agent', { unsupported_message: 7 })
    assert.deepEqual([refused.status, refused.body.error.param], [400, 'unsupported_message'])
  })
})
