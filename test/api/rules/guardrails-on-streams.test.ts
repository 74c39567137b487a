import assert from 'node:assert/strict'
import { it } from 'node:test'
import { offering } from '../../support/model-server.ts'
import { guardrail, made, onRules, streamed } from '../../support/on-rules.ts'
import { startPeer } from '../../support/peer.ts'

onRules('guardrails on streams', (service) => {
  it('a streamed response is blocked with its tool calls, told and stored', async () => {
    const agent = await service.addAgent()
    await guardrail(agent, { on: 'response', action: 'block', reply: 'I must stop.' }, 'password')
    const call = { id: 'call_1', type: 'function', function: { name: 'open', arguments: '{"by":"hunter2"}' } }
    const called = { tool_calls: [{ index: 0, ...call }] }
    const body = { messages: [{ role: 'user', content: 'x' }], stream: true, ...offering('open') }
    for (const pieces of [
      ['The password', called],
      [called, 'The password'],
    ]) {
      service.model.next({ pieces, finish_reason: 'tool_calls' })
      const { text } = await agent.post('/chat/completions', body)
      assert.ok(text.includes('I must stop.') && !text.includes('hunter2'), text)
      const [{ id }] = (await agent.get('/chat/completions')).body.data
      const { messages } = (await agent.get(`/chat/completions/${id}`)).body.data
      assert.deepEqual(messages.at(-1).content, 'I must stop.')
      assert.ok(!JSON.stringify(messages).includes('hunter2'))
    }
    service.model.next({ pieces: ['The key', called], finish_reason: 'tool_calls' })
    assert.match((await agent.post('/chat/completions', body)).text, /The key.*hunter2/s)
    const [{ id }] = (await agent.get('/chat/completions')).body.data
    const { messages } = (await agent.get(`/chat/completions/${id}`)).body.data
    assert.deepEqual(messages.at(-1).tool_calls, [call])
  })

  it('sentences that a match spans are replaced or blocked together', async () => {
    const agent = await service.addAgent()
    const evaluator_id = await made(agent, '/evaluators', {
      name: 'two sentences',
      kind: 'regex',
      settings: { pattern: 'code is.\\s+1234' },
    })
    const fields = { on: 'response', action: 'replace', replacement: '[gone]' }
    await made(agent, '/guardrails', { name: 'G', evaluator_id, ...fields })
    const text = 'The code is. 1234 for you. Bye.'
    service.model.next({ text })
    assert.equal((await agent.prompt('x')).choices[0].message.content, '[gone] Bye.')
    service.model.next({ pieces: text.split(/(?<=e)/) })
    assert.equal((await streamed(agent, 'x')).text, '[gone] Bye.')
    await made(agent, '/guardrails', {
      name: 'B',
      evaluator_id,
      on: 'response',
      action: 'block',
      reply: 'No.',
    })
    service.model.next({ pieces: text.split(/(?<=e)/) })
    assert.equal((await streamed(agent, 'x')).text, 'No.')
  })

  for (const [name, evaluator, pieces] of [
    [
      'words over a line end',
      { kind: 'keywords', settings: { words: ['secret code'] } },
      ['The secret\n', 'code is 5. Bye.'],
    ],
    [
      'words over ends of sentences',
      { kind: 'keywords', settings: { words: ['a。b! c'] } },
      ['x a。', 'b! ', 'c.'],
    ],
    [
      'every word of a list',
      { kind: 'keywords', settings: { words: ['red', 'blue'], match: 'all' } },
      ['Red. ', 'Blue. '],
    ],
    [
      'no word of a list',
      { kind: 'keywords', settings: { words: ['fine'] }, invert: true },
      ['Red. ', 'Blue. '],
    ],
    [
      'a pattern over a line end',
      { kind: 'regex', settings: { pattern: 'secret\\s+code' } },
      ['The secret\n', '\n', 'code. '],
    ],
    [
      'a pattern without an end',
      { kind: 'regex', settings: { pattern: 'the [^#]*#' } },
      ['See the one. ', 'Two. ', 'Three # '],
    ],
    [
      'an example over a line end',
      { kind: 'similarity', settings: { examples: ['cancel my subscription'] } },
      ['Cancel my\n', 'subscription\n'],
    ],
    [
      'a name that is introduced later',
      { kind: 'personal_data', settings: {} },
      ['Keller wrote. ', 'My name is Bernd Keller. '],
    ],
    ['the length', { kind: 'length', settings: { min: 10 } }, ['One. ', 'Two. ', 'Three. ']],
    [
      'the language',
      { kind: 'language', settings: { languages: ['de'] } },
      ['Hello there. ', 'Das ist nun wirklich ein langer deutscher Satz, den ich gern geschrieben habe. '],
    ],
    [
      'a condition',
      {
        kind: 'condition',
        settings: { condition: { field: 'response.text', op: 'contains', value: 'three' } },
      },
      ['One. ', 'Two. ', 'Three. '],
    ],
  ] as const)
    it(`of a streamed response that is blocked, nothing has left that it is blocked for: ${name}`, async () => {
      const agent = await service.addAgent()
      const evaluator_id = await made(agent, '/evaluators', { name, ...evaluator })
      await made(agent, '/guardrails', { name, on: 'response', action: 'block', reply: 'No.', evaluator_id })
      service.model.next({ pieces })
      assert.deepEqual(await streamed(agent, 'x'), { text: 'No.', finish_reason: 'content_filter', ctas: [] })
    })

  it('a streamed response leaves as soon as no match can reach into it', async () => {
    const agent = await service.addAgent()
    const blocks = { on: 'response', action: 'block', reply: 'No.' }
    await guardrail(agent, blocks, 'secret code', 'password')
    service.model.next({ pieces: ['Fine. A secret\n', 'place. The secret\n', 'code is 5.'] })
    assert.equal((await streamed(agent, 'x')).text, 'Fine. A secret\nplace. \n\nNo.')
  })

  it('who is asked over the network judges a response once, before any of it leaves', async () => {
    const agent = await service.addAgent()
    await using judge = await startPeer((response, { body }) => {
      response.end(JSON.stringify({ passed: JSON.parse(body).text.includes('hunter2') }))
    })
    const evaluator_id = await made(agent, '/evaluators', {
      name: 'judge',
      kind: 'webhook',
      settings: { url: judge.url },
    })
    const blocks = { evaluator_id, on: 'response', action: 'block', reply: 'No.' }
    for (const name of ['G', 'H']) await made(agent, '/guardrails', { name, ...blocks })
    service.model.next({ pieces: ['Sure. ', 'All is ', 'well. ', 'Bye.'] })
    assert.equal((await streamed(agent, 'x')).text, 'Sure. All is well. Bye.')
    service.model.next({ pieces: ['Sure. ', 'It is ', 'hunter2. ', 'Bye.'] })
    assert.equal((await streamed(agent, 'x')).text, 'No.')
    const judged = ['Sure. All is well. Bye.', 'Sure. It is hunter2. Bye.']
    assert.deepEqual(
      judge.requests.map(({ body }) => JSON.parse(body).text),
      judged,
    )
    // Guardrails that cost nothing come first; when one blocks, the judge is not asked.
    await guardrail(agent, { on: 'response', action: 'block', reply: 'Never.' }, 'bomb')
    service.model.next({ text: 'A bomb.' })
    assert.equal((await agent.prompt('x')).choices[0].message.content, 'Never.')
    assert.equal(judge.requests.length, judged.length)
  })

  it('a guarded stream lets nothing out beside its text: no thoughts, and a refusal as it is guarded', async () => {
    const agent = await service.addAgent()
    const evaluator = { on: 'response', action: 'block', reply: 'I must stop.' }
    await guardrail(agent, evaluator, 'hunter2')
    const body = { messages: [{ role: 'user', content: 'x' }], stream: true }
    service.model.next({ pieces: [{ reasoning_content: 'It is hunter2.' }, 'Hello.'] })
    const thinking = await agent.post('/chat/completions', body)
    assert.ok(thinking.text.includes('Hello.') && !thinking.text.includes('hunter2'), thinking.text)
    service.model.next({ pieces: [{ refusal: 'Not hunter2' }, { refusal: ', no.' }] })
    const refusing = await agent.post('/chat/completions', body)
    assert.ok(refusing.text.includes('I must stop.') && !refusing.text.includes('hunter2'), refusing.text)
    service.model.next({ pieces: [{ refusal: 'I will ' }, { refusal: 'not.' }] })
    assert.match((await agent.post('/chat/completions', body)).text, /"refusal":"I will not\."/)
  })

  it('an evaluator that looked at a response part by part stands once in the evaluations, its guardrail in the events', async () => {
    const agent = await service.addAgent()
    await guardrail(agent, { on: 'response', action: 'replace' }, 'two')
    service.model.next({ pieces: ['One. ', 'Two. ', 'Three. ', 'Two.'] })
    await streamed(agent, 'x')
    const events = await service.eventsOf(agent)
    assert.equal(events.filter((key) => key === 'guardrail_trigger').length, 1)
    const [{ evaluations }] = (await agent.get('/chat/completions')).body.data
    assert.deepEqual(
      evaluations.map(({ passed, content }: Record<string, unknown>) => [passed, content]),
      [[true, 'two']],
    )
  })
})
