import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onBothEngines } from '../support/on-both-engines.ts'
import { spokenIn } from '../support/spoken-in.ts'

const REFUSAL = JSON.stringify({
  error: { message: 'Error rendering the chat template: System role not supported', type: 'BadRequestError' },
})

onBothEngines('a model whose template has no system role', (service) => {
  it('200: the system message becomes the beginning of what the user says, from the first refusal on', async () => {
    const agent = await service.addAgent({ settings: { instructions: 'Be kind.' } })
    await agent.patch('/agent', { model: { url: service.model.url, name: 'gemma' } })
    service.model.next(
      { status: 400, raw: { body: REFUSAL, content_type: 'application/json' } },
      { text: 'Hi.' },
    )
    const { conversation_id, choices } = await agent.prompt('Hello.')
    assert.equal(choices[0].message.content, 'Hi.')
    await agent.prompt('How are you?', { conversation_id })
    assert.deepEqual(
      service.model.requests.slice(0, 1).map(({ body }) => spokenIn(body)),
      [
        [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'Hello.' },
        ],
      ],
    )
    const [refused, ...taken] = service.model.requests.map(({ body }) => body.messages)
    const asked = [refused?.[0]?.content, refused?.[1]?.content].join('\n\n')
    assert.deepEqual(taken[0], [{ role: 'user', content: asked }])
    assert.deepEqual(
      taken[1]?.map(({ role }) => role),
      ['user', 'assistant', 'user'],
    )
    assert.match(String(taken[1]?.[0]?.content), /^Be kind\..*\n\nHello\.$/s)
  })

  it('200: prompts that are refused at the same time are each asked again', async () => {
    const agent = await service.addAgent({ settings: { instructions: 'Be kind.' } })
    await agent.patch('/agent', { model: { url: service.model.url, name: 'gemma' } })
    const both = service.model.request(1)
    service.model.answerFor = ({ messages }) =>
      messages[0]?.role === 'system'
        ? { status: 400, raw: { body: REFUSAL, content_type: 'application/json' }, after: both }
        : { text: 'Hi.' }
    const answers = await Promise.all([agent.prompt('Hello.'), agent.prompt('Hey.')])
    assert.deepEqual(
      answers.map(({ choices }) => choices[0].message.content),
      ['Hi.', 'Hi.'],
    )
  })

  it('502: another refusal is none of the system message', async () => {
    const agent = await service.addAgent({ settings: { instructions: 'Be kind.' } })
    await agent.patch('/agent', { model: { url: service.model.url, name: 'gemma' } })
    service.model.next({ status: 400 }, { text: 'Never said.' })
    const { status } = await agent.post('/chat/completions', {
      messages: [{ role: 'user', content: 'Hello.' }],
    })
    assert.equal(status, 502)
    assert.equal(service.model.requests.length, 1)
  })
})
