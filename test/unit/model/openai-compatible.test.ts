import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import { createOutbound, parsePrivateTargets } from '../../../src/lib/outbound/outbound.ts'
import { ModelError, type ModelPiece, type ModelRequest } from '../../../src/model/model.ts'
import { openaiCompatible } from '../../../src/model/openai-compatible.ts'
import { type Answer, type ModelServer, pieceFeed, startModelServer } from '../../support/model-server.ts'

const outbound = createOutbound({ privateTargets: parsePrivateTargets('') })
let server: ModelServer
before(async () => {
  server = await startModelServer()
})
afterEach(() => {
  server.reset()
})
after(async () => {
  await outbound.close()
  await server.close()
})

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
      parameters: { temperature: 0.5, seed: 7, stream: true, stream_options: {} },
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

  test('fails with protocol on an answer over 10 MiB', async () => {
    server.next({ raw: { body: ' '.repeat(10 * 1024 * 1024 + 1), content_type: 'application/json' } })
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
    await collect('x')
    const { body, headers } = await server.request(0)
    assert.equal(body.stream, true)
    assert.deepEqual(body.stream_options, { include_usage: true })
    assert.equal(headers.accept, 'text/event-stream')
  })

  test('hands each piece over as it comes', async () => {
    const feed = pieceFeed()
    server.next({ pieces: feed })
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
    const body = JSON.stringify({ choices: [{ message, finish_reason: 'stop' }], usage: { total_tokens: 1 } })
    server.next({ raw: { body, content_type: 'application/json; charset=utf-8' } })
    const pieces = await collect('x')
    assert.deepEqual(pieces, [
      {
        delta: { role: 'assistant', content: 'all', tool_calls: [{ index: 0, ...tool_calls[0] }] },
        finish_reason: 'stop',
        usage: { total_tokens: 1 },
      },
    ])
  })

  test('keeps the connection for the next call', async () => {
    await using counted = await countConnections()
    const counting = model({ url: counted.url })
    for (let n = 0; n < 10; n++) for await (const _ of counting.stream(prompt('x'), idle()));
    // undici lets a turn of the event loop pass before it uses a connection again: two take turns.
    assert.ok(counted.connections() <= 2, `${counted.connections()} connections`)
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

for (const way of ['complete', 'stream'] as const) {
  describe(`both: ${way}`, () => {
    const call = (options: Partial<Parameters<typeof openaiCompatible>[0]> = {}, signal = idle()) =>
      way === 'complete' ? model(options).complete(prompt('x'), signal) : collect('x', options, signal)

    for (const status of [400, 401, 429, 500, 302]) {
      test(`fails with status ${status}, without the server's words`, async () => {
        server.next({ status })
        await assert.rejects(call(), (error: ModelError) => {
          assert.equal(error.status, status)
          return failure('status')(error)
        })
      })
    }

    test('fails with unreachable when nobody listens', async () => {
      const gone = await startModelServer()
      await gone.close()
      await assert.rejects(call({ url: gone.url }), failure('unreachable'))
    })

    test('fails with blocked for a private address that the operator did not set', async () => {
      await assert.rejects(call({ trusted: false }), failure('blocked'))
      assert.equal(server.requests.length, 0)
    })

    test('stops when the signal fires before the answer, and closes the connection', async () => {
      await using watched = await startModelServer()
      watched.next({ hang: true })
      const stop = new AbortController()
      const stopped = assert.rejects(call({ url: watched.url }, stop.signal), { name: 'AbortError' })
      await watched.request(0)
      stop.abort(new Error('whatever'))
      await Promise.all([stopped, watched.aborted()])
    })

    test('calls nobody when the signal has fired already', async () => {
      await assert.rejects(call({}, AbortSignal.abort()), { name: 'AbortError' })
      assert.equal(server.requests.length, 0)
    })
  })
}

describe('stopping a stream', () => {
  test('by its signal closes the connection and throws AbortError', async () => {
    await using watched = await startModelServer()
    watched.next({ pieces: ['one'], ending: 'hang' })
    const stop = new AbortController()
    await assert.rejects(
      async () => {
        for await (const _ of model({ url: watched.url }).stream(prompt('x'), stop.signal)) stop.abort()
      },
      { name: 'AbortError' },
    )
    await watched.aborted()
  })

  test('by leaving the loop closes the connection', async () => {
    await using watched = await startModelServer()
    watched.next({ pieces: ['one'], ending: 'hang' })
    for await (const _ of model({ url: watched.url }).stream(prompt('x'), idle())) break
    await watched.aborted()
  })
})

test('an address that is no URL is refused at once', () => {
  assert.throws(() => model({ url: 'nonsense' }), failure('blocked'))
})

function model(options: Partial<Parameters<typeof openaiCompatible>[0]> = {}) {
  return openaiCompatible({ url: server.url, apiKey: null, outbound, trusted: true, ...options })
}

function prompt(content: string): ModelRequest {
  return { model: 'm', messages: [{ role: 'user', content }], parameters: {} }
}

const idle = () => new AbortController().signal

async function collect(
  content: string,
  options: Partial<Parameters<typeof openaiCompatible>[0]> = {},
  signal = idle(),
): Promise<ModelPiece[]> {
  const pieces: ModelPiece[] = []
  for await (const batch of model(options).stream(prompt(content), signal)) {
    assert.ok(batch.length > 0)
    pieces.push(...batch)
  }
  return pieces
}

/** The error has the reason, and its message nothing of what the server said. */
function failure(reason: ModelError['reason']) {
  return (error: unknown) => {
    assert.ok(error instanceof ModelError, String(error))
    assert.equal(error.reason, reason)
    assert.doesNotMatch(error.message, /secret|oops|html|127\.0\.0\.1/)
    return true
  }
}

/** Sends an event stream and cuts the connection without ending it. */
async function rawServer(body: string) {
  const http = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(body, () => response.destroy())
  })
  return listening(http)
}

async function countConnections() {
  let connections = 0
  const body = 'data: {"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
  const http = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body)
  }).on('connection', () => connections++)
  return { ...(await listening(http)), connections: () => connections }
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
