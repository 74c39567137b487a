import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import type { TestAgent } from '../../support/app.ts'
import { addDataset, runOf } from '../../support/datasets.ts'
import { type Answer, type RequestBody, startModelServer } from '../../support/model-server.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'
import { startPeer } from '../../support/peer.ts'
import { spokenIn } from '../../support/spoken-in.ts'

const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 }

const isCustomer = ({ messages }: RequestBody) =>
  String(messages[0]?.content).startsWith('You play a customer')

const dialogueOf = async (agent: TestAgent, run: { id: number }, caseId?: number) => {
  const { body, text } = await agent.get(`/runs/${run.id}/cases/${caseId}`)
  assert.ok(body.data, text)
  return body.data.repeats[0].dialogue.map(({ customer, agent, tools }: Record<string, unknown>) => ({
    customer,
    agent,
    tools,
  }))
}

onBothEngines('a customer in a test run', (service) => {
  /** Answers as the agent and as the customer, each with its next answer. */
  function plays(agent: Answer[], customer: Answer[] = []): void {
    const left = { agent: [...agent], customer: [...customer] }
    service.model.answerFor = (body) => left[isCustomer(body) ? 'customer' : 'agent'].shift() ?? { text: '…' }
  }

  it('says its messages in turn; expectations hold of any answer, or of the last one', async () => {
    const agent = await service.addAgent()
    const expectations = [
      { kind: 'contains', value: 'order number' },
      { kind: 'not_contains', value: 'sorry' },
      { kind: 'contains', value: 'Tuesday', answer: 'last' },
      { kind: 'not_contains', value: 'order number', answer: 'last' },
      { kind: 'turns', value: 2 },
      { kind: 'asked_person', value: false },
    ]
    const customer = { says: ['Where is my order?', '104233'] }
    const { id, cases } = await addDataset(agent, [{ customer, expectations }])
    plays([{ text: 'What is the order number?' }, { text: 'It comes on Tuesday.' }])
    const run = await runOf(agent, id)
    assert.deepEqual(run.results[0].failures, [])
    assert.deepEqual([run.results[0].prompt, run.results[0].turns], ['Where is my order?', 2])
    assert.equal(run.results[0].response, 'It comes on Tuesday.')
    assert.deepEqual(await dialogueOf(agent, run, cases[0]), [
      { customer: 'Where is my order?', agent: 'What is the order number?', tools: [] },
      { customer: '104233', agent: 'It comes on Tuesday.', tools: [] },
    ])
    assert.deepEqual(spokenIn(service.model.requests.at(-1)?.body), [
      { role: 'user', content: 'Where is my order?' },
      { role: 'assistant', content: 'What is the order number?' },
      { role: 'user', content: '104233' },
    ])
    const { passed, results } = await runOf(agent, id)
    assert.equal(passed, 0)
    assert.deepEqual(
      results[0].failures.map(({ code }: { code: string }) => code),
      ['not_contained', 'not_contained'],
    )
  })

  it('a model sees the same of a conversation in a run as of one that is stored, tools and guardrails included', async () => {
    await using peer = await startPeer((response) => response.end('{"arrives":"Tuesday"}'))
    const agent = await service.addAgent({ settings: { instructions: 'Be short.', handoff: true } })
    await agent.post('/tools', {
      ...{ kind: 'http', name: 'find_order', description: 'Finds an order.', requires: 'none' },
      parameters: { type: 'object', properties: { number: { type: 'string' } } },
      url: `${peer.url}/orders/{number}`,
    })
    const words = await agent.post('/evaluators', {
      ...{ name: 'Cards', kind: 'keywords', settings: { words: ['4242'] } },
    })
    await agent.post('/guardrails', {
      ...{ name: 'G', on: 'prompt', evaluator_id: words.body.data.id, action: 'replace' },
      replacement: '(a card number)',
    })
    const says = [
      'Where is order 7?',
      'My card is 4242',
      'I cannot go on like this',
      '[Person] hello',
      'and now?',
    ]
    const find = {
      id: 'call00001',
      type: 'function' as const,
      function: { name: 'find_order', arguments: '{"number":"7"}' },
    }
    const person = { ...find, id: 'call00002', function: { name: 'request_person', arguments: '{}' } }
    const agentSays: Answer[] = [
      { tool_calls: [find] },
      { text: 'On Tuesday.' },
      { text: 'Thank you.' },
      { tool_calls: [person] },
      { text: 'Somebody comes.' },
      { text: '[Person] I am one' },
      { text: 'The end.' },
    ]
    const tool_results = [{ name: 'find_order', result: '{"arrives":"Tuesday"}' }]
    const expectations = [
      { kind: 'asked_person', value: true },
      { kind: 'tool', value: 'find_order' },
    ]
    const { id } = await addDataset(agent, [{ customer: { says }, tool_results, expectations }])
    const toldIn = async (work: () => Promise<void>) => {
      plays(agentSays)
      const from = service.model.requests.length
      await work()
      return service.model.requests.slice(from).map(({ body }) =>
        // Codes of borders are random, and one of the two may begin a minute later.
        JSON.parse(
          JSON.stringify(body.messages)
            .replaceAll(/\b[0-9a-f]{16}\b/g, 'CODE')
            .replaceAll(/(Now: \w+, \d+ \w+ \d+ at) \d\d:\d\d/g, '$1 TIME'),
        ),
      )
    }
    const inRun = await toldIn(async () => {
      assert.deepEqual((await runOf(agent, id)).results[0].failures, [])
    })
    const stored = await toldIn(async () => {
      let conversation_id: string | undefined
      for (const text of says)
        conversation_id = (await agent.prompt(text, conversation_id ? { conversation_id } : {}))
          .conversation_id
    })
    assert.equal(inRun.length, agentSays.length)
    assert.deepEqual(inRun, stored)
  })

  it('a model plays it with goal and facts, until it is done; its calls are counted by themselves', async () => {
    const prices = { 'test-model': { input: 1000, output: 1000 } }
    const agent = await service.addAgent({ settings: { prices } })
    const customer = { goal: 'Return the kettle', facts: { 'Order number': '104233' }, model: true }
    const expectations = [
      { kind: 'turns', value: 2 },
      { kind: 'contains', value: '30 days' },
    ]
    const { id, cases } = await addDataset(agent, [{ customer, expectations }])
    plays(
      [
        { text: 'Which order?', usage },
        { text: 'Within 30 days.', usage },
      ],
      [
        { text: 'I want to return my kettle.', usage },
        { text: '104233', usage },
        { text: '[DONE]', usage },
      ],
    )
    const run = await runOf(agent, id)
    assert.deepEqual(run.results[0].failures, [])
    assert.equal(run.results[0].prompt, 'Return the kettle')
    assert.deepEqual(await dialogueOf(agent, run, cases[0]), [
      { customer: 'I want to return my kettle.', agent: 'Which order?', tools: [] },
      { customer: '104233', agent: 'Within 30 days.', tools: [] },
    ])
    const asked = service.model.requests.filter(({ body }) => isCustomer(body))
    const [system, ...talk] = asked.at(-1)?.body.messages ?? []
    assert.match(String(system?.content), /goal of the customer: Return the kettle/)
    assert.match(String(system?.content), /- Order number: 104233/)
    assert.deepEqual(
      talk.map(({ role, content }) => [role, content]),
      [
        ['user', '(The chat is open. Write the first message of the customer.)'],
        ['assistant', 'I want to return my kettle.'],
        ['user', 'Which order?'],
        ['assistant', '104233'],
        ['user', 'Within 30 days.'],
      ],
    )
    const { customer: ofCustomer, ...ofAgent } = run.used
    assert.deepEqual([ofAgent.calls, ofAgent.cost], [2, 0.024])
    assert.deepEqual([ofCustomer.calls, ofCustomer.cost], [3, 0.036])
    const kinds = (await agent.get('/usage')).body.data.map(({ kind, calls }: Record<string, unknown>) => [
      kind,
      calls,
    ])
    assert.deepEqual(kinds, [
      ['answer', 2],
      ['customer', 3],
    ])
  })

  it('a customer who is not done has no turn left', async () => {
    const agent = await service.addAgent()
    const customer = { goal: 'Return the kettle', model: true, turns: 2 }
    const { id } = await addDataset(agent, [{ customer, expectations: [{ kind: 'turns', value: 2 }] }])
    const run = await runOf(agent, id)
    assert.deepEqual(
      run.results[0].failures.map(({ reason }: { reason: string }) => reason),
      ['The customer was not done after 2 messages.'],
    )
    assert.equal(run.results[0].turns, 2)
  })

  it('a failure of the model that plays the customer is not told as one of the agent', async () => {
    const agent = await service.addAgent()
    const customer = { goal: 'Return the kettle', model: true }
    const { id } = await addDataset(agent, [{ customer, expectations: [{ kind: 'contains', value: 'x' }] }])
    const failuresOf = async (answer: Answer) => {
      service.model.answerFor = (body) => (isCustomer(body) ? answer : { text: 'x' })
      return (await runOf(agent, id)).results[0].failures.map(({ code, reason }: Record<string, unknown>) => [
        code,
        reason,
      ])
    }
    const error = JSON.stringify({ error: { message: 'No such model', code: 'none' } })
    const failure = { status: 404, raw: { body: error, content_type: 'application/json' } }
    assert.deepEqual(await failuresOf(failure), [
      ['customer_failed', 'The model that plays the customer failed: No such model'],
    ])
    for (const text of ['', '[done]'])
      assert.deepEqual(await failuresOf({ text }), [
        ['customer_silent', 'The model that plays the customer wrote nothing.'],
      ])
    service.model.answerFor = (body) => (isCustomer(body) ? { text: 'Hi' } : failure)
    assert.equal((await runOf(agent, id)).results[0].failures[0].code, 'model_failed')
  })

  it('stores no conversation, and its own texts go with the completion that the case is of', async () => {
    const agent = await service.addAgent()
    const said = await agent.prompt('I am ann@example.com')
    const { id } = await addDataset(agent)
    const made = await agent.post(`/datasets/${id}/cases`, { completion_id: said.id, expectations: [] })
    const path = `/datasets/${id}/cases/${made.body.data.id}`
    await agent.patch(path, { customer: { says: ['I am ann@example.com'] } })
    const run = await runOf(agent, id, { repeats: 2 })
    assert.equal((await agent.get('/conversations')).body.total, 1)
    await agent.post(`/chat/completions/${said.id}/scrub`)
    const { text, body } = await agent.get(`/runs/${run.id}/cases/${made.body.data.id}`)
    assert.ok(!text.includes('ann@example.com'), text)
    assert.deepEqual(
      body.data.repeats.map(({ dialogue }: { dialogue: unknown }) => dialogue),
      [null, null],
    )
    assert.equal((await agent.get(path)).body.data.customer, null)
    const again = await runOf(agent, id)
    assert.equal(again.results[0].failures[0].code, 'nothing_asked')
  })
})

