import assert from 'node:assert/strict'
import { it } from 'node:test'
import { CLOCKS } from '../../src/targets/store.ts'
import { HAPPENINGS } from '../../src/transcripts/conversations/happenings.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { signInNew } from '../support/console.ts'
import { openLive } from '../support/live-stream.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { addChannel, startPlatformPeer } from '../support/platform-peer.ts'
import { addNotification } from '../support/receiver.ts'
import { shared } from '../support/shared.ts'

type Person = Awaited<ReturnType<typeof signInNew>>
type Listed = Record<string, unknown>

onBothEngines('GET /console/api/notices', (service) => {
  const peer = shared(startPlatformPeer)

  /** An agent with an open conversation, and two people who may answer. */
  async function desk() {
    const agent = await service.addAgent()
    const join = (right: 'read' | 'respond' | 'manage') =>
      signInNew(service.app, { teamId: agent.teamId, right })
    const [ada, bob] = [await join('respond'), await join('respond')]
    const { conversation_id: id } = await agent.prompt('Where is my parcel?', { user: 'grace' })
    const of = (person: Person, method: string, path: string, body?: unknown) =>
      person.call(method, `/agents/${agent.agentId}/conversations/${id}${path}`, body)
    return { agent, ada, bob, id, of, join }
  }
  const list = async (person: Person, query = '') => {
    const answer = await person.call('GET', `/notices${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  /** Reads what a person has not read, as kind and number of times. */
  const unread = async (person: Person) =>
    (await list(person, '?unread=true')).data.map(({ kind, count }: Listed) => [kind, count])
  /** Resolves when everybody has been told of everything so far. */
  const allTold = (agent: TestAgent) =>
    becomes(async () => {
      const { data } = (await agent.get('/work')).body
      const { waiting, leased } = data.find(({ kind }: Listed) => kind === 'notices')
      return waiting + leased
    }, 0)

  it('200: a mention, with who wrote the note; nobody is told of their own', async () => {
    const { agent, ada, bob, id, of } = await desk()
    await agent.patch(`/operators/${ada.operatorId}`, { name: 'Ada Lovelace' })
    await agent.patch(`/operators/${bob.operatorId}`, { name: 'Bob' })
    await of(bob, 'POST', '/notes', { text: '@Ada Lovelace and @Bob: he waits.' })
    await becomes(() => unread(ada), [['mention', 1]])
    const { data, unread: left, total } = await list(ada)
    const { id: _, at, ...notice } = data[0]
    assert.match(at, /Z$/)
    assert.deepEqual(notice, {
      kind: 'mention',
      agent: { id: agent.agentId, name: 'Test agent' },
      conversation_id: id,
      user: null,
      by: 'Bob',
      failed: null,
      count: 1,
      unread: true,
    })
    assert.deepEqual([left, total], [1, 1])
    assert.deepEqual(await unread(bob), [])
  })

  it('a message wakes those who tell people of it when somebody has the conversation', async () => {
    const { agent, ada, id, of } = await desk()
    let woken = 0
    const unlisten = service.app.app.foundation.database.wakeUps.listen(HAPPENINGS, () => woken++)
    await agent.prompt('Are you there?', { conversation_id: id })
    assert.equal(woken, 0)
    await of(ada, 'PUT', '/assignee', { operator_id: ada.operatorId })
    const before = woken
    await agent.prompt('Hello?', { conversation_id: id })
    assert.equal(woken, before + 1)
    unlisten()
  })

  it('200: what is assigned, and what its user then writes: many messages are one notice', async () => {
    const { agent, ada, bob, id, of } = await desk()
    await of(bob, 'PUT', '/assignee', { operator_id: ada.operatorId })
    await becomes(() => unread(ada), [['assigned', 1]])
    await agent.prompt('Are you there?', { conversation_id: id })
    await agent.prompt('Hello?', { conversation_id: id })
    await becomes(
      () => unread(ada),
      [
        ['reply', 2],
        ['assigned', 1],
      ],
    )
    // Nobody is told of what they do themselves, nor of what was given to somebody else since.
    await of(bob, 'PUT', '/assignee', { operator_id: bob.operatorId })
    await allTold(agent)
    assert.deepEqual(await unread(bob), [])
    await of(bob, 'PUT', '/assignee', { operator_id: null })
    await agent.prompt('Hello?', { conversation_id: id })
    await allTold(agent)
    assert.deepEqual(await unread(bob), [])
  })

  it('200: what waits concerns everybody who may answer, or the members of its group', async () => {
    const { agent, ada, bob, id, join } = await desk()
    const reader = await join('read')
    await agent.post(`/conversations/${id}/wait`)
    for (const person of [ada, bob]) await becomes(() => unread(person), [['waiting', 1]])
    assert.deepEqual(await unread(reader), [])
    const group = { name: 'Sales', operators: [bob.operatorId] }
    assert.equal((await agent.post('/groups', group)).status, 201)
    const other = await agent.prompt('Where is my parcel?')
    await agent.post(`/conversations/${other.conversation_id}/wait`)
    await becomes(
      () => unread(bob),
      [
        ['waiting', 1],
        ['waiting', 1],
      ],
    )
    await allTold(agent)
    assert.equal((await unread(ada)).length, 1)
  })

  it('200: a target that is nearly due concerns the assignee, or else the group, and an answer reads it', async () => {
    const { agent, ada, bob, id, of } = await desk()
    const target = { name: 'Fast', first_response: 100, within_hours: false }
    assert.equal((await agent.post('/targets', target)).status, 201)
    const begun = Date.now()
    await of(bob, 'PUT', '/assignee', { operator_id: ada.operatorId })
    await agent.post(`/conversations/${id}/wait`)
    const other = await agent.prompt('Where is my parcel?')
    await agent.post(`/conversations/${other.conversation_id}/wait`)
    const kinds = async (person: Person) => (await unread(person)).map(([kind]: [string]) => kind)
    await allTold(agent)
    assert.ok(!(await kinds(ada)).includes('due'))
    service.clock = () => begun + 85 * 60_000
    service.app.app.foundation.database.wakeUps.send(CLOCKS)
    await becomes(async () => (await kinds(ada)).includes('due'), true)
    await allTold(agent)
    // One of nobody in particular warns nobody.
    assert.equal((await kinds(ada)).filter((kind: string) => kind === 'due').length, 1)
    assert.ok(!(await kinds(bob)).includes('due'))
    await of(ada, 'POST', '/messages', { content: 'I will look.' })
    await becomes(async () => (await kinds(ada)).includes('due'), false)
  })

  it('reading a conversation, looking at it and answering it read its notices, for each person', async () => {
    const { agent, ada, bob, id, of } = await desk()
    await agent.post(`/conversations/${id}/wait`)
    for (const person of [ada, bob]) await becomes(() => unread(person), [['waiting', 1]])
    const entry = (await ada.call('GET', `/agents/${agent.agentId}/inbox/${id}`)).body.data
    await of(ada, 'PUT', '/read', { message_id: entry.last_message.id })
    assert.deepEqual([await unread(ada), await unread(bob)], [[], [['waiting', 1]]])
    assert.deepEqual(
      (await list(ada)).data.map(({ kind, unread }: Listed) => [kind, unread]),
      [['waiting', false]],
    )
    assert.equal((await of(ada, 'POST', '/messages', { content: 'It left our store.' })).status, 200)
    assert.deepEqual(await unread(bob), [], 'nobody has to answer any more')
    await of(ada, 'PUT', '/assignee', { operator_id: bob.operatorId })
    await becomes(() => unread(bob), [['assigned', 1]])
    await of(bob, 'POST', '/presence', {})
    assert.deepEqual(await unread(bob), [])
    // Who looks is told of nothing more.
    await agent.prompt('Hello?', { conversation_id: id })
    await allTold(agent)
    assert.deepEqual(await unread(bob), [])
    await of(bob, 'POST', '/presence', { present: false })
    await agent.prompt('Hello?', { conversation_id: id })
    await becomes(() => unread(bob), [['reply', 1]])
  })

  it('PUT 200, 404: one, or all; those of others are not found', async () => {
    const { agent, ada, bob, id } = await desk()
    await agent.post(`/conversations/${id}/wait`)
    const other = await agent.prompt('Where is my parcel?')
    await agent.post(`/conversations/${other.conversation_id}/wait`)
    for (const person of [ada, bob]) await becomes(async () => (await list(person)).unread, 2)
    const [newest] = (await list(ada)).data
    const one = await ada.call('PUT', `/notices/${newest.id}/read`)
    assert.deepEqual([one.status, one.body], [200, { data: { unread: 1 } }])
    assert.equal((await ada.call('PUT', `/notices/${newest.id}/read`)).status, 200)
    assertError(await bob.call('PUT', `/notices/${newest.id}/read`), 404, 'notice_not_found')
    assertError(await bob.call('PUT', '/notices/none/read'), 404, 'notice_not_found')
    const all = await ada.call('PUT', '/notices/read')
    assert.deepEqual([all.status, all.body], [200, { data: { unread: 0 } }])
    assert.equal((await list(bob)).unread, 2)
    assert.equal((await list(ada, '?per_page=1')).data.length, 1)
  })

  it('what fails concerns those who manage: a webhook, a channel, a budget', async () => {
    const { agent, ada, join } = await desk()
    const boss = await join('manage')
    const { db } = service.app.app.foundation.database
    const { id } = await addNotification(agent, 'http://127.0.0.1:9/', { name: 'Orders' })
    const hold = async (ms: number) => {
      const held_until = new Date(service.clock() + ms).toISOString()
      await db.updateTable('notifications').set({ failures: 10, held_until }).where('id', '=', id).execute()
    }
    await hold(60_000)
    const failed = async () =>
      (await list(boss)).data
        .filter(({ kind }: Listed) => kind === 'failed')
        .map(({ failed, count }: Listed) => [failed, count])
    await becomes(failed, [[{ what: 'webhook', id, name: 'Orders' }, 1]])
    // It is held for longer: that is no news.
    await hold(120_000)
    const channel = await addChannel(agent, 'messenger-one', peer())
    peer().failNext((response) => void response.writeHead(401).end())
    await channel.says('hello')
    await becomes(async () => (await failed())[0]?.[0]?.what, 'channel')
    await db
      .insertInto('budget_alerts')
      .values({
        agent_id: agent.agentId,
        period: '2026-11-27',
        amount: '5',
        at: new Date(service.clock()).toISOString(),
      })
      .execute()
    await becomes(async () => (await failed())[0]?.[0], { what: 'budget', id: null, name: '2026-11-27' })
    assert.equal((await failed()).length, 3)
    assert.ok((await unread(ada)).every(([kind]: string[]) => kind !== 'failed'))
  })

  it('a live stream tells how many are unread, whichever agent it is of', async () => {
    const { agent, ada, id } = await desk()
    const other = await service.addAgent({ teamId: agent.teamId })
    const url = `${service.app.url}/console/api/agents/${other.agentId}/live`
    const stream = await openLive(url, { cookie: ada.cookie })
    const told = () => stream.notices.at(-1)?.unread
    await agent.post(`/conversations/${id}/wait`)
    await becomes(told, 1)
    await ada.call('PUT', '/notices/read')
    await becomes(told, 0)
    stream.leave()
  })

  it('who is no longer active, or lost the right, gets nothing; what is deleted is gone', async () => {
    const { agent, ada, bob, id } = await desk()
    await agent.patch(`/operators/${ada.operatorId}`, { right: 'read' })
    await agent.post(`/conversations/${id}/wait`)
    await becomes(() => unread(bob), [['waiting', 1]])
    assert.deepEqual(await unread(ada), [])
    const { db } = service.app.app.foundation.database
    const rows = db.selectFrom('notices').select('id').where('agent_id', '=', agent.agentId)
    assert.equal((await rows.execute()).length, 1)
    await agent.call('DELETE', `/operators/${bob.operatorId}`)
    assert.deepEqual(await rows.execute(), [])
  })

  it('what is outside of the scope of a person is neither listed, counted nor read', async () => {
    const { agent, ada, bob, id, join } = await desk()
    const owner = await join('manage')
    await agent.patch(`/operators/${bob.operatorId}`, { active: false })
    const other = (await agent.prompt('Where is my order?', { user: 'alan' })).conversation_id
    for (const each of [id, other]) await agent.post(`/conversations/${each}/wait`)
    await becomes(async () => (await list(ada)).total, 2)
    const group = (await agent.post('/groups', { name: 'Sales', operators: [ada.operatorId] })).body.data.id
    await agent.put(`/conversations/${id}/assignee`, { group_id: group })
    const url = `${service.app.url}/console/api/agents/${agent.agentId}/live`
    const headers = { cookie: ada.cookie, 'x-parley-console': '1', origin: service.app.url }
    const stream = await openLive(url, headers)
    const told = (count: number) => becomes(() => stream.notices.at(-1)?.unread, count)
    await agent.patch(`/operators/${ada.operatorId}`, { scope: 'groups' })
    await told(1)
    const seen = await list(ada)
    assert.deepEqual([seen.total, seen.unread, seen.data[0].conversation_id], [1, 1, id])
    const hidden = (await list(owner)).data.find(
      ({ conversation_id }: Listed) => conversation_id === other,
    ) as Listed
    const hers = await service.app.app.foundation.database.db
      .selectFrom('notices')
      .select('id')
      .where('operator_id', '=', ada.operatorId)
      .where('conversation_id', '=', hidden.conversation_id as string)
      .executeTakeFirstOrThrow()
    assertError(await ada.call('PUT', `/notices/${hers.id}/read`), 404, 'notice_not_found')
    assert.equal((await ada.call('PUT', '/notices/read')).body.data.unread, 0)
    // What is given to her is hers again, and unread.
    await agent.put(`/conversations/${other}/assignee`, { group_id: group })
    await told(1)
    await agent.put(`/conversations/${other}/assignee`, { group_id: null })
    await told(0)
    stream.leave()
  })
})
