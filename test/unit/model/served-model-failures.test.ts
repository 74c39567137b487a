import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ModelError } from '../../../src/model/model.ts'
import type { ServedModelOptions } from '../../../src/model/served-model.ts'
import { startModelServer } from '../../support/model-server.ts'
import { collect, failure, idle, model, prompt, server } from './call-model.ts'

for (const way of ['complete', 'stream'] as const) {
  describe(way, () => {
    const call = (options: Partial<ServedModelOptions> = {}, signal = idle()) =>
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

    test("tells the server's words apart, for logs: cut, without credentials and texts of the conversation", async () => {
      const said = `No model m for key sk-hunter2-hunter2 of http://u:pw@host/x?key=abc, Bearer abcdef: "x marks the spot" ${'long '.repeat(200)}`
      const body = JSON.stringify({ error: { message: said, type: 'invalid', code: 'model_not_found' } })
      server.next({ status: 404, raw: { body, content_type: 'application/json' } })
      const options = { apiKey: 'sk-hunter2-hunter2' }
      const failed =
        way === 'complete'
          ? model(options).complete(prompt('x marks the spot'), idle())
          : collect('x marks the spot', options)
      await assert.rejects(failed, (error: ModelError) => {
        assert.equal(error.said?.code, 'model_not_found')
        assert.match(
          error.said?.message ?? '',
          /^No model m for key \[key\] of http:\/\/host\/x \[key\]: "\[text\]" long /,
        )
        assert.equal(error.said?.message?.length, 500)
        return failure('status')(error)
      })
    })

    test('fails with status when the words to it never end', async () => {
      server.next({
        status: 500,
        raw: { body: ['Sorry', ' '.repeat(100_000)].map((text) => Buffer.from(text)) },
      })
      await assert.rejects(call(), (error: ModelError) => error.said?.message === 'Sorry')
    })

    test('fails with unreachable when nobody listens', async () => {
      const gone = await startModelServer()
      await gone.close()
      await assert.rejects(call({ url: gone.url }), failure('unreachable'))
    })

    test('fails with blocked for a private address that the operator did not set', async () => {
      await assert.rejects(call({ trusted: false }), failure('blocked'))
      assert.equal(server.requests.length, 0)
    })

    test('fails with protocol when the answer in one piece is larger than 4 MiB', async () => {
      const message = { role: 'assistant', content: 'x'.repeat(4 * 1024 * 1024) }
      const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
      server.next({ raw: { body, content_type: 'application/json' } })
      await assert.rejects(call(), failure('protocol'))
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

for (const [name, piece] of Object.entries({
  text: { content: 'x'.repeat(600_000) },
  'text of several bytes a character': { content: '京'.repeat(200_000) },
  thoughts: { reasoning_content: 'x'.repeat(600_000) },
  'arguments of a tool call': {
    tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: 'x'.repeat(600_000) } }],
  },
  'many empty tool calls': {
    tool_calls: Array.from({ length: 2000 }, (_, n) => ({ id: `${n}` })),
  },
})) {
  test(`a stream may say 10 MiB: ${name}`, async () => {
    const pieces = Array.from({ length: 200 }, () => piece)
    server.next({ pieces })
    let taken = 0
    await assert.rejects(async () => {
      for await (const batch of model().stream(prompt('x'), idle())) taken += batch.length
    }, failure('protocol'))
    assert.ok(taken > 1 && taken <= pieces.length)
  })
}

test('an event is as long as an answer in one piece may be, in bytes', async () => {
  server.next({ pieces: ['京'.repeat(1_400_000)] })
  await assert.rejects(collect('x'), failure('protocol'))
})

for (const [name, body] of Object.entries({
  OpenAI: { error: { code: 'context_length_exceeded', message: 'Too long.' } },
  vLLM: {
    object: 'error',
    message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
    code: 400,
  },
  'llama.cpp': {
    error: {
      code: 400,
      message: 'the request exceeds the available context size',
      type: 'exceed_context_size_error',
    },
  },
  Anthropic: {
    error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
  },
  Gemini: [
    {
      error: {
        message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      },
    },
  ],
}))
  test(`a conversation that ${name} cannot read is known as such`, async () => {
    server.next({ status: 400, raw: { body: JSON.stringify(body), content_type: 'application/json' } })
    await assert.rejects(model().complete(prompt('x'), idle()), { isContextExceeded: true })
  })

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
