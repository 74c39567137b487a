import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { openStream, type ResponseEvent, readResponseStream, readToEnd } from '../support/event-stream.ts'
import { calling } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { guardrail } from '../support/on-rules.ts'
import { spokenIn } from '../support/spoken-in.ts'

const weather = {
  type: 'function',
  name: 'weather',
  description: 'Tells the weather.',
  parameters: { type: 'object' },
  strict: true,
}

onBothEngines('POST /responses', (service) => {
  const create = (agent: TestAgent, body: unknown, headers = {}) => agent.post('/responses', body, headers)
  const textOf = ({ output }: { output: { content?: { text: string }[] }[] }) =>
    output.flatMap(({ content = [] }) => content.map(({ text }) => text)).join('')
  const rolesSent = async (n: number) =>
    spokenIn((await service.model.request(n)).body).map(({ role }) => role)
  const contentsSent = async (n: number) =>
    spokenIn((await service.model.request(n)).body).map(({ content }) => content)

  it("200: OpenAI's shape with Parley's additions", async () => {
    const agent = await service.addAgent()
    service.model.next({
      text: 'Hello, Ada.',
      usage: { prompt_tokens: 4, completion_tokens: 6, total_tokens: 10 },
    })
    const asked = { instructions: 'Greet.', metadata: { a: 'b' }, temperature: 0.5 }
    const { status, headers, body } = await create(agent, {
      ...asked,
      input: 'I am Ada',
      model: 'any',
      max_output_tokens: 100,
    })
    assert.equal(status, 200)
    assert.match(body.id, /^resp_[0-9a-f]{32}$/)
    const hex = body.id.slice('resp_'.length)
    assert.equal(headers.get('x-conversation-id'), body.conversation_id)
    assert.equal(headers.get('x-should-retry'), null)
    assert.deepEqual(body, {
      ...asked,
      id: body.id,
      object: 'response',
      created_at: body.created_at,
      status: 'completed',
      error: null,
      incomplete_details: null,
      model: 'test-model',
      output: [
        {
          type: 'message',
          id: `msg_${hex}`,
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello, Ada.', annotations: [], logprobs: [] }],
        },
      ],
      usage: {
        input_tokens: 4,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: 6,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 10,
      },
      conversation: { id: body.conversation_id },
      background: false,
      store: true,
      truncation: 'auto',
      previous_response_id: null,
      max_output_tokens: 100,
      parallel_tool_calls: true,
      reasoning: { effort: null, summary: null },
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      top_p: null,
      conversation_id: body.conversation_id,
      number: body.number,
      agent_paused: false,
      citations: [],
      ctas: [],
    })
    const { data } = (await agent.get(`/chat/completions/${body.id}`)).body
    assert.deepEqual([data.prompt, data.response, data.number], ['I am Ada', 'Hello, Ada.', body.number])
    assert.equal(data.id.replaceAll('-', ''), hex)
  })

  it('200: the model is asked in the terms of chat completions', async () => {
    const agent = await service.addAgent()
    await agent.patch('/agent', { instructions: 'Be brief.' })
    const schema = { type: 'object', properties: { city: { type: 'string' } } }
    await create(agent, {
      input: [
        { role: 'developer', content: 'Say it in verse.' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is this?' },
            {
              type: 'input_image',
              image_url: 'data:image/gif;base64,R0lGODlhAQABAIAAAMBAIAAAACwAAAAAAQABAAACAkQBADsA',
              detail: 'low',
            },
            { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' },
          ],
        },
      ],
      instructions: 'Greet.',
      tools: [weather],
      tool_choice: { type: 'function', name: 'weather' },
      parallel_tool_calls: false,
      max_output_tokens: 50,
      temperature: 0.5,
      top_p: 0.9,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { format: { type: 'json_schema', name: 'place', schema, strict: true }, verbosity: 'low' },
      include: ['reasoning.encrypted_content'],
      store: false,
      truncation: 'disabled',
      stream_options: { include_obfuscation: false },
      background: false,
      metadata: { any: 'thing' },
    })
    const { messages: _, ...fields } = (await service.model.request(0)).body
    const [system, user] = spokenIn((await service.model.request(0)).body)
    // The time stands before what the user says.
    const said = { ...user, content: [user?.content].flat().slice(1) }
    assert.deepEqual(
      [system, said],
      [
        { role: 'system', content: 'Be brief.\n\nGreet.\n\nSay it in verse.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            {
              type: 'image_url',
              image_url: {
                url: 'data:image/gif;base64,R0lGODlhAQABAIAAAMBAIAAAACwAAAAAAQABAAACAkQBADsA',
                detail: 'low',
              },
            },
            { type: 'file', file: { file_data: 'data:application/pdf;base64,AA==', filename: 'a.pdf' } },
          ],
        },
      ],
    )
    const { type, ...described } = weather
    assert.deepEqual(fields, {
      model: 'test-model',
      tools: [{ type, function: described }],
      tool_choice: { type, function: { name: 'weather' } },
      parallel_tool_calls: false,
      max_completion_tokens: 50,
      temperature: 0.5,
      top_p: 0.9,
      reasoning_effort: 'low',
      verbosity: 'low',
      response_format: { type: 'json_schema', json_schema: { name: 'place', schema, strict: true } },
    })
  })

  it("200: the longest answer has the name that the agent's settings use", async () => {
    const agent = await service.addAgent()
    await agent.patch('/agent', { model: { parameters: { max_tokens: 500 } } })
    await create(agent, { input: 'hello', max_output_tokens: 50 })
    const { max_tokens, max_completion_tokens } = (await service.model.request(0)).body
    assert.deepEqual([max_tokens, max_completion_tokens], [50, undefined])
  })

  it('200: previous_response_id goes on with the conversation; instructions hold for one answer only', async () => {
    const agent = await service.addAgent()
    const first = await create(agent, { input: 'I am Ada', instructions: 'Sing.', user: 'u1' })
    const second = await create(agent, { input: 'Who am I?', previous_response_id: first.body.id })
    assert.equal(second.status, 200, second.text)
    assert.equal(second.body.conversation_id, first.body.conversation_id)
    assert.equal(second.body.previous_response_id, first.body.id)
    assert.deepEqual(await contentsSent(1), ['I am Ada', 'I am Ada', 'Who am I?'])
    const path = `/conversations/${first.body.conversation_id}/messages`
    const { data } = (await agent.get(path)).body
    assert.deepEqual(
      data.map(({ content }: { content: string }) => content),
      ['I am Ada', 'I am Ada', 'Who am I?', 'Who am I?'],
      'instructions are not stored',
    )
  })

  it('200: a conversation is named in other ways, too', async () => {
    const agent = await service.addAgent()
    const { body } = await create(agent, { input: 'one', external_id: 'ext' })
    const id = body.conversation_id
    for (const named of [
      { conversation: id },
      { conversation: { id } },
      { conversation_id: id },
      { external_id: 'ext' },
      { metadata: { conversation_id: id } },
    ])
      assert.equal((await create(agent, { input: 'more', ...named })).body.conversation_id, id)
    assert.notEqual((await create(agent, { input: 'other' })).body.conversation_id, id)
  })

  it('200: tools of the caller, round trip by previous_response_id', async () => {
    const agent = await service.addAgent()
    service.model.next(
      calling(['weather', { city: 'Oslo' }, 'call_a'], ['weather', { city: 'Rome' }, 'call_b']),
      { text: 'Fine.' },
    )
    const first = await create(agent, { input: 'Weather?', tools: [weather] })
    const hex = first.body.id.slice('resp_'.length)
    const call = { type: 'function_call', status: 'completed', name: 'weather' }
    assert.deepEqual(first.body.output, [
      { ...call, id: `fc_${hex}_0`, call_id: 'call_a', arguments: '{"city":"Oslo"}' },
      { ...call, id: `fc_${hex}_1`, call_id: 'call_b', arguments: '{"city":"Rome"}' },
    ])
    assert.equal(first.body.status, 'completed')
    const results = ['call_a', 'call_b'].map((call_id) => ({
      type: 'function_call_output',
      call_id,
      output: 'sun',
    }))
    const second = await create(agent, {
      input: results,
      previous_response_id: first.body.id,
      tools: [weather],
    })
    assert.equal(textOf(second.body), 'Fine.')
    assert.deepEqual(await rolesSent(1), ['user', 'assistant', 'tool', 'assistant', 'tool'])
  })

  it('200: the whole history may be sent instead, with items or references to them', async () => {
    const agent = await service.addAgent()
    service.model.next({
      text: 'Let me see.',
      ...calling(['weather', {}, 'call_a'], ['weather', {}, 'call_b']),
    })
    const { body } = await create(agent, { input: 'Weather?', tools: [weather] })
    assert.equal(body.output.length, 3)
    const results = ['call_a', 'call_b'].map((call_id) => ({
      type: 'function_call_output',
      call_id,
      output: [{ type: 'input_text', text: 'sun' }],
    }))
    const question = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Weather?' }] }
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] }
    const references = body.output.map(({ id }: { id: string }) => ({ type: 'item_reference', id }))
    for (const items of [body.output, references, [...body.output.slice(1), body.output[0]]]) {
      service.model.reset()
      const { status, text } = await create(agent, {
        input: [question, reasoning, ...items, ...results],
        tools: [weather],
      })
      assert.equal(status, 200, text)
      const messages = spokenIn((await service.model.request(0)).body)
      assert.deepEqual(
        messages.map(({ role, content }) => [role, content]),
        [
          ['user', 'Weather?'],
          ['assistant', 'Let me see.'],
          ['tool', 'sun'],
          ['assistant', null],
          ['tool', 'sun'],
        ],
      )
    }
  })

  it('200: an answer that was cut is incomplete', async () => {
    const agent = await service.addAgent()
    service.model.next({ text: 'Half', finish_reason: 'length' })
    const { body } = await create(agent, { input: 'hello' })
    assert.deepEqual([body.status, body.incomplete_details], ['incomplete', { reason: 'max_output_tokens' }])
    service.model.next({ text: 'Half', finish_reason: 'length' })
    const { last } = await readResponseStream(agent, { input: 'hello' })
    assert.equal(last.type, 'response.incomplete')
    assert.deepEqual(last.response.incomplete_details, { reason: 'max_output_tokens' })
    assert.equal(last.response.output[0].status, 'incomplete')
  })

  it('200: what a guardrail blocks is incomplete, and its reply is answered', async () => {
    const agent = await service.addAgent()
    await guardrail(agent, { on: 'prompt', action: 'block', reply: 'No.' }, 'secret')
    const { body } = await create(agent, { input: 'a secret' })
    assert.deepEqual([textOf(body), body.status], ['No.', 'incomplete'])
    assert.deepEqual(body.incomplete_details, { reason: 'content_filter' })
  })

  it('200: a paused agent answers with the pause message, in one piece or as a stream', async () => {
    const agent = await service.addAgent({ settings: { pause_message: 'Paused.' } })
    await agent.post('/pause')
    const { body } = await create(agent, { input: 'hello' })
    assert.deepEqual([textOf(body), body.status, body.agent_paused], ['Paused.', 'completed', true])
    const { events, last } = await readResponseStream(agent, { input: 'hello' })
    assert.deepEqual(typesOf(events), SPOKEN)
    assert.deepEqual([textOf(last.response), last.response.agent_paused], ['Paused.', true])
    assert.equal(service.model.requests.length, 0)
  })

  it('200: a pause in the middle of a stream ends it with what was said', async () => {
    const agent = await service.addAgent({ settings: { pause_message: 'Paused.' } })
    const feed = service.model.feed()
    feed.push('Half')
    const stream = await openStream(agent, { input: 'hello' }, '/responses')
    let event = JSON.parse((await stream.next()) ?? '')
    while (event.type !== 'response.output_text.delta') event = JSON.parse((await stream.next()) ?? '')
    await agent.post('/pause')
    const { type, response } = JSON.parse((await readToEnd(stream)).at(-1) ?? '')
    assert.deepEqual([type, textOf(response), response.agent_paused], ['response.completed', 'Half', true])
    const { body } = await agent.get(`/responses/${response.id}`)
    assert.deepEqual(body.output, response.output, 'what was shown')
  })

  /** The events of an answer that comes in one piece of text. */
  const SPOKEN = [
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ]
  const typesOf = (events: ResponseEvent[]) => events.map(({ type }) => type)

  it('200: a stream has the events of OpenAI, numbered, and ends with the whole response', async () => {
    const agent = await service.addAgent()
    const { headers, events, last } = await readResponseStream(agent, { input: 'one two', top_p: 0.5 })
    assert.match(headers.get('content-type') ?? '', /^text\/event-stream/)
    assert.equal(headers.get('x-should-retry'), null)
    assert.deepEqual(typesOf(events), [...SPOKEN.slice(0, 4), ...SPOKEN.slice(4, 5), ...SPOKEN.slice(4)])
    const [created, inProgress, added, partAdded] = events
    for (const event of [created, inProgress]) {
      const { status, output, usage, top_p } = event?.response ?? {}
      assert.deepEqual([status, output, usage, top_p], ['in_progress', [], null, 0.5])
    }
    const id = last.response.id.replace('resp_', 'msg_')
    const place = { item_id: id, output_index: 0, content_index: 0 }
    const item = { type: 'message', id, status: 'in_progress', role: 'assistant', content: [] }
    const part = { type: 'output_text', text: '', annotations: [], logprobs: [] }
    assert.deepEqual(added, { type: added?.type, sequence_number: 2, output_index: 0, item })
    assert.deepEqual(partAdded, { type: partAdded?.type, sequence_number: 3, ...place, part })
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta')
    assert.deepEqual(deltas[0], {
      type: 'response.output_text.delta',
      sequence_number: 4,
      ...place,
      delta: 'one',
      logprobs: [],
    })
    const [textDone, partDone, itemDone] = events.slice(-4)
    assert.deepEqual([textDone?.text, partDone?.part.text], ['one two', 'one two'])
    assert.deepEqual(itemDone?.item, last.response.output[0])
    const whole = (await agent.get(`/responses/${last.response.id}`)).body
    assert.deepEqual({ ...last.response, top_p: null }, whole)
    assert.deepEqual((await service.eventsOf(agent)).slice(-2), ['response_start', 'response_end'])
  })

  it('200: calls, text after them and a refusal each have their place in a stream', async () => {
    const agent = await service.addAgent()
    const piece = (index: number, part: object) => ({ tool_calls: [{ index, ...part }] })
    service.model.next({
      pieces: [
        { reasoning_content: 'Hm.' },
        piece(0, { id: 'call_a', type: 'function', function: { name: 'weather', arguments: '{"at"' } }),
        piece(0, { function: { arguments: ':1}' } }),
        piece(1, { id: 'call_b', type: 'function', function: { name: 'weather', arguments: '' } }),
        'So',
        { refusal: 'I ref' },
        { refusal: 'use.' },
      ],
      finish_reason: 'tool_calls',
    })
    const { events, last } = await readResponseStream(agent, { input: 'look', tools: [weather] })
    assert.ok(!JSON.stringify(events).includes('Hm.'), 'thoughts are not answered')
    const added = events.filter(({ type }) => type === 'response.output_item.added')
    assert.deepEqual(
      added.map(({ output_index, item }) => [output_index, item.type, item.arguments]),
      [
        [0, 'function_call', ''],
        [1, 'function_call', ''],
        [2, 'message', undefined],
      ],
    )
    const { output } = last.response
    assert.deepEqual(
      output.map((item: Record<string, unknown>) => item.arguments),
      ['{"at":1}', '', undefined],
    )
    assert.deepEqual(
      output[2].content.map(({ type, text, refusal }: Record<string, string>) => [type, text ?? refusal]),
      [
        ['output_text', 'So'],
        ['refusal', 'I refuse.'],
      ],
    )
    const done = events.filter(({ type }) => type === 'response.function_call_arguments.done')
    assert.deepEqual(
      done.map(({ item_id, arguments: args }) => [item_id, args]),
      output.slice(0, 2).map((item: Record<string, string>) => [item.id, item.arguments]),
    )
    const refused = events.filter(({ type }) => type.startsWith('response.refusal.'))
    assert.deepEqual(
      refused.map(({ content_index, delta, refusal }) => [content_index, delta ?? refusal]),
      [
        [1, 'I ref'],
        [1, 'use.'],
        [1, 'I refuse.'],
      ],
    )
  })

  it('200: citations are annotations of the text, at the end of a stream as well', async () => {
    const agent = await service.addAgent()
    const cited = { url: 'https://example.com/a', title: 'A', content: 'text' }
    const annotation = { type: 'url_citation', url: cited.url, title: 'A', start_index: 0, end_index: 6 }
    const pieces = ['See A.', { annotations: [{ type: 'url_citation', url_citation: cited }] }]
    service.model.next({ pieces })
    const { events, last } = await readResponseStream(agent, { input: 'where?' })
    assert.deepEqual(last.response.output[0].content[0].annotations, [annotation])
    assert.deepEqual(last.response.citations, [{ title: 'A', url: cited.url, snippet: 'text' }])
    const told = events.filter(({ type }) => type === 'response.output_text.annotation.added')
    assert.deepEqual(
      told.map((event) => [event.annotation_index, event.annotation]),
      [[0, annotation]],
    )
    assert.deepEqual((await agent.get(`/responses/${last.response.id}`)).body.output, last.response.output)
  })

  it('200: an answer that says nothing has an empty text', async () => {
    const agent = await service.addAgent({ settings: { pause_message: null } })
    await agent.post('/pause')
    const { body } = await create(agent, { input: 'hello' })
    assert.deepEqual([body.output.length, textOf(body)], [1, ''])
    const { last } = await readResponseStream(agent, { input: 'hello' })
    assert.deepEqual([last.response.output.length, textOf(last.response)], [1, ''])
  })

  it('200: a repeat with the same Idempotency-Key gets the first answer, also where it continued a conversation', async () => {
    const agent = await service.addAgent()
    const start = await create(agent, { input: 'hello' })
    const asked = { input: 'again', previous_response_id: start.body.id, tools: [weather] }
    service.model.next({ text: 'once', ...calling(['weather', {}]) }, { text: 'twice' })
    const headers = { 'idempotency-key': 'k' }
    const first = await create(agent, asked, headers)
    const repeat = await create(agent, asked, headers)
    assert.deepEqual(repeat.body, first.body)
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true')
    const streamed = { 'idempotency-key': 's' }
    const one = await readResponseStream(agent, { input: 'streamed' }, streamed)
    const two = await readResponseStream(agent, { input: 'streamed' }, streamed)
    assert.deepEqual(two.last.response, one.last.response)
    assertError(await create(agent, { input: 'other' }, headers), 409, 'idempotency_key_reused')
    assert.equal((await agent.get('/chat/completions')).body.total, 3)
  })

  it('a client that goes away stops the model, and what was produced can be read', {
    timeout: 5000,
  }, async () => {
    const agent = await service.addAgent()
    const feed = service.model.feed()
    feed.push('half')
    const stream = await openStream(agent, { input: 'hello' }, '/responses')
    let event = JSON.parse((await stream.next()) ?? '')
    const { id } = event.response
    assert.equal((await agent.get(`/responses/${id}`)).body.status, 'in_progress')
    while (event.delta !== 'half') event = JSON.parse((await stream.next()) ?? '')
    stream.leave()
    await service.model.aborted()
    let read = await agent.get(`/responses/${id}`)
    while (read.body.status === 'in_progress') read = await agent.get(`/responses/${id}`)
    assert.deepEqual([read.body.status, textOf(read.body)], ['incomplete', 'half'])
    assert.equal(read.body.incomplete_details, null)
    const after = await create(agent, { input: 'go on', previous_response_id: id })
    assert.equal(after.body.conversation_id, read.body.conversation_id)
  })

  it('an error in the middle of a stream: the error, then response.failed with what was said', async () => {
    const agent = await service.addAgent()
    service.model.next({ pieces: ['half'], ending: 'cut' })
    const { events, last } = await readResponseStream(agent, { input: 'hello' })
    assert.equal(last.type, 'response.failed')
    const { id, status, error, output } = last.response
    assert.deepEqual([status, error.code, output[0].status], ['failed', 'server_error', 'incomplete'])
    assert.equal(output[0].content[0].text, 'half')
    const told = events.find(({ type }) => type === 'error')
    assert.deepEqual(
      [told?.code, told?.error.code, told?.message],
      ['model_failed', 'model_failed', error.message],
    )
    const { body } = await agent.get(`/responses/${id}`)
    assert.deepEqual([body.status, body.error.code, textOf(body)], ['failed', 'server_error', 'half'])
  })

  it('a model that fails after five silent seconds ends the stream, which is open by then', async (t) => {
    const agent = await service.addAgent()
    const held = Promise.withResolvers<void>()
    service.model.next({ status: 500, after: held.promise })
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const opening = openStream(agent, { input: 'hello' }, '/responses')
    await service.model.request(0)
    t.mock.timers.tick(5000)
    t.mock.timers.reset()
    const stream = await opening
    assert.equal(stream.status, 200)
    held.resolve()
    const types = (await readToEnd(stream)).map((data) => JSON.parse(data).type)
    assert.deepEqual(types, ['response.created', 'response.in_progress', 'error', 'response.failed'])
  })

  it('502: a model that fails before the first piece, streamed or not', async () => {
    const agent = await service.addAgent()
    for (const stream of [false, true]) {
      service.model.next({ status: 500 })
      const answer = await create(agent, { input: 'hello', stream })
      assertError(answer, 502, 'model_failed')
      assert.equal(answer.headers.get('x-should-retry'), 'false')
    }
  })

  it('200: a request that is sent again after a failure follows the same response', async () => {
    const agent = await service.addAgent()
    const first = await create(agent, { input: 'hello' })
    const follow = { input: 'and?', previous_response_id: first.body.id }
    service.model.next({ status: 500 })
    assertError(await create(agent, follow), 502, 'model_failed')
    assert.equal((await create(agent, follow)).status, 200)
  })

  it('409: a response after which the conversation has continued', async () => {
    const agent = await service.addAgent()
    const first = await create(agent, { input: 'one' })
    const second = await create(agent, { input: 'two', previous_response_id: first.body.id })
    const answer = await create(agent, { input: 'three', previous_response_id: first.body.id })
    assertError(answer, 409, 'response_not_latest')
    assert.equal(answer.body.error.param, 'previous_response_id')
    assert.ok(answer.body.error.message.includes(second.body.id))
    assert.equal(answer.headers.get('x-should-retry'), 'false')
    assert.equal((await agent.get('/chat/completions')).body.total, 2)
  })

  it('400: a previous response that is unknown, of another agent, or hidden', async () => {
    const agent = await service.addAgent()
    const { agentId, teamId } = agent
    const site = await service.app.issue({ agentId, teamId, right: 'chat' })
    const other = await create(await service.addAgent(), { input: 'hello' })
    const own = await create(agent, { input: 'hello' })
    for (const previous_response_id of [
      'resp_1',
      'resp_019d00000000700080000000000000ff',
      other.body.id,
      own.body.output[0].id,
    ]) {
      const answer = await create(agent, { input: 'more', previous_response_id })
      assertError(answer, 400, 'previous_response_not_found')
      assert.equal(answer.body.error.param, 'previous_response_id')
    }
    const byNumber = { input: 'more', previous_response_id: String(own.body.number) }
    assertError(await create(site, byNumber), 400, 'previous_response_not_found')
    assert.equal((await create(site, { input: 'more', previous_response_id: own.body.id })).status, 200)
  })

  for (const [name, body, param] of [
    ['no input', {}, 'input'],
    ['an empty list', { input: [] }, 'input'],
    ['nothing after the assistant', { input: [{ role: 'assistant', content: 'x' }] }, 'input'],
    ['an unknown item', { input: [{ type: 'web_search_call' }] }, 'input.0.type'],
    ['an unknown role', { input: [{ role: 'tool', content: 'x' }] }, 'input.0.role'],
    ['an unknown part', say({ type: 'input_audio' }), 'input.0.content.0.type'],
    ['an uploaded image', say({ type: 'input_image', file_id: 'f' }), 'input.0.content.0.image_url'],
    ['an uploaded file', say({ type: 'input_file', file_id: 'f' }), 'input.0.content.0.file_data'],
    ['an unknown reference', { input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input.0.id'],
    ['a tool of OpenAI', { input: 'x', tools: [{ type: 'web_search' }] }, 'tools.0.type'],
    ['a choice of such a tool', { input: 'x', tool_choice: { type: 'file_search' } }, 'tool_choice.type'],
    ['an unknown format', { input: 'x', text: { format: { type: 'xml' } } }, 'text.format.type'],
    ['what cannot be included', { input: 'x', include: ['message.output_text.logprobs'] }, 'include.0'],
    ['the background', { input: 'x', background: true }, 'background'],
    ['a stored prompt', { input: 'x', prompt: { id: 'p' } }, 'prompt'],
    ['an unknown field', { input: 'x', context_management: [] }, 'context_management'],
    ['messages', { messages: [] }, 'messages'],
    ['a conversation that is no UUID', { input: 'x', conversation: 'conv_1' }, 'conversation'],
    ['both', { input: 'x', external_id: 'e', previous_response_id: 'resp_1' }, 'previous_response_id'],
    ['metadata with a number', { input: 'x', metadata: { k: 1 } }, 'metadata.k'],
  ] as const)
    it(`400: ${name}`, async () => {
      const answer = await create(service.app.agent, body)
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, param, answer.text)
      assert.equal(service.model.requests.length, 0)
    })

  it('400: references to more than a million characters, or to more than a hundred responses', async () => {
    const agent = await service.addAgent()
    const ask = (references: { type: string; id: string }[]) =>
      create(agent, { input: [...references, { role: 'user', content: 'x' }] })
    service.model.next({ text: 'x'.repeat(300_000) })
    const { body } = await create(agent, { input: 'hello' })
    const long = { type: 'item_reference', id: body.output[0].id }
    assert.equal((await ask([long, long, long])).status, 200)
    assertError(await ask([long, long, long, long]), 400, 'invalid_request')
    const { db } = service.app.app.foundation.database
    const number = (n: number) => n.toString(16).padStart(12, '0')
    const row = await db
      .selectFrom('completions')
      .selectAll()
      .where('number', '=', body.number)
      .executeTakeFirstOrThrow()
    const { number: _, ...others } = row
    const copies = Array.from({ length: 101 }, (_, n) => ({
      ...others,
      id: `019d0000-0000-7000-8000-${number(n)}`,
    }))
    await db.insertInto('completions').values(copies).execute()
    const references = copies.map(({ id }) => ({
      type: 'item_reference',
      id: `msg_${id.replaceAll('-', '')}`,
    }))
    const answer = await ask(references)
    assertError(answer, 400, 'invalid_request')
    assert.match(answer.body.error.message, /more than 100 responses/)
    assert.equal((await ask(references.slice(1))).status, 200)
  })

  it('400: a tool with the name of one of the agent', async () => {
    const agent = await service.addAgent({ settings: { handoff: true } })
    const answer = await create(agent, {
      input: 'x',
      tools: [weather, { ...weather, name: 'request_person' }],
    })
    assertError(answer, 400, 'invalid_request')
    assert.equal(answer.body.error.param, 'tools.1')
  })

  it('403: without credentials', async () => {
    assertError(
      await create(service.app.agent, { input: 'x' }, { 'x-api-key': '' }),
      403,
      'invalid_credentials',
    )
  })

  it('404: an unknown conversation', async () => {
    const conversation = '019d0000-0000-7000-8000-000000000000'
    assertError(await create(service.app.agent, { input: 'x', conversation }), 404, 'conversation_not_found')
  })
})

