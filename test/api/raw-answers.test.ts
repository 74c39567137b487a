import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TestAgent } from '../support/app.ts'
import { readWholeStream } from '../support/event-stream.ts'
import { type Answer, calling, offering } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { startPeer } from '../support/peer.ts'

const say = (content: string) => ({ messages: [{ role: 'user', content }] })
const THOUGHT = '<think>\nThe user greets me.\n</think>\n\nHello there.'

onBothEngines('answers in which the server leaves what is not said', (service) => {
  async function addAgent() {
    const agent = await service.addAgent()
    await agent.patch('/agent', { model: { url: service.model.url, name: 'test-model' } })
    return agent
  }

  it('200: thoughts are no part of an answer, and are not stored', async () => {
    const agent = await addAgent()
    service.model.next({ text: THOUGHT })
    const { body } = await agent.post('/chat/completions', say('hello'))
    assert.equal(body.choices[0].message.content, 'Hello there.')
    const { data } = (await agent.get('/chat/completions')).body
    assert.equal(data[0].response, 'Hello there.')
    const messages = await agent.get(`/conversations/${body.conversation_id}/messages`)
    assert.ok(!messages.text.includes('greets'), messages.text)
  })

  it('200: thoughts in the text of a stream come where other servers send them', async () => {
    const agent = await addAgent()
    service.model.next({ pieces: THOUGHT.match(/.{1,4}/gs) ?? [] })
    const { chunks, text, done } = await readWholeStream(agent, say('hello'))
    assert.equal(done, true)
    assert.equal(text, 'Hello there.')
    const thoughts = chunks.map(({ choices }) => choices[0]?.delta.reasoning_content ?? '').join('')
    assert.equal(thoughts, '\nThe user greets me.\n')
    assert.equal((await agent.get('/chat/completions')).body.data[0].response, 'Hello there.')
  })

  it('200: the next stream of a server whose thoughts begin without a mark has none in its text', async () => {
    const agent = await addAgent()
    const pieces = ['The user', ' greets me.\n</thi', 'nk>\n\nHello', ' there.']
    service.model.next({ pieces }, { pieces })
    assert.equal((await readWholeStream(agent, say('hello'))).text, 'The user greets me.\nHello there.')
    assert.equal((await readWholeStream(agent, say('hello'))).text, 'Hello there.')
  })

  it('200: the trace of a prompt that is tried out has the thoughts', async () => {
    const agent = await addAgent()
    service.model.next({ text: THOUGHT })
    const { status, body } = await agent.post('/playground', say('hello'))
    assert.equal(status, 200)
    assert.equal(body.data.response, 'Hello there.')
    assert.equal(body.data.trace.requests[0].thoughts, '\nThe user greets me.\n')
  })

  for (const stream of [false, true])
    it(`200: a call in the text is made${stream ? ', in a stream' : ''}`, async () => {
      await using peer = await startPeer((response) => response.end('{"state":"sent"}'))
      const agent = await addAgent()
      const tool = await agent.post('/tools', {
        kind: 'http',
        name: 'look_up',
        description: 'Looks up an order.',
        parameters: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
        url: `${peer.url}/orders/{id}`,
      })
      assert.equal(tool.status, 201, tool.text)
      const raw = 'One moment.\n<tool_call>\n{"name": "look_up", "arguments": {"id": 7}}\n</tool_call>'
      service.model.next({ pieces: raw.match(/.{1,5}/gs) ?? [], text: raw }, { text: 'It is on its way.' })
      if (stream) {
        const { text } = await readWholeStream(agent, say('Where is my order?'))
        assert.equal(text, 'One moment.\n\n\nIt is on its way.')
      } else {
        const { body } = await agent.post('/chat/completions', say('Where is my order?'))
        assert.equal(body.choices[0].message.content, 'One moment.\n\n\nIt is on its way.')
        assert.equal(body.choices[0].finish_reason, 'stop')
      }
      assert.deepEqual(
        peer.requests.map(({ path }) => path),
        ['/orders/7'],
      )
    })

  it("200: a call in the text of one of the request's own tools comes back as a call", async () => {
    const agent = await addAgent()
    service.model.next({ text: '<tool_call>{"name":"theirs","arguments":{"a":1}}</tool_call>' })
    const tools = [{ type: 'function', function: { name: 'theirs', parameters: { type: 'object' } } }]
    const { body } = await agent.post('/chat/completions', { ...say('hello'), tools })
    const [{ message, finish_reason }] = body.choices
    assert.equal(finish_reason, 'tool_calls')
    assert.equal(message.content, null)
    assert.deepEqual(message.tool_calls, [
      { id: 'call_0', type: 'function', function: { name: 'theirs', arguments: '{"a":1}' } },
    ])
  })

  it('200: parallel calls of one number and two ids are two calls', async () => {
    const agent = await addAgent()
    const call = (id: string, name: string) => ({
      tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: '{}' } }],
    })
    service.model.next({ pieces: [call('a', 'first'), call('b', 'second')], finish_reason: 'tool_calls' })
    const tools = ['first', 'second'].map((name) => ({ type: 'function', function: { name } }))
    const { chunks } = await readWholeStream(agent, { ...say('hello'), tools })
    const calls = chunks.flatMap(
      ({ choices }) => (choices[0]?.delta.tool_calls ?? []) as { index: number; id: string }[],
    )
    assert.deepEqual(
      calls.map(({ index, id }) => [index, id]),
      [
        [0, 'a'],
        [1, 'b'],
      ],
    )
  })
})

