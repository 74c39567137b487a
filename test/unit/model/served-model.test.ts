import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import type { ModelError, ModelPiece } from '../../../src/model/model.ts'
import type { Answer } from '../../support/model-server.ts'
import { collect, failure, idle, model, prompt, server } from './call-model.ts'

/** Fields that an agent's default parameters may hold, and that are not theirs to set. */
const notParameters = { model: 'other', messages: [], stream: 'maybe', stream_options: {} }

describe('complete', () => {
  test('answers with text, usage and the name of the model', async () => {
    const answer = await model().complete(prompt('Hello there'), idle())
    assert.deepEqual(answer, {
      content: 'Hello there',
      tool_calls: [],
      refusal: null,
      finish_reason: 'stop',
      usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
      citations: [],
      model: 'm',
    })
  })

  test('sends key, messages and parameters, and asks for no stream', async () => {
    const request = {
      ...prompt('x'),
      parameters: { ...notParameters, temperature: 0.5, seed: 7 },
    }
    await model({ apiKey: 'k-1' }).complete(request, idle())
    const sent = await server.request(0)
    assert.equal(sent.headers.authorization, 'Bearer k-1')
    assert.deepEqual(sent.body, {
      model: 'm',
      messages: [{ role: 'user', content: 'x' }],
      temperature: 0.5,
      seed: 7,
    })
  })

  test('sends no authorization without a key', async () => {
    await model({ apiKey: null }).complete(prompt('x'), idle())
    assert.equal((await server.request(0)).headers.authorization, undefined)
  })

  for (const suffix of ['', '/', '//', '/chat/completions', '?api-version=1']) {
    test(`takes a base address that ends in "${suffix}"`, async () => {
      const answer = await model({ url: server.url + suffix }).complete(prompt('x'), idle())
      assert.equal(answer.content, 'x')
    })
  }

  test('gives tool calls', async () => {
    const tool_calls = [
      { id: 'c1', type: 'function' as const, function: { name: 'f', arguments: '{"a":1}' } },
    ]
    server.next({ tool_calls })
    const answer = await model().complete(prompt('x'), idle())
    assert.deepEqual(
      [answer.content, answer.tool_calls, answer.finish_reason],
      [null, tool_calls, 'tool_calls'],
    )
  })

  for (const [what, body] of Object.entries({
    'text that is not JSON': '<html>',
    'JSON that is no object': 'null',
    'no choices': '{"id":"x"}',
    'empty choices': '{"choices":[]}',
    'an error object': '{"error":{"message":"secret detail"}}',
  })) {
    test(`fails with protocol on ${what}`, async () => {
      server.next({ raw: { body, content_type: 'application/json' } })
      await assert.rejects(model().complete(prompt('x'), idle()), failure('protocol'))
    })
  }

  test('fails with protocol on an answer over 4 MiB', async () => {
    server.next({ raw: { body: ' '.repeat(4 * 1024 * 1024 + 1), content_type: 'application/json' } })
    await assert.rejects(model().complete(prompt('x'), idle()), failure('protocol'))
  })

  test('fails with timeout when nothing comes', async () => {
    server.next({ hang: true })
    await assert.rejects(
      model({ timeouts: { totalMs: 30 } }).complete(prompt('x'), idle()),
      failure('timeout'),
    )
    await server.aborted()
  })
})

