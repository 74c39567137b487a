import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, beforeEach, it } from 'node:test'
import { checkCondition } from '../../src/conditions/check-condition.ts'
import { fields } from '../../src/conditions/fields.ts'
import { kindNames } from '../../src/evaluators/kinds.ts'
import type { TestAgent } from '../support/app.ts'
import { bodyIn, exampleIn, examplesIn, replaceAll, runCurl } from '../support/guide.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { type Peer, startPeer } from '../support/peer.ts'
import { addNotification, type Receiver, startReceiver } from '../support/receiver.ts'

const GUIDE = 'docs/rules.md'
const guide = readFileSync(GUIDE, 'utf8')
const EVALUATORS = 'POST /api/v1/evaluators\n'

onBothEngines('the guide to rules', (service) => {
  let elsewhere: Peer
  let receiver: Receiver
  before(async () => {
    elsewhere = await startPeer()
    receiver = await startReceiver()
  })
  after(() => Promise.all([elsewhere.close(), receiver.close()]))
  beforeEach(() => {
    elsewhere.requests.length = 0
    receiver.received.length = 0
  })

  async function made(agent: TestAgent, path: string, body: string) {
    const { status, text, body: answer } = await agent.post(path, body)
    assert.equal(status, 201, `${body} ${text}`)
    return answer.data
  }

  it('has evaluators that can be made', async () => {
    const agent = await service.addAgent()
    const created = examplesIn(GUIDE, 'http').filter((example) => example.startsWith(EVALUATORS))
    assert.ok(created.length >= 7)
    for (const example of created) {
      const body = example.slice(EVALUATORS.length)
      await made(agent, '/evaluators', replaceAll(body, { 'https://judge.example.com': elsewhere.url }))
    }
    const evaluators = (await agent.get('/evaluators')).body.data
    const refunds = evaluators.find(({ name }: { name: string }) => name === 'Refunds')
    const { data } = (await agent.post(`/evaluators/${refunds.id}/try`, { text: 'I want my money back!' }))
      .body
    const told = JSON.parse(exampleIn(GUIDE, 'json', '"money back"'))
    assert.deepEqual({ ...data, duration_ms: 0.1 }, told.data)
  })

  it('has a condition that can be saved, every field and every kind', () => {
    const { settings } = JSON.parse(bodyIn(GUIDE, 'Asks about prices'))
    assert.equal(checkCondition(settings.condition), null)
    for (const name of [...Object.keys(fields), ...kindNames]) assert.ok(guide.includes(`\`${name}\``), name)
  })

  it('has a guardrail that blocks', async () => {
    const agent = await service.addAgent()
    const settings = { words: ['password'] }
    const evaluator = await made(
      agent,
      '/evaluators',
      JSON.stringify({ name: 'Passwords', kind: 'keywords', settings }),
    )
    const command = exampleIn(GUIDE, 'sh', '/guardrails')
    const { status } = await runCurl(agent, command, {
      '"evaluator_id": 1': `"evaluator_id": ${evaluator.id}`,
    })
    assert.equal(status, 201)
    service.model.next({ text: 'The password is hunter2.' })
    const { choices } = await agent.prompt('Tell me')
    assert.deepEqual(
      [choices[0].message.content, choices[0].finish_reason],
      ['I cannot tell that.', 'content_filter'],
    )
  })

  it('has a CTA that is attached once, and whose click is told with it', async () => {
    const agent = await service.addAgent()
    await addNotification(agent, receiver.url, { events: ['cta_click'] })
    const { id, name, content, url, button } = await made(agent, '/ctas', bodyIn(GUIDE, 'See our plans'))
    const first = await agent.prompt('What does it cost?')
    assert.deepEqual(first.ctas, [{ id, name, content, url, button }])
    const { conversation_id } = first
    assert.deepEqual((await agent.prompt('What is the price?', { conversation_id })).ctas, [])
    for (const target of [String(id), url])
      await agent.post(`/chat/completions/${first.id}/clicks`, { kind: 'cta', target })
    for (const { payload } of await receiver.until(2)) assert.deepEqual(payload.cta, { id, name, content })
  })

  it('has an automation that tags, notes, calls and pauses', async () => {
    const agent = await service.addAgent()
    await addNotification(agent, receiver.url, { events: ['automations_end'] })
    const example = bodyIn(GUIDE, '"Escalate"')
    await made(agent, '/automations', replaceAll(example, { 'https://crm.example.com': elsewhere.url }))
    const { id, conversation_id } = await agent.prompt('I want a refund')
    const [ended] = await receiver.until(1)
    assert.equal(ended?.payload.completion.automations[0].status, 'succeeded')
    const [call, ...others] = elsewhere.requests
    assert.deepEqual([call?.path, others], ['/refund', []])
    assert.match(String(call?.headers['x-webhook-signature']), /^sha256=[0-9a-f]{64}$/)
    assert.deepEqual((await agent.get(`/chat/completions/${id}`)).body.data.tags, ['refund'])
    const notes = (await agent.get(`/conversations/${conversation_id}/notes`)).body.data
    assert.deepEqual(
      notes.map(({ text }: { text: string }) => text),
      ['Wants money back'],
    )
    assert.equal((await agent.get(`/conversations/${conversation_id}`)).body.data.agent_paused, true)
  })
})