onBothEngines('GET /responses/{id}', (service) => {
  it('200: by the id of the response, or by the UUID or number of its completion', async () => {
    const agent = await service.addAgent()
    const { id, number } = await agent.prompt('hello')
    const { status, body } = await agent.get(`/responses/${id}`)
    assert.equal(status, 200)
    assert.equal(body.id, `resp_${id.replaceAll('-', '')}`)
    assert.equal(body.output[0].content[0].text, 'hello')
    assert.deepEqual([body.tools, body.instructions, body.metadata], [[], null, {}])
    assert.deepEqual((await agent.get(`/responses/${body.id}`)).body, body)
    assert.deepEqual((await agent.get(`/responses/${number}`)).body, body)
  })

  it('404: unknown, or of another agent', async () => {
    const { id } = await (await service.addAgent()).prompt('hello')
    for (const other of [`resp_${id.replaceAll('-', '')}`, id, 'resp_1', 'msg_1', 'x'])
      assertError(await service.app.agent.get(`/responses/${other}`), 404, 'completion_not_found')
  })

  it('403: without credentials', async () => {
    const answer = await service.app.agent.call('GET', '/responses/resp_1', undefined, { 'x-api-key': '' })
    assertError(answer, 403, 'invalid_credentials')
  })
})

function say(part: object) {
  return { input: [{ role: 'user', content: [part] }] }
}
