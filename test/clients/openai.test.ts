import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import OpenAI from 'openai'
import { zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod'
import { z } from 'zod'
import { startApp, type TestApp } from '../support/app.ts'
import { signInNew } from '../support/console.ts'
import { engines } from '../support/databases.ts'
import { calling, type ModelServer, offering, startModelServer } from '../support/model-server.ts'
import { spokenIn } from '../support/spoken-in.ts'

for (const engine of engines) {
  describe(`the openai client on ${engine}`, () => {
    let service: TestApp
    let model: ModelServer
    let client: OpenAI

    before(async () => {
      model = await startModelServer()
      service = await startApp(engine, { PARLEY_MODEL_URL: model.url, PARLEY_MODEL: 'test-model' })
      client = new OpenAI({
        baseURL: service.baseUrl,
        apiKey: service.agent.bearerToken,
        defaultHeaders: { 'x-api-key': service.agent.apiKey },
      })
    })
    beforeEach(() => model.reset())
    after(async () => {
      await service.close()
      await model.close()
    })

    const ask = (content: string) => ({ model: 'any', messages: [{ role: 'user' as const, content }] })
    const completionsNow = async () => (await service.agent.get('/chat/completions?per_page=1')).body

    test('gets an answer in one piece, with what Parley adds', async () => {
      model.next({ text: 'Hello, world', usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } })
      const { data, response } = await client.chat.completions.create(ask('Hi')).withResponse()
      assert.equal(data.choices[0]?.message.content, 'Hello, world')
      assert.equal(data.choices[0]?.finish_reason, 'stop')
      assert.equal(data.usage?.total_tokens, 5)
      assert.equal(response.headers.get('x-conversation-id'), Reflect.get(data, 'conversation_id'))
    })

    test('streams, with usage at the end and one id on every chunk', async () => {
      model.next({
        pieces: ['One ', 'two ', 'three'],
        usage: { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 },
      })
      const stream = await client.chat.completions.create({
        ...ask('Count'),
        stream: true,
        stream_options: { include_usage: true },
      })
      const chunks = []
      for await (const chunk of stream) chunks.push(chunk)
      assert.equal(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join(''), 'One two three')
      assert.equal(new Set(chunks.map((chunk) => chunk.id)).size, 1)
      assert.equal(chunks.at(-1)?.usage?.total_tokens, 4)
      assert.equal(chunks.at(-2)?.choices[0]?.finish_reason, 'stop')
      assert.ok(Reflect.get(chunks.at(-2) ?? {}, 'conversation_id'))
    })

    test('its stream helper puts tool calls together', async () => {
      const call = {
        id: 'call_1',
        type: 'function' as const,
        function: { name: 'weather', arguments: '{"city":"Oslo"}' },
      }
      model.next({ tool_calls: [call] })
      const stream = client.chat.completions.stream({
        ...ask('Weather?'),
        tools: [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }],
        tool_choice: 'auto',
        response_format: { type: 'json_object' },
      })
      const message = await stream.finalMessage()
      const [made] = message.tool_calls ?? []
      assert.ok(made?.type === 'function')
      assert.deepEqual(made.function, { name: 'weather', arguments: '{"city":"Oslo"}' })
      const { body } = await model.request(0)
      assert.deepEqual(body.response_format, { type: 'json_object' })
      assert.equal(body.tool_choice, 'auto')
      assert.equal(Array.isArray(body.tools), true)
    })

    test('its stream helpers work with a model server that leaves out the role', async () => {
      model.next({ pieces: ['No ', 'role'], without_role: true })
      const stream = client.chat.completions.stream(ask('Hi'))
      assert.equal(await stream.finalContent(), 'No role')
      model.next({ pieces: ['One'], without_role: true })
      const raw = await client.chat.completions.create({ ...ask('Hi'), stream: true })
      const roles = []
      for await (const chunk of raw) roles.push(chunk.choices[0]?.delta.role)
      assert.deepEqual(roles, ['assistant', undefined])
    })

    for (const role of [null, ''])
      test(`its stream helpers work with a model server whose role is ${JSON.stringify(role)}`, async () => {
        model.next({
          pieces: [
            { role, content: 'No ' },
            { role, content: 'role' },
          ],
          without_role: true,
        })
        const stream = client.chat.completions.stream(ask('Hi'))
        assert.equal(await stream.finalContent(), 'No role')
      })

    test('lists all stored completions, page by page and in either order', async () => {
      const made: string[] = []
      for (const word of ['one', 'two', 'three', 'four', 'five'])
        made.push((await client.chat.completions.create(ask(word))).id)
      for (const order of ['asc', 'desc'] as const) {
        const listed: string[] = []
        for await (const { id } of client.chat.completions.list({ limit: 2, order })) listed.push(id)
        const wanted = order === 'asc' ? made : made.toReversed()
        assert.deepEqual(
          listed.filter((id) => made.includes(id)),
          wanted,
          order,
        )
        assert.equal(listed.length, (await completionsNow()).total)
      }
      await assert.rejects(client.chat.completions.list({ after: 'nothing' }), OpenAI.NotFoundError)
      await assert.rejects(client.chat.completions.list({ model: 'x' }), OpenAI.BadRequestError)
    })

    test('has other methods for stored completions, which do what the guide says', async () => {
      const { id } = await client.chat.completions.create(ask('Hi'))
      const retrieved = await client.chat.completions.retrieve(id)
      assert.deepEqual(Reflect.get(retrieved, 'choices'), undefined)
      const { prompt, response } = Reflect.get(retrieved, 'data')
      assert.deepEqual([prompt, response], ['Hi', 'Hi'])
      const metadata = { topic: 'greeting' }
      for (const [name, call] of [
        ['messages.list', () => client.chat.completions.messages.list(id)],
        ['update', () => client.chat.completions.update(id, { metadata })],
        ['delete', () => client.chat.completions.delete(id)],
      ] as const)
        await assert.rejects(async () => await call(), OpenAI.NotFoundError, name)
      await assert.rejects(client.chat.completions.list({ metadata }), OpenAI.BadRequestError)
      assert.equal((await completionsNow()).data[0].id, id, 'it stays')
    })

    test('sends a tool result and the model sees the call before it', async () => {
      const call = { id: 'call_2', type: 'function' as const, function: { name: 'weather', arguments: '{}' } }
      model.next({ tool_calls: [call] }, { text: 'Sunny' })
      const first = await client.chat.completions.create({ ...ask('Weather?'), ...offering('weather') })
      const second = await client.chat.completions.create({
        model: 'any',
        messages: [
          { role: 'user', content: 'Weather?' },
          { role: 'assistant', tool_calls: first.choices[0]?.message.tool_calls ?? [] },
          { role: 'tool', tool_call_id: 'call_2', content: 'sun' },
        ],
        metadata: { conversation_id: String(Reflect.get(first, 'conversation_id')) },
      })
      assert.equal(second.choices[0]?.message.content, 'Sunny')
      const { body } = await model.request(1)
      assert.deepEqual(
        body.messages.map((message) => message.role),
        ['system', 'user', 'assistant', 'tool'],
      )
    })

    test('an abort stops the model call and what was produced is stored', async () => {
      const feed = model.feed()
      const stream = await client.chat.completions
        .create({ ...ask('Long story'), stream: true, user: 'aborts' })
        .then(
          (stream) => stream,
          (error) => assert.fail(error),
        )
      feed.push('Once upon a time')
      for await (const chunk of stream) {
        if (chunk.choices[0]?.delta.content) break
      }
      stream.controller.abort()
      await model.aborted()
      let stored = await completionsNow()
      while (stored.data[0].finish_reason === null) stored = await completionsNow()
      assert.equal(stored.data[0].finish_reason, 'cancelled')
      assert.equal(stored.data[0].response, 'Once upon a time')
    })

    test('an error before the first piece has its status and is not repeated by the client', async () => {
      model.answer = { status: 500 }
      const before = (await completionsNow()).total
      await assert.rejects(
        client.chat.completions.create({ ...ask('Fail'), stream: true }),
        (error: unknown) => {
          assert.ok(error instanceof OpenAI.APIError)
          assert.equal(error.status, 502)
          assert.equal(error.code, 'model_failed')
          return true
        },
      )
      assert.equal((await completionsNow()).total, before + 1)
      assert.equal(model.requests.length, 1)
    })

    test('an error in the middle of a stream is thrown after the pieces before it', async () => {
      model.next({ pieces: ['Half an '], ending: 'cut' })
      const stream = await client.chat.completions.create({ ...ask('Break'), stream: true })
      let text = ''
      await assert.rejects(
        async () => {
          for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
        },
        (error: unknown) => error instanceof OpenAI.APIError && error.code === 'model_failed',
      )
      assert.equal(text, 'Half an ')
      assert.equal((await completionsNow()).data[0].response, 'Half an ')
    })

    test('a repeat with the same Idempotency-Key gets the first answer and makes nothing new', async () => {
      model.next({ text: 'The first answer' }, { text: 'Another answer' })
      const headers = { 'Idempotency-Key': `repeat-${engine}` }
      const first = await client.chat.completions.create(ask('Once'), { headers })
      const again = await client.chat.completions.create(ask('Once'), { headers })
      assert.deepEqual(again, first)
      const total = (await completionsNow()).total
      const streamed = await client.chat.completions.create(
        { ...ask('Twice'), stream: true },
        {
          headers: { 'Idempotency-Key': `stream-${engine}` },
        },
      )
      for await (const _chunk of streamed) {
      }
      const replayed = client.chat.completions.stream(ask('Twice'), {
        headers: { 'Idempotency-Key': `stream-${engine}` },
      })
      assert.equal(await replayed.finalContent(), 'Another answer')
      assert.equal((await completionsNow()).total, total + 1)
    })

    test('a person takes over from the agent, hands back, and the model knows what the person said', async () => {
      const person = await signInNew(service, { teamId: service.agent.teamId, right: 'respond' })
      const first = await client.chat.completions.create(ask('Where is my parcel?'))
      const conversation_id = String(Reflect.get(first, 'conversation_id'))
      const path = `/agents/${service.agent.agentId}/conversations/${conversation_id}`
      const say = (content: string) =>
        client.chat.completions.create({ ...ask(content), metadata: { conversation_id } })
      model.next({ hang: true })
      const running = say('Are you sure?')
      await model.request(1)
      const answered = await person.call('POST', `${path}/messages`, { content: 'I am Test. It is in Oslo.' })
      assert.equal(answered.status, 200, answered.text)
      await model.aborted()
      assert.equal(Reflect.get(await running, 'agent_paused'), true)
      const silent = await say('Thanks')
      assert.equal(Reflect.get(silent, 'agent_paused'), true)
      assert.equal(model.requests.length, 2)
      await person.call('POST', `${path}/resume`)
      model.next({ text: 'Tomorrow.' })
      const back = await say('And when does it come?')
      assert.deepEqual(
        [Reflect.get(back, 'agent_paused'), back.choices[0]?.message.content],
        [false, 'Tomorrow.'],
      )
      const { messages } = (await model.request(2)).body
      assert.match(String(messages[0]?.content), /You are active again/)
      assert.ok(messages.some(({ content }) => content === '[Person “Test”] I am Test. It is in Oslo.'))
      const { body } = await person.call('GET', `${path}/timeline?order=asc`)
      const types = body.data.map(({ type }: { type: string }) => type)
      assert.ok(types.indexOf('paused') < types.indexOf('resumed'), String(types))
    })

    test('gets a response, and goes on with it', async () => {
      model.next({ text: 'Hello, world', usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } })
      const first = await client.responses.create({ input: 'Hi', instructions: 'Be kind.' })
      assert.deepEqual([first.output_text, first.status], ['Hello, world', 'completed'])
      assert.deepEqual([first.usage?.input_tokens, first.usage?.total_tokens], [3, 5])
      const second = await client.responses.create({ input: 'And you?', previous_response_id: first.id })
      assert.equal(second.conversation?.id, first.conversation?.id)
      const messages = spokenIn((await model.request(1)).body)
      assert.deepEqual(
        messages.map(({ content }) => content),
        ['Hi', 'Hello, world', 'And you?'],
      )
      const read = await client.responses.retrieve(first.id)
      assert.deepEqual([read.output_text, read.output], ['Hello, world', first.output])
      await assert.rejects(client.responses.delete(first.id), OpenAI.NotFoundError)
    })

    test('streams a response', async () => {
      const stream = client.responses.stream({ input: 'one two three' })
      const snapshots: string[] = []
      stream.on('response.output_text.delta', (event) => {
        snapshots.push(Reflect.get(event, 'snapshot'))
      })
      const response = await stream.finalResponse()
      assert.equal(response.output_text, 'one two three')
      assert.deepEqual(snapshots, ['one', 'one two', 'one two three'])
      const raw = await client.responses.create({ input: 'one', stream: true })
      const types: string[] = []
      for await (const { type } of raw) types.push(type)
      assert.deepEqual([types.length, types.at(-1)], [9, 'response.completed'])
    })

    for (const streamed of [false, true])
      test(`calls tools by a response${streamed ? ' that is streamed' : ''}`, async () => {
        model.next(
          { text: 'Let me see.', ...calling(['weather', { city: 'Oslo' }], ['weather', { city: 'Rome' }]) },
          { text: 'Sun in both.' },
        )
        const tools = [zodResponsesFunction({ name: 'weather', parameters: z.object({ city: z.string() }) })]
        const asked = { input: 'Weather?', tools }
        const first = streamed
          ? await client.responses.stream(asked).finalResponse()
          : await client.responses.parse(asked)
        const calls = first.output.filter((item) => item.type === 'function_call')
        assert.deepEqual(
          calls.map((call) => Reflect.get(call, 'parsed_arguments')),
          [{ city: 'Oslo' }, { city: 'Rome' }],
        )
        const second = await client.responses.create({
          previous_response_id: first.id,
          tools,
          input: calls.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: 'sun' })),
        })
        assert.equal(second.output_text, 'Sun in both.')
        const messages = spokenIn((await model.request(1)).body)
        assert.deepEqual(
          messages.map(({ role }) => role),
          ['user', 'assistant', 'tool', 'assistant', 'tool'],
        )
      })

    test('parses the text of a response by a schema', async () => {
      const format = zodTextFormat(z.object({ city: z.string() }), 'place')
      model.next({ text: '{"city":"Oslo"}' }, { text: '{"city":"Rome"}' })
      const parsed = await client.responses.parse({ input: 'Where?', text: { format } })
      assert.deepEqual(parsed.output_parsed, { city: 'Oslo' })
      const streamed = await client.responses.stream({ input: 'Where?', text: { format } }).finalResponse()
      assert.deepEqual(streamed.output_parsed, { city: 'Rome' })
      const sent = (await model.request(0)).body.response_format as { json_schema: { name: string } }
      assert.equal(sent.json_schema.name, 'place')
    })

    test('errors of responses are those that it knows, also in the middle of a stream', async () => {
      await assert.rejects(
        client.responses.create({ input: 'x', previous_response_id: 'resp_1' }),
        (error: unknown) => {
          assert.ok(error instanceof OpenAI.BadRequestError)
          assert.equal(error.code, 'previous_response_not_found')
          assert.equal(error.param, 'previous_response_id')
          return true
        },
      )
      const { id } = await client.responses.create({ input: 'x' })
      await client.responses.create({ input: 'y', previous_response_id: id })
      await assert.rejects(
        client.responses.create({ input: 'z', previous_response_id: id }),
        OpenAI.ConflictError,
      )
      assert.equal(model.requests.length, 2)
      const failing = { pieces: ['Half an '], ending: 'cut' as const }
      model.next(failing, failing)
      let text = ''
      const isFailure = (error: unknown) => error instanceof OpenAI.APIError && error.code === 'model_failed'
      await assert.rejects(async () => {
        for await (const event of await client.responses.create({ input: 'Break', stream: true }))
          if (event.type === 'response.output_text.delta') text += event.delta
      }, isFailure)
      assert.equal(text, 'Half an ')
      await assert.rejects(client.responses.stream({ input: 'Break' }).finalResponse(), isFailure)
    })

    test('wrong credentials are a PermissionDeniedError', async () => {
      const stranger = new OpenAI({ baseURL: service.baseUrl, apiKey: 'sk-none', maxRetries: 0 })
      await assert.rejects(stranger.chat.completions.create(ask('Hi')), OpenAI.PermissionDeniedError)
    })

    test('lists the model', async () => {
      const models = await client.models.list()
      assert.deepEqual(
        models.data.map(({ id }) => id),
        ['test-model'],
      )
      assert.equal((await client.models.retrieve('test-model')).id, 'test-model')
      await assert.rejects(client.models.retrieve('gpt-4o'), OpenAI.NotFoundError)
    })

    test('takes the older form of function calls', async () => {
      await client.chat.completions.create({
        model: 'test-model',
        messages: [
          { role: 'user', content: 'Is it open?' },
          { role: 'assistant', content: null, function_call: { name: 'hours', arguments: '{}' } },
          { role: 'function', name: 'hours', content: 'nine to five' },
        ],
      })
      const { body } = await model.request(0)
      const [called, result] = body.messages.slice(2) as { tool_calls?: { id: string }[] }[]
      const id = called?.tool_calls?.[0]?.id ?? ''
      assert.match(id, /^[a-z0-9]{9}$/)
      assert.deepEqual(called, {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'hours', arguments: '{}' } }],
      })
      assert.deepEqual(result, { role: 'tool', tool_call_id: id, content: 'nine to five' })
    })
  })
}
