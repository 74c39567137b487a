import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../../support/app.ts'
import { onChannels } from '../../support/on-channels.ts'
import { addChannel } from '../../support/platform-peer.ts'

onChannels('POST /conversations/{id}/messages/{message_id}/resend', (service, chats) => {
  const { settled, rowsOf, externalId } = chats

  it('200: the platform gets a request at each try, and a second failure is shown again', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-one', chats.peer)
    const error = { code: 131047 }
    const refuse = () =>
      chats.peer.failNext((response) => response.writeHead(400).end(JSON.stringify({ error })))
    refuse()
    await channel.says('hello')
    await settled(channel)
    const failed = async () => (await rowsOf(agent, channel)).at(-1)
    const message = await failed()
    assert.deepEqual([message.delivery, message.delivery_reason], ['failed', 'window_closed'])
    const path = `/conversations/${externalId(channel)}/messages/${message.id}/resend`
    refuse()
    const again = await agent.post(path)
    assert.equal(again.status, 200, again.text)
    assert.deepEqual([again.body.data.delivery, again.body.data.delivery_reason], ['queued', null])
    await settled(channel)
    assert.deepEqual((await failed()).delivery, 'failed')
    assert.equal(chats.peer.sent.length, 0)
    assert.equal((await agent.post(path)).status, 200)
    await chats.peer.untilSent(1)
    await settled(channel)
    assert.equal((await failed()).delivery, 'sent')
    assertError(await agent.post(path), 409, 'message_not_failed')
    const { body } = await agent.get('/audit?action=message.resent')
    assert.equal(
      body.data.filter(({ target }: { target: string }) => target === `message ${message.id}`).length,
      2,
    )
  })

  it('404: a message of another conversation; 409: one that did not fail', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('hello')
    const { conversation_id: other } = await agent.prompt('hello')
    const [message] = (await agent.get(`/conversations/${other}/messages`)).body.data
    const at = (id: unknown) => `/conversations/${conversation_id}/messages/${id}/resend`
    assertError(await agent.post(at(message.id)), 404, 'message_not_found')
    assertError(await agent.post(at('no-number')), 404, 'message_not_found')
    assertError(
      await agent.post(`/conversations/${other}/messages/${message.id}/resend`),
      409,
      'message_not_failed',
    )
  })
})
