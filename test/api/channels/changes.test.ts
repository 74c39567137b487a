import assert from 'node:assert/strict'
import { it } from 'node:test'
import { until } from '../../support/becomes.ts'
import { addDataset, runOf } from '../../support/datasets.ts'
import { onChannels } from '../../support/on-channels.ts'
import { addChannel, LINE_DESTINATION, PERSON } from '../../support/platform-peer.ts'
import { spokenIn } from '../../support/spoken-in.ts'

type Changing = 'messenger-one' | 'messenger-two' | 'messenger-three'

const whatsApp = (message: object) => ({
  entry: [
    {
      changes: [
        {
          field: 'messages',
          value: {
            metadata: { phone_number_id: '106540352242922' },
            messages: [{ from: PERSON['messenger-one'], timestamp: '1749416383', ...message }],
          },
        },
      ],
    },
  ],
})

/** A person edits the message of an id of a test, as the platform tells it. */
const edits = {
  'messenger-one': (id: string, text: string) =>
    whatsApp({
      id: `wamid.edit-${id}`,
      type: 'edit',
      edit: { original_message_id: `wamid.${id}`, message: { type: 'text', text: { body: text } } },
    }),
  'messenger-two': (id: string, text: string) => ({
    object: 'page',
    entry: [
      {
        id: '2200',
        messaging: [
          {
            sender: { id: PERSON['messenger-two'] },
            recipient: { id: '2200' },
            message_edit: { mid: `m_${id}`, text, num_edit: 1 },
          },
        ],
      },
    ],
  }),
}

/** A person takes it back. */
const withdrawals = {
  'messenger-one': (id: string) =>
    whatsApp({ id: `wamid.revoke-${id}`, type: 'revoke', revoke: { original_message_id: `wamid.${id}` } }),
  'messenger-three': (id: string) => ({
    destination: LINE_DESTINATION,
    events: [
      {
        type: 'unsend',
        mode: 'active',
        timestamp: 1,
        webhookEventId: `unsend-${id}`,
        source: { type: 'user', userId: PERSON['messenger-three'] },
        unsend: { messageId: id },
      },
    ],
  }),
}

