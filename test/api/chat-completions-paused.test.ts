import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TestAgent } from '../support/app.ts'
import { openStream, readToEnd, readWholeStream } from '../support/event-stream.ts'
import { holdJudge } from '../support/hold-judge.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { spokenIn } from '../support/spoken-in.ts'

const say = (content: string, fields = {}) => ({ messages: [{ role: 'user', content }], ...fields })
const settings = { pause_message: 'Paused.' }

onBothEngines('POST /chat/completions while the agent is paused', (service) => {
  const pauses: Record<string, (agent: TestAgent) => Promise<unknown>> = {
    everywhere: (agent) => agent.post('/pause'),
    'in the conversation': (agent) => agent.post('/conversations/ext/pause'),
  }

  for (const [where, pause] of Object.entries(pauses)) {
    it(`200: paused ${where}: the pause message, and no model is asked`, async () => {
      const agent = await service.addAgent({ settings })
      await agent.prompt('hello', { external_id: 'ext' })
      await pause(agent)
      service.model.reset()
      const answer = await agent.prompt('still there?', { external_id: 'ext' })
      assert.equal(answer.agent_paused, true)
      assert.equal(answer.choices[0].message.content, 'Paused.')
      assert.equal(answer.choices[0].finish_reason, 'stop')
      const streamed = await readWholeStream(agent, say('and now?', { external_id: 'ext' }))
      assert.deepEqual([streamed.text, streamed.done], ['Paused.', true])
      assert.equal(streamed.chunks.at(-1)?.agent_paused, true)
      assert.equal(streamed.chunks.at(-1)?.choices[0]?.finish_reason, 'stop')
      assert.equal(service.model.requests.length, 0)
      const { data } = (await agent.get(`/chat/completions/${answer.id}`)).body
      assert.deepEqual([data.prompt, data.response, data.agent_paused], ['still there?', 'Paused.', true])
      assert.deepEqual(
        data.messages.map(({ role }: { role: string }) => role),
        ['user', 'transition'],
      )
      assert.equal((await service.eventsOf(agent)).filter((key) => key === 'prompt_submit').length, 3)
    })

    it(`200: a pause ${where} that comes while the answer is being made stops it: nothing is sent`, async () => {
      const agent = await service.addAgent({ settings })
      await agent.prompt('hello', { external_id: 'ext' })
      service.model.reset()
      service.model.next({ hang: true })
      const answering = agent.prompt('tell me', { external_id: 'ext' })
      await service.model.request(0)
      await pause(agent)
      await service.model.aborted()
      const answer = await answering
      assert.equal(answer.agent_paused, true)
      assert.equal(answer.choices[0].message.content, 'Paused.')
      const { data } = (await agent.get(`/chat/completions/${answer.id}`)).body
      assert.deepEqual([data.response, data.finish_reason, data.agent_paused], [null, 'cancelled', true])
    })

    it(`200: a pause ${where} that comes when the answer is made: stored, not sent`, async () => {
      const agent = await service.addAgent({ settings })
      await agent.prompt('hello', { external_id: 'ext' })
      await using judge = await holdJudge()
      const evaluator_id = await judge.addTo(agent)
      assert.equal((await agent.post('/ctas', { name: 'C', content: 'Look', evaluator_id })).status, 201)
      service.model.next({ text: 'The answer.' })
      const answering = agent.prompt('tell me', { external_id: 'ext' })
      await judge.asked
      await pause(agent)
      const answer = await answering
      assert.equal(answer.agent_paused, true)
      assert.equal(answer.choices[0].message.content, 'Paused.')
      assert.ok(!JSON.stringify(answer).includes('The answer.'))
      const { data } = (await agent.get(`/chat/completions/${answer.id}`)).body
      assert.deepEqual([data.response, data.finish_reason, data.agent_paused], ['The answer.', 'stop', true])
    })
  }

  it('200: a pause in the middle of a stream ends it, and what was said is kept', async () => {
    const agent = await service.addAgent({ settings })
    const feed = service.model.feed()
    feed.push('begun')
    const stream = await openStream(agent, say('tell me'))
    let text = ''
    while (text !== 'begun') text += JSON.parse((await stream.next()) ?? '').choices[0].delta.content ?? ''
    await agent.post('/pause')
    const rest = await readToEnd(stream)
    assert.equal(rest.at(-1), '[DONE]')
    const last = JSON.parse(rest.at(-2) ?? '')
    assert.deepEqual([last.choices[0].finish_reason, last.agent_paused], ['stop', true])
    const { data } = (await agent.get(`/chat/completions/${last.id}`)).body
    assert.deepEqual([data.response, data.finish_reason], ['begun', 'cancelled'])
  })

  it('200: a pause before the first word of a stream ends it with the pause message', async () => {
    const agent = await service.addAgent({ settings })
    service.model.feed()
    const { length } = service.model.requests
    const opening = openStream(agent, say('tell me'))
    await service.model.request(length)
    await agent.post('/pause')
    const rest = (await readToEnd(await opening)).slice(0, -1).map((data) => JSON.parse(data))
    assert.equal(rest.map(({ choices }) => choices[0].delta.content ?? '').join(''), 'Paused.')
    assert.equal(rest.at(-1).agent_paused, true)
  })

  it('200: every prompt is answered with the pause message, and the model reads it once a pause', async () => {
    const agent = await service.addAgent({ settings })
    await agent.prompt('hello', { external_id: 'ext' })
    await agent.post('/pause')
    for (const text of ['one', 'two', 'three'])
      assert.equal((await agent.prompt(text, { external_id: 'ext' })).choices[0].message.content, 'Paused.')
    await agent.post('/resume')
    await agent.prompt('four', { external_id: 'ext' })
    const messages = spokenIn(service.model.requests.at(-1)?.body).filter(({ role }) => role !== 'system')
    assert.deepEqual(
      messages?.map(({ content }) => content),
      ['hello', 'hello\n\n[Notice] Paused.', 'one\n\ntwo\n\nthree\n\nfour'],
    )
  })

  it('200: without a pause message the reply is empty', async () => {
    const agent = await service.addAgent({ settings: { pause_message: null } })
    await agent.post('/pause')
    const answer = await agent.prompt('hello')
    assert.deepEqual([answer.agent_paused, answer.choices[0].message.content], [true, ''])
  })

  it('200: after the resume the model answers again', async () => {
    const agent = await service.addAgent({ settings })
    await agent.post('/pause')
    await agent.prompt('one', { external_id: 'ext' })
    await agent.post('/resume')
    const answer = await agent.prompt('two', { external_id: 'ext' })
    assert.deepEqual([answer.agent_paused, answer.choices[0].message.content], [false, 'two'])
  })
})
