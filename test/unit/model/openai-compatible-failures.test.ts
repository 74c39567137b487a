import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ModelError } from '../../../src/model/model.ts'
import type { OpenAICompatibleOptions } from '../../../src/model/openai-compatible.ts'
import { startModelServer } from '../../support/model-server.ts'
import { collect, failure, idle, model, prompt, server } from './call-model.ts'

for (const way of ['complete', 'stream'] as const) {
  describe(way, () => {
    const call = (options: Partial<OpenAICompatibleOptions> = {}, signal = idle()) =>
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

    test('fails with protocol when the answer in one piece is larger than 10 MiB', async () => {
      const message = { role: 'assistant', content: 'x'.repeat(10 * 1024 * 1024) }
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
