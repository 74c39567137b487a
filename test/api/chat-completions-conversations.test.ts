import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { holdJudge } from '../support/hold-judge.ts'
import { offering } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { spokenIn } from '../support/spoken-in.ts'

const say = (content: string, fields = {}) => ({ messages: [{ role: 'user', content }], ...fields })
const UNKNOWN = '019d0000-0000-7000-8000-000000000000'

const LOOK = offering('look')

onBothEngines('POST /chat/completions: conversations', (service) => {
  const create = (agent: TestAgent, body: unknown) => agent.post('/chat/completions', body)

  it('200: without an id each prompt opens a conversation', async () => {
    const agent = await service.addAgent()
    const ids = [await agent.prompt('a'), await agent.prompt('a')].map((answer) => answer.conversation_id)
    assert.equal(new Set(ids).size, 2)
    assert.equal((await agent.get('/conversations')).body.total, 2)
  })

  it('200: conversation_id goes on with a conversation, in either case of its letters', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('a')
    for (const id of [conversation_id, conversation_id.toUpperCase()]) {
      assert.equal((await agent.prompt('b', { conversation_id: id })).conversation_id, conversation_id)
    }
    assert.equal((await agent.get('/conversations')).body.total, 1)
  })

  it('200: external_id makes a conversation once and finds it afterwards', async () => {
    const agent = await service.addAgent()
    const made = await agent.prompt('a', { external_id: 'ext' })
    const found = await agent.prompt('b', { external_id: 'ext' })
    assert.equal(found.conversation_id, made.conversation_id)
    const { data } = (await agent.get('/conversations')).body
    assert.deepEqual(
      data.map(({ external_id }: { external_id: string }) => external_id),
      ['ext'],
    )
  })

  it('200: twelve concurrent prompts for one new external_id make one conversation', async () => {
    const agent = await service.addAgent()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        agent.prompt(`prompt ${n}`, { external_id: 'once', tags: { [n]: n } }),
      ),
    )
    assert.equal(new Set(answers.map(({ conversation_id }) => conversation_id)).size, 1)
    assert.equal(new Set(answers.map(({ number }) => number)).size, 12)
    const { body } = await agent.get('/conversations')
    assert.equal(body.total, 1)
    assert.equal(Object.keys(body.data[0].tags).length, 12, 'no tags are lost')
    assert.equal((await agent.get('/conversations/once/messages')).body.total, 24)
    const events = await service.eventsOf(agent)
    assert.equal(events.filter((key) => key === 'new_conversation').length, 1)
  })

  it('409: an external_id that another agent of the team has', async () => {
    const agent = await service.addAgent()
    const colleague = await service.addAgent({ teamId: agent.teamId })
    await agent.prompt('a', { external_id: 'taken' })
    const answer = await create(colleague, say('b', { external_id: 'taken' }))
    assertError(answer, 409, 'external_id_taken')
    assert.equal(answer.body.error.param, 'external_id')
    assert.equal((await colleague.get('/conversations')).body.total, 0)
  })

  it('409 or 200, never 500: two agents of a team that race for new external_ids', async () => {
    const agent = await service.addAgent()
    const colleague = await service.addAgent({ teamId: agent.teamId })
    const races = Array.from({ length: 20 }, async (_, n) => {
      const body = say('mine', { external_id: `race-${n}` })
      const answers = await Promise.all([create(agent, body), create(colleague, body)])
      return answers.map(({ status }) => status).sort()
    })
    for (const statuses of await Promise.all(races)) assert.deepEqual(statuses, [200, 409])
    const totals = [agent, colleague].map(async (one) => (await one.get('/conversations')).body.total)
    assert.equal((await totals[0]) + (await totals[1]), 20)
  })

  it('200: another team has the same external_id for itself', async () => {
    const [agent, stranger] = [await service.addAgent(), await service.addAgent()]
    const mine = await agent.prompt('a', { external_id: 'same' })
    const theirs = await stranger.prompt('b', { external_id: 'same' })
    assert.notEqual(mine.conversation_id, theirs.conversation_id)
  })

  it("404: an unknown conversation_id, another agent's, another team's", async () => {
    const agent = await service.addAgent()
    const colleague = await service.addAgent({ teamId: agent.teamId })
    const stranger = await service.addAgent()
    const { conversation_id } = await agent.prompt('a')
    for (const [asking, id] of [
      [agent, UNKNOWN],
      [colleague, conversation_id],
      [stranger, conversation_id],
    ] as const) {
      const answer = await create(asking, say('b', { conversation_id: id }))
      assertError(answer, 404, 'conversation_not_found')
      assert.equal(answer.body.error.param, 'conversation_id')
    }
    assert.equal((await colleague.get('/chat/completions')).body.total, 0)
    assert.equal((await agent.get(`/conversations/${conversation_id}/messages`)).body.total, 2)
  })

  it('200: conversation_id goes before external_id', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('a')
    const answer = await agent.prompt('b', { conversation_id, external_id: 'not-made' })
    assert.equal(answer.conversation_id, conversation_id)
    assertError(await agent.get('/conversations/not-made'), 404, 'conversation_not_found')
  })

  it('200: tags are merged, the newer value counts', async () => {
    const agent = await service.addAgent()
    const tagsAfter = async (tags: unknown) => {
      await agent.prompt('a', { external_id: 'tagged', ...(tags === undefined ? {} : { tags }) })
      return (await agent.get('/conversations/tagged')).body.data.tags
    }
    assert.equal(await tagsAfter(undefined), null)
    assert.deepEqual(await tagsAfter({ a: 1, b: { c: [null] } }), { a: 1, b: { c: [null] } })
    assert.deepEqual(await tagsAfter({ b: 'new', d: false }), { a: 1, b: 'new', d: false })
    assert.deepEqual(await tagsAfter(undefined), { a: 1, b: 'new', d: false })
    assert.deepEqual(await tagsAfter({}), { a: 1, b: 'new', d: false })
  })

  it('400: more tags than one request may hold do not come together over several either', async () => {
    const agent = await service.addAgent()
    const tagged = (tags: unknown, fields: Record<string, unknown> = {}) =>
      agent.post('/chat/completions', {
        messages: [{ role: 'user', content: 'a' }],
        external_id: 'many',
        tags,
        ...fields,
      })
    const named = (name: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, 1]))
    assert.equal((await tagged(named('a', 40))).status, 200)
    assert.equal((await tagged(named('b', 24))).status, 200)
    const tooMany = await tagged({ one: 'more' })
    assertError(tooMany, 400, 'invalid_request')
    const atOnce = await tagged(named('c', 65))
    assert.deepEqual(tooMany.body.error, atOnce.body.error)
    assertError(await tagged({ one: 'more' }, { stream: true }), 400, 'invalid_request')
    const metadata = { tags: '{"one":"more"}' }
    assertError(await tagged(undefined, { metadata }), 400, 'invalid_request')
    assertError(await tagged({ a0: 'x'.repeat(16_000) }), 400, 'invalid_request')
    // What is there already may change.
    assert.equal((await tagged({ a0: 2, b1: 3 })).status, 200)
    assert.deepEqual((await agent.get('/conversations/many')).body.data.tags, {
      ...named('a', 40),
      ...named('b', 24),
      a0: 2,
      b1: 3,
    })
    assert.equal((await agent.get('/chat/completions')).body.total, 3)

    const long = { external_id: 'long' }
    assert.equal((await tagged({ a: 'x'.repeat(16_000) }, long)).status, 200)
    const tooLarge = await tagged({ b: 'x'.repeat(400) }, long)
    assert.deepEqual(tooLarge.body.error, (await tagged({ a: 'x'.repeat(16_400) }, long)).body.error)
    assert.equal(tooLarge.status, 400)
    // A key that came with a refused prompt is free.
    const headers = { 'idempotency-key': 'tags' }
    const refused = { messages: [{ role: 'user', content: 'a' }], tags: { b: 'x'.repeat(400) }, ...long }
    for (let time = 0; time < 2; time++)
      assertError(await agent.post('/chat/completions', refused, headers), 400, 'invalid_request')
  })

  it('200 or 400: of prompts that come at once, those whose tags still fit are taken', async () => {
    const agent = await service.addAgent()
    await agent.prompt('a', { external_id: 'race' })
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, prompt) => {
        const tags = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${prompt}.${at}`, 1]))
        const body = { messages: [{ role: 'user', content: 'b' }], external_id: 'race', tags }
        return (await agent.post('/chat/completions', body)).status
      }),
    )
    assert.deepEqual(statuses.sort(), [200, 200, 200, 400, 400, 400, 400, 400])
    assert.equal(Object.keys((await agent.get('/conversations/race')).body.data.tags).length, 60)
  })

  it('200: the model reads the stored history, not what the client sends again', async () => {
    const agent = await service.addAgent({ settings: { instructions: 'Be kind.' } })
    service.model.next({ text: 'Hi Ada.' }, { text: 'You are Ada.' })
    const { conversation_id } = await agent.prompt('I am Ada')
    await agent.prompt('', {
      conversation_id,
      messages: [
        { role: 'user', content: 'I am Eve' },
        { role: 'assistant', content: 'Hi Eve.' },
        { role: 'user', content: 'Who am I?' },
      ],
    })
    assert.deepEqual(spokenIn((await service.model.request(1)).body), [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'I am Ada' },
      { role: 'assistant', content: 'Hi Ada.' },
      { role: 'user', content: 'Who am I?' },
    ])
    const stored = (await agent.get(`/conversations/${conversation_id}/messages`)).body.data
    assert.deepEqual(
      stored.map(({ content }: { content: string }) => content),
      ['I am Ada', 'Hi Ada.', 'Who am I?', 'You are Ada.'],
    )
  })

  it('200: a refusal is told by its message, and the model reads its words', async () => {
    const agent = await service.addAgent()
    const message = { role: 'assistant', content: null, refusal: 'I refuse' }
    const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
    service.model.next({ raw: { body, content_type: 'application/json' } })
    const { id, conversation_id } = await agent.prompt('Do it')
    await agent.prompt('Why?', { conversation_id })
    assert.deepEqual(spokenIn((await service.model.request(1)).body), [
      { role: 'user', content: 'Do it' },
      { role: 'assistant', content: 'I refuse' },
      { role: 'user', content: 'Why?' },
    ])
    assert.equal((await agent.get(`/chat/completions/${id}`)).body.data.response, 'I refuse')
    const stored = (await agent.get(`/conversations/${conversation_id}/messages`)).body.data
    assert.deepEqual(stored[1].content, [{ type: 'refusal', refusal: 'I refuse' }])
  })

  it('200: system messages of a request stand in for those of earlier ones, wherever they are', async () => {
    const agent = await service.addAgent()
    const system = (content: string) => ({ role: 'system', content })
    const user = (content: string) => ({ role: 'user', content })
    const answer = { role: 'assistant', content: 'fun' }
    service.model.answer = { text: 'fun' }
    const { conversation_id } = await agent.prompt('', { messages: [system('Rhyme.'), user('one')] })
    const sent = [system('Be terse.'), user('one'), answer, user('two')]
    await agent.prompt('', { conversation_id, messages: sent })
    assert.deepEqual(spokenIn((await service.model.request(1)).body), sent)
    await agent.prompt('', { conversation_id, messages: [system('Sing.'), user('three')] })
    assert.deepEqual(spokenIn((await service.model.request(2)).body), [
      system('Sing.'),
      user('one'),
      answer,
      user('two'),
      answer,
      user('three'),
    ])
    await agent.prompt('four', { conversation_id })
    assert.deepEqual(
      spokenIn((await service.model.request(3)).body).filter(({ role }) => role === 'system'),
      [system('Rhyme.\n\nSing.')],
    )
  })

  it('200: a new conversation takes over all messages that are sent', async () => {
    const agent = await service.addAgent()
    const messages = [
      { role: 'developer', content: 'Rhyme.' },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'fun' },
      { role: 'user', content: 'two' },
    ]
    const answer = await agent.prompt('', { messages })
    assert.deepEqual(spokenIn((await service.model.request(0)).body), [
      { role: 'system', content: 'Rhyme.' },
      ...messages.slice(1),
    ])
    const { data } = (await agent.get(`/chat/completions/${answer.id}`)).body
    assert.equal(data.prompt, 'two')
    assert.equal(data.messages.length, 5)
  })

  it("200: history_limit bounds how many stored messages go along; a tool's result never goes without its call", async () => {
    const agent = await service.addAgent({ settings: { history_limit: 2, summaries: false } })
    const { conversation_id } = await agent.prompt('one')
    await agent.prompt('two', { conversation_id })
    await agent.prompt('three', { conversation_id })
    const contents = spokenIn((await service.model.request(2)).body).map(({ content }) => content)
    assert.deepEqual(contents, ['two', 'two', 'three'])

    service.model.reset()
    const tool_calls = [
      { id: 'callNo001', type: 'function' as const, function: { name: 'look', arguments: '{}' } },
    ]
    service.model.next({ tool_calls }, { text: 'seen' })
    const result = { role: 'tool', tool_call_id: 'callNo001', content: 'a cat' }
    await agent.prompt('look', { conversation_id, ...LOOK })
    await agent.prompt('', { conversation_id, messages: [result] })
    await agent.prompt('and?', { conversation_id })
    const [, second, third] = service.model.requests
    assert.deepEqual(second?.body.messages.slice(-2), [
      { role: 'assistant', content: null, tool_calls },
      result,
    ])
    assert.deepEqual(
      third?.body.messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'user'],
      'the result is within the limit, its call is not',
    )
  })

  it('200: history_limit of 0 sends the prompt alone', async () => {
    const agent = await service.addAgent({ settings: { history_limit: 0 } })
    const { conversation_id } = await agent.prompt('one')
    await agent.prompt('two', { conversation_id })
    assert.deepEqual(spokenIn((await service.model.request(1)).body), [{ role: 'user', content: 'two' }])
  })

  it('200: an answer that was withheld since the agent was paused is not history', async () => {
    const agent = await service.addAgent()
    await using judge = await holdJudge()
    const evaluator_id = await judge.addTo(agent)
    const cta = (await agent.post('/ctas', { name: 'C', content: 'Look', evaluator_id })).body.data
    service.model.next({ text: 'never seen' })
    const say = { messages: [{ role: 'user', content: 'one' }], external_id: 'withheld' }
    const pending = agent.call('POST', '/chat/completions', say)
    await judge.asked
    await agent.post('/pause')
    const { text } = await pending
    assert.match(text, /The assistant is paused/)
    assert.doesNotMatch(text, /never seen/)
    await agent.post('/resume')
    await agent.call('DELETE', `/ctas/${cta.id}`)
    await agent.prompt('two', { external_id: 'withheld' })
    const asked = JSON.stringify(spokenIn((await service.model.request(1)).body))
    assert.doesNotMatch(asked, /never seen/)
    assert.match(asked, /active again/)
    const { data } = (await agent.get('/conversations/withheld/messages')).body
    assert.ok(data.some(({ content }: { content: string }) => content === 'never seen'))
  })

  it('200: what had left of a stream before a pause is history', async () => {
    const agent = await service.addAgent()
    const feed = service.model.feed()
    const say = { messages: [{ role: 'user', content: 'one' }], external_id: 'seen', stream: true }
    const response = await fetch(`${agent.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { ...agent.headers, 'content-type': 'application/json' },
      body: JSON.stringify(say),
    })
    feed.push('seen')
    const chunks = response.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
    for (let text = ''; !text.includes('seen'); ) text += (await chunks?.next())?.value ?? ''
    await agent.post('/pause')
    feed.end()
    for (let done = false; !done; ) done = (await chunks?.next())?.done ?? true
    await agent.post('/resume')
    await agent.prompt('two', { external_id: 'seen' })
    assert.match(
      JSON.stringify(spokenIn((await service.model.request(1)).body)),
      /"assistant","content":"\[Notice\] [^"]*\[Assistant\] seen"/,
    )
  })

  describe('tool calls that nobody answered go to no model again', () => {
    const call = (id: string) => ({
      id,
      type: 'function' as const,
      function: { name: 'look', arguments: '{}' },
    })
    const result = (id: string, content = id) => ({ role: 'tool', tool_call_id: id, content })
    const lastMessages = () => spokenIn(service.model.requests.at(-1)?.body)

    it('200: the user asks something else, and what was said beside a call stays', async () => {
      const agent = await service.addAgent()
      service.model.next({ tool_calls: [call('callNo00a')] })
      const { conversation_id } = await agent.prompt('one', LOOK)
      service.model.next({ text: 'I look.', tool_calls: [call('callNo00a')] })
      await agent.prompt('two', { conversation_id, ...LOOK })
      await agent.prompt('three', { conversation_id })
      assert.deepEqual(lastMessages(), [
        { role: 'user', content: 'one\n\ntwo' },
        { role: 'assistant', content: 'I look.' },
        { role: 'user', content: 'three' },
      ])
    })

    it('200: the agent is paused while a call is made', async () => {
      const agent = await service.addAgent()
      await using judge = await holdJudge()
      const evaluator_id = await judge.addTo(agent)
      const cta = (await agent.post('/ctas', { name: 'C', content: 'Look', evaluator_id })).body.data
      service.model.next({ text: 'I look.', tool_calls: [call('callNo00a')] })
      const pending = agent.prompt('one', { external_id: 'paused', ...LOOK })
      // The call is made and not stored: a pause that came earlier would have stopped it.
      await judge.asked
      await agent.post('/pause')
      await pending
      await agent.post('/resume')
      await agent.call('DELETE', `/ctas/${cta.id}`)
      const { data: stored } = (await agent.get('/conversations/paused/messages')).body
      assert.ok(
        stored.some(({ tool_calls }: { tool_calls: unknown[] | null }) => tool_calls?.length === 1),
        JSON.stringify(stored),
      )
      await agent.prompt('two', { external_id: 'paused' })
      const asked = lastMessages()
      const pauseMessage = 'assistant'
      assert.deepEqual(
        asked.map(({ role }) => role),
        ['system', 'user', pauseMessage, 'user'],
      )
      assert.ok(!asked.some((message) => 'tool_calls' in message))
    })

    it('200: a stream breaks off within a call', async () => {
      const agent = await service.addAgent()
      const piece = {
        tool_calls: [{ index: 0, ...call('callNo00a'), function: { name: 'look', arguments: '{"at' } }],
      }
      service.model.next({ pieces: [piece], ending: 'cut' })
      await create(agent, say('one', { stream: true, external_id: 'cut', ...LOOK }))
      await agent.prompt('two', { external_id: 'cut' })
      assert.deepEqual(lastMessages(), [{ role: 'user', content: 'one\n\ntwo' }])
    })

    it('200: results that come in several requests answer a call together; one of them does not', async () => {
      const agent = await service.addAgent()
      const tool_calls = [call('callNo00a'), call('callNo00b')]
      service.model.next({ tool_calls }, { status: 400 }, { text: 'seen' })
      const { conversation_id } = await agent.prompt('one', LOOK)
      await create(agent, { conversation_id, messages: [result('callNo00a')] })
      await agent.prompt('', { conversation_id, messages: [result('callNo00b')] })
      const answered = [
        { role: 'user', content: 'one' },
        { role: 'assistant', content: null, tool_calls: [call('callNo00a')] },
        result('callNo00a'),
        { role: 'assistant', content: null, tool_calls: [call('callNo00b')] },
        result('callNo00b'),
      ]
      assert.deepEqual(lastMessages(), answered)
      service.model.next({ tool_calls }, { status: 400 })
      await agent.prompt('two', { conversation_id, ...LOOK })
      await create(agent, { conversation_id, messages: [result('callNo00a')] })
      await agent.prompt('three', { conversation_id })
      assert.deepEqual(lastMessages(), [
        ...answered,
        { role: 'assistant', content: 'seen' },
        { role: 'user', content: 'two\n\nthree' },
      ])
    })

    it('200: a result that is sent again, after a failure, goes along once', async () => {
      const agent = await service.addAgent()
      service.model.next({ tool_calls: [call('callNo00a')] }, { status: 400 })
      const { conversation_id } = await agent.prompt('one', LOOK)
      await create(agent, { conversation_id, messages: [result('callNo00a', 'first')] })
      const system = { role: 'system', content: 'Be short.' }
      await agent.prompt('', { conversation_id, messages: [system, result('callNo00a', 'second')] })
      assert.deepEqual(lastMessages(), [
        system,
        { role: 'user', content: 'one' },
        { role: 'assistant', content: null, tool_calls: [call('callNo00a')] },
        result('callNo00a', 'second'),
      ])
    })

    it('200: calls without results and results without calls that a request sends itself are left out', async () => {
      const agent = await service.addAgent()
      const messages = [
        { role: 'assistant', content: null, tool_calls: [call('callNo00a')] },
        { role: 'user', content: 'one' },
      ]
      const { conversation_id } = await agent.prompt('', { messages })
      assert.deepEqual(lastMessages(), messages.slice(1))
      const stray = [result('callNo00b'), { role: 'user', content: 'two' }]
      await agent.prompt('', { conversation_id, messages: stray })
      assert.deepEqual(lastMessages().slice(-1), stray.slice(1))
      await agent.prompt('three', { conversation_id })
      assert.deepEqual(
        lastMessages().map(({ role }) => role),
        ['user', 'assistant', 'user', 'assistant', 'user'],
      )
    })
  })
})
