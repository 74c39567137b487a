import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../support/app.ts'
import { signInNew } from '../support/console.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { addChannel, messageOf, PERSON, startPlatformPeer } from '../support/platform-peer.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

onBothEngines('GET /inbox/{id} and GET /colleagues', (service) => {
  it('200: what the list shows of a conversation, and how far its reader has read', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('Where is it?', { user: 'ann', external_id: 'case-9' })
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const path = `/agents/${agent.agentId}`
    const read = async () => (await person.call('GET', `${path}/inbox/case-9`)).body.data
    const [listed] = (await person.call('GET', `${path}/inbox`)).body.data
    const { read_until, reply_until, ...item } = await read()
    assert.deepEqual(item, listed)
    assert.deepEqual([read_until, reply_until], [null, null])
    const message_id = item.last_message.id
    await person.call('PUT', `${path}/conversations/${conversation_id}/read`, { message_id })
    assert.equal((await read()).read_until, message_id)
    const token = await agent.get(`/inbox/${conversation_id}`)
    assert.deepEqual([token.body.data.unread, token.body.data.read_until], [null, null])
  })

  it('404: a conversation of another agent', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    const { conversation_id } = await agent.prompt('hello')
    assertError(await other.get(`/inbox/${conversation_id}`), 404, 'conversation_not_found')
  })

  it('200: until when a platform delivers what a person answers', async () => {
    const peer = await startPlatformPeer()
    for (const [kind, days] of [
      ['messenger-one', 1],
      ['messenger-two', 7],
      ['messenger-three', null],
      ['helpdesk', null],
    ] as const) {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, kind, peer)
      const before = peer.sent.length
      const from = service.clock()
      await channel.says('hello')
      await peer.untilSent(before + 1)
      const [conversation] = (await agent.get('/conversations')).body.data
      const { reply_until } = (await agent.get(`/inbox/${conversation.id}`)).body.data
      if (days === null) assert.equal(reply_until, null, kind)
      else {
        const left = Date.parse(reply_until) - from
        assert.ok(left >= days * DAY_MS && left < days * DAY_MS + 120_000, `${kind}: ${left}`)
      }
    }
    await peer.close()
  })

  it('200: the platform counts from when the user has written, however late or often it tells of it', async () => {
    const peer = await startPlatformPeer()
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-one', peer)
    const sentAt = Math.floor(service.clock() / 1000) * 1000 - 10 * HOUR_MS
    const told = JSON.stringify(messageOf('messenger-one', PERSON['messenger-one'], 'late', 'hello'))
    const repeated = JSON.parse(told.replace(/"timestamp":"\d+"/, `"timestamp":"${sentAt / 1000}"`))
    for (const later of [0, HOUR_MS]) {
      service.pass(later)
      assert.equal((await channel.post(repeated)).status, 200)
      await peer.untilSent(1)
      const [conversation] = (await agent.get('/conversations')).body.data
      const { reply_until } = (await agent.get(`/inbox/${conversation.id}`)).body.data
      assert.equal(Date.parse(reply_until), sentAt + DAY_MS)
    }
    await peer.close()
  })

  it('200: the active people of the team by name, for everybody who may read', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'read' })
    const gone = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    await signInNew(service.app, { teamId: other.teamId, right: 'own' })
    await agent.patch(`/operators/${gone.operatorId}`, { active: false })
    const { status, body, text } = await person.call('GET', `/agents/${agent.agentId}/colleagues`)
    assert.equal(status, 200, text)
    const test = { name: 'Test Person', display_name: 'Test' }
    assert.deepEqual(body.data, [{ id: person.operatorId, ...test, active: true }])
    const all = await person.call('GET', `/agents/${agent.agentId}/colleagues?disabled=true`)
    assert.deepEqual(all.body.data[1], { id: gone.operatorId, ...test, active: false })
    assert.equal(all.body.data.length, 2)
  })
})