onChannels('edits and withdrawals on channels', (service, chats) => {
  const { settled, pass, rowsOf, messagesOf, states } = chats

  async function newChannel(kind: Changing, settings = {}) {
    const agent = await service.addAgent()
    return { agent, channel: await addChannel(agent, kind, chats.peer, settings) }
  }

  for (const kind of ['messenger-one', 'messenger-two'] as const) {
    it(`${kind}: an edit after the answer changes the stored message, and is no prompt`, async () => {
      const { agent, channel } = await newChannel(kind)
      service.model.next({ text: 'an answer' })
      await channel.says('my pin is 1234', { id: '801' })
      await chats.peer.untilSent(1)
      await settled(channel)
      await channel.post(edits[kind]('801', 'where is my order?'))
      await settled(channel)
      assert.deepEqual(await messagesOf(agent, channel), ['user: where is my order?', 'assistant: an answer'])
      assert.equal(service.model.requests.length, 1)
      assert.equal(chats.peer.sent.length, 1)
    })

    it(`${kind}: an edit before the answer is what is answered`, async () => {
      const { agent, channel } = await newChannel(kind, { debounce_ms: 60_000 })
      await channel.says('my pin is 1234', { id: '802' })
      await channel.post(edits[kind]('802', 'where is my order?'))
      await until(async () =>
        (await states(channel)).some(({ kind, state }) => kind === 'edited' && state === 'done'),
      )
      pass(61_000)
      await chats.peer.untilSent(1)
      await settled(channel)
      assert.deepEqual(
        spokenIn(service.model.requests[0]?.body).map(({ content }) => content),
        ['where is my order?'],
      )
      assert.ok(!JSON.stringify(await rowsOf(agent, channel)).includes('1234'))
    })

    it(`${kind}: an edit leaves what was scrubbed as it is`, async () => {
      const { agent, channel } = await newChannel(kind)
      await channel.says('my pin is 1234', { id: '803' })
      await chats.peer.untilSent(1)
      await settled(channel)
      assert.equal((await agent.post(`/users/${PERSON[kind]}/scrub`)).status, 200)
      await channel.post(edits[kind]('803', 'my pin is 5678'))
      await settled(channel)
      assert.ok((await messagesOf(agent, channel)).every((text) => text.endsWith('[REDACTED]')))
    })
  }

  for (const kind of ['messenger-one', 'messenger-three'] as const) {
    it(`${kind}: a message that is taken back after the answer is redacted`, async () => {
      const { agent, channel } = await newChannel(kind)
      service.model.next({ text: 'an answer' })
      await channel.says('my pin is 1234', { id: '811' })
      await chats.peer.untilSent(1)
      await settled(channel)
      await channel.post(withdrawals[kind]('811'))
      await settled(channel)
      const [prompt, answer] = await rowsOf(agent, channel)
      assert.deepEqual([prompt.content, prompt.redacted], ['[REDACTED]', 'scrub'])
      assert.deepEqual([answer.content, answer.redacted], ['an answer', null])
      // The model reads it no more either.
      await channel.says('hello?')
      await chats.peer.untilSent(2)
      assert.ok(!JSON.stringify(service.model.requests.at(-1)?.body).includes('1234'))
    })

    it(`${kind}: the notes of a conversation are forgotten with a message that is taken back`, async () => {
      const { agent, channel } = await newChannel(kind)
      await channel.says('my pin is 1234', { id: '813' })
      await chats.peer.untilSent(1)
      await settled(channel)
      const { db } = service.app.app.foundation.database
      const [{ id }] = (await agent.get('/conversations')).body.data
      const notes = {
        agent_id: agent.agentId,
        conversation_id: id,
        content: 'The pin is 1234.',
        due_at: null,
      }
      await db.insertInto('conversation_summaries').values(notes).execute()
      await channel.post(withdrawals[kind]('813'))
      await settled(channel)
      const left = db
        .selectFrom('conversation_summaries')
        .select('content')
        .where('agent_id', '=', agent.agentId)
      assert.deepEqual(await left.execute(), [{ content: null }])
    })

    it(`${kind}: a case and a run keep nothing of a message that is taken back`, async () => {
      const { agent, channel } = await newChannel(kind)
      await channel.says('my pin is 1234', { id: '814' })
      await chats.peer.untilSent(1)
      await settled(channel)
      const [{ completion_id }] = await rowsOf(agent, channel)
      const { id: dataset, cases } = await addDataset(agent, [{ completion_id }])
      service.model.next({ text: 'Your pin is 1234.' })
      const run = await runOf(agent, dataset)
      const paths = [`/datasets/${dataset}/cases/${cases[0]}`, `/runs/${run.id}`]
      const texts = async () => Promise.all(paths.map(async (path) => (await agent.get(path)).text))
      for (const text of await texts()) assert.match(text, /1234/)
      await channel.post(withdrawals[kind]('814'))
      await settled(channel)
      for (const text of await texts()) assert.doesNotMatch(text, /1234/)
      const { db } = service.app.app.foundation.database
      for (const table of ['case_texts', 'test_results'] as const) {
        const rows = await db.selectFrom(table).selectAll().where('agent_id', '=', agent.agentId).execute()
        assert.doesNotMatch(JSON.stringify(rows), /1234/, table)
      }
    })

    it(`${kind}: a message that is taken back before the answer is not answered`, async () => {
      const { channel } = await newChannel(kind, { debounce_ms: 60_000 })
      await channel.says('my pin is 1234', { id: '812' })
      await channel.post(withdrawals[kind]('812'))
      await settled(channel)
      pass(61_000)
      await settled(channel)
      assert.equal(service.model.requests.length, 0)
      assert.ok((await states(channel)).every(({ payload }) => payload === null))
    })

    it(`${kind}: a message that comes after it was taken back is neither kept nor answered`, async () => {
      const { agent, channel } = await newChannel(kind)
      await channel.post(withdrawals[kind]('814'))
      await settled(channel)
      await channel.says('my pin is 1234', { id: '814' })
      await channel.says('hello?', { id: '815' })
      await settled(channel)
      const messages = await messagesOf(agent, channel)
      assert.deepEqual(messages, ['user: hello?', 'assistant: hello?'])
      assert.ok((await states(channel)).every(({ payload }) => payload === null))
    })

    it(`${kind}: what nobody knows of is taken back in vain`, async () => {
      const { agent, channel } = await newChannel(kind)
      assert.equal((await channel.post(withdrawals[kind]('unknown'))).status, 200)
      await settled(channel)
      assert.deepEqual(await service.eventsOf(agent), [])
    })
  }
})
