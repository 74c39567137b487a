import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { AgentSettings } from '../../src/agents/settings.ts'
import type { TestAgent } from '../support/app.ts'
import type { Answer, RequestBody } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { guardrail } from '../support/on-rules.ts'

const REWRITES = /^You write queries/

const isRewrite = ({ messages }: RequestBody) => REWRITES.test(String(messages[0]?.content))

onBothEngines('questions put into queries', (service) => {
  /** Adds more documents than a model is given at once. */
  async function informed(settings: Partial<AgentSettings> = {}): Promise<TestAgent> {
    const agent = await service.addAgent({ settings: { context_tokens: 1000, ...settings } })
    const long = 'Spare parts fit many of the older kettles. '.repeat(22)
    const texts = [
      'The premium plan of the kettle club costs 9 euros a month.',
      'Kettles ship to France.',
      long,
    ]
    for (const [nth, content] of texts.entries())
      assert.equal((await agent.post('/knowledge', { title: `Page ${nth}`, content })).status, 201)
    return agent
  }

  /** Answers requests for queries in one way, and all others with a word. */
  function rewriting(answer: Answer) {
    service.model.answerFor = (body) => (isRewrite(body) ? answer : { text: 'Fine.' })
  }

  const rewrites = () => service.model.requests.filter(({ body }) => isRewrite(body))
  const lastPrompt = () => JSON.stringify(service.model.requests.at(-1)?.body.messages)
  const usageOf = async (agent: TestAgent) =>
    (await agent.get('/usage')).body.data.map(({ kind, calls }: { kind: string; calls: number }) => [
      kind,
      calls,
    ])

  it('are searched for by these, once for the same conversation, and counted', async () => {
    const agent = await informed({ rewrite: 'on', search_tool: false })
    rewriting({ text: '1. "price of the premium plan"\n' })
    const ask = async (external_id: string) => {
      await agent.prompt('Tell me about the premium plan of the kettle club', { external_id })
      await agent.prompt('is it free?', { external_id })
    }
    await ask('one')
    assert.equal(rewrites().length, 1)
    const { messages = [], temperature, max_tokens, tools }: Partial<RequestBody> = rewrites()[0]?.body ?? {}
    assert.match(String(messages[0]?.content), /all in English\./)
    assert.match(String(messages[1]?.content), /User: Tell me .*\nAssistant: Fine\.\nUser: is it free\?/s)
    assert.match(String(messages[1]?.content), /Page 0/)
    assert.deepEqual([temperature, max_tokens, tools], [0, 400, undefined])
    assert.match(lastPrompt(), /\[1\] Page 0\\nThe premium plan/)
    await ask('two')
    assert.equal(rewrites().length, 1, 'the same end of a conversation')
    assert.deepEqual(await usageOf(agent), [
      ['answer', 4],
      ['rewrite', 1],
    ])
  })

  it('are those that another language asks, not those that stand by themselves', async () => {
    const agent = await informed({ rewrite: 'on', search_tool: false })
    rewriting({ text: '- ship to France\n- delivery abroad' })
    for (const plain of ['Thank you!', 'How much does the premium plan cost per month?'])
      await agent.prompt(plain)
    assert.equal(rewrites().length, 0)
    await agent.prompt('Könnt ihr mir bitte auch etwas nach Paris liefern?')
    assert.equal(rewrites().length, 1)
    assert.match(lastPrompt(), /\[1\] Page 1\\nKettles ship to France/)
  })

  it('are searched for as they stand after a failure, as the trace says', async () => {
    const agent = await informed({ rewrite: 'on', search_tool: false })
    const question = 'Was kostet der Versand von Ersatzteilen?'
    const tried = async (said: string) => {
      const { body, text } = await agent.post('/playground', { messages: [{ role: 'user', content: said }] })
      assert.equal(body?.data.response, 'Fine.', text)
      return body.data.trace.rewrite && { ...body.data.trace.rewrite, ms: 0 }
    }
    rewriting({ text: ' \n- \n' })
    assert.deepEqual(await tried(question), { queries: [], failure: 'empty', ms: 0 })
    rewriting({ text: 'shipping of spare parts' })
    assert.deepEqual(await tried(question), { queries: ['shipping of spare parts'], failure: null, ms: 0 })
    rewriting({ status: 500 })
    assert.deepEqual(await tried(`${question} Danke`), { queries: [], failure: 'failed', ms: 0 })
    assert.deepEqual(await tried(`${question} Bitte`), { queries: [], failure: 'resting', ms: 0 })
    assert.equal(await tried('How much is the premium plan of the kettle club?'), null)
  })

  it('are so by default for a model that has refused tools, and for no other', async () => {
    const agent = await informed({ context_tokens: 16_000 })
    const other = 'Was kostet der Versand von Ersatzteilen?'
    rewriting({ text: 'shipping' })
    await agent.prompt(other)
    assert.equal(rewrites().length, 0)
    service.model.answerFor = (body) => {
      if (body.tools) return { status: 400 }
      return { text: isRewrite(body) ? 'shipping' : 'Fine.' }
    }
    await agent.prompt(other)
    assert.equal(rewrites().length, 0)
    await agent.prompt(other)
    assert.equal(rewrites().length, 1)
    await agent.patch('/agent', { rewrite: 'off' })
    await agent.prompt(`${other} Danke`)
    assert.equal(rewrites().length, 1)
  })

  it('are what the model may read, not what a guardrail replaced', async () => {
    const agent = await informed({ rewrite: 'on', search_tool: false })
    rewriting({ text: 'shipping' })
    const question = 'Meine Nummer ist geheim-4711, was kostet der Versand von Ersatzteilen?'
    const replacement = 'Was kostet der Versand von Ersatzteilen?'
    await guardrail(agent, { on: 'prompt', action: 'replace', replacement }, 'geheim-4711')
    await agent.prompt(question)
    assert.equal(rewrites().length, 1)
    assert.ok(!JSON.stringify(service.model.requests).includes('geheim-4711'))
  })
})
