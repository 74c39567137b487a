import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { calling } from '../support/model-server.ts'
import { onChannels } from '../support/on-channels.ts'
import { type Peer, startPeer } from '../support/peer.ts'
import { addChannel, LINE_DESTINATION, lineMessage, type TestChannel } from '../support/platform-peer.ts'
import { addWidget } from '../support/widget-visitors.ts'

/** A contact's message as Chatwoot sends it. @param identifier that the site has signed; null: nothing is signed */
function contactSays(
  contact: number,
  text: string,
  identifier: string | null,
  isSigned = identifier !== null,
) {
  return {
    event: 'message_created',
    id: Math.floor(Math.random() * 1e9),
    content: text,
    message_type: 'incoming',
    content_type: 'text',
    private: false,
    sender: { id: contact, name: 'Mallory', type: 'contact', identifier },
    inbox: { id: 3 },
    conversation: {
      id: contact + 500,
      status: 'pending',
      contact_inbox: { id: 1, contact_id: contact, inbox_id: 3, hmac_verified: isSigned },
      meta: { sender: { id: contact, name: 'Mallory', identifier }, hmac_verified: isSigned },
    },
    account: { id: 7 },
  }
}

async function giveTool(agent: TestAgent, peer: Peer, more: object = {}) {
  return agent.post('/tools', {
    kind: 'http',
    name: 'customer',
    description: 'Finds the customer who is writing.',
    url: `${peer.url}/customers/{user.id}?from={user.source}`,
    ...more,
  })
}

