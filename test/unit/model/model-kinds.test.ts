import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { type ModelKind, modelKinds } from '../../../src/lib/model-kinds.ts'
import { createOutbound, parsePrivateTargets } from '../../../src/lib/outbound/outbound.ts'
import { inRoles } from '../../../src/model/in-roles.ts'
import {
  type Model,
  type ModelAnswer,
  type ModelError,
  type ModelMessage,
  type ModelPiece,
  thoughtsOf,
} from '../../../src/model/model.ts'
import { servedModel } from '../../../src/model/served-model.ts'
import { AZURE_FILTERED } from '../../support/model-dialects/azure.ts'
import { GEMINI_BLOCKED } from '../../support/model-dialects/gemini.ts'
import { calling, type ModelServer, startModelServer } from '../../support/model-server.ts'

const outbound = createOutbound({ privateTargets: parsePrivateTargets('') })
after(() => outbound.close())

const KEY = 'sk-hunter2-hunter2'
const user = (content: string): ModelMessage => ({ role: 'user', content })
const SYSTEM: ModelMessage = { role: 'system', content: 'Be kind.' }
const WEATHER = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'Tells it.',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
}
const idle = () => new AbortController().signal

for (const kind of modelKinds) {
  const servers = servedAs(kind)

  for (const way of ['complete', 'stream'] as const) {
    const ask = (messages: ModelMessage[], parameters: Record<string, unknown> = {}, model = servers.model) =>
      answerOf(model, way, messages, parameters)

    describe(`a model of the kind ${kind}: ${way}`, () => {
      it('says its text, its usage and its name, and why it ends', async () => {
        const { content, finish_reason, usage, model } = await ask([SYSTEM, user('Hello there')])
        assert.deepEqual([content, finish_reason, model], ['Hello there', 'stop', 'test-model'])
        const { prompt_tokens, completion_tokens, total_tokens } = usage ?? {}
        assert.deepEqual([prompt_tokens, completion_tokens, total_tokens], [3, 5, 8])
      })

      it('tells its thoughts apart', async () => {
        servers.server.next({ text: 'Four.', thoughts: 'Two and two.' })
        const { content, thoughts } = await ask([user('2+2?')])
        assert.deepEqual([content, thoughts], ['Four.', 'Two and two.'])
      })

      it('cites what it has read', async () => {
        const cited = { url: 'https://example.com/a', title: 'A' }
        servers.server.next({ text: 'So it is', citations: [cited] })
        const { citations } = await ask([user('Is it?')])
        assert.deepEqual(
          citations.map(({ url, title }) => ({ url, title })),
          [cited],
        )
      })

      for (const reason of ['length', 'content_filter'])
        it(`ends for the reason ${reason}`, async () => {
          servers.server.next({ text: 'And so', finish_reason: reason })
          assert.equal((await ask([user('Go on')])).finish_reason, reason)
        })

      it('calls tools, alone and together, in two rounds, and gets its own thoughts and calls back with their results', async () => {
        const messages = [SYSTEM, user('Weather in Bonn and Ulm?')]
        const parameters = { tools: [WEATHER] }
        servers.server.next(
          {
            ...calling(['weather', { city: 'Bonn' }, 'call_bonn'], ['weather', { city: 'Ulm' }, 'call_ulm']),
            thoughts: 'Two cities.',
          },
          { ...calling(['weather', {}, 'call_all']), thoughts: 'And all?' },
          { text: 'Sunny in both.' },
        )
        for (const cities of [['{"city":"Bonn"}', '{"city":"Ulm"}'], ['{}']]) {
          const { tool_calls, finish_reason } = await ask(inRoles(messages), parameters)
          assert.equal(finish_reason, 'tool_calls')
          assert.deepEqual(
            tool_calls.map((call) => call.function.arguments),
            cities,
          )
          messages.push(
            { role: 'assistant', content: null, tool_calls },
            ...tool_calls.map(
              ({ id }): ModelMessage => ({ role: 'tool', tool_call_id: id, content: 'Sunny.' }),
            ),
          )
        }
        assert.equal((await ask(inRoles(messages), parameters)).content, 'Sunny in both.')
        const last = JSON.stringify(servers.server.requests[2]?.body)
        if (kind === 'anthropic')
          assert.match(last, /"thinking":"Two cities\.".*"call_bonn".*"call_ulm".*"And all\?"/)
        if (kind === 'gemini') assert.match(last, /"call_bonn".*"thoughtSignature".*"call_ulm"/)
      })

      it('goes on with calls that somebody else made, and makes no more of them', async () => {
        const calls = ['a', 'b'].map((city) => ({
          id: 'call_0',
          type: 'function' as const,
          function: { name: 'weather', arguments: JSON.stringify({ city }) },
        }))
        const rounds = calls.flatMap((call): ModelMessage[] => [
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', tool_call_id: 'call_0', content: `Sunny in ${call.function.arguments}` },
        ])
        const { content } = await ask(inRoles([SYSTEM, user('And?'), ...rounds]))
        assert.equal(content, 'And?')
        const { body } = servers.server.requests[0] ?? assert.fail()
        if (kind === 'anthropic') assert.deepEqual(body.tool_choice, { type: 'none' })
        if (kind === 'gemini') assert.deepEqual(body.toolConfig, { functionCallingConfig: { mode: 'NONE' } })
      })

      for (const status of [400, 401, 404, 429, 500, 529])
        it(`fails with the status ${status}, and tells the server's words apart`, async () => {
          servers.server.next({ status })
          await assert.rejects(ask([user('x')]), (error: ModelError) => {
            assert.deepEqual(
              [error.reason, error.status, error.said?.message],
              ['status', status, `secret detail ${status}`],
            )
            assert.doesNotMatch(error.message, /secret/)
            return true
          })
        })

      it('fails when it answers in another form', async () => {
        servers.server.next({ raw: { body: '{"id":"x"}', content_type: 'application/json' } })
        await assert.rejects(ask([user('x')]), { reason: 'protocol' })
      })

      it('stops when it is told to', async () => {
        servers.server.next({ hang: true })
        const stop = new AbortController()
        const stopped = assert.rejects(answerOf(servers.model, way, [user('x')], {}, stop.signal), {
          name: 'AbortError',
        })
        await servers.server.request(0)
        stop.abort()
        await Promise.all([stopped, servers.server.aborted()])
      })

      it('sends the key in its own header alone', async () => {
        await ask([user('x')])
        const { headers } = servers.server.requests[0] ?? assert.fail()
        const carrying = Object.entries(headers).filter(([, value]) => String(value).includes(KEY))
        assert.deepEqual(carrying, [
          {
            openai: ['authorization', `Bearer ${KEY}`],
            anthropic: ['x-api-key', KEY],
            gemini: ['x-goog-api-key', KEY],
            azure: ['api-key', KEY],
          }[kind],
        ])
      })
    })
  }

  describe(`a stream of a model of the kind ${kind}`, () => {
    const read = () => answerOf(servers.model, 'stream', [user('x')], {})

    for (const [ending, reason] of Object.entries({ error: 'protocol', cut: 'interrupted', end: 'protocol' }))
      it(`fails in the middle: ${ending}`, async () => {
        servers.server.next({ pieces: ['one'], ending: ending as 'error' })
        await assert.rejects(read(), { reason })
      })

    it('says 10 MiB at most', async () => {
      servers.server.next({ pieces: Array.from({ length: 20 }, () => 'x'.repeat(600_000)) })
      await assert.rejects(read(), { reason: 'protocol' })
    })

    it('is waited for no longer than is set', async () => {
      servers.server.next({ pieces: ['one'], ending: 'hang' })
      const { url } = servers.server
      const timeouts = { idleMs: 50 }
      const hasty = servedModel({ kind, url, apiKey: null, http: outbound.of(null), trusted: true, timeouts })
      await assert.rejects(answerOf(hasty, 'stream', [user('x')], {}), { reason: 'timeout' })
    })
  })
}