const silent: Record<string, Answer> = {
  'an empty text': { text: '' },
  blanks: { text: ' \n ' },
  'thoughts alone': { text: '<think>Hm.</think>' },
  'thoughts that were cut off': { text: '<think>Hm, so', finish_reason: 'length' },
  'null in place of a text': {
    raw: {
      body: '{"choices":[{"message":{"role":"assistant","content":null},"finish_reason":"stop"}]}',
      content_type: 'application/json',
    },
  },
}

onBothEngines('answers that say nothing', (service) => {
  type Call = { index?: number; function: object }

  async function ask(agent: TestAgent, stream: boolean, more: object = {}) {
    const request = { ...say('Wo ist meine Bestellung?'), ...more }
    if (!stream) {
      const [{ message, finish_reason }] = (await agent.post('/chat/completions', request)).body.choices
      return { text: message.content ?? '', calls: (message.tool_calls ?? []) as Call[], finish_reason }
    }
    const { chunks, text } = await readWholeStream(agent, request)
    const choices = chunks.flatMap(({ choices }) => choices)
    const calls = choices.flatMap(({ delta }) => (delta.tool_calls ?? []) as Call[])
    return { text, calls, finish_reason: choices.at(-1)?.finish_reason }
  }

  for (const [name, answer] of Object.entries(silent))
    for (const stream of [false, true])
      it(`200: ${name}${stream ? ', in a stream' : ''}: the user reads so, and the conversation waits`, async () => {
        const agent = await service.addAgent()
        await agent.patch('/agent', { model: { url: service.model.url, name: 'test-model' } })
        service.model.next(answer)
        const external_id = 'silent'
        const ask = { ...say('Wo ist meine Bestellung?'), external_id }
        const said = stream
          ? (await readWholeStream(agent, ask)).text
          : (await agent.post('/chat/completions', ask)).body.choices[0].message.content
        assert.match(said, /konnte ich nicht abschließen/)
        const { data } = (await agent.get('/inbox')).body
        assert.deepEqual(
          data.map((row: { waiting_reason: string }) => row.waiting_reason),
          ['unanswered'],
        )
      })

  it('200: an answer in JSON stays empty', async () => {
    const agent = await service.addAgent()
    await agent.patch('/agent', { model: { url: service.model.url, name: 'test-model' } })
    service.model.next({ text: '' })
    const response_format = { type: 'json_object' }
    const { body } = await agent.post('/chat/completions', { ...say('hello'), response_format })
    assert.equal(body.choices[0].message.content, '')
  })

  for (const stream of [false, true])
    it(`200: a call of a tool that nobody offered${stream ? ', in a stream' : ''} is none`, async () => {
      const agent = await service.addAgent()
      service.model.next(calling(['look_up', { id: 7 }]))
      const silent = await ask(agent, stream)
      assert.match(silent.text, /konnte ich nicht abschließen/)
      assert.deepEqual([silent.calls, silent.finish_reason], [[], 'stop'])
      const { data } = (await agent.get('/chat/completions')).body
      assert.equal(data[0].response, silent.text)

      service.model.next({
        ...calling(['look_up', { id: 7 }], ['theirs', { a: 1 }], ['look_up', { id: 8 }]),
        text: 'Moment.',
      })
      const called = await ask(agent, stream, offering('theirs'))
      assert.deepEqual(
        called.calls.map(({ index, ...call }) => [index ?? 0, call.function]),
        [[0, { name: 'theirs', arguments: '{"a":1}' }]],
      )
      assert.deepEqual([called.text, called.finish_reason], ['Moment.', 'tool_calls'])

      service.model.next({ ...calling(['look_up', { id: 7 }]), text: '' })
      const json = await ask(agent, stream, { response_format: { type: 'json_object' } })
      assert.deepEqual([json.text, json.calls, json.finish_reason], ['', [], 'stop'])
    })
})
