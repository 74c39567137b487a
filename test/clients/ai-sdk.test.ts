import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { dynamicTool, generateText, jsonSchema, Output, stepCountIs, streamText } from 'ai'
import { startApp, type TestApp } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { calling, type ModelServer, startModelServer } from '../support/model-server.ts'
import { spokenIn } from '../support/spoken-in.ts'

for (const engine of engines) {
  describe(`the AI SDK on ${engine}`, () => {
    let service: TestApp
    let server: ModelServer
    let model: ReturnType<ReturnType<typeof createOpenAICompatible>>

    before(async () => {
      server = await startModelServer()
      service = await startApp(engine, { PARLEY_MODEL_URL: server.url })
      const provider = createOpenAICompatible({
        name: 'parley',
        baseURL: service.baseUrl,
        apiKey: service.agent.bearerToken,
        headers: { 'x-api-key': service.agent.apiKey },
        includeUsage: true,
        supportsStructuredOutputs: true,
      })
      model = provider('any')
    })
    beforeEach(() => server.reset())
    after(async () => {
      await service.close()
      await server.close()
    })

    const usage = { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 }

    test('generates text', async () => {
      server.next({ text: 'Good day', usage })
      const result = await generateText({ model, prompt: 'Greet', maxRetries: 0 })
      assert.equal(result.text, 'Good day')
      assert.equal(result.finishReason, 'stop')
      assert.equal(result.usage.totalTokens, 6)
    })

    test('streams text with usage', async () => {
      server.next({ pieces: ['Good ', 'day'], usage })
      const result = streamText({ model, prompt: 'Greet', maxRetries: 0 })
      let text = ''
      for await (const piece of result.textStream) text += piece
      assert.equal(text, 'Good day')
      assert.equal(await result.finishReason, 'stop')
      assert.equal((await result.usage).totalTokens, 6)
    })

    test('gets tool calls', async () => {
      server.next({
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
        ],
      })
      const weather = dynamicTool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => 'sun' })
      const result = await generateText({ model, prompt: 'Weather?', tools: { weather }, maxRetries: 0 })
      assert.equal(result.finishReason, 'tool-calls')
      assert.deepEqual(result.toolCalls[0]?.input, { city: 'Oslo' })
    })

    test('streams tool calls', async () => {
      server.next({
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
        ],
      })
      const weather = dynamicTool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => 'sun' })
      const result = streamText({ model, prompt: 'Weather?', tools: { weather }, maxRetries: 0 })
      assert.deepEqual((await result.toolCalls)[0]?.input, { city: 'Oslo' })
      assert.equal(await result.finishReason, 'tool-calls')
    })

    // Models that think have the SDK send references to items in place of what they said.
    for (const name of ['any', 'gpt-5'])
      test(`calls tools in several steps over the Responses API, as "${name}"`, async () => {
        const { baseUrl: baseURL, agent } = service
        const headers = { 'x-api-key': agent.apiKey }
        const parley = createOpenAI({ baseURL, apiKey: agent.bearerToken, headers })
        const weather = dynamicTool({
          inputSchema: jsonSchema({ type: 'object' }),
          execute: async () => 'sun',
        })
        const asked = { model: parley(name), prompt: 'Weather?', tools: { weather }, maxRetries: 0 }
        const steps = [
          { text: 'Let me see.', ...calling(['weather', { city: 'Oslo' }], ['weather', { city: 'Rome' }]) },
          calling(['weather', { city: 'Bonn' }, 'call_2']),
          { text: 'Sunny' },
        ]
        server.next(...steps, ...steps)
        assert.equal((await generateText({ ...asked, stopWhen: stepCountIs(3) })).text, 'Sunny')
        const streamed = streamText({ ...asked, stopWhen: stepCountIs(3) })
        let text = ''
        for await (const piece of streamed.textStream) text += piece
        assert.equal(text, 'Let me see.Sunny')
        for (const last of [2, 5])
          assert.deepEqual(
            spokenIn((await server.request(last)).body).map(({ role, content }) => [role, content]),
            [
              ['user', 'Weather?'],
              ['assistant', 'Let me see.'],
              ['tool', 'sun'],
            ].concat(
              [1, 2].flatMap(() => [
                ['assistant', null as never],
                ['tool', 'sun'],
              ]),
            ),
          )
      })

    test('gets structured output: the schema goes through to the model', async () => {
      const schema = { type: 'object' as const, properties: { city: { type: 'string' as const } } }
      server.next({ text: '{"city":"Oslo"}' })
      const output = Output.object({ schema: jsonSchema<{ city: string }>(schema) })
      const result = await generateText({ model, prompt: 'Where?', output, maxRetries: 0 })
      assert.deepEqual(result.output, { city: 'Oslo' })
      const format = (await server.request(0)).body.response_format as {
        type: string
        json_schema: { schema: { properties: unknown } }
      }
      assert.equal(format.type, 'json_schema')
      assert.deepEqual(format.json_schema.schema.properties, schema.properties)
    })

    test('repeats a failed prompt by itself: with an Idempotency-Key nothing is made twice', async () => {
      server.next({ status: 500 })
      const total = async () => (await service.agent.get('/chat/completions?per_page=1')).body.total
      const before = await total()
      const headers = { 'Idempotency-Key': `ai-sdk-${engine}` }
      await assert.rejects(generateText({ model, prompt: 'Fail', headers, maxRetries: 1 }))
      assert.equal(server.requests.length, 1)
      assert.equal(await total(), before + 1)
    })

    test('needs both credentials', async () => {
      const headers = { 'x-api-key': '' }
      await assert.rejects(generateText({ model, prompt: 'Hi', headers, maxRetries: 0 }), { statusCode: 403 })
      assert.equal(server.requests.length, 0)
    })

    test('sees an error in the middle of a stream', async () => {
      server.next({ pieces: ['Half'], ending: 'cut' })
      const errors: unknown[] = []
      const result = streamText({
        model,
        prompt: 'Break',
        maxRetries: 0,
        onError: ({ error }) => void errors.push(error),
      })
      let text = ''
      for await (const piece of result.textStream) text += piece
      assert.equal(text, 'Half')
      assert.equal(errors.length, 1)
      assert.match(JSON.stringify(errors[0]) + String(errors[0]), /broke off/)
    })

    test('sees the error of a failed model with its status', async () => {
      server.next({ status: 429 })
      await assert.rejects(generateText({ model, prompt: 'Fail', maxRetries: 0 }), (error: unknown) => {
        assert.equal(Reflect.get(error as object, 'statusCode'), 502)
        return true
      })
    })
  })
}