describe('what Anthropic is sent', () => {
  const servers = servedAs('anthropic')
  const sent = async (messages: ModelMessage[], parameters: Record<string, unknown>) => {
    await answerOf(servers.model, 'complete', messages, parameters)
    return servers.server.requests.at(-1)?.body ?? assert.fail()
  }

  it('request fields with a counterpart, and its own', async () => {
    const {
      model: _,
      messages: _m,
      ...body
    } = await sent([user('x')], {
      max_completion_tokens: 5,
      temperature: 1.7,
      top_p: 0.5,
      top_k: 3,
      stop: ['END', ' '],
      tools: [WEATHER],
      tool_choice: { type: 'function', function: { name: 'weather' } },
      parallel_tool_calls: false,
      response_format: { type: 'json_schema', json_schema: { name: 'v', schema: { type: 'object' } } },
      reasoning_effort: 'low',
      seed: 4,
      logit_bias: {},
      frequency_penalty: 1,
    })
    assert.deepEqual(body, {
      max_tokens: 5,
      temperature: 1,
      top_p: 0.5,
      top_k: 3,
      stop_sequences: ['END'],
      tools: [{ name: 'weather', description: 'Tells it.', input_schema: WEATHER.function.parameters }],
      tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
      output_config: { effort: 'low', format: { type: 'json_schema', schema: { type: 'object' } } },
    })
  })

  it('a length for the answer where none is set, with room for thoughts', async () => {
    assert.equal((await sent([user('x')], {})).max_tokens, 4096)
    const thinking = { type: 'enabled', budget_tokens: 2000 }
    const body = await sent([user('x')], { thinking })
    assert.deepEqual([body.max_tokens, body.thinking], [6096, thinking])
  })

  it('marks of what to keep: the system message, and all before the newest words of the user', async () => {
    const body = await sent([SYSTEM, user('One'), { role: 'assistant', content: 'Two' }, user('Three')], {})
    const cache_control = { type: 'ephemeral' }
    assert.deepEqual(body.system, [{ type: 'text', text: 'Be kind.', cache_control }])
    assert.deepEqual(body.messages, [
      { role: 'user', content: [{ type: 'text', text: 'One' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Two', cache_control }] },
      { role: 'user', content: [{ type: 'text', text: 'Three' }] },
    ])
  })

  it('no thoughts behind another beginning, and no order to think where thoughts are gone', async () => {
    const thinking = { type: 'enabled', budget_tokens: 1024 }
    servers.server.next({ ...calling(['weather', {}, 'call_w']), thoughts: 'Hm.' })
    const { tool_calls } = await answerOf(servers.model, 'complete', [user('x')], {
      tools: [WEATHER],
      thinking,
    })
    const result: ModelMessage = { role: 'tool', tool_call_id: tool_calls[0]?.id ?? '', content: 'Sunny.' }
    const again = (call: typeof tool_calls) =>
      sent(inRoles([user('x'), { role: 'assistant', content: null, tool_calls: call }, result]), {
        tools: [WEATHER],
        thinking,
      })
    assert.deepEqual((await again(tool_calls)).thinking, thinking)
    const redacted = tool_calls.map((call) => ({
      ...call,
      function: { name: 'weather', arguments: '{"city":"[CITY]"}' },
    }))
    const body = await again(redacted)
    assert.equal(body.thinking, undefined)
    assert.doesNotMatch(JSON.stringify(body), /Hm\./)
    assert.match(JSON.stringify(body), /\[CITY\]/)
    const other = await sent(
      inRoles([SYSTEM, user('x'), { role: 'assistant', content: null, tool_calls }, result]),
      { tools: [WEATHER], thinking },
    )
    assert.doesNotMatch(JSON.stringify(other), /Hm\./)
  })
})

describe('what Gemini is sent', () => {
  const servers = servedAs('gemini')
  it('request fields with a counterpart, and its own', async () => {
    await answerOf(servers.model, 'complete', [SYSTEM, user('x')], {
      max_tokens: 5,
      temperature: 1.7,
      top_p: 0.5,
      stop: 'END',
      seed: 4,
      frequency_penalty: 1,
      tools: [WEATHER],
      tool_choice: 'required',
      response_format: { type: 'json_schema', json_schema: { name: 'v', schema: { type: 'object' } } },
      reasoning_effort: 'low',
      generationConfig: { topK: 3 },
      safetySettings: [{ category: 'c', threshold: 'BLOCK_NONE' }],
      logit_bias: {},
    })
    const { body, path } = servers.server.requests[0] ?? assert.fail()
    assert.equal(path, '/v1beta/models/test-model:generateContent')
    assert.deepEqual(body, {
      systemInstruction: { parts: [{ text: 'Be kind.' }] },
      contents: [{ role: 'user', parts: [{ text: 'x' }] }],
      tools: [
        {
          functionDeclarations: [
            { name: 'weather', description: 'Tells it.', parametersJsonSchema: WEATHER.function.parameters },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      generationConfig: {
        maxOutputTokens: 5,
        temperature: 1.7,
        topP: 0.5,
        topK: 3,
        stopSequences: ['END'],
        seed: 4,
        frequencyPenalty: 1,
        responseMimeType: 'application/json',
        responseJsonSchema: { type: 'object' },
        thinkingConfig: { thinkingLevel: 'LOW' },
      },
      safetySettings: [{ category: 'c', threshold: 'BLOCK_NONE' }],
    })
  })
})

const PNG = 'data:image/png;base64,iVBORw0KGgo='
const PARTS: ModelMessage = {
  role: 'user',
  content: [
    { type: 'text', text: 'Look:' },
    { type: 'image_url', image_url: { url: PNG } },
    { type: 'image_url', image_url: { url: 'https://example.com/a.webp' } },
    { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
    { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=' } },
    { type: 'file', file: { file_id: 'file-1' } },
  ],
}
const shown = (what: string) => `(Here was something that you cannot be shown: ${what}.)`

describe('parts of a message', () => {
  for (const [kind, parts] of Object.entries({
    anthropic: [
      { type: 'text', text: 'Look:' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
      { type: 'text', text: shown('image_url') },
      { type: 'text', text: shown('audio/wav') },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } },
      { type: 'text', text: shown('file') },
    ],
    gemini: [
      { text: 'Look:' },
      { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
      { text: shown('image_url') },
      { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } },
      { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } },
      { text: shown('file') },
    ],
  })) {
    const servers = servedAs(kind as ModelKind)
    it(`become ${kind}'s, and none is lost`, async () => {
      await answerOf(servers.model, 'complete', [PARTS], {})
      const body = servers.server.requests[0]?.body as Record<string, { content?: object; parts?: object }[]>
      assert.deepEqual(body.messages?.[0]?.content ?? body.contents?.[0]?.parts, parts)
    })
  }
})

describe('a prompt that a filter refuses', () => {
  for (const [kind, status, body] of [
    ['azure', 400, AZURE_FILTERED],
    ['gemini', 200, GEMINI_BLOCKED],
  ] as const) {
    const servers = servedAs(kind)
    for (const way of ['complete', 'stream'] as const)
      it(`is an answer that was filtered before it began: ${kind}, ${way}`, async () => {
        const stream = way === 'stream' && status === 200
        const raw = stream
          ? { body: `data: ${JSON.stringify(body)}\n\n` }
          : { body: JSON.stringify(body), content_type: 'application/json' }
        servers.server.next({ status, raw })
        const { content, finish_reason } = await answerOf(servers.model, way, [user('x')], {})
        assert.deepEqual([content || null, finish_reason], [null, 'content_filter'])
      })
  }
})

describe('addresses', () => {
  for (const [kind, base, path] of [
    ['anthropic', '', '/v1/messages'],
    ['anthropic', '/v1/', '/v1/messages'],
    ['anthropic', '/anthropic', '/anthropic/v1/messages'],
    ['anthropic', '/v1/messages', '/v1/messages'],
    ['gemini', '', '/v1beta/models/m:generateContent'],
    ['gemini', '/v1/', '/v1/models/m:generateContent'],
    ['gemini', '/v1beta/models', '/v1beta/models/m:generateContent'],
    ['azure', '', '/openai/v1/chat/completions'],
    ['azure', '/openai/v1/', '/openai/v1/chat/completions'],
    ['azure', '/openai/', '/openai/v1/chat/completions'],
    ['azure', '/?api-version=2024-10-21', '/openai/deployments/m/chat/completions?api-version=2024-10-21'],
    [
      'azure',
      '/openai/deployments/d/chat/completions?api-version=2024-10-21',
      '/openai/deployments/d/chat/completions?api-version=2024-10-21',
    ],
  ] as const)
    it(`${kind}: ${base || 'an origin'} becomes ${path}`, async () => {
      const asked: string[] = []
      const http = {
        request: async (url: URL) => {
          asked.push(url.pathname + url.search)
          return { status: 500, headers: {}, body: Buffer.alloc(0), truncated: false }
        },
      } as never
      const model = servedModel({
        kind,
        url: `https://example.com${base}`,
        apiKey: null,
        http,
        trusted: true,
      })
      await assert.rejects(model.complete({ model: 'm', messages: [user('x')], parameters: {} }, idle()))
      assert.deepEqual(asked, [path])
    })
})

/** A server of a kind and the model behind it, for the tests of a file. */
function servedAs(kind: ModelKind): { readonly server: ModelServer; readonly model: Model } {
  let server: ModelServer
  let model: Model
  before(async () => {
    server = await startModelServer({ kind })
    model = servedModel({ kind, url: server.url, apiKey: KEY, http: outbound.of(null), trusted: true })
  })
  afterEach(() => server.reset())
  after(() => server.close())
  return {
    get server() {
      return server
    },
    get model() {
      return model
    },
  }
}

/** Asks for an answer, whole or in pieces, which are put together. */
async function answerOf(
  model: Model,
  way: 'complete' | 'stream',
  messages: ModelMessage[],
  parameters: Record<string, unknown>,
  signal = idle(),
): Promise<ModelAnswer> {
  const request = { model: 'test-model', messages, parameters }
  if (way === 'complete') return model.complete(request, signal)
  const pieces: ModelPiece[] = []
  for await (const batch of model.stream(request, signal)) pieces.push(...batch)
  const calls: ModelAnswer['tool_calls'] = []
  for (const { index, id, function: called } of pieces.flatMap(({ delta }) => delta.tool_calls ?? [])) {
    const call = (calls[index] ??= { id: id ?? '', type: 'function', function: { name: '', arguments: '' } })
    call.function.name += called?.name ?? ''
    call.function.arguments += called?.arguments ?? ''
  }
  const last = pieces.at(-1) ?? assert.fail()
  return {
    content: pieces.map(({ delta }) => delta.content ?? '').join(''),
    thoughts: pieces.map(({ delta }) => thoughtsOf(delta)).join(''),
    tool_calls: calls,
    refusal: null,
    citations: pieces.flatMap(({ citations = [] }) => citations),
    finish_reason: last.finish_reason ?? assert.fail(),
    usage: last.usage,
    model: last.model ?? '',
  }
}
