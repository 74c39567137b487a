import assert from 'node:assert/strict'
import { it } from 'node:test'
import { defaultSettings } from '../../src/agents/settings.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { readWholeStream } from '../support/event-stream.ts'
import type { Answer } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { made } from '../support/on-rules.ts'
import { spokenIn } from '../support/spoken-in.ts'

const say = (content: string) => ({ messages: [{ role: 'user', content }] })

/** Failures before anything of an answer is there. */
const early: Record<string, Answer> = {
  'status 500': { status: 500 },
  'status 401': { status: 401 },
  'status 429': { status: 429 },
  'no answer in time': { hang: true },
  'no JSON': { raw: { body: '<html>secret page</html>', content_type: 'application/json' } },
  'JSON of another shape': { raw: { body: '{"secret":1}', content_type: 'application/json' } },
  'an error in an answer of status 200': {
    raw: { body: '{"error":{"message":"secret"}}', content_type: 'application/json' },
  },
}

/** Failures of a stream that has begun. */
const late: Record<string, Answer> = {
  'a stream cut in the middle': { pieces: ['half', ' way'], ending: 'cut' },
  'an error in the middle': { pieces: ['half', ' way'], ending: 'error' },
  'a stream that ends without finish_reason': { pieces: ['half', ' way'], ending: 'end' },
  'a stream that stalls': { pieces: ['half', ' way'], ending: 'hang' },
}

onBothEngines('POST /chat/completions: failing models', (service) => {
  const impatient = { model: { ...defaultSettings.model, timeout_ms: 500 } }
  /** Adds an agent that gives up soon on an answer that hangs: a busy machine delays the others, too. */
  const addAgent = ({ hang, ending }: Answer = {}) =>
    service.addAgent(hang || ending === 'hang' ? { settings: impatient } : {})

  async function assertPromptKept(agent: TestAgent, response: string | null): Promise<void> {
    const { data, total } = (await agent.get('/chat/completions')).body
    assert.equal(total, 1)
    assert.deepEqual([data[0].prompt, data[0].response, data[0].finish_reason], ['hello', response, 'error'])
    assert.equal(data[0].model, 'test-model')
    const events = await service.eventsOf(agent)
    assert.equal(events.filter((key) => key === 'error').length, 1)
    assert.ok(!events.includes('response_end'))
  }

  for (const stream of [false, true]) {
    it(`200: NUL characters in what a server says of its answer${stream ? ', in a stream' : ''}`, async () => {
      const agent = await addAgent()
      const said = { role: 'assistant', content: 'hi\u0000' }
      const choice = {
        index: 0,
        finish_reason: 'st\u0000op',
        ...(stream ? { delta: said } : { message: said }),
      }
      const json = JSON.stringify({ model: 'test\u0000-model', choices: [choice] })
      service.model.next({
        raw: stream ? { body: `data: ${json}\n\n` } : { body: json, content_type: 'application/json' },
      })
      const answer = await agent.call('POST', '/chat/completions', { ...say('hello'), stream })
      assert.equal(answer.status, 200)
      const { data } = (await agent.get('/chat/completions')).body
      assert.deepEqual(
        [data[0].response, data[0].finish_reason, data[0].model],
        ['hi\u0000', 'stop', 'test-model'],
      )
    })
  }

  for (const [name, answer] of Object.entries(early)) {
    it(`502: ${name}`, async () => {
      const agent = await addAgent(answer)
      service.model.next(answer)
      const failed = await agent.post('/chat/completions', say('hello'))
      assertError(failed, 502, 'model_failed')
      assert.equal(failed.headers.get('x-should-retry'), 'false')
      assert.match(failed.headers.get('x-conversation-id') ?? '', /^[0-9a-f-]{36}$/)
      assert.ok(!failed.text.includes('secret'), "the server's own words are not told")
      await assertPromptKept(agent, null)
    })

    it(`502 before a stream begins: ${name}`, async () => {
      const agent = await addAgent(answer)
      service.model.next(answer)
      const failed = await agent.post('/chat/completions', { ...say('hello'), stream: true })
      assertError(failed, 502, 'model_failed')
      assert.equal(failed.headers.get('x-should-retry'), 'false')
      assert.match(failed.headers.get('content-type') ?? '', /^application\/json/)
      await assertPromptKept(agent, null)
    })
  }

  for (const [name, answer] of Object.entries(late)) {
    it(`error chunk: ${name}`, async () => {
      const agent = await addAgent(answer)
      service.model.next(answer)
      const { chunks, done, headers } = await readWholeStream(agent, say('hello'))
      assert.equal(done, false, 'a broken stream does not look finished')
      const last = chunks.at(-1)
      assert.deepEqual(Object.keys(last ?? {}), ['error', 'request_id'])
      assert.equal(last?.error?.code, 'model_failed')
      assert.equal(last?.request_id, headers.get('x-request-id'))
      assert.ok(!JSON.stringify(chunks).includes('secret'))
      for (const chunk of chunks.slice(0, -1)) assert.equal(chunk.choices[0]?.finish_reason, null)
      await assertPromptKept(agent, 'half way')
    })
  }

  it('502: an answer in one piece that is cut in the middle', async () => {
    const agent = await addAgent()
    // More is promised than is sent.
    service.model.next({
      raw: { body: '{"cho', content_type: 'application/json' },
      headers: { 'content-length': '99' },
      ending: 'cut',
    })
    assertError(await agent.post('/chat/completions', say('hello')), 502, 'model_failed')
    await assertPromptKept(agent, null)
  })

  it('502: a server that cannot be reached', async () => {
    const agent = await service.addAgent()
    await agent.patch('/agent', { model: { url: 'http://127.0.0.1:1/v1', name: 'test-model' } })
    const failed = await agent.post('/chat/completions', say('hello'))
    assertError(failed, 502, 'model_failed')
    assert.ok(!failed.text.includes('127.0.0.1'))
    await assertPromptKept(agent, null)
  })

  it('200: the conversation goes on after a failure, the unanswered prompt in its history', async () => {
    const agent = await service.addAgent()
    service.model.next({ status: 503 })
    await agent.post('/chat/completions', { ...say('first'), external_id: 'goes-on' })
    await agent.prompt('second', { external_id: 'goes-on' })
    const contents = spokenIn(service.model.requests[1]?.body).map(({ content }) => content)
    assert.deepEqual(contents, ['first\n\nsecond'])
  })

  for (const stream of [false, true])
    it(`500: a rule that cannot be read ends the turn, and the prompt is kept${stream ? ', in a stream' : ''}`, async () => {
      const agent = await service.addAgent()
      const id = await made(agent, '/ctas', { name: 'Broken', content: 'Look' })
      const { db } = service.app.app.foundation.database
      await db.updateTable('rules').set({ settings: '{' }).where('id', '=', id).execute()
      const answer = await agent.post('/chat/completions', { ...say('hello'), stream })
      if (!stream) assertError(answer, 500, 'internal_error')
      await assertPromptKept(agent, null)
      assert.deepEqual(service.model.requests, [])
    })
})
