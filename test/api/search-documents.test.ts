import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TestAgent } from '../support/app.ts'
import { addDataset, asks, runOf } from '../support/datasets.ts'
import { readWholeStream } from '../support/event-stream.ts'
import { type Answer, calling, type RequestBody } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { startPeer } from '../support/peer.ts'

/** No word of it stands in the documents. */
const QUESTION = 'Do I get my money back?'

const namesIn = ({ tools }: Partial<RequestBody> = {}) =>
  (tools as { function: { name: string } }[] | undefined)?.map(({ function: { name } }) => name)

const titlesOf = (citations: unknown) => (citations as { title: string }[]).map(({ title }) => title)

const search = (args: object) => calling(['search_documents', args])

const refusal = (status: number, message: string): Answer => ({
  status,
  raw: { body: JSON.stringify({ error: { message } }), content_type: 'application/json' },
})

onBothEngines('searches of a model', (service) => {
  async function informed(): Promise<TestAgent> {
    const agent = await service.addAgent()
    for (const [title, content] of [
      ['Returns', 'You may return a kettle within 30 days.'],
      ['Delivery', 'Delivery of a kettle costs 5 euros.'],
      ['Warranty', 'A kettle has two years of warranty.'],
    ])
      assert.equal((await agent.post('/knowledge', { title, content })).status, 201)
    return agent
  }

  const sent = (nth: number) => service.model.requests.at(nth)?.body
  const toolMessages = (nth: number) =>
    (sent(nth)?.messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => String(content))

  it('find passages by other words, which the answer cites', async () => {
    const agent = await informed()
    service.model.next(search({ query: 'return kettle' }), { text: 'You have 30 days [1].' })
    const answer = await agent.prompt(QUESTION)
    assert.deepEqual(namesIn(sent(0)), ['search_documents'])
    assert.match(JSON.stringify(sent(0)?.messages), /No passage .* search the documents in other words/)
    const [found = ''] = toolMessages(1)
    assert.match(found, /^<result \w+>\n<passage 1 \w{16}>\n\[1\] Returns\nYou may return a kettle/)
    assert.equal(answer.choices[0].message.content, 'You have 30 days [1].')
    assert.deepEqual(titlesOf(answer.citations), ['Returns'])
    assert.deepEqual(answer.usage, { prompt_tokens: 6, completion_tokens: 10, total_tokens: 16 })

    // They are no part of the transcript, and the next turn begins anew.
    const kept = await agent.get(`/conversations/${answer.conversation_id}/messages?order=asc`)
    assert.deepEqual(
      kept.body.data.map(({ role }: { role: string }) => role),
      ['user', 'assistant'],
    )
    await agent.prompt(QUESTION, { conversation_id: answer.conversation_id })
    assert.deepEqual(
      sent(-1)?.messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'user'],
    )
    assert.deepEqual(namesIn(sent(-1)), ['search_documents'])
  })

  it('stand in a stream between its texts', async () => {
    const agent = await informed()
    service.model.next(
      { ...search({ queries: ['warranty of a kettle', 'how long is the warranty'] }), text: 'Let me look.' },
      { pieces: ['Two years ', '[1', '].'] },
    )
    const messages = [{ role: 'user', content: QUESTION }]
    const { chunks, text, done } = await readWholeStream(agent, { messages })
    assert.ok(done)
    assert.equal(text, 'Let me look.\n\nTwo years [1].')
    assert.deepEqual(titlesOf(chunks.at(-1)?.citations), ['Warranty'])
    assert.ok(!JSON.stringify(chunks).includes('search_documents'))
  })

  it('number new passages behind those that were given', async () => {
    const agent = await service.addAgent({ settings: { context_tokens: 2000 } })
    // There is room for a short text and a long one.
    const long = (text: string) => `${text} ${'It is made by hand in our own workshop. '.repeat(26)}`
    const texts = ['Jam is sweet.', long('Glue sticks.'), long('An anvil is heavy.'), long('Rope is long.')]
    for (const [nth, content] of texts.entries())
      assert.equal((await agent.post('/knowledge', { title: `Page ${nth}`, content })).status, 201)
    service.model.next(
      calling(['search_documents', { query: 'heavy anvil' }], ['search_documents', { query: 'sweet jam' }]),
      search({ query: 'nothing of it' }),
      {
        text: 'See [3].',
      },
    )
    const { citations } = await agent.prompt('How sweet is your jam?')
    const [anvil = '', jam] = toolMessages(-2)
    assert.match(anvil, /<passage 3 \w{16}>\n\[3\] Page 2\nAn anvil/)
    assert.match(jam ?? '', /\nYou have already: \[1\]\.\n\nNo further passage fits\.\n/)
    assert.match(toolMessages(-1).at(-1) ?? '', /\nNo passage of the documents fits these words\.\n/)
    assert.deepEqual(titlesOf(citations), ['Page 2'])
  })

  it('are made in two rounds, and then no more', async () => {
    const agent = await informed()
    service.model.next(search({}), search({ query: 'x'.repeat(9000) }), {
      ...search({ query: 'return kettle' }),
      text: 'I do not know.',
    })
    const { choices } = await agent.prompt(QUESTION)
    assert.equal(choices[0].message.content, 'I do not know.')
    assert.equal(choices[0].finish_reason, 'stop')
    assert.deepEqual(
      [0, 1, 2].map((nth) => namesIn(sent(nth))),
      [['search_documents'], ['search_documents'], undefined],
    )
    assert.match(toolMessages(2)[0] ?? '', /Error: `query` is missing/)
    assert.match(String(sent(2)?.messages[0]?.content), /No more tools can be called/)
    assert.equal(service.model.requests.length, 3)
  })

  it('that end in silence leave the question unanswered', async () => {
    const agent = await informed()
    service.model.next(search({ query: 'return kettle' }), { text: '' })
    const { choices } = await agent.prompt(QUESTION)
    assert.match(String(choices[0].message.content), /^I could not finish this\./)
    const { body } = await agent.get('/knowledge/unanswered')
    assert.deepEqual(
      body.data.map(({ question }: { question: string }) => question),
      [QUESTION],
    )
  })

  it('are not offered where they are not wanted or find nothing more', async () => {
    const agent = await informed()
    const offered = async (question: string, fields: object = {}) => {
      await agent.prompt(question, { ...fields })
      return namesIn(sent(-1))
    }
    const own = { type: 'function', function: { name: 'own' } }
    const same = { type: 'function', function: { name: 'search_documents' } }
    assert.deepEqual(await offered(QUESTION), ['search_documents'])
    assert.deepEqual(await offered(QUESTION, { tools: [own] }), ['search_documents', 'own'])
    assert.deepEqual(await offered(QUESTION, { tools: [own], tool_choice: 'required' }), ['own'])
    assert.equal(await offered(QUESTION, { response_format: { type: 'json_object' } }), undefined)
    assert.equal(await offered(QUESTION, { functions: [{ name: 'own' }] }), undefined)
    assert.equal(await offered('Thank you!'), undefined)
    // All passages are given.
    assert.equal(await offered('What does delivery cost?'), undefined)
    // A call of a tool with this name that the request brings along goes back to the caller.
    service.model.next(search({ query: 'kettle' }))
    const { choices } = await agent.prompt(QUESTION, { tools: [same] })
    assert.deepEqual(sent(-1)?.tools, [same])
    assert.equal(choices[0].finish_reason, 'tool_calls')

    await agent.patch('/agent', { search_tool: false })
    assert.equal(await offered(QUESTION), undefined)
    assert.ok(!JSON.stringify(sent(-1)).includes('search_documents'))
  })

  it('leave a tool of the agent with their name, and stand beside its others', async () => {
    await using peer = await startPeer((response) => response.end('{"state":"sent"}'))
    const agent = await informed()
    const tool = { kind: 'http', description: 'Finds an order.', parameters: { type: 'object' } }
    const made = await agent.post('/tools', { ...tool, name: 'look_up', url: `${peer.url}/orders` })
    assert.equal(made.status, 201, made.text)
    service.model.next(
      calling(['search_documents', { query: 'return kettle' }], ['look_up', {}]),
      ...[1, 2].map(() => search({ query: 'delivery' })),
      { text: 'Sent. You have 30 days [1].' },
    )
    const answer = await agent.prompt(QUESTION)
    assert.deepEqual(
      [0, 1, 2, 3].map((nth) => namesIn(sent(nth))),
      [['look_up', 'search_documents'], ['look_up', 'search_documents'], ['look_up'], ['look_up']],
    )
    assert.match(toolMessages(3)[3] ?? '', /Error: no more searches are made/)
    assert.equal((answer.citations as unknown[]).length, 1)
    const { body } = await agent.get(`/conversations/${answer.conversation_id}/messages?order=asc`)
    assert.deepEqual(
      body.data.map(({ role, tool_calls }: { role: string; tool_calls?: object[] }) => [
        role,
        tool_calls?.length,
      ]),
      [
        ['user', undefined],
        ['assistant', 1],
        ['tool', undefined],
        ['assistant', undefined],
      ],
    )

    await agent.patch(`/tools/${made.body.data.id}`, { active: false })
    await agent.post('/tools', { ...tool, name: 'search_documents', url: `${peer.url}/own` })
    service.model.next(search({ query: 'x' }), { text: 'Done.' })
    await agent.prompt(QUESTION)
    assert.deepEqual(namesIn(sent(-1)), ['search_documents'])
    assert.equal(peer.requests.at(-1)?.path, '/own')
  })

  it('are left out for a server that takes no tools, from the first prompt on', async () => {
    for (const [status, message] of [
      [400, 'registry.ollama.ai/library/gemma:2b does not support tools'],
      [500, 'tools param requires --jinja flag'],
      [404, 'No endpoints found that support tool use.'],
      [422, 'Extra inputs are not permitted'],
    ] as const) {
      const agent = await informed()
      service.model.reset()
      service.model.answerFor = ({ tools }) => (tools ? refusal(status, message) : { text: 'Sorry.' })
      assert.equal((await agent.prompt(QUESTION)).choices[0].message.content, 'Sorry.', message)
      const { text } = await readWholeStream(agent, { messages: [{ role: 'user', content: QUESTION }] })
      assert.equal(text, 'Sorry.')
      assert.deepEqual(
        service.model.requests.map(({ body }) => namesIn(body)),
        [['search_documents'], undefined, undefined],
      )
      // What the request itself asks for is not left out.
      const own = [{ type: 'function', function: { name: 'own' } }]
      const asked = { messages: [{ role: 'user', content: QUESTION }], tools: own }
      assert.equal((await agent.post('/chat/completions', asked)).status, 502)
    }
  })

  it('are left out together with the tool that asks for a person', async () => {
    const agent = await informed()
    await agent.patch('/agent', { handoff: true })
    service.model.reset()
    service.model.answerFor = ({ tools }) =>
      tools ? refusal(400, 'm does not support tools') : { text: 'Sorry.' }
    for (let prompts = 0; prompts < 2; prompts++)
      assert.equal((await agent.prompt(QUESTION)).choices[0].message.content, 'Sorry.')
    assert.deepEqual(
      service.model.requests.map(({ body }) => namesIn(body)),
      [['request_person', 'search_documents'], undefined, undefined],
    )
  })

  it('are offered again after a failure that had another reason', async () => {
    const agent = await informed()
    const broken = refusal(400, 'bad request')
    service.model.next(broken, broken)
    const asked = { messages: [{ role: 'user', content: QUESTION }] }
    assert.equal((await agent.post('/chat/completions', asked)).status, 502)
    await agent.prompt(QUESTION)
    assert.deepEqual(namesIn(sent(-1)), ['search_documents'])
  })

  it('are in the trace of the playground and of test runs', async () => {
    const agent = await informed()
    const answers = [search({ query: 'return kettle' }), { text: 'You have 30 days [1].' }]
    service.model.next(...answers)
    const tried = await agent.post('/playground', { messages: [{ role: 'user', content: QUESTION }] })
    assert.equal(tried.status, 200, tried.text)
    const { citations, trace } = tried.body.data
    assert.equal(citations[0].title, 'Returns')
    const [{ name, arguments: args, result, status }] = trace.tools
    assert.deepEqual([name, args, status], ['search_documents', '{"query":"return kettle"}', 'ok'])
    assert.match(result, /You may return a kettle/)
    assert.ok(trace.retrieval_score > 0)
    assert.equal(trace.passages[0].title, 'Returns')

    service.model.next(...answers)
    const expected = [
      { kind: 'tool', value: 'search_documents' },
      { kind: 'cites', value: 'Returns' },
    ]
    const { id } = await addDataset(agent, [asks(QUESTION, expected)])
    const run = await runOf(agent, id)
    assert.deepEqual([run.results[0].status, run.results[0].failures], ['passed', []])
  })
})
