import assert from 'node:assert/strict'
import { it } from 'node:test'
import { automationsEnd, guardrail, made, onRules, streamed } from '../../support/on-rules.ts'
import { spokenIn } from '../../support/spoken-in.ts'

onRules('guardrails on responses', (service) => {
  it('a response is blocked, in one piece and streamed, with the word split over pieces', async () => {
    const agent = await service.addAgent()
    await guardrail(agent, { on: 'response', action: 'block', reply: 'I must stop.' }, 'password')
    service.model.next({ text: 'Sure. The password is hunter2. Enjoy.' })
    const whole = await agent.prompt('tell me')
    assert.equal(whole.choices[0].message.content, 'I must stop.')
    assert.equal(whole.choices[0].finish_reason, 'content_filter')
    service.model.next({ pieces: ['Sure, I', ' can. The pass', 'wo', 'rd is hunter2. ', 'Enjoy.'] })
    const stream = await streamed(agent, 'tell me')
    assert.equal(stream.text, 'Sure, I can. \n\nI must stop.')
    assert.equal(stream.finish_reason, 'content_filter')
    const { body } = await agent.get('/chat/completions')
    for (const { response } of body.data) assert.ok(!response.includes('hunter2'))
  })

  it('a response is blocked with all that came beside it, and a refusal as well', async () => {
    const agent = await service.addAgent()
    await guardrail(agent, { on: 'response', action: 'block', reply: 'I must stop.' }, 'password')
    await made(agent, '/knowledge', { title: 'Keys', content: 'The password is hunter2.' })
    const call = { id: 'call_1', type: 'function', function: { name: 'open', arguments: '{"by":"hunter2"}' } }
    const cited = { url: 'https://example.com/', title: 'Keys', content: 'hunter2' }
    for (const message of [
      { content: 'The password is hunter2.' },
      { content: 'The password!', tool_calls: [call] },
      { content: 'The password!', annotations: [{ type: 'url_citation', url_citation: cited }] },
      { content: null, refusal: 'No password, not hunter2.' },
    ]) {
      const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
      service.model.next({ raw: { body, content_type: 'application/json' } })
      const answer = await agent.prompt('What is the password?')
      assert.deepEqual(answer.choices[0].message, {
        role: 'assistant',
        content: 'I must stop.',
        refusal: null,
        annotations: [],
      })
      assert.equal(answer.choices[0].finish_reason, 'content_filter')
      assert.deepEqual(answer.citations, [])
    }
  })

  it('of a guarded response in one piece, nothing leaves that was not looked at', async () => {
    const agent = await service.addAgent()
    await guardrail(agent, { on: 'response', action: 'replace', replacement: '[gone]' }, 'rival')
    await guardrail(agent, { on: 'response', action: 'block', reply: 'I must stop.' }, 'hunter2')
    const said = async (message: object) => {
      const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
      service.model.next({ raw: { body, content_type: 'application/json' } })
      const { content, refusal } = (await agent.prompt('x')).choices[0].message
      return [content, refusal]
    }
    const thought = { type: 'thinking', thinking: [{ type: 'text', text: 'It is hunter2.' }] }
    const text = { type: 'text', text: 'Hello.', note: 'hunter2' }
    assert.deepEqual(await said({ content: [thought, text] }), ['Hello.', null])
    assert.match((await said({ content: [thought] }))[0], /^I could not finish this/)
    assert.deepEqual(await said({ content: 'Well.', refusal: 'No hunter2.' }), ['I must stop.', null])
    assert.deepEqual(await said({ content: 'Well.', refusal: 'I will not.' }), ['Well.', 'I will not.'])
    assert.deepEqual(await said({ content: null, refusal: 'Ask a rival.' }), [null, '[gone]'])
    assert.deepEqual(await said({ content: 'Well.', refusal: 'Ask a rival.' }), ['Well.\n[gone]', null])
    const { body } = await agent.get('/chat/completions')
    for (const { response } of body.data) assert.ok(!response.includes('hunter2'))
  })

  it('a refusal is the response that flags, CTAs and conditions see', async () => {
    const agent = await service.addAgent()
    await guardrail(agent, { on: 'response', action: 'flag' }, 'refuse')
    const condition = { field: 'response.text', op: 'contains', value: 'refuse' }
    await made(agent, '/ctas', { name: 'Help', content: 'Ask us', url: 'https://example.com/', condition })
    await made(agent, '/automations', { name: 'T', condition, actions: [{ type: 'tag', tag: 'refused' }] })
    const message = { content: null, refusal: 'I refuse.' }
    const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
    service.model.next({ raw: { body, content_type: 'application/json' } })
    const { id, ctas } = await agent.prompt('x')
    assert.equal((ctas as unknown[]).length, 1)
    assert.equal((await automationsEnd(service, agent, id)).length, 1)
    const { evaluations } = (await agent.get(`/chat/completions/${id}`)).body.data
    assert.deepEqual([evaluations[0].subject, evaluations[0].passed], ['response', true])
    assert.ok((await service.eventsOf(agent)).includes('guardrail_trigger'))
  })

  it('a sentence of a response is replaced', async () => {
    const agent = await service.addAgent()
    await guardrail(agent, { on: 'response', action: 'replace', replacement: '[gone]' }, 'competitor')
    const text = 'We are good. A competitor is better. Buy here.'
    service.model.next({ text })
    assert.equal((await agent.prompt('x')).choices[0].message.content, 'We are good. [gone] Buy here.')
    service.model.next({ pieces: text.split(/(?<=e)/) })
    assert.equal((await streamed(agent, 'x')).text, 'We are good. [gone] Buy here.')
  })

  it('flag changes nothing but what is recorded', async () => {
    const agent = await service.addAgent()
    await guardrail(agent, { on: 'response', action: 'flag' }, 'angry')
    const answer = await agent.prompt('I am angry')
    assert.equal(answer.choices[0].message.content, 'I am angry')
    await guardrail(agent, { on: 'prompt', action: 'flag' }, 'angry')
    await agent.prompt('So am I, and angry')
    assert.equal(spokenIn(service.model.requests.at(-1)?.body).at(-1)?.content, 'So am I, and angry')
    const { data } = (await agent.get(`/chat/completions/${answer.id}`)).body
    assert.equal(data.evaluations[0].subject, 'response')
  })

  it('a condition that two guardrails ask is judged by what is known when each does', async () => {
    const agent = await service.addAgent()
    const condition = { field: 'finish_reason', op: 'eq', value: 'stop' }
    const evaluator = { name: 'E', kind: 'condition', settings: { condition } }
    const evaluator_id = await made(agent, '/evaluators', evaluator)
    for (const action of ['flag', 'block'])
      await made(agent, '/guardrails', { name: action, evaluator_id, on: 'response', action })
    await agent.prompt('hello')
    assert.equal((await service.eventsOf(agent)).filter((key) => key === 'guardrail_trigger').length, 1)
  })
})
