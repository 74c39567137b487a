import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { assertError } from '../../support/app.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'
import { ADDRESSES, addWidget, SITE } from '../../support/widget-visitors.ts'

onBothEngines(
  'POST /widget/v1/{public_key}/messages',
  (service) => {
    const make = async () => addWidget(service.app, await service.addAgent())

    it("200: the answer streams in OpenAI's chunks, without a detail of the model", async () => {
      const widget = await make()
      const visitor = await widget.visit()
      service.model.next({ pieces: ['It ', { content: 'left.', reasoning_content: 'secret' }] })
      const said = await visitor.say('Where is it?')
      assert.equal(said.status, 200)
      assert.ok(said.isDone)
      assert.equal(said.text, 'It left.')
      assert.equal(said.headers.get('access-control-allow-origin'), SITE)
      const { id, conversation_id, prompt_message_id } = said.first
      assert.equal(said.headers.get('x-conversation-id'), conversation_id)
      for (const chunk of said.chunks) assert.deepEqual([chunk.id, chunk.model], [id, 'parley'])
      assert.ok(!/secret|test-model/.test(JSON.stringify(said.chunks)))
      const { choices, created: _, object: __, ...last } = said.last
      assert.equal(choices[0]?.finish_reason, 'stop')
      const { body } = await visitor.get('/messages')
      assert.equal(body.more, false)
      const [prompt, answer] = body.data
      assert.deepEqual(last, {
        id,
        model: 'parley',
        conversation_id,
        message_id: answer.id,
        agent_paused: false,
        citations: [],
        ctas: [],
      })
      const { created_at: ___, ...asked } = prompt
      assert.deepEqual(asked, {
        id: prompt_message_id,
        conversation_id,
        completion_id: id,
        role: 'user',
        content: 'Where is it?',
        attachments: null,
        author: null,
        completion: null,
      })
      const nothing = { liked: null, flagged: false, score: null, feedback_given: false }
      assert.deepEqual(
        [answer.role, answer.content, answer.completion],
        ['assistant', 'It left.', { ...nothing, citations: [], ctas: [] }],
      )
    })

    it('200: visitor, device, session, page and language come from the widget; there is no channel', async () => {
      const { agent, ...widget } = await make()
      const visitor = await widget.visit({ language: 'fr-CA' })
      const said = await visitor.say('1234', { fields: { page_url: `${SITE}/cart?x=1` } })
      const completion = (await agent.get(`/chat/completions/${said.first.id}`)).body.data
      assert.equal(completion.user_id, visitor.session.visitor_id)
      assert.equal(completion.device_id, visitor.session.visitor_id)
      assert.match(completion.session_id, /^session_[0-9a-f]{32}$/)
      assert.deepEqual(
        [completion.page_url, (await agent.get('/inbox')).body.data[0].language],
        [`${SITE}/cart?x=1`, 'fr'],
      )
      await visitor.say('more', { fields: { page_url: `${SITE}/pay` } })
      const events = await service.eventsOf(agent)
      for (const key of ['new_user', 'new_device', 'new_session', 'new_conversation'] as const)
        assert.equal(events.filter((raised) => raised === key).length, 1, key)
      const user = (await agent.get(`/users/${visitor.session.visitor_id}`)).body.data
      assert.deepEqual([user.source, user.proof], ['widget', 'none'])
      assert.deepEqual(
        user.pages.map(({ url }: { url: string }) => url),
        [`${SITE}/pay`, `${SITE}/cart?x=1`],
      )
      const [row] = (await agent.get('/inbox')).body.data
      assert.deepEqual([row.id, row.widget_id, row.channel], [said.first.conversation_id, widget.id, null])
      const [listed] = (await agent.get('/conversations')).body.data
      assert.ok(!Object.hasOwn(listed, 'widget_id'))
    })

    it('200: messages go on in one conversation; after an end the next one opens another', async () => {
      const widget = await make()
      const visitor = await widget.visit()
      const first = await visitor.say('one')
      const second = await visitor.say('two')
      assert.equal(second.first.conversation_id, first.first.conversation_id)
      const ended = await visitor.post('/end')
      assert.equal(ended.status, 200, ended.text)
      assert.ok(ended.body.data.ended_at)
      const again = await widget.visit({ visitor_token: visitor.token })
      assert.equal(again.session.conversation.ended_at, ended.body.data.ended_at)
      const third = await visitor.say('three')
      assert.notEqual(third.first.conversation_id, first.first.conversation_id)
      const { data } = (await visitor.get('/conversations')).body
      assert.deepEqual(
        data.map(({ id }: { id: string }) => id),
        [third.first.conversation_id, first.first.conversation_id],
      )
      const earlier = await visitor.get(`/messages?conversation_id=${first.first.conversation_id}`)
      assert.equal(earlier.body.data.length, 4)
    })

    it('two first messages at once open one conversation', async () => {
      const visitor = await (await make()).visit()
      const said = await Promise.all([visitor.say('one'), visitor.say('two'), visitor.say('three')])
      assert.equal(new Set(said.map(({ first }) => first.conversation_id)).size, 1)
    })

    it('sent again under its key, a message gets its answer and nothing new is made', async () => {
      const widget = await make()
      const visitor = await widget.visit()
      const key = randomUUID()
      const first = await visitor.say('once', { key, fields: { page_url: `${SITE}/a` } })
      const again = await visitor.say('once', { key, fields: { page_url: `${SITE}/b` } })
      assert.equal(again.status, 200)
      assert.equal(again.headers.get('idempotent-replayed'), 'true')
      assert.deepEqual(
        [again.first.id, again.text, again.first.prompt_message_id, again.last.message_id],
        [first.first.id, first.text, first.first.prompt_message_id, first.last.message_id],
      )
      assert.equal(service.model.requests.length, 1)
      assert.equal((await visitor.get('/messages')).body.data.length, 2)
      const other = await visitor.say('other', { key })
      assert.deepEqual([other.status, other.body.error.code], [409, 'idempotency_key_reused'])
      const theirs = await (await widget.visit()).say('once', { key })
      assert.notEqual(theirs.first.id, first.first.id)
    })

    it('409 idempotency_in_progress while the first is being answered', async () => {
      const visitor = await (await make()).visit()
      const feed = service.model.feed()
      const key = randomUUID()
      const first = visitor.say('once', { key })
      await service.model.request(0)
      const again = await visitor.say('once', { key })
      feed.push('done')
      feed.end()
      assert.deepEqual([again.status, again.body.error.code], [409, 'idempotency_in_progress'])
      assert.ok(again.headers.get('retry-after'))
      assert.equal((await first).text, 'done')
    })

    it('a visitor who goes away finds the whole answer', async () => {
      const widget = await make()
      const visitor = await widget.visit()
      const feed = service.model.feed()
      const gone = new AbortController()
      const response = await fetch(`${widget.url}/messages`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${visitor.token}`,
          origin: SITE,
          'idempotency-key': 'k',
        },
        body: JSON.stringify({ content: 'Hello?' }),
        signal: gone.signal,
      })
      assert.equal(response.status, 200)
      await service.model.request(0)
      const live = await visitor.listen()
      feed.push('The ')
      gone.abort()
      feed.push('whole.')
      feed.end()
      for (;;) {
        const { message } = await live.nextOf('message')
        if (message.role !== 'assistant') continue
        assert.equal(message.content, 'The whole.')
        break
      }
      live.leave()
    })

    it('a failed model ends the stream with an error; the message is kept and waits for a person', async () => {
      const widget = await make()
      const visitor = await widget.visit()
      service.model.answer = { status: 400 }
      const said = await visitor.say('Hello?')
      assert.equal(said.status, 200)
      assert.ok(!said.isDone)
      assert.equal(said.last.error?.code, 'model_failed')
      assert.equal((await visitor.get('/messages')).body.data.length, 1)
      const { session } = await widget.visit({ visitor_token: visitor.token })
      assert.equal(session.conversation.waiting, true)
    })

    for (const [param, body] of [
      ['content', { content: '' }],
      ['content', { content: '   ' }],
      ['content', { content: 'x'.repeat(8001) }],
      ['content', {}],
      ['role', { content: 'x', role: 'system' }],
      ['conversation_id', { content: 'x', conversation_id: randomUUID() }],
    ] as const)
      it(`400: ${JSON.stringify(body).slice(0, 50)}`, async () => {
        const visitor = await (await make()).visit()
        const answer = await visitor.post('/messages', body, { 'idempotency-key': 'k' })
        assertError(answer, 400, 'invalid_request')
        assert.equal(answer.body.error.param, param)
      })

    it('400 without an Idempotency-Key; 8,000 characters are taken', async () => {
      const visitor = await (await make()).visit()
      assertError(await visitor.post('/messages', { content: 'x' }), 400, 'invalid_request')
      assert.equal((await visitor.say('x'.repeat(8000))).status, 200)
    })

    it('413: a body far larger than a message; one of characters that are long when escaped is taken', async () => {
      const visitor = await (await make()).visit()
      const key = { 'idempotency-key': 'k' }
      assertError(
        await visitor.post('/messages', { content: 'x'.repeat(131_072) }, key),
        413,
        'body_too_large',
      )
      assert.equal((await visitor.say('\u{1f600}'.repeat(4000))).status, 200)
    })

    it('429 with Retry-After: 20 a minute a visitor, on whatever device', async () => {
      const widget = await make()
      await widget.agent.post('/pause')
      const user = { id: 'ann', hash: widget.hash('ann') }
      const devices = [await widget.visit({ user }), await widget.visit({ user })]
      for (let count = 0; count < 20; count++)
        assert.equal((await devices[count % 2]?.say(`${count}`))?.status, 200)
      for (const device of devices) {
        const refused = await device.say('one more')
        assert.deepEqual([refused.status, refused.body.error.code], [429, 'rate_limited'])
        assert.ok(Number(refused.headers.get('retry-after')) > 0)
      }
      assert.equal((await (await widget.visit()).say('hello')).status, 200)
    })
  },
  ADDRESSES,
)