onBothEngines(
  'a customer and the built-in answerer',
  (service) => {
    it('follow-ups are searched for with what they follow', async () => {
      const agent = await service.addAgent()
      await agent.post('/knowledge', {
        title: 'Returns',
        content: '# How long can I return a kettle?\n\n30 days.\n\n# How much is a kettle?\n\n20 euros.',
      })
      const says = ['How long can I return a kettle?', 'and how much?']
      const { id, cases } = await addDataset(agent, [{ customer: { says }, expectations: [] }])
      const run = await runOf(agent, id)
      const dialogue = await dialogueOf(agent, run, cases[0])
      const first = await agent.prompt(says[0] ?? '')
      const second = await agent.prompt(says[1] ?? '', { conversation_id: first.conversation_id })
      assert.deepEqual(
        dialogue.map(({ agent }: { agent: string }) => agent),
        [first, second].map(({ choices }) => choices[0].message.content),
      )
    })

    it('no model can play a customer, unless a server is set for it', async () => {
      const agent = await service.addAgent()
      const customer = { goal: 'Return the kettle', model: true }
      const { id } = await addDataset(agent, [{ customer, expectations: [] }])
      const { results } = await runOf(agent, id)
      assert.equal(results[0].failures[0].code, 'no_customer')
    })
  },
  { PARLEY_MODEL_URL: '' },
)

const player = await startModelServer()
player.answerFor = ({ messages }) => ({
  text: messages.length > 2 ? '[DONE]' : 'How long can I return it?',
})
after(() => player.close())

onBothEngines(
  'a server that plays customers',
  (service) => {
    it('is asked in place of the model of the agent', async () => {
      const agent = await service.addAgent()
      const customer = { goal: 'Return the kettle', model: true }
      const { id } = await addDataset(agent, [{ customer, expectations: [{ kind: 'turns', value: 1 }] }])
      const run = await runOf(agent, id)
      assert.deepEqual(run.results[0].failures, [])
      assert.equal(run.used.customer.calls, 2)
      assert.ok(service.model.requests.every(({ body }) => !isCustomer(body)))
      assert.equal(player.requests[0]?.body.model, 'player')
      assert.equal(player.requests[0]?.headers.authorization, 'Bearer c-key')
    })
  },
  {
    PARLEY_CUSTOMER_MODEL_URL: player.url,
    PARLEY_CUSTOMER_MODEL: 'player',
    PARLEY_CUSTOMER_MODEL_API_KEY: 'c-key',
  },
)
