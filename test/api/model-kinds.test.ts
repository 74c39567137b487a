import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type ModelKind, modelKinds } from '../../src/lib/model-kinds.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { readWholeStream } from '../support/event-stream.ts'
import { AZURE_FILTERED } from '../support/model-dialects/azure.ts'
import { GEMINI_BLOCKED } from '../support/model-dialects/gemini.ts'
import { calling, type ModelServer, startModelServer } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { startPeer } from '../support/peer.ts'

const KEY = 'sk-hunter2-hunter2'
const say = (content: string, more: Record<string, unknown> = {}) => ({
  messages: [{ role: 'user', content }],
  ...more,
})
const own = modelKinds.filter((kind) => kind !== 'openai')

onBothEngines('model.kind', (service) => {
  const servers = new Map<ModelKind, ModelServer>()
  before(async () => {
    for (const kind of modelKinds) servers.set(kind, await startModelServer({ kind }))
  })
  beforeEach(() => {
    for (const server of servers.values()) server.reset()
  })
  after(async () => void (await Promise.all([...servers.values()].map((server) => server.close()))))

  const serverOf = (kind: ModelKind) => servers.get(kind) ?? assert.fail()

  async function agentOf(kind: ModelKind, parameters: object = {}): Promise<TestAgent> {
    const agent = await service.addAgent({ settings: { instructions: 'Be kind.', summaries: false } })
    const { url } = serverOf(kind)
    const model = { kind, url, api_key: KEY, name: 'test-model', parameters }
    const { status, text, body } = await agent.patch('/agent', { model })
    assert.equal(status, 200, text)
    assert.equal(body.data.model.kind, kind)
    return agent
  }

  for (const kind of own)
    for (const stream of [false, true])
      describe(`${kind}${stream ? ', in a stream' : ''}`, () => {
        const ask = async (agent: TestAgent, body: Record<string, unknown>) => {
          if (stream) return (await readWholeStream(agent, body)).text
          const { status, body: answer, text } = await agent.post('/chat/completions', body)
          assert.equal(status, 200, text)
          return answer.choices[0].message.content
        }

        it('200: an answer with its usage; what was said before is sent again', async () => {
          const agent = await agentOf(kind)
          assert.equal(
            await ask(agent, say('Hello there', { external_id: `c-${kind}-${stream}` })),
            'Hello there',
          )
          assert.equal(await ask(agent, say('And you?', { external_id: `c-${kind}-${stream}` })), 'And you?')
          const [newest] = (await agent.get('/chat/completions')).body.data
          assert.deepEqual(
            [newest.model, newest.finish_reason, newest.usage.total_tokens],
            ['test-model', 'stop', 8],
          )
          assert.match(
            JSON.stringify(serverOf(kind).requests[1]?.body),
            /Be kind\..*Hello there.*Hello there.*And you\?/s,
          )
        })

        it("200: the agent's tools are called together, and its thoughts are never stored", async () => {
          await using peer = await startPeer()
          const agent = await agentOf(
            kind,
            kind === 'anthropic' ? { thinking: { type: 'enabled', budget_tokens: 1024 } } : {},
          )
          const tool = { kind: 'http', name: 'look_up', description: 'Looks it up.', url: `${peer.url}/{n}` }
          const made = await agent.post('/tools', {
            ...tool,
            parameters: { type: 'object', properties: { n: { type: 'number' } } },
          })
          assert.equal(made.status, 201, made.text)
          serverOf(kind).next(
            {
              ...calling(['look_up', { n: 1 }, 'call_1'], ['look_up', { n: 2 }, 'call_2']),
              text: 'Let me see.',
              thoughts: 'A secret thought.',
            },
            { ...calling(['look_up', { n: 3 }, 'call_3']), thoughts: 'Another secret thought.' },
            { text: 'Here it is.' },
          )
          assert.match(await ask(agent, say('Where is it?')), /Here it is\.$/)
          assert.equal(peer.requests.length, 3)
          if (kind === 'anthropic')
            assert.match(JSON.stringify(serverOf(kind).requests[2]?.body), /A secret thought.*Another secret/)
          for (const path of ['/chat/completions', '/conversations'])
            assert.doesNotMatch((await agent.get(path)).text, /secret thought/)
        })

        it('200: half of it is sent where all of it is too long', async () => {
          const agent = await agentOf(kind)
          for (const text of ['One', 'Two', 'Three'])
            await agent.post(
              '/chat/completions',
              say(text.repeat(50), { external_id: `l-${kind}-${stream}` }),
            )
          const message = {
            anthropic: 'prompt is too long: 210000 tokens > 200000 maximum',
            gemini: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
            azure: "This model's maximum context length is 8192 tokens.",
            openai: '',
          }[kind]
          const error =
            kind === 'anthropic'
              ? { type: 'error', error: { type: 'invalid_request_error', message } }
              : { error: { code: 400, message } }
          serverOf(kind).next(
            { status: 400, raw: { body: JSON.stringify(error), content_type: 'application/json' } },
            { text: 'Short.' },
          )
          assert.equal(await ask(agent, say('Four', { external_id: `l-${kind}-${stream}` })), 'Short.')
          const [all = 0, half = 0] = serverOf(kind)
            .requests.slice(-2)
            .map(({ body }) => JSON.stringify(body).length)
          assert.ok(half < all, `${half} of ${all}`)
        })

        it('502: an overloaded server, without its words', async () => {
          const agent = await agentOf(kind)
          serverOf(kind).next({ status: 529 })
          const answer = await agent.post('/chat/completions', say('x', { stream }))
          assertError(answer, 502, 'model_failed')
          assert.doesNotMatch(answer.text, /secret detail|hunter2/)
        })
      })

  for (const [kind, status, body] of [
    ['azure', 400, AZURE_FILTERED],
    ['gemini', 200, GEMINI_BLOCKED],
  ] as const)
    it(`200: a prompt that ${kind} refuses is answered with words about it`, async () => {
      const agent = await agentOf(kind)
      serverOf(kind).next({ status, raw: { body: JSON.stringify(body), content_type: 'application/json' } })
      const { choices } = await agent.prompt('Something bad')
      assert.equal(choices[0].finish_reason, 'content_filter')
      assert.notEqual(choices[0].message.content, '')
    })

  it('200: a server that says in its stream that it is overloaded is made up for by one of another kind', async () => {
    const agent = await agentOf('anthropic')
    const spare = { kind: 'gemini', url: serverOf('gemini').url, api_key: 'g-key', name: 'spare' }
    const { body } = await agent.patch('/agent', { model: { fallbacks: [spare] } })
    assert.equal(body.data.model.fallbacks[0].kind, 'gemini')
    serverOf('anthropic').next({ pieces: [], ending: 'error' })
    assert.equal((await readWholeStream(agent, say('Hello'))).text, 'Hello')
    const [asked] = serverOf('gemini').requests
    assert.equal(asked?.headers['x-goog-api-key'], 'g-key')
    assert.match(asked?.path ?? '', /models\/spare:/)
    assert.doesNotMatch(JSON.stringify(asked), /hunter2/)
  })

  it('200: a model of Gemini that takes no system message gets it as the beginning of what the user says', async () => {
    const agent = await agentOf('gemini')
    const message = 'Developer instruction is not enabled for models/gemma-3-27b-it'
    const body = JSON.stringify({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } })
    serverOf('gemini').next({ status: 400, raw: { body, content_type: 'application/json' } }, { text: 'Hi.' })
    assert.equal((await agent.prompt('Hello')).choices[0].message.content, 'Hi.')
    const [, again] = serverOf('gemini').requests
    assert.equal(again?.body.systemInstruction, undefined)
    assert.match(JSON.stringify(again?.body.contents), /Be kind\..*Hello/)
  })

  it('200: a fallback without a kind speaks as OpenAI does, and another kind sends no key elsewhere', async () => {
    const agent = await agentOf('anthropic')
    const { body } = await agent.patch('/agent', { model: { fallbacks: [{ url: serverOf('openai').url }] } })
    assert.equal(body.data.model.fallbacks[0].kind, 'openai')
    await agent.patch('/agent', { model: { kind: 'gemini', url: serverOf('gemini').url } })
    await agent.prompt('Hello')
    assert.equal(serverOf('gemini').requests[0]?.headers['x-goog-api-key'], undefined)
  })

  it('200: servers that were stored before there were kinds speak as OpenAI does', async () => {
    const agent = await service.addAgent()
    const { db } = service.app.app.foundation.database
    const server = { url: serverOf('openai').url, name: 'old', api_key: null }
    const settings = JSON.stringify({ model: { ...server, url: `${server.url}/gone`, fallbacks: [server] } })
    await db.updateTable('agents').set({ settings }).where('id', '=', agent.agentId).execute()
    await agent.prompt('Hello')
    const { model } = (await agent.get('/agent')).body.data
    assert.deepEqual([model.kind, model.fallbacks[0].kind], ['openai', 'openai'])
  })

  it('400: a kind that there is not', async () => {
    const agent = await service.addAgent()
    assertError(await agent.patch('/agent', { model: { kind: 'bedrock' } }), 400, 'invalid_request')
    const fallbacks = [{ kind: 'bedrock', url: 'https://1.1.1.1' }]
    assertError(await agent.patch('/agent', { model: { fallbacks } }), 400, 'invalid_request')
    assertError(await agent.post('/agent/test-model', { kind: 'bedrock' }), 400, 'invalid_request')
  })

  for (const kind of modelKinds)
    it(`POST /agent/test-model 200: a server of the kind ${kind} answers; asked in another, it is told which it is`, async () => {
      const agent = await agentOf(kind)
      const right = (await agent.post('/agent/test-model')).body.data
      assert.deepEqual([right.ok, right.other_kind], [true, null], right.message)
      const asked = kind === 'anthropic' ? 'gemini' : 'anthropic'
      const wrong = (await agent.post('/agent/test-model', { kind: asked, api_key: KEY })).body.data
      // Azure's own addresses are known by their names alone.
      assert.deepEqual(
        [wrong.ok, wrong.status, wrong.other_kind],
        [false, 404, kind === 'azure' ? null : kind],
      )
    })
})

onBothEngines(
  'PARLEY_MODEL_KIND',
  (service) => {
    it("200: the installation's server is asked in its protocol, and again if it says in its stream that it is overloaded", async () => {
      await using server = await startModelServer({ kind: 'anthropic' })
      const agent = await service.addAgent()
      await agent.patch('/agent', { model: { kind: 'anthropic', url: server.url } })
      server.next({ pieces: [], ending: 'error' })
      assert.equal((await readWholeStream(agent, say('Hello'))).text, 'Hello')
      assert.deepEqual(
        server.requests.map(({ path }) => path),
        ['/v1/messages', '/v1/messages'],
      )
      await agent.patch('/agent', { model: { kind: 'openai', url: null } })
      const answer = await agent.post('/chat/completions', say('Hello'))
      assertError(answer, 502, 'model_failed')
      assert.match(answer.body.error.message, /404/)
      const { body } = await agent.post('/agent/test-model')
      assert.deepEqual([body.data.ok, body.data.other_kind], [false, 'openai'])
    })
  },
  { PARLEY_MODEL_KIND: 'anthropic', PARLEY_MODEL_RETRIES: '1' },
)
