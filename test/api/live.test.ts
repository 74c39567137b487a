import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, it } from 'node:test'
import { bySystem } from '../../src/audit/record.ts'
import { LASTS_MS } from '../../src/live/company.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { signInNew } from '../support/console.ts'
import { type LiveStream, openLive } from '../support/live-stream.ts'
import { calling } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { startPeer } from '../support/peer.ts'

onBothEngines('GET /live', (service) => {
  const open: LiveStream[] = []
  afterEach(() => {
    for (const stream of open.splice(0)) stream.leave()
  })

  async function listen(
    agent: TestAgent,
    query = '',
    headers: Record<string, string> = {},
  ): Promise<LiveStream> {
    const stream = await openLive(`${agent.baseUrl}/live${query}`, { ...agent.headers, ...headers })
    open.push(stream)
    return stream
  }

  const siteOf = ({ agentId, teamId }: TestAgent) => service.app.issue({ agentId, teamId, right: 'chat' })

  it('200: a conversation, its prompt and its answer, as they are read back', async () => {
    const agent = await service.addAgent()
    const stream = await listen(agent)
    assert.equal(stream.status, 200)
    assert.equal(stream.headers['content-type'], 'text/event-stream; charset=utf-8')
    assert.equal(stream.headers['cache-control'], 'no-store, no-transform')
    assert.equal(stream.headers['x-accel-buffering'], 'no')
    const { conversation_id } = await agent.prompt('Hello')
    const opened = await stream.next()
    const conversation = (await agent.get(`/conversations/${conversation_id}`)).body.data
    assert.deepEqual(
      { ...opened, at: '' },
      {
        type: 'conversation',
        conversation_id,
        at: '',
        fields: ['started_at'],
        conversation,
      },
    )
    const messages = (await agent.get(`/conversations/${conversation_id}/messages`)).body.data
    for (const message of messages) {
      const event = await stream.next()
      assert.deepEqual({ ...event, at: '' }, { type: 'message', conversation_id, at: '', message })
    }
  })

  it('200: what changes of a conversation, with the new values', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('Hello', { external_id: 'a/b' })
    const stream = await listen(agent, `?conversation_id=${encodeURIComponent('a/b')}`)
    await agent.post(`/conversations/${conversation_id}/pause`)
    const paused = await stream.next()
    assert.deepEqual(paused.fields, ['agent_paused', 'agent_paused_at'])
    assert.equal(paused.conversation.agent_paused, true)
    await agent.post(`/conversations/${conversation_id}/notes`, { text: 'a note' })
    assert.deepEqual((await stream.next()).fields, ['notes'])
    await agent.post(`/conversations/${conversation_id}/messages`, { content: 'I am here', author: 'Ann' })
    const said = await stream.next()
    assert.deepEqual(
      [said.type, said.message.role, said.message.content],
      ['message', 'operator', 'I am here'],
    )
    await agent.post(`/conversations/${conversation_id}/end`)
    assert.notEqual((await stream.next()).conversation.ended_at, null)
  })

  it('200: that canned replies were added, changed or removed; only to those who listen to the agent', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('Hello')
    const stream = await listen(agent)
    const ofOne = await listen(agent, `?conversation_id=${conversation_id}`)
    const told = async (act: string) => {
      const { at: _, ...event } = await stream.next()
      assert.deepEqual(event, { type: 'replies', conversation_id: null }, act)
    }
    const { id } = (await agent.post('/replies', { shortcut: 'sent', content: 'On its way.' })).body.data
    await told('added')
    assert.equal((await agent.patch(`/replies/${id}`, { content: 'It has left.' })).status, 200)
    await told('changed')
    assert.equal((await agent.call('DELETE', `/replies/${id}`)).status, 204)
    await told('removed')
    await agent.post(`/conversations/${conversation_id}/notes`, { text: 'a note' })
    assert.deepEqual((await ofOne.next()).fields, ['notes'])
  })

  it('200: who waits and who has it, and the counts of the inbox', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('Hello')
    const stream = await listen(agent)
    await agent.post(`/conversations/${conversation_id}/wait`, { reason: 'asked' })
    const { fields, conversation } = await stream.next()
    assert.deepEqual(fields, ['waiting_since', 'waiting_reason'])
    assert.equal(conversation.waiting_reason, 'asked')
    // Those of the prompt may come late.
    while (stream.counts.at(-1)?.counts.waiting !== 1) await agent.get('/agent')
    assert.deepEqual(stream.counts.at(-1)?.counts, {
      waiting: 1,
      mine: null,
      unassigned: 1,
      open: 1,
      snoozed: 0,
    })
  })

  it("200: the counts have the reader's own conversations, as they are given and taken", async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('Hello')
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const url = `${service.app.url}/console/api/agents/${agent.agentId}/live`
    const stream = await openLive(url, { cookie: person.cookie })
    const ofToken = await listen(agent)
    open.push(stream)
    for (const [operator_id, mine] of [
      [person.operatorId, 1],
      [null, 0],
    ] as const) {
      await agent.call('PUT', `/conversations/${conversation_id}/assignee`, { operator_id })
      while (stream.counts.at(-1)?.counts.mine !== mine) await agent.get('/agent')
      const expected = { waiting: 0, mine, unassigned: 1 - mine, open: 1, snoozed: 0 }
      assert.deepEqual(stream.counts.at(-1)?.counts, expected)
      while (ofToken.counts.at(-1)?.counts.unassigned !== 1 - mine) await agent.get('/agent')
      assert.equal(ofToken.counts.at(-1)?.counts.mine, null)
    }
  })

  it('200: other conversations and other agents are not told', async () => {
    const agent = await service.addAgent()
    const other = await service.addAgent({ teamId: agent.teamId })
    const { conversation_id } = await agent.prompt('Hello')
    const [ofOne, ofAll] = [await listen(agent, `?conversation_id=${conversation_id}`), await listen(agent)]
    await other.prompt('Hello from elsewhere')
    await agent.prompt('Hello from beside')
    await agent.prompt('Hello again', { conversation_id })
    assert.equal((await ofOne.next()).message.content, 'Hello again')
    const answer = await ofOne.next()
    while (ofAll.events.at(-1)?.message?.id !== answer.message.id) await ofAll.next()
    const told = ofAll.events.flatMap(({ message }) => (message?.role === 'user' ? message.content : []))
    assert.deepEqual(told, ['Hello from beside', 'Hello again'])
  })

  for (const mode of ['anonymize', 'scrub'] as const)
    it(`200: ${mode} of notes, comments of ratings and drafts is told by the names of the fields`, async () => {
      const agent = await service.addAgent()
      const { conversation_id, id } = await agent.prompt('Hello', { user: 'ann' })
      const text = 'Write to ann@example.com'
      await agent.post(`/conversations/${conversation_id}/notes`, { text })
      await agent.post(`/conversations/${conversation_id}/rating`, { score: 2, comment: text })
      const other = await agent.prompt('Hello')
      await agent.post(`/conversations/${other.conversation_id}/notes`, { text })
      const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
      const draft = { mode: 'reply', content: text }
      const place = `/agents/${agent.agentId}/conversations/${conversation_id}/draft`
      const saved = await person.call('PUT', place, draft)
      assert.equal(saved.status, 200, saved.text)
      const stream = await listen(agent)
      await agent.post(`/chat/completions/${id}/${mode}`)
      const event = await stream.nextOf('conversation')
      assert.equal(event.conversation_id, conversation_id)
      assert.deepEqual(event.fields.toSorted(), ['draft', 'notes', 'rating'])
      assert.ok(!JSON.stringify(event).includes('ann@example.com'))
      // Nothing is left to be changed, nor to be told.
      await agent.post(`/chat/completions/${id}/${mode}`)
      await agent.post(`/conversations/${other.conversation_id}/pause`)
      const next = await stream.nextOf('conversation')
      assert.equal(next.conversation_id, other.conversation_id)
    })

  it('200: a redaction is told with the text that is left', async () => {
    const agent = await service.addAgent()
    const { id } = await agent.prompt('a secret')
    const stream = await listen(agent)
    await agent.post(`/chat/completions/${id}/scrub`)
    const event = await stream.nextOf('message_changed')
    assert.equal(event.message.content, '[REDACTED]')
    assert.ok(!JSON.stringify(stream.events).includes('a secret'))
  })

  it('200: a pause of the agent is told, and said in each conversation that somebody listens to', async () => {
    const agent = await service.addAgent({ settings: { pause_message: 'We are closed.' } })
    const { conversation_id } = await agent.prompt('Hello')
    const ofAll = await listen(agent)
    const ofOne = await listen(agent, `?conversation_id=${conversation_id}`)
    const forSite = await listen(await siteOf(agent), `?conversation_id=${conversation_id}`)
    await agent.post('/pause')
    const { agent: told } = await ofAll.nextOf('agent')
    assert.deepEqual([told.id, told.is_paused], [agent.agentId, true])
    for (const stream of [ofOne, forSite]) {
      const { type, message } = await stream.next()
      assert.deepEqual([type, message.role, message.content], ['message', 'transition', 'We are closed.'])
    }
    const after = ofAll.ids.at(-1)
    ofOne.leave()
    for (const [path, isPaused] of [
      ['/resume', false],
      ['/pause', true],
    ] as const) {
      await agent.post(path)
      assert.equal((await ofAll.nextOf('agent')).agent.is_paused, isPaused)
    }
    const resumed = await listen(agent, `?conversation_id=${conversation_id}&after=${after}`)
    const { type, message } = await resumed.next()
    assert.deepEqual([type, message.role, message.content], ['message', 'transition', 'We are closed.'])
  })

  it("200: a 'chat' stream carries what end users see", async () => {
    const agent = await service.addAgent()
    const site = await siteOf(agent)
    const { conversation_id } = await agent.prompt('Hello', { external_id: 'visitor' })
    const stream = await listen(site, '?conversation_id=visitor')
    await using peer = await startPeer((response) => response.end('{}'))
    await agent.post('/tools', { kind: 'http', name: 'look_up', description: 'Looks up.', url: peer.url })
    service.model.next(calling(['look_up', {}]), { text: 'It is sent.' })
    await agent.post('/chat/completions', {
      conversation_id,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Again' },
      ],
      stream: true,
    })
    assert.deepEqual((await stream.next()).message.role, 'user')
    const { role, content } = (await stream.next()).message
    assert.deepEqual([role, content], ['assistant', 'It is sent.'])
    assert.equal(peer.requests.length, 1)
    await agent.post(`/conversations/${conversation_id}/notes`, { text: 'an internal note' })
    await agent.post(`/conversations/${conversation_id}/end`)
    assert.deepEqual((await stream.next()).fields, ['ended_at'])
  })

  it('200: what a streamed answer says is told while it is made, and its message after it', async () => {
    const agent = await service.addAgent()
    const stream = await listen(agent)
    const pieces = ['The answer ', 'is 42 ', '🙂'.repeat(800)]
    service.model.next({ pieces })
    await agent.post('/chat/completions', { messages: [{ role: 'user', content: 'Hello' }], stream: true })
    let said = ''
    for (;;) {
      const event = await stream.next()
      if (event.type === 'message_delta') {
        assert.equal(event.offset, said.length)
        said += event.content
      }
      if (event.message?.role === 'assistant') {
        assert.equal(said, event.message.content)
        break
      }
    }
    assert.equal(said, pieces.join(''))
  })

  it('200: resumes behind any event without loss or doubles, by header and by parameter', async () => {
    const agent = await service.addAgent()
    const stream = await listen(agent)
    const { conversation_id } = await agent.prompt('one')
    await agent.prompt('two', { conversation_id })
    await agent.prompt('beside')
    await agent.post(`/conversations/${conversation_id}/end`)
    await stream.nextOf('conversation')
    while (stream.events.at(-1)?.fields?.[0] !== 'ended_at') await stream.next()
    const all = stream.events.map((event) => JSON.stringify({ ...event, conversation: null }))
    for (const [at, id] of [...stream.ids].entries()) {
      const rest = all.slice(at + 1)
      const inConversation = rest.filter((text) => text.includes(conversation_id))
      const query = `conversation_id=${conversation_id}`
      for (const [expected, resume] of [
        [rest, () => listen(agent, '', { 'last-event-id': id })],
        [rest, () => listen(agent, `?after=${id}`)],
        [inConversation, () => listen(agent, `?${query}&after=${id}`)],
      ] as const) {
        const resumed = await resume()
        for (const _ of expected) await resumed.next()
        // Whatever else is told comes before this.
        await agent.post(`/conversations/${conversation_id}/typing`)
        await agent.post(`/conversations/${conversation_id}/typing`, { typing: false })
        while ((await resumed.nextOf('typing')).typing);
        const told = resumed.events.filter(({ type }) => type !== 'typing')
        assert.deepEqual(
          told.map((event) => JSON.stringify({ ...event, conversation: null })),
          expected,
        )
        resumed.leave()
      }
    }
  })

  it('200: a change that cannot be read holds up no other, also not when a stream is resumed', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('Hello')
    const stream = await listen(agent)
    const { db } = service.app.app.foundation.database
    const [message] = (await agent.get(`/conversations/${conversation_id}/messages`)).body.data
    await agent.post(`/conversations/${conversation_id}/notes`, { text: 'before' })
    assert.deepEqual((await stream.next()).fields, ['notes'])
    await db.updateTable('messages').set({ content: '{' }).where('id', '=', message.id).execute()
    const changes = JSON.stringify([{ type: 'message', message_id: message.id }])
    const at = new Date().toISOString()
    await db.insertInto('changes').values({ agent_id: agent.agentId, conversation_id, at, changes }).execute()
    await agent.post(`/conversations/${conversation_id}/notes`, { text: 'after' })
    assert.deepEqual((await stream.next()).fields, ['notes'])
    const resumed = await listen(agent, '', { 'last-event-id': stream.ids[0] ?? '' })
    assert.deepEqual((await resumed.next()).fields, ['notes'])
  })

  it('200: a place that is too old, or of another log, is told once, and the stream goes on from now', async () => {
    const agent = await service.addAgent()
    const stream = await listen(agent)
    await agent.prompt('before')
    for (const _ of ['prompt', 'answer']) await stream.nextOf('message')
    const old = stream.lastId
    service.clock = () => Date.now() + 25 * 60 * 60_000
    const late = await listen(agent, `?after=${old}`)
    assert.equal((await late.next()).type, 'reset')
    service.clock = Date.now
    const foreign = await listen(agent, '', { 'last-event-id': 'what is this' })
    assert.equal((await foreign.next()).type, 'reset')
    const [time] = old.split('.')
    const ahead = await listen(agent, `?after=${time}.zzzzzzz`)
    assert.equal((await ahead.next()).type, 'reset')
    await agent.prompt('after')
    for (const each of [late, foreign, ahead]) {
      assert.equal((await each.nextOf('message')).message.content, 'after')
      assert.equal(each.events.filter(({ type }) => type === 'reset').length, 1)
    }
    const resumed = await listen(agent, `?after=${late.ids[0]}`)
    assert.equal((await resumed.nextOf('message')).message.content, 'after')
  })

  it('200: who writes and who looks, until they stop or say no more; a site learns only who writes', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('Hello', { external_id: 'company' })
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const place = `/agents/${agent.agentId}/conversations/${conversation_id}`
    const team = await listen(agent)
    const site = await listen(await siteOf(agent), '?conversation_id=company')
    assert.equal((await person.call('POST', `${place}/presence`, {})).status, 200)
    const looks = await team.next()
    assert.deepEqual([looks.type, looks.present, looks.conversation_id], ['presence', true, conversation_id])
    assert.equal(looks.by.kind, 'operator')
    await person.call('POST', `${place}/typing`, {})
    await person.call('POST', `${place}/typing`, {})
    const writes = await team.next()
    assert.deepEqual([writes.type, writes.typing, writes.by], ['typing', true, looks.by])
    const shown = await site.next()
    assert.deepEqual([shown.type, shown.typing, Object.keys(shown.by)], ['typing', true, ['name']])
    const joined = await listen(agent, `?conversation_id=${conversation_id}`)
    assert.deepEqual([(await joined.next()).type, (await joined.next()).type].toSorted(), [
      'presence',
      'typing',
    ])
    await person.call('POST', `${place}/typing`, { typing: false })
    assert.deepEqual([(await team.next()).typing, (await site.next()).typing], [false, false])
    service.clock = () => Date.now() + LASTS_MS.presence
    const gone = await team.next()
    assert.deepEqual([gone.type, gone.present], ['presence', false])
    await agent.post(`/conversations/${conversation_id}/typing`, { author: 'Ann' })
    assert.deepEqual((await site.next()).by, { name: 'Ann' })
    assert.equal(site.events.filter(({ type }) => type === 'presence').length, 0)
  })

  it('POST typing and presence 400, 403, 404', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('Hello')
    const path = `/conversations/${conversation_id}`
    assertError(await agent.post(`${path}/presence`), 403, 'operator_needed')
    assertError(await agent.post(`${path}/typing`, { typing: 'yes' }), 400, 'invalid_request')
    assertError(await agent.post(`${path}/typing`, { typng: true }), 400, 'invalid_request')
    assertError(await agent.post('/conversations/0/typing'), 404, 'conversation_not_found')
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const place = `/agents/${agent.agentId}${path}`
    assertError(await person.call('POST', `${place}/typing`, { author: 'A' }), 400, 'invalid_request')
    assertError(
      await person.call('POST', `/agents/${agent.agentId}/conversations/0/presence`, {}),
      404,
      'conversation_not_found',
    )
  })

  it('400, 403, 404: what cannot be listened to', async () => {
    const agent = await service.addAgent()
    const other = await service.addAgent()
    const { conversation_id } = await other.prompt('Hello')
    assertError(await (await siteOf(agent)).get('/live'), 400, 'invalid_request')
    assertError(await agent.get('/live?after=nowhere'), 400, 'invalid_request')
    assertError(await agent.get('/live?afer=1'), 400, 'invalid_request')
    assertError(await agent.get(`/live?conversation_id=${conversation_id}`), 404, 'conversation_not_found')
    assertError(await agent.call('GET', '/live', undefined, { 'x-api-key': 'x' }), 403, 'invalid_credentials')
    const head = await fetch(`${agent.baseUrl}/live`, { method: 'HEAD', headers: agent.headers })
    assert.equal(head.status, 404)
  })

  it('429: more than 20 streams of a session; another one may go on', async () => {
    const agent = await service.addAgent()
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'read' })
    const url = `${service.app.url}/console/api/agents/${agent.agentId}/live`
    for (let n = 0; n < 20; n++) {
      const stream = await openLive(url, { cookie: person.cookie })
      assert.equal(stream.status, 200)
      open.push(stream)
    }
    const refused = await openLive(url, { cookie: person.cookie })
    assert.equal(refused.status, 429)
    assert.ok(refused.headers['retry-after'])
    assert.equal((await listen(agent)).status, 200)
    const [first] = open.splice(0, 1)
    first?.leave()
    await first?.ended
    let again = await openLive(url, { cookie: person.cookie })
    while (again.status === 429) again = await openLive(url, { cookie: person.cookie })
    open.push(again)
  })

  it('429: more than 1,000 streams of an agent; those of another one may go on', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('Hello')
    for (let left = 1000; left > 0; left -= 50) {
      const some = Array.from({ length: 50 }, () => listen(agent, `?conversation_id=${conversation_id}`))
      for (const { status } of await Promise.all(some)) assert.equal(status, 200)
    }
    const refused = await openLive(`${agent.baseUrl}/live`, agent.headers)
    assert.equal(refused.status, 429)
    assert.equal(refused.headers['retry-after'], '10')
    const other = await service.addAgent({ teamId: agent.teamId })
    assert.equal((await listen(other)).status, 200)
    open[0]?.leave()
    await open[0]?.ended
    let again = await openLive(`${agent.baseUrl}/live`, agent.headers)
    while (again.status === 429) again = await openLive(`${agent.baseUrl}/live`, agent.headers)
    open.push(again)
  })

  it('ends within five seconds of a revoked key or token, a session that ended, an operator with a smaller right', async () => {
    const agent = await service.addAgent()
    const { credentials, database } = service.app.app.foundation
    const { agentId, teamId } = agent
    const others = [
      await service.app.issue({ agentId, teamId, right: 'read' }),
      await service.app.issue({ agentId, teamId, right: 'read' }),
    ] as const
    const byKey = await listen(others[0])
    const byToken = await listen(others[1])
    const untouched = await listen(agent)
    const { conversation_id } = await agent.prompt('Hello')
    // A token that is lowered to `chat` sees what end users see, and no longer the whole agent.
    const lowered = await service.app.issue({ agentId, teamId, right: 'read' })
    const ofLowered = await listen(lowered)
    const ofSite = await listen(await siteOf(agent), `?conversation_id=${conversation_id}`)
    const url = `${service.app.url}/console/api/agents/${agentId}/live`
    const signedOut = await signInNew(service.app, { teamId, right: 'read' })
    const disabled = await signInNew(service.app, { teamId, right: 'read' })
    const [ofSignedOut, ofDisabled] = [
      await openLive(url, { cookie: signedOut.cookie }),
      await openLive(url, { cookie: disabled.cookie }),
    ]
    open.push(ofSignedOut, ofDisabled)
    const before = performance.now()
    const idOf = (credential: string) => Number(credential.split('_')[2])
    assert.ok(await credentials.revokeKey({ id: idOf(others[0].apiKey) }, bySystem))
    assert.ok(await credentials.revokeToken({ id: idOf(others[1].bearerToken) }, bySystem))
    assert.equal((await signedOut.call('DELETE', '/session')).status, 204)
    await database.db.updateTable('operators').set({ active: 0 }).where('team_id', '=', teamId).execute()
    await database.db
      .updateTable('bearer_tokens')
      .set({ right: 'chat' })
      .where('id', '=', idOf(lowered.bearerToken))
      .execute()
    await Promise.all([byKey, byToken, ofSignedOut, ofDisabled, ofLowered].map(({ ended }) => ended))
    assert.ok(performance.now() - before < 5000)
    const { events } = untouched
    const already = events.length
    await agent.prompt('Hello', { conversation_id })
    while (events.length === already) await untouched.next()
    await ofSite.nextOf('message')
  })

  it('ends for a reader that hangs as well, and nothing is written to it any more', async () => {
    const agent = await service.addAgent()
    const { agentId, teamId } = agent
    const { server, foundation } = service.app.app
    const token = await service.app.issue({ agentId, teamId, right: 'read' })
    const asked = once(server.server, 'request') as Promise<[IncomingMessage, ServerResponse]>
    const slow = await listen(token)
    const [, raw] = await asked
    slow.hang()
    const { conversation_id } = await agent.prompt('Hello')
    const say = () =>
      agent.post(`/conversations/${conversation_id}/messages`, { content: 'x'.repeat(60_000) })
    while (raw.writableLength === 0) assert.equal((await say()).status, 200)
    const before = performance.now()
    assert.ok(
      await foundation.credentials.revokeToken({ id: Number(token.bearerToken.split('_')[2]) }, bySystem),
    )
    await becomes(() => raw.writableEnded, true)
    // Without a guard, the second event after the end would end the process.
    for (let more = 0; more < 3; more++) await say()
    await becomes(() => raw.destroyed, true)
    assert.ok(performance.now() - before < 5000)
  })

  it('a stream does not prolong its session', async () => {
    const agent = await service.addAgent()
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'read' })
    const { db } = service.app.app.foundation.database
    const usedAt = () =>
      db.selectFrom('operator_sessions').select('used_at').orderBy('id', 'desc').executeTakeFirstOrThrow()
    const before = await usedAt()
    service.clock = () => Date.now() + 60 * 60_000
    const url = `${service.app.url}/console/api/agents/${agent.agentId}/live`
    const stream = await openLive(url, { cookie: person.cookie })
    open.push(stream)
    assert.equal(stream.status, 200)
    assert.deepEqual(await usedAt(), before)
    service.clock = () => Date.now() + 13 * 60 * 60_000
    await stream.ended
  })

  it('a reader that hangs is cut off, holds up nobody, and resumes', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('Hello')
    const slow = await listen(agent)
    const quick = await listen(agent)
    slow.hang()
    const from = slow.lastId
    const text = 'x'.repeat(60_000)
    let sent = 0
    const { server } = service.app.app
    const streams = async () =>
      (await server.inject('/metrics')).payload.match(/parley_live_streams (\d+)/)?.[1]
    const both = Number(await streams())
    while (Number(await streams()) === both) {
      await agent.post(`/conversations/${conversation_id}/messages`, { content: `${sent++} ${text}` })
      assert.ok(sent < 500, 'it was never cut off')
    }
    const last = () => quick.events.at(-1)?.message?.content?.split(' ')[0]
    while (last() !== String(sent - 1)) await quick.next()
    const resumed = await listen(agent, '', { 'last-event-id': from })
    for (let n = 0; n < sent; n++) {
      const { message } = await resumed.nextOf('message')
      assert.equal(message.content.split(' ')[0], String(n))
    }
  })
})
