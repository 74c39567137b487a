import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { ChatOpenAI } from '@langchain/openai'
import { startApp, type TestApp } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'

/** The client's own types lose this field where they are checked strictly. */
function totalTokens(message: object): number {
  const usage: { total_tokens?: number } | undefined = Reflect.get(message, 'usage_metadata')
  return usage?.total_tokens ?? 0
}

for (const engine of engines) {
  describe(`LangChain on ${engine}`, () => {
    let service: TestApp
    let server: ModelServer
    let chat: ChatOpenAI

    before(async () => {
      server = await startModelServer()
      service = await startApp(engine, { PARLEY_MODEL_URL: server.url })
      chat = client({ 'x-api-key': service.agent.apiKey })
    })
    const client = (defaultHeaders: Record<string, string>, maxRetries = 0) =>
      new ChatOpenAI({
        model: 'any',
        apiKey: service.agent.bearerToken,
        maxRetries,
        streamUsage: true,
        configuration: { baseURL: service.baseUrl, defaultHeaders },
      })
    beforeEach(() => server.reset())
    after(async () => {
      await service.close()
      await server.close()
    })

    const usage = { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 }

    test('invokes', async () => {
      server.next({ text: 'Good day', usage })
      const answer = await chat.invoke('Greet')
      assert.equal(answer.content, 'Good day')
      assert.equal(totalTokens(answer), 6)
    })

    test('streams with usage', async () => {
      server.next({ pieces: ['Good ', 'day'], usage })
      let text = ''
      let total = 0
      for await (const chunk of await chat.stream('Greet')) {
        text += chunk.content
        total += totalTokens(chunk)
      }
      assert.equal(text, 'Good day')
      assert.equal(total, 6)
    })

    test('binds tools and gets calls', async () => {
      server.next({
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
        ],
      })
      const weather = {
        type: 'function' as const,
        function: { name: 'weather', description: 'Weather', parameters: { type: 'object', properties: {} } },
      }
      const answer = await chat.bindTools([weather]).invoke('Weather?')
      assert.deepEqual(answer.tool_calls?.[0]?.args, { city: 'Oslo' })
    })

    test('gets structured output: the schema goes through to the model', async () => {
      const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
      server.next({ text: '{"city":"Oslo"}' })
      const structured = chat.withStructuredOutput(schema, { name: 'place', method: 'jsonSchema' })
      assert.deepEqual(await structured.invoke('Where?'), { city: 'Oslo' })
      const format = (await server.request(0)).body.response_format as {
        json_schema: { name: string; schema: { properties: unknown } }
      }
      assert.equal(format.json_schema.name, 'place')
      assert.deepEqual(format.json_schema.schema.properties, schema.properties)
    })

    test('repeats a failed prompt by itself: with an Idempotency-Key nothing is made twice', async () => {
      server.next({ status: 500 })
      const total = async () => (await service.agent.get('/chat/completions?per_page=1')).body.total
      const before = await total()
      const headers = { 'x-api-key': service.agent.apiKey, 'Idempotency-Key': `langchain-${engine}` }
      await assert.rejects(client(headers, 1).invoke('Fail'))
      assert.equal(server.requests.length, 1)
      assert.equal(await total(), before + 1)
    })

    test('needs both credentials', async () => {
      await assert.rejects(client({}).invoke('Hi'), { status: 403 })
      assert.equal(server.requests.length, 0)
    })

    test('throws at an error in the middle of a stream', async () => {
      server.next({ pieces: ['Half'], ending: 'cut' })
      let text = ''
      await assert.rejects(async () => {
        for await (const chunk of await chat.stream('Break')) text += chunk.content
      })
      assert.equal(text, 'Half')
    })
  })
}
