import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../support/app.ts'
import { openStream, readToEnd, readWholeStream } from '../support/event-stream.ts'
import { offering } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const say = (content: string, fields = {}) => ({ messages: [{ role: 'user', content }], ...fields })

onBothEngines('POST /chat/completions as a stream', (service) => {
  it('200: chunks of one id, one choice, finish_reason and additions on the last, then [DONE]', async () => {
    const agent = await service.addAgent()
    const { headers, chunks, text, done } = await readWholeStream(agent, say('one two three'))
    assert.match(headers.get('content-type') ?? '', /^text\/event-stream/)
    assert.match(headers.get('x-request-id') ?? '', /^req_/)
    // Proxies neither buffer nor change it.
    assert.equal(headers.get('x-accel-buffering'), 'no')
    assert.equal(headers.get('cache-control'), 'no-store, no-transform')
    assert.equal(text, 'one two three')
    assert.ok(done)
    const last = chunks.at(-1)
    assert.ok(last)
    assert.equal(headers.get('x-conversation-id'), last.conversation_id)
    assert.equal(headers.get('x-should-retry'), null)
    assert.match(last.id, /^[0-9a-f-]{36}$/)
    for (const chunk of chunks) {
      assert.deepEqual(
        [chunk.id, chunk.object, chunk.model],
        [last.id, 'chat.completion.chunk', 'test-model'],
      )
      assert.equal(chunk.choices.length, 1)
      assert.equal(chunk.choices[0]?.index, 0)
      assert.ok(!('usage' in chunk), 'usage was not asked for')
      assert.equal(chunk.choices[0]?.finish_reason, chunk === last ? 'stop' : null)
      assert.equal('conversation_id' in chunk, chunk === last)
    }
    const { data } = (await agent.get(`/chat/completions/${last.id}`)).body
    assert.equal(data.response, 'one two three')
    assert.deepEqual(
      [last.number, last.agent_paused, last.citations, last.ctas],
      [data.number, false, [], []],
    )
    assert.deepEqual((await service.eventsOf(agent)).slice(-3), [
      'prompt_submit',
      'response_start',
      'response_end',
    ])
  })

  it('200: include_usage adds a chunk without choices, and null on the others', async () => {
    const agent = await service.addAgent()
    const { chunks } = await readWholeStream(agent, say('hello', { stream_options: { include_usage: true } }))
    const usage = chunks.at(-1)
    assert.deepEqual(usage?.choices, [])
    assert.deepEqual(usage?.usage, { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 })
    for (const chunk of chunks.slice(0, -1)) assert.equal(chunk.usage, null)
  })

  it('200: a model that is silent for five seconds keeps nobody waiting for headers', async (t) => {
    const agent = await service.addAgent()
    const held = Promise.withResolvers<void>()
    const feed = service.model.feed({ after: held.promise })
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const opening = openStream(agent, say('hello'))
    await service.model.request(0)
    t.mock.timers.tick(5000)
    t.mock.timers.reset()
    const stream = await opening
    assert.deepEqual([stream.status, stream.headers.get('x-should-retry')], [200, null])
    held.resolve()
    feed.push('late')
    feed.end()
    assert.equal((await readToEnd(stream)).at(-1), '[DONE]')
  })

  it('200: each piece leaves as it comes', async () => {
    const agent = await service.addAgent()
    const feed = service.model.feed()
    feed.push('first')
    const stream = await openStream(agent, say('hello'))
    let text = ''
    while (text !== 'first') text += JSON.parse((await stream.next()) ?? '').choices[0].delta.content ?? ''
    feed.push(' second')
    while (text !== 'first second')
      text += JSON.parse((await stream.next()) ?? '').choices[0].delta.content ?? ''
    feed.end()
    while ((await stream.next()) !== null);
  })

  it('200: tool calls come in pieces and are stored whole', async () => {
    const agent = await service.addAgent()
    const piece = (index: number, part: object) => ({ tool_calls: [{ index, ...part }] })
    service.model.next({
      pieces: [
        piece(0, { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at"' } }),
        piece(0, { function: { arguments: ':1}' } }),
        piece(1, { id: 'call_2', type: 'function', function: { name: 'wait', arguments: '{}' } }),
      ],
      finish_reason: 'tool_calls',
    })
    const { chunks } = await readWholeStream(agent, { ...say('look'), ...offering('look', 'wait') })
    const pieces = chunks.flatMap(
      (chunk) => (chunk.choices[0]?.delta.tool_calls as object[] | undefined) ?? [],
    )
    assert.equal(pieces.length, 3)
    assert.equal(chunks.at(-1)?.choices[0]?.finish_reason, 'tool_calls')
    const { data } = (await agent.get(`/chat/completions/${chunks[0]?.id}`)).body
    assert.deepEqual(data.messages[1].tool_calls, [
      { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } },
      { id: 'call_2', type: 'function', function: { name: 'wait', arguments: '{}' } },
    ])
  })

  it('200: citations come on the last chunk, also as url_citation annotations', async () => {
    const agent = await service.addAgent()
    const cited = { url: 'https://example.com/a', title: 'A', content: 'text' }
    service.model.next({
      pieces: ['See A.', { annotations: [{ type: 'url_citation', url_citation: cited }] }],
    })
    const { chunks } = await readWholeStream(agent, say('where?'))
    const last = chunks.at(-1)
    assert.deepEqual(last?.citations, [{ title: 'A', url: 'https://example.com/a', snippet: 'text' }])
    assert.deepEqual(last?.choices[0]?.delta.annotations, [
      {
        type: 'url_citation',
        url_citation: { url: 'https://example.com/a', title: 'A', start_index: 0, end_index: 6 },
      },
    ])
  })

  it('200: a model server that answers a stream with JSON is a stream of one piece', async () => {
    const agent = await service.addAgent()
    const choice = { index: 0, message: { role: 'assistant', content: 'all at once' }, finish_reason: 'stop' }
    service.model.next({
      raw: { body: JSON.stringify({ choices: [choice] }), content_type: 'application/json' },
    })
    const { text, done } = await readWholeStream(agent, say('hello'))
    assert.deepEqual([text, done], ['all at once', true])
  })

  it('400, 403, 404 come with their status, not as a stream', async () => {
    const agent = await service.addAgent()
    const post = (body: object, headers = {}) =>
      agent.post('/chat/completions', { ...body, stream: true }, headers)
    assertError(await post({ messages: [] }), 400, 'invalid_request')
    assertError(await post(say('x'), { 'x-api-key': '' }), 403, 'invalid_credentials')
    const unknown = say('x', { conversation_id: '019d0000-0000-7000-8000-000000000000' })
    assertError(await post(unknown), 404, 'conversation_not_found')
  })

  it('a client that goes away stops the model, and what was produced is stored', {
    timeout: 5000,
  }, async () => {
    const agent = await service.addAgent()
    const feed = service.model.feed()
    feed.push('half an')
    feed.push(' answer')
    const stream = await openStream(agent, say('hello'))
    let text = ''
    while (text !== 'half an answer')
      text += JSON.parse((await stream.next()) ?? '').choices[0].delta.content ?? ''
    stream.leave()
    await service.model.aborted()
    feed.end()
    const completion = await untilAnswered(agent)
    assert.deepEqual([completion.response, completion.finish_reason], ['half an answer', 'cancelled'])
    const events = await service.eventsOf(agent)
    assert.deepEqual(events.slice(-2), ['response_start', 'response_end'])
    assert.ok(!events.includes('error'))
  })

  it('a client that goes away in the middle of a refusal: what was produced of it is stored', {
    timeout: 5000,
  }, async () => {
    const agent = await service.addAgent()
    service.model.next({ pieces: [{ refusal: 'I ref' }], ending: 'hang' })
    const stream = await openStream(agent, say('hello'))
    let refusal = ''
    while (refusal !== 'I ref')
      refusal += JSON.parse((await stream.next()) ?? '').choices[0].delta.refusal ?? ''
    stream.leave()
    const { response, finish_reason } = await untilAnswered(agent)
    assert.deepEqual([response, finish_reason], ['I ref', 'cancelled'])
  })

  it('a client that goes away before the answer in one piece stops the model, and the prompt is kept', {
    timeout: 5000,
  }, async () => {
    const agent = await service.addAgent()
    service.model.next({ hang: true })
    const gone = new AbortController()
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'an earlier answer' },
      { role: 'user', content: 'hello' },
    ]
    const call = fetch(`${agent.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { ...agent.headers, 'content-type': 'application/json', 'idempotency-key': 'k' },
      body: JSON.stringify({ messages }),
      signal: gone.signal,
    })
    await service.model.request(0)
    gone.abort()
    await assert.rejects(call)
    await service.model.aborted()
    const completion = await untilAnswered(agent)
    assert.deepEqual([completion.prompt, completion.response], ['hello', null])
    assert.deepEqual([completion.finish_reason, completion.model], ['cancelled', 'test-model'])
    const repeat = await agent.post('/chat/completions', { messages }, { 'idempotency-key': 'k' })
    const [{ finish_reason, message }] = repeat.body.choices
    assert.deepEqual([finish_reason, message.content], ['stop', null], 'what clients know')
  })

  /** The agent's one completion, once its turn has ended: asked again after each answer. */
  async function untilAnswered(agent: Parameters<typeof openStream>[0]) {
    for (;;) {
      const [completion] = (await agent.get('/chat/completions')).body.data
      if (completion.finish_reason !== null) return completion
    }
  }
})