onChannels('end users of several sources', (service, chats) => {
  const offered = () => JSON.stringify(service.model.requests.at(-1)?.body.tools ?? [])

  async function exported({ baseUrl, headers }: TestAgent, user: string): Promise<string> {
    const answer = await fetch(`${baseUrl}/users/${user}/export`, { headers })
    assert.equal(answer.status, 200)
    return answer.text()
  }

  async function says(channel: TestChannel, body: unknown): Promise<void> {
    assert.equal((await channel.post(body)).status, 200)
    await chats.settled(channel)
  }

  it('a contact 42 of a helpdesk is not the customer 42: not for tools, lists, export or erasure', async () => {
    await using peer = await startPeer((response) => response.end('secret of the customer 42'))
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'helpdesk', chats.peer)
    assert.equal((await giveTool(agent, peer)).body.data.requires, 'verified')
    await agent.prompt('I am the customer.', { user: '42' })
    assert.match(offered(), /customer/)

    // The model calls it even though it was not offered.
    service.model.next(calling(['customer', {}]), { text: 'I cannot tell.' })
    await says(channel, contactSays(42, 'Who am I?', '42', false))
    assert.doesNotMatch(JSON.stringify(service.model.requests.at(-2)?.body.tools ?? []), /customer/)
    assert.match(JSON.stringify(service.model.requests.at(-1)?.body.messages), /not verified who the user is/)
    assert.equal(peer.requests.length, 0)

    const source = `channel-${channel.id}`
    const { data } = (await agent.get('/users')).body
    assert.deepEqual(
      data.map(({ id, source, proof }: Record<string, string>) => [id, source, proof]).sort(),
      [
        ['42', 'api', 'signed'],
        ['42', source, 'none'],
      ],
    )
    for (const [method, path] of [
      ['get', '/users/42'],
      ['get', '/users/42/export'],
      ['post', '/users/42/scrub'],
      ['post', '/users/42/anonymize'],
    ] as const) {
      const refused = await agent[method](path)
      assertError(refused, 409, 'user_ambiguous')
      assert.match(refused.body.error.message, new RegExp(`"api:42" or "${source}:42"`), path)
    }
    for (const path of ['/inbox', '/chat/completions', '/search?q=who']) {
      const refused = await agent.get(`${path}${path.includes('?') ? '&' : '?'}user_id=42`)
      assertError(refused, 400, 'invalid_request')
      assert.equal(refused.body.error.param, 'user_id', path)
    }
    const inbox = (await agent.get(`/inbox?view=all&user_id=${source}:42`)).body.data
    assert.deepEqual(
      inbox.map(({ user }: { user: object }) => user),
      [{ id: '42', source, name: null }],
    )
    const mine = await exported(agent, 'api:42')
    assert.match(mine, /I am the customer/)
    assert.doesNotMatch(mine, /Who am I/)

    const erased = await agent.post(`/users/${source}:42/scrub`)
    assert.deepEqual([erased.body.data.id, erased.body.data.remaining], ['42', 0])
    assert.match(await exported(agent, 'api:42'), /I am the customer/)
    assert.doesNotMatch(await exported(agent, `${source}:42`), /Who am I/)
  })

  it('an id with its source never reaches the only other one who has the id; without, it does and says so', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'helpdesk', chats.peer)
    await says(channel, contactSays(42, 'I am only a contact.', null))
    const source = `channel-${channel.id}`
    for (const [method, path, body] of [
      ['GET', '/users/api:42'],
      ['PATCH', '/users/api:42', { name: 'The customer' }],
      ['GET', '/users/api:42/export'],
      ['POST', '/users/api:42/scrub'],
      ['POST', '/users/api:42/anonymize'],
    ] as const)
      assertError(await agent.call(method, path, body), 404, 'user_not_found')
    for (const list of ['/inbox?view=all', '/chat/completions?', '/search?q=contact'])
      assert.deepEqual((await agent.get(`${list}&user_id=api:42`)).body.data, [], list)
    assert.match(await exported(agent, `${source}:42`), /I am only a contact/)
    const { data } = (await agent.get('/users/42')).body
    assert.deepEqual([data.id, data.source], ['42', source])
  })

  it('a contact whose identifier the site has signed is verified, by that identifier', async () => {
    await using peer = await startPeer((response) => response.end('gold'))
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'helpdesk', chats.peer)
    await giveTool(agent, peer)
    service.model.next(calling(['customer', {}]), { text: 'You have gold.' })
    await says(channel, contactSays(9, 'Who am I?', 'customer-7'))
    assert.deepEqual(
      peer.requests.map(({ path }) => path),
      [`/customers/customer-7?from=channel-${channel.id}`],
    )
    assert.equal((await agent.get('/users/9')).body.data.proof, 'signed')
    // In another inbox nobody has signed it, and what was proven before does not count.
    service.model.next({ text: 'I cannot tell.' })
    await says(channel, contactSays(9, 'And here?', 'customer-7', false))
    assert.doesNotMatch(offered(), /customer/)
    assert.equal((await agent.get('/users/9')).body.data.proof, 'none')
  })

  it('tools say what they require', async () => {
    await using peer = await startPeer((response) => response.end('ok'))
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'helpdesk', chats.peer)
    const refused = await giveTool(agent, peer, { requires: 'none' })
    assertError(refused, 400, 'invalid_request')
    assert.equal(refused.body.error.param, 'requires')
    const { id } = (await giveTool(agent, peer, { url: `${peer.url}/plain` })).body.data
    assert.equal((await agent.get('/tools')).body.data[0].requires, 'none')
    const changed = await agent.patch(`/tools/${id}`, { url: `${peer.url}/customers/{user.id}` })
    assert.equal(changed.body.data.requires, 'verified')
    assert.equal(
      (await agent.patch(`/tools/${id}`, { requires: 'identified' })).body.data.requires,
      'identified',
    )
    service.model.next(calling(['customer', {}]), { text: 'Hello.' })
    await says(channel, contactSays(42, 'Who am I?', null))
    assert.deepEqual(
      peer.requests.map(({ path }) => path),
      ['/customers/42'],
    )
    service.model.next({ text: 'Hello.' })
    await agent.prompt('Nobody in particular')
    assert.doesNotMatch(offered(), /customer/)
  })

  it('a request of the API in a channel’s chat proves nothing of the person there', async () => {
    await using peer = await startPeer((response) => response.end('ok'))
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-one', chats.peer)
    await giveTool(agent, peer)
    await channel.says('Hello')
    await chats.settled(channel)
    assert.match(offered(), /customer/)
    service.model.next({ text: 'Hello.' })
    await agent.prompt('Who am I?', { external_id: chats.externalId(channel) })
    assert.doesNotMatch(offered(), /customer/)
    const site = await service.app.issue({ agentId: agent.agentId, teamId: agent.teamId, right: 'chat' })
    const taken = await site.post('/chat/completions', {
      messages: [{ role: 'user', content: 'Mine' }],
      external_id: 'helpdesk:9999:1',
    })
    assertError(taken, 400, 'invalid_request')
    assert.equal(taken.body.error.param, 'external_id')
  })

  it('messages of several people in a group are prompts of their own', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-three', chats.peer, {
      groups: 'mentioned',
      debounce_ms: 50,
    })
    const inGroup = (userId: string, id: string, text: string) => ({
      ...lineMessage(userId, id, text),
      source: { type: 'group', groupId: 'C1', userId },
      message: { type: 'text', id, text, mention: { mentionees: [{ isSelf: true }] } },
    })
    const events = [inGroup('U1', 'g1', 'one'), inGroup('U1', 'g2', 'two'), inGroup('U2', 'g3', 'three')]
    await says(channel, { destination: LINE_DESTINATION, events })
    const { data } = (await agent.get('/chat/completions')).body
    assert.deepEqual(
      data.map(({ prompt, user_id }: { prompt: string; user_id: string }) => [user_id, prompt]).reverse(),
      [
        ['U1', 'one\ntwo'],
        ['U2', 'three'],
      ],
    )
  })

  it('a widget’s user and a request’s user of one id are two, each new once', async () => {
    const agent = await service.addAgent()
    const widget = await addWidget(service.app, agent)
    await agent.prompt('by the API', { user: 'widget:ada' })
    await agent.prompt('by the API too', { user: 'ada' })
    const visitor = await widget.visit({ user: { id: 'ada', hash: widget.hash('ada') } })
    await visitor.say('in the widget')
    const users = (await agent.get('/users')).body.data
    assert.deepEqual(
      users.map(({ id, source, proof }: Record<string, string>) => [source, id, proof]).sort(),
      [
        ['api', 'ada', 'signed'],
        ['api', 'widget:ada', 'signed'],
        ['widget', 'ada', 'signed'],
      ],
    )
    for (const [named, said] of [
      ['widget:ada', 'in the widget'],
      ['api:ada', 'by the API too'],
      ['api:widget:ada', 'by the API'],
    ] as const) {
      const { data } = (await agent.get(`/chat/completions?user_id=${named}`)).body
      assert.deepEqual(
        data.map(({ prompt }: { prompt: string }) => prompt),
        [said],
        named,
      )
    }
    assertError(await agent.get('/users/nobody'), 404, 'user_not_found')
    assertError(await agent.get('/users/channel-1:ada'), 404, 'user_not_found')
  })
})
