import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fallbackPlace } from '../../src/agents/agent.ts'
import { assertError } from '../support/app.ts'
import { readWholeStream } from '../support/event-stream.ts'
import { type Answer, startModelServer } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const SECRET = 'sk-fallback-secret-1234'
const say = (content: string) => ({ messages: [{ role: 'user', content }] })

/** Failures before anything of an answer is there. */
const failures: Record<string, Answer> = {
  'status 500': { status: 500 },
  'status 401': { status: 401 },
  'status 429': { status: 429 },
  'no JSON': { raw: { body: '<html>', content_type: 'application/json' } },
}

onBothEngines('model.fallbacks', (service) => {
  /** An agent with a server of its own, and others behind it. */
  async function withServers(count = 2) {
    const servers = await Promise.all(Array.from({ length: count }, () => startModelServer()))
    const [first, ...others] = servers
    assert.ok(first)
    const agent = await service.addAgent()
    const fallbacks = others.map(({ url }, at) => ({ url, name: `spare-${at}`, api_key: `${SECRET}-${at}` }))
    const { status, text } = await agent.patch('/agent', {
      model: { url: first.url, name: 'usual', fallbacks },
    })
    assert.equal(status, 200, text)
    return {
      agent,
      first,
      others,
      [Symbol.asyncDispose]: async () => void (await Promise.all(servers.map((one) => one.close()))),
    }
  }

  for (const [name, failure] of Object.entries(failures))
    for (const stream of [false, true])
      it(`200: the next server answers after ${name}${stream ? ', in a stream' : ''}`, async () => {
        await using servers = await withServers()
        const { agent, first, others } = servers
        first.answer = failure
        const [other] = others
        if (other) other.answer = { text: 'from the other' }
        if (stream) assert.equal((await readWholeStream(agent, say('hello'))).text, 'from the other')
        else assert.equal((await agent.post('/chat/completions', say('hello'))).status, 200)
        const { data } = (await agent.get('/chat/completions')).body
        assert.deepEqual(
          [data.length, data[0].response, data[0].finish_reason],
          [1, 'from the other', 'stop'],
        )
        assert.equal(other?.requests[0]?.body.model, 'spare-0')
        assert.equal(other?.requests[0]?.headers.authorization, `Bearer ${SECRET}-0`)
        assert.equal(first.requests[0]?.headers.authorization, undefined)
      })

  it('200: servers are asked in order, and a completion names the model that answered', async () => {
    await using servers = await withServers(4)
    const { agent, first, others } = servers
    for (const server of [first, ...others.slice(0, 2)]) server.answer = { status: 503 }
    assert.equal((await agent.post('/chat/completions', say('hello'))).status, 200)
    assert.deepEqual(
      [first, ...others].map(({ requests }) => requests.map(({ body }) => body.model)),
      [['usual'], ['spare-0'], ['spare-1'], ['spare-2']],
    )
    assert.equal((await agent.get('/chat/completions')).body.data[0].model, 'spare-2')
  })

  it('502: when the last fails too, and the prompt is kept', async () => {
    await using servers = await withServers(3)
    const { agent, first, others } = servers
    for (const server of [first, ...others]) server.answer = { status: 500 }
    assertError(await agent.post('/chat/completions', say('hello')), 502, 'model_failed')
    const { data } = (await agent.get('/chat/completions')).body
    assert.deepEqual([data[0].prompt, data[0].finish_reason], ['hello', 'error'])
  })

  it('a stream that broke after its first word or thought is not begun again elsewhere', async () => {
    for (const [piece, text] of [
      ['half', 'half'],
      [{ reasoning_content: 'Hm.' }, ''],
    ] as const) {
      await using servers = await withServers()
      const { agent, first, others } = servers
      first.answer = { pieces: [piece], ending: 'cut' }
      assert.equal((await readWholeStream(agent, say('hello'))).text, text)
      assert.equal(others[0]?.requests.length, 0)
    }
  })

  it('200: a stream that broke before is begun elsewhere, and its role comes once', async () => {
    await using servers = await withServers()
    const { agent, first, others } = servers
    first.answer = { pieces: [{ role: 'assistant', content: '' }], ending: 'cut' }
    if (others[0]) others[0].answer = { text: 'from the other' }
    const { chunks, text } = await readWholeStream(agent, say('hello'))
    assert.equal(text, 'from the other')
    assert.equal(chunks.filter(({ choices }) => choices[0]?.delta.role).length, 1)
  })

  it('a prompt that is too long is asked again with less, of the same server', async () => {
    await using servers = await withServers()
    const { agent, first, others } = servers
    await agent.post('/chat/completions', { ...say('one '.repeat(200)), external_id: 'long' })
    first.next({
      status: 400,
      raw: {
        body: JSON.stringify({ error: { code: 'context_length_exceeded', message: 'too long' } }),
        content_type: 'application/json',
      },
    })
    const answer = await agent.post('/chat/completions', { ...say('two'), external_id: 'long' })
    assert.equal(answer.status, 200)
    assert.equal(others[0]?.requests.length, 0)
    assert.equal(first.requests.length, 3)
  })

  it('200: an installation with a server of its own can have fallbacks too', async () => {
    await using other = await startModelServer()
    other.answer = { text: 'from the other' }
    const agent = await service.addAgent()
    await agent.patch('/agent', { model: { fallbacks: [{ url: other.url }] } })
    service.model.next({ status: 500 })
    const { body } = await agent.post('/chat/completions', say('hello'))
    assert.equal(body.choices[0].message.content, 'from the other')
    assert.equal(other.requests[0]?.body.model, 'test-model', "it has the name of the agent's model")
  })

  it('keys are sealed, never answered, and stay with their origin', async () => {
    const agent = await service.addAgent()
    const first = { url: 'https://1.1.1.1/v1', api_key: SECRET }
    const second = { url: 'https://1.0.0.1/v1', api_key: `${SECRET}-2` }
    const save = async (fallbacks: unknown[]) => {
      const { status, body, text } = await agent.patch('/agent', { model: { fallbacks } })
      assert.equal(status, 200, text)
      assert.ok(!text.includes(SECRET.slice(0, -4)))
      return body.data.model.fallbacks
    }
    const set = { set: true, last_four: '1234' }
    const none = { set: false, last_four: null }
    assert.deepEqual(await save([first]), [{ kind: 'openai', url: first.url, api_key: set, name: null }])
    const {
      box,
      database: { db },
    } = service.app.app.foundation
    assert.ok(
      !JSON.stringify(await db.selectFrom('agents').selectAll().execute()).includes(SECRET.slice(0, -4)),
      'it is stored sealed',
    )
    // Moved to another place of the list, and to another path of the same origin.
    const moved = await save([second, { url: 'https://1.1.1.1/v2' }])
    assert.deepEqual(moved[1], {
      kind: 'openai',
      url: 'https://1.1.1.1/v2',
      api_key: set,
      name: null,
    })
    const row = await db
      .selectFrom('agents')
      .select('settings')
      .where('id', '=', agent.agentId)
      .executeTakeFirstOrThrow()
    const sealed = JSON.parse(row.settings).model.fallbacks.map((one: { api_key: string }) => one.api_key)
    assert.deepEqual(
      sealed.map((key: string, at: number) =>
        box.openFor(at === 0 ? second.url : first.url, key, fallbackPlace(agent.agentId, at)),
      ),
      [`${SECRET}-2`, SECRET],
    )
    // Another origin gets no key.
    assert.deepEqual((await save([{ url: 'https://9.9.9.9/v1' }]))[0].api_key, none)
    assert.deepEqual((await save([first]))[0].api_key, set)
    assert.deepEqual((await save([{ url: first.url, api_key: null }]))[0].api_key, none)
    assert.deepEqual(await save([]), [])
  })

  it('each fallback of an origin keeps its own key, and a key that was removed stays away', async () => {
    const agent = await service.addAgent()
    const url = 'https://1.1.1.1/v1'
    const save = async (...fallbacks: object[]) => {
      const { status, body, text } = await agent.patch('/agent', { model: { fallbacks } })
      assert.equal(status, 200, text)
      return body.data.model.fallbacks.map(
        ({ name, api_key }: { name: string | null; api_key: { last_four: string | null } }) =>
          [name, api_key.last_four].join(' '),
      )
    }
    const [a, b] = [
      { url, name: 'a' },
      { url, name: 'b' },
    ]
    await save({ ...a, api_key: 'sk-fallback-AAAA' }, { ...b, api_key: 'sk-fallback-BBBB' })
    assert.deepEqual(await save(a, b), ['a AAAA', 'b BBBB'])
    assert.deepEqual(await save(b, a), ['b BBBB', 'a AAAA'])
    assert.deepEqual(await save(b, { ...a, name: 'renamed' }), ['b BBBB', 'renamed AAAA'])
    assert.deepEqual(await save({ ...b, api_key: null }, a), ['b ', 'a AAAA'])
    assert.deepEqual(await save(b, a), ['b ', 'a AAAA'])
    assert.deepEqual(await save({ url, name: 'new' }, b, a), ['new ', 'b ', 'a AAAA'])
  })

  for (const [name, fallbacks, param] of [
    ['no list', 'https://1.1.1.1/v1', 'model.fallbacks'],
    ['more than five', Array.from({ length: 6 }, () => ({ url: 'https://1.1.1.1/v1' })), 'model.fallbacks'],
    ['no address', [{}], 'model.fallbacks.0.url'],
    ['an address of another kind', [{ url: 'file:///etc/passwd' }], 'model.fallbacks.0.url'],
    ['an unknown field', [{ url: 'https://1.1.1.1/v1', weight: 1 }], 'model.fallbacks.0'],
    [
      'a key that no header carries',
      [{ url: 'https://1.1.1.1/v1', api_key: 'a\nb' }],
      'model.fallbacks.0.api_key',
    ],
  ] as const)
    it(`400: ${name}`, async () => {
      const refused = await (await service.addAgent()).patch('/agent', { model: { fallbacks } })
      assertError(refused, 400, 'invalid_request')
      assert.ok(refused.body.error.param.startsWith(param), refused.body.error.param)
    })
})

onBothEngines(
  'model.fallbacks without PARLEY_PRIVATE_TARGETS',
  (service) => {
    it('400: an address on loopback', async () => {
      const fallbacks = [{ url: 'https://1.1.1.1/v1' }, { url: 'http://127.0.0.1:8080/v1' }]
      const refused = await service.app.agent.patch('/agent', { model: { fallbacks } })
      assertError(refused, 400, 'invalid_request')
      assert.equal(refused.body.error.param, 'model.fallbacks.1.url')
    })
  },
  { PARLEY_PRIVATE_TARGETS: '' },
)
