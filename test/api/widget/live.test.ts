import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../../support/app.ts'
import { signInNew } from '../../support/console.ts'
import { openLive } from '../../support/live-stream.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'
import { ADDRESSES, addWidget, eventLike, type TestVisitor } from '../../support/widget-visitors.ts'

onBothEngines(
  'GET /widget/v1/{public_key}/live',
  (service) => {
    const make = async () => addWidget(service.app, await service.addAgent())
    const idOf = (visitor: TestVisitor) =>
      visitor.say('hello').then(({ first }) => first.conversation_id as string)

    it('404 before there is a conversation, and for somebody else’s', async () => {
      const widget = await make()
      const visitor = await widget.visit()
      assertError(await visitor.get('/live'), 404, 'conversation_not_found')
      const id = await idOf(visitor)
      const stranger = await widget.visit()
      assertError(await stranger.get(`/live?conversation_id=${id}`), 404, 'conversation_not_found')
    })

    it('what people write arrives with the name that end users see; notes and internals do not', async () => {
      const widget = await make()
      const { agent } = widget
      const visitor = await widget.visit()
      const id = await idOf(visitor)
      const stream = await visitor.listen()
      assert.equal(stream.status, 200)
      await agent.post(`/conversations/${id}/notes`, { text: 'a difficult person' })
      await agent.post(`/conversations/${id}/typing`, { author: 'Grace Hopper' })
      const typing = await stream.nextOf('typing')
      assert.deepEqual([typing.typing, typing.by], [true, { name: 'Grace' }])
      await agent.post(`/conversations/${id}/messages`, { content: 'Here I am.', author: 'Grace Hopper' })
      const { message } = await stream.nextOf('message')
      assert.deepEqual(
        [message.role, message.author, message.content, message.completion],
        ['operator', 'Grace', 'Here I am.', null],
      )
      const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
      const answered = await person.call('POST', `/agents/${agent.agentId}/conversations/${id}/messages`, {
        content: 'Me too.',
      })
      assert.equal(answered.status, 200, JSON.stringify(answered.body))
      const next = await eventLike(stream, ({ message }) => message?.content === 'Me too.')
      assert.equal(next.message.author, answered.body.data.author)
      assert.ok(!JSON.stringify(stream.events).includes('difficult'))
      assert.ok(!JSON.stringify(stream.events).includes('Hopper'))
      stream.leave()
    })

    it('paused, waiting, rated, ended and the pause of the agent arrive', async () => {
      const widget = await make()
      const visitor = await widget.visit()
      const id = await idOf(visitor)
      const stream = await visitor.listen()
      await visitor.post('/person')
      await eventLike(stream, ({ conversation }) => conversation?.waiting === true)
      await widget.agent.post(`/conversations/${id}/pause`)
      await eventLike(stream, ({ conversation }) => conversation?.agent_paused === true)
      await widget.agent.post(`/conversations/${id}/resume`)
      await eventLike(stream, ({ conversation }) => conversation?.agent_paused === false)
      await visitor.post('/rating', { score: 4 })
      await eventLike(stream, ({ conversation }) => conversation?.rating === 4)
      await widget.agent.patch('/agent', { pause_message: 'A person will answer.' })
      await widget.agent.post('/pause')
      const paused = await eventLike(stream, ({ agent }) => agent?.is_paused === true)
      assert.deepEqual([paused.agent, paused.conversation_id], [{ is_paused: true }, null])
      await eventLike(stream, ({ message }) => message?.content === 'A person will answer.')
      await visitor.post('/end')
      const ended = await eventLike(stream, ({ conversation }) => Boolean(conversation?.ended_at))
      assert.deepEqual(Object.keys(ended.conversation).sort(), [
        'agent_paused',
        'ended_at',
        'id',
        'mail_to',
        'offers_person',
        'rating',
        'started_at',
        'waiting',
      ])
      stream.leave()
    })

    it('an answer arrives as one message with what came with it; deltas do not', async () => {
      const widget = await make()
      const visitor = await widget.visit()
      await idOf(visitor)
      const stream = await visitor.listen()
      const feed = service.model.feed()
      const said = visitor.say('And now?')
      await service.model.request(1)
      feed.push('one ')
      feed.push('two')
      feed.end()
      await said
      const { message } = await eventLike(stream, ({ message }) => message?.role === 'assistant')
      assert.equal(message.content, 'one two')
      assert.deepEqual(message.completion.citations, [])
      assert.ok(stream.events.every(({ type }) => type !== 'message_delta'))
      stream.leave()
    })

    it('a redaction changes what is shown', async () => {
      const widget = await make()
      const visitor = await widget.visit()
      const { first } = await visitor.say('my secret')
      const stream = await visitor.listen()
      await widget.agent.post(`/chat/completions/${first.id}/scrub`)
      const { message } = await stream.nextOf('message_changed')
      assert.equal(message.content, '[REDACTED]')
      assert.ok(!(await visitor.get('/messages')).text.includes('secret'))
      stream.leave()
    })

    it('resumes behind the last event, without loss or doubles', async () => {
      const widget = await make()
      const visitor = await widget.visit()
      const id = await idOf(visitor)
      const first = await visitor.listen()
      const write = (content: string) =>
        widget.agent.post(`/conversations/${id}/messages`, { content, author: 'Grace' })
      await write('one')
      await eventLike(first, ({ message }) => message?.content === 'one')
      first.leave()
      await write('two')
      const second = await visitor.listen('', { 'last-event-id': first.lastId })
      await write('three')
      await eventLike(second, ({ message }) => message?.content === 'three')
      const texts = second.events.flatMap(({ message }) => message?.content ?? [])
      assert.deepEqual(texts, ['two', 'three'])
      second.leave()
    })

    it('429 for a fourth stream of a visitor', async () => {
      const widget = await make()
      const visitor = await widget.visit()
      await idOf(visitor)
      const streams = [await visitor.listen(), await visitor.listen(), await visitor.listen()]
      const fourth = await visitor.get('/live')
      assertError(fourth, 429, 'rate_limited')
      assert.ok(fourth.headers.get('retry-after'))
      for (const stream of streams) stream.leave()
    })

    it('429 for the 61st stream of an address; the team and other addresses may go on', async () => {
      const widget = await make()
      const streams = []
      const from = (address: string) => ({ 'x-forwarded-for': address })
      for (let n = 0; n < 20; n++) {
        const visitor = await widget.visit()
        await idOf(visitor)
        for (let each = 0; each < 3; each++) streams.push(await visitor.listen('', from(`2001:db8:5::${n}`)))
      }
      assert.ok(streams.every(({ status }) => status === 200))
      const visitor = await widget.visit()
      await idOf(visitor)
      const refused = await visitor.listen('', from('2001:db8:5::ffff'))
      assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '10'])
      const other = await visitor.listen('', from('2001:db8:6::1'))
      const team = await openLive(`${widget.agent.baseUrl}/live`, widget.agent.headers)
      assert.deepEqual([other.status, team.status], [200, 200])
      for (const stream of [...streams, other, team]) stream.leave()
    })

    it('ends when the widget is switched off, is deleted, or its secret is rotated', async () => {
      for (const act of ['off', 'delete', 'rotate'] as const) {
        const widget = await make()
        const { agent, id } = widget
        const visitor = await widget.visit({ user: { id: 'ann', hash: widget.hash('ann') } })
        await idOf(visitor)
        const stream = await visitor.listen()
        assert.equal(stream.status, 200)
        if (act === 'off') await agent.patch(`/widgets/${id}`, { active: false })
        else if (act === 'delete') await agent.call('DELETE', `/widgets/${id}`)
        else await agent.post(`/widgets/${id}/rotate-secret`)
        await stream.ended
      }
    })

    it("the inbox hears that the visitor writes, the visitor's own stream does not", async () => {
      const widget = await make()
      const visitor = await widget.visit()
      assert.deepEqual((await visitor.post('/typing')).body.data, { typing: false })
      const id = await idOf(visitor)
      const stream = await visitor.listen()
      const { openLive } = await import('../../support/live-stream.ts')
      const inbox = await openLive(`${widget.agent.baseUrl}/live`, widget.agent.headers)
      assert.deepEqual((await visitor.post('/typing')).body.data, { typing: true })
      const typing = await inbox.nextOf('typing')
      assert.deepEqual(
        [typing.conversation_id, typing.typing, typing.by],
        [id, true, { kind: 'user', name: null }],
      )
      await visitor.post('/typing', { typing: false })
      assert.equal((await inbox.nextOf('typing')).typing, false)
      assert.ok(stream.events.every(({ type }) => type !== 'typing'))
      stream.leave()
      inbox.leave()
    })
  },
  ADDRESSES,
)
