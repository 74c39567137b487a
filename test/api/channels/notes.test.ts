import assert from 'node:assert/strict'
import { it } from 'node:test'
import { kinds, onChannels } from '../../support/on-channels.ts'
import { addChannel, LINE_DESTINATION, PERSON } from '../../support/platform-peer.ts'

onChannels('notes and ratings on channels', (service, chats) => {
  const { externalId, settled } = chats

  for (const kind of kinds) {
    it(`${kind}: a note and a rating's comment are sent to nobody`, async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, chats.peer)
      await channel.says('hello')
      await chats.peer.untilSent(1)
      const path = `/conversations/${externalId(channel)}`
      assert.equal((await agent.post(`${path}/notes`, { text: 'Quittenbrot' })).status, 201)
      assert.equal((await agent.post(`${path}/rating`, { score: 1, comment: 'Quittenbrot' })).status, 200)
      await channel.says('and now?')
      await chats.peer.untilSent(2)
      await settled(channel)
      assert.equal(chats.peer.sent.length, 2)
      assert.ok(!JSON.stringify(chats.peer.requests).includes('Quittenbrot'))
      assert.ok(!JSON.stringify(service.model.requests).includes('Quittenbrot'))
    })
  }

  for (const mode of ['scrub', 'anonymize'] as const) {
    it(`${mode} of a person reaches the notes of a chat that has no prompt`, async () => {
      const agent = await service.addAgent({ settings: { greeting: 'Welcome' } })
      const channel = await addChannel(agent, 'messenger-three', chats.peer)
      await channel.post({
        destination: LINE_DESTINATION,
        events: [
          {
            type: 'follow',
            mode: 'active',
            timestamp: Date.now(),
            source: { type: 'user', userId: PERSON['messenger-three'] },
            webhookEventId: `follow ${mode}`,
            deliveryContext: { isRedelivery: false },
            replyToken: 'r',
            follow: { isUnblocked: false },
          },
        ],
      })
      await settled(channel)
      const path = `/conversations/${externalId(channel)}`
      await agent.post(`${path}/notes`, { text: 'Wrote from ada@example.com.' })
      await agent.post(`${path}/rating`, { score: 3, comment: 'Ask ada@example.com.' })
      const { status, body } = await agent.post(`/users/${PERSON['messenger-three']}/${mode}`)
      assert.deepEqual([status, body?.data?.remaining], [200, 0], JSON.stringify(body))
      const [note] = (await agent.get(`${path}/notes`)).body.data
      const rating = (await agent.get(`${path}/rating`)).body.data
      assert.deepEqual(
        [note.completion_id, note.text, rating.comment],
        mode === 'scrub'
          ? [null, '[REDACTED]', '[REDACTED]']
          : [null, 'Wrote from [EMAIL_ADDRESS].', 'Ask [EMAIL_ADDRESS].'],
      )
    })
  }
})
