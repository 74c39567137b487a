import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sentences } from '../../src/model/phrases/sentences.ts'
import type { TestAgent } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { guardrail } from '../support/on-rules.ts'

interface Listed {
  question: string
  count: number
  reasons: { reason: string; count: number }[]
}

onBothEngines('unanswered questions of agents with a model', (service) => {
  async function addAgent(settings = {}): Promise<TestAgent> {
    const agent = await service.addAgent({ settings })
    const content = 'You may return a kettle within 30 days of delivery.'
    await agent.post('/knowledge', { title: 'Returning a kettle', content })
    return agent
  }

  /** Lists the questions with the count of each reason. */
  async function gaps(agent: TestAgent) {
    const { data } = (await agent.get('/knowledge/unanswered')).body as { data: Listed[] }
    return data.map(({ question, reasons }) => [
      question,
      Object.fromEntries(reasons.map(({ reason, count }) => [reason, count])),
    ])
  }

  async function ask(agent: TestAgent, question: string, text: string, fields = {}) {
    service.model.next({ text })
    return agent.prompt(question, fields)
  }

  const RETURN = 'When may I return a kettle?'
  const MARS = 'Do you deliver to Mars?'

  it('no_passage: nothing fits and nothing is cited; uncited: passages fit and none is cited', async () => {
    const agent = await addAgent()
    await ask(agent, RETURN, 'Within 30 days [1].')
    assert.deepEqual(await gaps(agent), [])
    await ask(agent, MARS, 'I do not know.')
    await ask(agent, RETURN, 'Whenever you like.')
    assert.deepEqual(await gaps(agent), [
      [RETURN, { uncited: 1 }],
      [MARS, { no_passage: 1 }],
    ])
    const stream = { messages: [{ role: 'user', content: MARS }], stream: true }
    service.model.next({ text: 'I do not know.' })
    await agent.post('/chat/completions', stream)
    assert.deepEqual((await gaps(agent))[0], [MARS, { no_passage: 2 }])
  })

  it('uncited: a search of the model found what its question did not', async () => {
    const agent = await addAgent({ search_tool: true })
    // All passages of a small collection would be given, and none searched for.
    for (let other = 0; other < 40; other++)
      await agent.post('/knowledge', { title: `Lamp ${other}`, content: `Lamp ${other} is bright.` })
    const search = { name: 'search_documents', arguments: '{"query":"return a kettle"}' }
    service.model.next(
      { tool_calls: [{ id: 's', type: 'function', function: search }] },
      { text: 'I do not know.' },
    )
    await agent.prompt('Can my samovar go home?')
    assert.deepEqual(await gaps(agent), [['Can my samovar go home?', { uncited: 1 }]])
  })

  it('small talk, messages without a subject, JSON and agents without documents are not noted', async () => {
    const agent = await addAgent()
    await ask(agent, 'Thank you!', 'You are welcome.')
    await ask(agent, 'Can you say it again?', 'Yes.')
    await ask(agent, MARS, '{"answer":"no"}', { response_format: { type: 'json_object' } })
    assert.deepEqual(await gaps(agent), [])
    const bare = await service.addAgent()
    await ask(bare, MARS, 'No.')
    assert.deepEqual(await gaps(bare), [])
  })

  it('answers from the results of tools are not noted', async () => {
    const agent = await addAgent()
    const call = { id: 'c', type: 'function' as const, function: { name: 'planets', arguments: '{}' } }
    const tools = [{ type: 'function', function: { name: 'planets', parameters: { type: 'object' } } }]
    service.model.next({ tool_calls: [call] })
    const { conversation_id } = await agent.prompt(MARS, { tools })
    service.model.next({ text: 'Yes, we do.' })
    const messages = [
      { role: 'user', content: MARS },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: 'Mars' },
    ]
    await agent.post('/chat/completions', { messages, conversation_id, tools })
    assert.deepEqual(await gaps(agent), [])
  })

  it('what a guardrail blocks and what a paused agent is asked are not noted, disliked or not', async () => {
    const agent = await addAgent()
    await guardrail(agent, { on: 'response', action: 'block', reply: 'No.' }, 'secret')
    const blocked = await ask(agent, MARS, 'This is secret.')
    await agent.post(`/chat/completions/${blocked.id}/like`, { liked: false })
    await agent.post('/pause')
    const paused = await agent.prompt(MARS)
    await agent.post(`/chat/completions/${paused.id}/like`, { liked: false })
    assert.deepEqual(await gaps(agent), [])
  })

  it('disliked: noted at once, taken back with the dislike', async () => {
    const agent = await addAgent()
    const { id } = await ask(agent, RETURN, 'Within 30 days [1].')
    const like = (liked: boolean | null) => agent.post(`/chat/completions/${id}/like`, { liked })
    await like(false)
    assert.deepEqual(await gaps(agent), [[RETURN, { disliked: 1 }]])
    await like(false)
    assert.deepEqual(await gaps(agent), [[RETURN, { disliked: 1 }]])
    await like(true)
    assert.deepEqual(await gaps(agent), [])
    const uncited = await ask(agent, RETURN, 'Soon.')
    await agent.post(`/chat/completions/${uncited.id}/like`, { liked: false })
    assert.deepEqual(await gaps(agent), [[RETURN, { uncited: 1, disliked: 1 }]])
    await agent.post(`/chat/completions/${uncited.id}/like`, { liked: null })
    assert.deepEqual(await gaps(agent), [[RETURN, { uncited: 1 }]])
  })

  for (const [words, language] of [
    ['yes please', 'en'],
    ['sí, por favor', 'es'],
    ['はい、お願いします', 'ja'],
    ['نعم من فضلك', 'ar'],
    ['You are useless, I want to speak to your manager', 'en'],
  ] as const)
    it(`handed_off: "${words}" is no question, the one before it is`, async () => {
      const agent = await addAgent({ language })
      const { conversation_id } = await ask(agent, RETURN, `Within 30 days [1]. ${sentences[language].offer}`)
      await ask(agent, words, 'A person will answer.', { conversation_id })
      assert.deepEqual(await gaps(agent), [[RETURN, { handed_off: 1 }]])
    })

  it('a bare refusal is no question', async () => {
    const agent = await addAgent()
    for (const words of ['No.', 'nein', 'いいえ', 'لا']) {
      const { id } = await ask(agent, words, 'All right.')
      await agent.post(`/chat/completions/${id}/like`, { liked: false })
    }
    assert.deepEqual(await gaps(agent), [])
  })

  it('handed_off: the wish stays when the model breaks off', async () => {
    const agent = await addAgent()
    const { conversation_id } = await ask(agent, RETURN, 'Within 30 days [1].')
    service.model.next({ text: 'A person will', ending: 'cut' })
    const messages = [{ role: 'user', content: 'I want to speak to a person.' }]
    await agent.post('/chat/completions', { messages, conversation_id, stream: true })
    assert.equal((await agent.get('/inbox')).body.data[0].waiting_reason, 'asked')
    assert.deepEqual(await gaps(agent), [[RETURN, { handed_off: 1 }]])
  })

  it('a dislike and a wish for a person at the same time are both noted, of one question', async () => {
    const agent = await addAgent()
    const questions = [RETURN, 'May I return a mug?', 'Who pays for returning a toaster?']
    for (const question of questions) {
      const { id, conversation_id } = await ask(agent, question, 'Within 30 days [1].')
      await Promise.all([
        agent.post(`/chat/completions/${id}/like`, { liked: false }),
        agent.post(`/conversations/${conversation_id}/wait`),
      ])
    }
    const { data } = (await agent.get('/knowledge/unanswered')).body
    const both = ['disliked', 'handed_off']
    assert.deepEqual(
      data.map(({ count, reasons, examples }: { count: number; reasons: object; examples: Listed[] }) => [
        ...[count, reasons],
        examples.map(({ reasons }) => reasons),
      ]),
      questions.map(() => [1, both.map((reason) => ({ reason, count: 1 })), [both]]),
    )
  })

  it('handed_off: the model asks for a person', async () => {
    const agent = await addAgent({ handoff: true })
    const call = { id: 'c', type: 'function' as const, function: { name: 'request_person', arguments: '{}' } }
    service.model.next({ tool_calls: [call] })
    await ask(agent, MARS, 'A person will answer.')
    assert.deepEqual(await gaps(agent), [[MARS, { no_passage: 1, handed_off: 1 }]])
  })

  it('handed_off: a person is asked for or answers; counts the question once, and no small talk after it', async () => {
    const agent = await addAgent()
    const { conversation_id } = await ask(agent, RETURN, 'Within 30 days [1].')
    await ask(agent, 'Thanks!', 'You are welcome.', { conversation_id })
    assert.deepEqual(await gaps(agent), [])
    await agent.post(`/conversations/${conversation_id}/wait`)
    assert.deepEqual(await gaps(agent), [[RETURN, { handed_off: 1 }]])
    await agent.post(`/conversations/${conversation_id}/messages`, { content: 'We make an exception.' })
    await agent.prompt('May I return the lid too?', { conversation_id })
    await agent.post(`/conversations/${conversation_id}/messages`, { content: 'Yes.' })
    assert.deepEqual(await gaps(agent), [[RETURN, { handed_off: 1 }]])
  })
})