describe('stream', () => {
  test('gives pieces, the last one with finish_reason and usage', async () => {
    const pieces = await collect('Hello there')
    assert.deepEqual(
      pieces.map((piece) => piece.delta),
      [{ role: 'assistant', content: '' }, { content: 'Hello' }, { content: ' there' }, {}],
    )
    assert.deepEqual(
      pieces.map((piece) => [piece.finish_reason, piece.usage?.total_tokens, piece.model]),
      [
        [null, undefined, 'm'],
        [null, undefined, 'm'],
        [null, undefined, 'm'],
        ['stop', 8, 'm'],
      ],
    )
  })

  test('asks for a stream with usage', async () => {
    const request = { ...prompt('x'), parameters: { ...notParameters, temperature: 0.5 } }
    for await (const _ of model().stream(request, idle()));
    const { body, headers } = await server.request(0)
    assert.deepEqual(body, {
      model: 'm',
      messages: [{ role: 'user', content: 'x' }],
      temperature: 0.5,
      stream: true,
      stream_options: { include_usage: true },
    })
    assert.equal(headers.accept, 'text/event-stream')
  })

  test('hands each piece over as it comes', async () => {
    const feed = server.feed()
    const batches = model().stream(prompt('x'), idle())[Symbol.asyncIterator]()
    const next = async () => (await batches.next()).value?.map((piece: ModelPiece) => piece.delta.content)
    assert.deepEqual(await next(), [''])
    feed.push('one')
    assert.deepEqual(await next(), ['one'])
    feed.push('two')
    assert.deepEqual(await next(), ['two'])
    feed.end()
    assert.deepEqual(await next(), [undefined])
    assert.equal((await batches.next()).done, true)
  })

  test('takes one JSON answer for a stream', async () => {
    const tool_calls = [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }]
    const message = { role: 'assistant', content: 'all', tool_calls }
    const body = JSON.stringify({
      choices: [{ message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1 },
    })
    server.next({ raw: { body, content_type: 'application/json; charset=utf-8' } })
    const pieces = await collect('x')
    assert.deepEqual(pieces, [
      {
        delta: { role: 'assistant', content: 'all', tool_calls: [{ index: 0, ...tool_calls[0] }] },
        finish_reason: 'stop',
        usage: { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 },
      },
    ])
  })

  test('keeps its connection for the next call', async () => {
    await using lingering = await startLingering()
    const call = async () => {
      for await (const _ of model({ url: lingering.url }).stream(prompt('x'), idle()));
    }
    // Three answers are complete for us while their connections are not yet free.
    for (let n = 0; n < 3; n++) await call()
    lingering.go()
    assert.deepEqual(await Promise.all(lingering.ends), ['ended', 'ended', 'ended'])
    await new Promise(setImmediate)
    for (let n = 0; n < 20; n++) await call()
    assert.ok(lingering.connections() < 10, `${lingering.connections()} connections`)
  })

  const failures: Record<string, [Answer, ModelError['reason']]> = {
    'ends without finish_reason and [DONE]': [{ ending: 'end' }, 'protocol'],
    'tells an error in the middle': [{ ending: 'error' }, 'protocol'],
    'is cut in the middle': [{ ending: 'cut' }, 'interrupted'],
    'is no event stream': [{ raw: { body: '<html>', content_type: 'text/html' } }, 'protocol'],
    'holds no JSON': [{ raw: { body: 'data: {oops\n\n' } }, 'protocol'],
    'holds no choice': [{ raw: { body: 'data: [DONE]\n\n' } }, 'protocol'],
    'is a JSON error': [
      { raw: { body: '{"error":"secret detail"}', content_type: 'application/json' } },
      'protocol',
    ],
  }
  for (const [what, [answer, reason]] of Object.entries(failures)) {
    test(`fails with ${reason} when it ${what}`, async () => {
      server.next(answer)
      await assert.rejects(collect('x'), failure(reason))
    })
  }

  test('gives what came before it failed', async () => {
    server.next({ pieces: ['one', ' two'], ending: 'cut' })
    let text = ''
    await assert.rejects(async () => {
      for await (const batch of model().stream(prompt('x'), idle())) {
        for (const piece of batch) text += piece.delta.content ?? ''
      }
    }, failure('interrupted'))
    assert.equal(text, 'one two')
  })

  test('is complete when it is cut after its finish_reason', async () => {
    const chunk = { choices: [{ delta: { content: 'all' }, finish_reason: 'length' }] }
    await using cutting = await rawServer(`data: ${JSON.stringify(chunk)}\n\n`)
    const pieces = await collect('x', { url: cutting.url })
    assert.deepEqual(pieces, [{ delta: { content: 'all' }, finish_reason: 'length', usage: null }])
  })

  test('fails with timeout when no first byte comes', async () => {
    server.next({ hang: true })
    await assert.rejects(collect('x', { timeouts: { firstByteMs: 30 } }), failure('timeout'))
    await server.aborted()
  })

  test('fails with timeout when it stands still', async () => {
    server.next({ pieces: ['one'], ending: 'hang' })
    await assert.rejects(collect('x', { timeouts: { idleMs: 50 } }), failure('timeout'))
  })

  test('fails with timeout when it drips on for too long', async () => {
    const drip = {
      async *[Symbol.asyncIterator]() {
        for (;;) yield await new Promise<string>((tick) => setTimeout(tick, 5, 'x'))
      },
    }
    server.next({ pieces: drip })
    await assert.rejects(collect('x', { timeouts: { idleMs: 1000, totalMs: 60 } }), failure('timeout'))
  })
})

/** Sends an event stream and cuts the connection without ending it. */
async function rawServer(body: string) {
  const http = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(body, () => response.destroy())
  })
  return listening(http)
}

/** Sends all events at once, but does not end its answers before it is told to go. */
async function startLingering() {
  const released = Promise.withResolvers<void>()
  const ends: Promise<string>[] = []
  let connections = 0
  const body = 'data: {"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
  const http = createServer(async (_, response) => {
    ends.push(once(response, 'close').then(() => (response.writableFinished ? 'ended' : 'cut')))
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(body)
    await released.promise
    response.end()
  }).on('connection', () => connections++)
  return { ...(await listening(http)), go: released.resolve, ends, connections: () => connections }
}

async function listening(http: ReturnType<typeof createServer>) {
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((done) => http.close(done))
    },
  }
}
