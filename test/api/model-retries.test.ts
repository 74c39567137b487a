import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../support/app.ts'
import { readWholeStream } from '../support/event-stream.ts'
import type { Answer } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const say = (content: string) => ({ messages: [{ role: 'user', content }] })
/** The server wants to be asked again at once, so that no test waits. */
const AT_ONCE = { 'retry-after': '0' }

const passing: Record<string, Answer> = {
  'status 429': { status: 429, headers: AT_ONCE },
  'status 503': { status: 503, headers: AT_ONCE },
  'a connection that broke before the first piece': {
    raw: { body: '{"c' },
    headers: { 'content-length': '99' },
    ending: 'cut',
  },
}
const lasting: Record<string, Answer> = {
  'status 400': { status: 400, headers: AT_ONCE },
  'status 401': { status: 401, headers: AT_ONCE },
  'a wait of an hour': { status: 429, headers: { 'retry-after': '3600' } },
  'a quota that is used up': {
    status: 429,
    headers: AT_ONCE,
    raw: { body: '{"error":{"code":"insufficient_quota","message":"no"}}', content_type: 'application/json' },
  },
  'no JSON': { raw: { body: '<html>', content_type: 'application/json' } },
}

onBothEngines(
  'a model server that is asked again',
  (service) => {
    const requestsFor = async (stream: boolean, ...answers: Answer[]) => {
      const agent = await service.addAgent()
      await agent.patch('/agent', { model: { url: service.model.url, name: 'test-model' } })
      service.model.next(...answers)
      const answer = stream
        ? { ...(await readWholeStream(agent, say('hello'))), status: 200 }
        : await agent.post('/chat/completions', say('hello'))
      const stored = (await agent.get('/chat/completions')).body.data
      return { answer, stored, sent: service.model.requests.map(({ body }) => JSON.stringify(body)) }
    }

    for (const stream of [false, true]) {
      const streamed = stream ? ', in a stream' : ''
      for (const [name, failure] of Object.entries(passing))
        it(`200: the same request once more after ${name}${streamed}`, async () => {
          const { answer, stored, sent } = await requestsFor(stream, failure, { text: 'Here you are.' })
          assert.equal(answer.status, 200)
          assert.equal(stored.length, 1)
          assert.equal(stored[0].response, 'Here you are.')
          assert.equal(sent.length, 2)
          assert.equal(sent[0], sent[1])
        })

      it(`200: what the failed requests would have used is not counted${streamed}`, async () => {
        const { stored } = await requestsFor(stream, passing['status 503'] ?? {}, { text: 'Hello.' })
        assert.equal(stored[0].usage.total_tokens, 8)
      })
    }

    it('502: three requests fail', async () => {
      const busy: Answer = { status: 503, headers: AT_ONCE }
      const { answer, sent } = await requestsFor(false, busy, busy, busy, { text: 'Too late.' })
      assert.equal(answer.status, 502)
      assert.equal(sent.length, 3)
    })

    for (const [name, failure] of Object.entries(lasting))
      it(`502: no second request after ${name}`, async () => {
        const { answer, sent } = await requestsFor(false, failure, { text: 'Never said.' })
        assert.ok('body' in answer)
        assertError(answer, 502, 'model_failed')
        assert.equal(sent.length, 1)
      })

    it('error chunk: no second request after the first piece', async () => {
      const { stored, sent } = await requestsFor(
        true,
        { pieces: ['Half'], ending: 'cut' },
        { text: 'Never said.' },
      )
      assert.equal(stored[0].response, 'Half')
      assert.equal(sent.length, 1)
    })
  },
  { PARLEY_MODEL_RETRIES: '2' },
)
