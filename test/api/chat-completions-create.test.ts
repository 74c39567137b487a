import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { offering } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { spokenIn } from '../support/spoken-in.ts'

const say = (content: unknown, fields = {}) => ({ messages: [{ role: 'user', content }], ...fields })

onBothEngines(
  'POST /chat/completions in one piece',
  (service) => {
    const create = (agent: TestAgent, body: unknown, headers = {}) =>
      agent.post('/chat/completions', body, headers)

    it("200: OpenAI's shape with Parley's additions", async () => {
      const agent = await service.addAgent()
      service.model.next({
        text: 'Hello, Ada.',
        usage: { prompt_tokens: 4, completion_tokens: 6, total_tokens: 10 },
      })
      const before = Math.floor(Date.now() / 1000)
      const { status, headers, body } = await create(agent, say('I am Ada'))
      assert.equal(status, 200)
      assert.match(body.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.ok(Number.isInteger(body.number))
      assert.ok(body.created >= before && body.created <= Date.now() / 1000)
      assert.equal(headers.get('x-conversation-id'), body.conversation_id)
      assert.equal(headers.get('x-should-retry'), null)
      assert.deepEqual(body, {
        id: body.id,
        object: 'chat.completion',
        created: body.created,
        model: 'test-model',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: 'Hello, Ada.', refusal: null, annotations: [] },
            logprobs: null,
            finish_reason: 'stop',
          },
        ],
        usage: { prompt_tokens: 4, completion_tokens: 6, total_tokens: 10 },
        conversation_id: body.conversation_id,
        number: body.number,
        agent_paused: false,
        citations: [],
        ctas: [],
      })
    })

    it('200: what is stored is what was answered', async () => {
      const agent = await service.addAgent()
      const answer = await agent.prompt('remember this')
      const { data } = (await agent.get(`/chat/completions/${answer.id}`)).body
      assert.equal(data.prompt, 'remember this')
      assert.equal(data.response, answer.choices[0].message.content)
      assert.equal(data.finish_reason, 'stop')
      assert.equal(data.model, 'test-model')
      assert.deepEqual(data.usage, { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 })
    })

    it('200: the model is asked with the instructions, the messages and the standard fields', async () => {
      const settings = { instructions: 'Be brief.', model: { parameters: { temperature: 0.1, top_p: 0.5 } } }
      const agent = await service.addAgent()
      await agent.patch('/agent', settings)
      const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
      const sent = {
        tools,
        tool_choice: 'auto',
        response_format: { type: 'json_object' },
        temperature: 0.9,
        seed: 7,
        parallel_tool_calls: false,
      }
      await agent.prompt('hello', {
        ...sent,
        model: 'ignored',
        user: 'u1',
        metadata: { a: 'b' },
        tags: { a: 1 },
      })
      const { body, headers } = await service.model.request(0)
      assert.deepEqual(spokenIn(body), [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hello' },
      ])
      const { messages: _messages, ...fields } = body
      assert.deepEqual(fields, { ...sent, top_p: 0.5, model: 'test-model' })
      for (const value of Object.values(headers))
        assert.ok(!String(value).includes('parley_'), 'no credential leaves')
    })

    it('200: tool calls come back', async () => {
      const agent = await service.addAgent()
      const tool_calls = [
        { id: 'call_1', type: 'function' as const, function: { name: 'look', arguments: '{"at":"home"}' } },
        { id: 'call_2', type: 'function' as const, function: { name: 'wait', arguments: '{}' } },
      ]
      service.model.next({ tool_calls })
      const { choices } = await agent.prompt('look around', offering('look', 'wait'))
      assert.equal(choices[0].finish_reason, 'tool_calls')
      assert.deepEqual(choices[0].message.tool_calls, tool_calls)
      assert.equal(choices[0].message.content, null)
    })

    it('200: citations of the model are answered, also as url_citation annotations', async () => {
      const agent = await service.addAgent()
      const annotation = {
        type: 'url_citation',
        url_citation: { url: 'https://example.com/a', title: 'A', content: 'text' },
      }
      const choice = {
        index: 0,
        message: { role: 'assistant', content: 'See A.', annotations: [annotation] },
      }
      service.model.next({
        raw: { body: JSON.stringify({ choices: [choice] }), content_type: 'application/json' },
      })
      const answer = (await create(agent, say('where?'))).body
      assert.deepEqual(answer.citations, [{ title: 'A', url: 'https://example.com/a', snippet: 'text' }])
      assert.deepEqual(answer.choices[0].message.annotations, [
        {
          type: 'url_citation',
          url_citation: { url: 'https://example.com/a', title: 'A', start_index: 0, end_index: 6 },
        },
      ])
      assert.equal(answer.choices[0].finish_reason, 'stop')
      // The server reported none, so that they are estimated.
      const { prompt_tokens, completion_tokens, total_tokens } = answer.usage
      assert.ok(prompt_tokens > 0 && completion_tokens > 0)
      assert.equal(total_tokens, prompt_tokens + completion_tokens)
      assert.deepEqual(
        (await agent.get(`/chat/completions/${answer.id}`)).body.data.citations,
        answer.citations,
      )
    })

    it('200: n of 1 and nulls are taken', async () => {
      const agent = await service.addAgent()
      const nulls = {
        n: 1,
        stream: null,
        metadata: null,
        tags: null,
        conversation_id: null,
        external_id: null,
      }
      await agent.prompt('hello', nulls)
      assert.equal((await create(agent, say('hello', { stream: false, n: null }))).status, 200)
    })

    it('200: user, device, session and page are recorded, and each raises its event once an agent', async () => {
      const agent = await service.addAgent()
      const visitor = {
        user: 'u-1',
        device_id: 'd-1',
        session_id: 's-1',
        page_url: 'https://example.com/buy',
      }
      const first = await agent.prompt('hello', visitor)
      assert.deepEqual((await service.eventsOf(agent)).toSorted(), [
        'new_conversation',
        'new_device',
        'new_session',
        'new_user',
        'prompt_submit',
        'response_end',
        'response_start',
      ])
      const { data } = (await agent.get(`/chat/completions/${first.id}`)).body
      assert.deepEqual(
        [data.user_id, data.device_id, data.session_id, data.page_url],
        ['u-1', 'd-1', 's-1', 'https://example.com/buy'],
      )
      await agent.prompt('again', { ...visitor, session_id: 's-2', conversation_id: first.conversation_id })
      const again = (await service.eventsOf(agent)).slice(7)
      assert.deepEqual(again.toSorted(), ['new_session', 'prompt_submit', 'response_end', 'response_start'])
      const colleague = await service.addAgent({ teamId: agent.teamId })
      await colleague.prompt('hello', visitor)
      assert.ok((await service.eventsOf(colleague)).includes('new_user'), 'each agent has its own end users')
    })

    it('200: twelve first prompts of one user at once raise new_user once', async () => {
      const agent = await service.addAgent()
      await Promise.all(Array.from({ length: 12 }, () => agent.prompt('hello', { user: 'u-1' })))
      const events = await service.eventsOf(agent)
      assert.equal(events.filter((key) => key === 'new_user').length, 1)
      assert.equal(events.filter((key) => key === 'new_conversation').length, 12)
    })

    it('200: the extension fields inside metadata; those at the top go first', async () => {
      const agent = await service.addAgent()
      const metadata = {
        external_id: 'in-metadata',
        tags: '{"from":"metadata"}',
        device_id: 'd-m',
        session_id: 's-m',
        page_url: 'https://example.com/m',
        other: 'stays alone',
      }
      const first = await agent.prompt('hello', { metadata })
      const conversation = (await agent.get('/conversations/in-metadata')).body.data
      assert.equal(conversation.id, first.conversation_id)
      assert.deepEqual(conversation.tags, { from: 'metadata' })
      const { data } = (await agent.get(`/chat/completions/${first.id}`)).body
      assert.deepEqual(
        [data.device_id, data.session_id, data.page_url],
        ['d-m', 's-m', 'https://example.com/m'],
      )
      const second = await agent.prompt('hello', {
        metadata,
        external_id: 'at-the-top',
        tags: { from: 'top' },
      })
      const top = (await agent.get('/conversations/at-the-top')).body.data
      assert.deepEqual([top.id, top.tags], [second.conversation_id, { from: 'top' }])
      const third = await agent.prompt('hello', { metadata: { conversation_id: first.conversation_id } })
      assert.equal(third.conversation_id, first.conversation_id)
    })

    for (const [name, body] of [
      ['n of 2', say('x', { n: 2 })],
      ['no messages', {}],
      ['an empty list of messages', { messages: [] }],
      ['messages of another type', { messages: 'x' }],
      ['an unknown role', { messages: [{ role: 'alien', content: 'x' }] }],
      [
        'no prompt after the last assistant message',
        {
          messages: [
            { role: 'user', content: 'a' },
            { role: 'assistant', content: 'b' },
          ],
        },
      ],
      ['content of another type', say(7)],
      ['a user message without content', { messages: [{ role: 'user' }] }],
      ['a system message whose content is null', { messages: [{ role: 'system', content: null }] }],
      ['a stream that is no boolean', say('x', { stream: 'yes' })],
      ['a conversation_id that is no UUID', say('x', { conversation_id: 'nope' })],
      ['an empty external_id', say('x', { external_id: '' })],
      ['too long an external_id', say('x', { external_id: 'e'.repeat(256) })],
      ['a NUL in external_id', say('x', { external_id: 'a\u0000b' })],
      ['a NUL in user', say('x', { user: '\u0000' })],
      ['a NUL in a tag name', say('x', { tags: { 'a\u0000': 1 } })],
      ['tags that are a list', say('x', { tags: ['a'] })],
      ['too many tags', say('x', { tags: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [n, n])) })],
      [
        'metadata with 17 pairs',
        say('x', { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [n, 'x'])) }),
      ],
      ['metadata with a long key', say('x', { metadata: { ['k'.repeat(65)]: 'x' } })],
      ['metadata with a long value', say('x', { metadata: { k: 'x'.repeat(513) } })],
      ['metadata with a number', say('x', { metadata: { k: 1 } })],
      ['a bad conversation_id in metadata', say('x', { metadata: { conversation_id: 'nope' } })],
      ['tags in metadata that are no JSON', say('x', { metadata: { tags: 'vip' } })],
      ['tags in metadata that are no object', say('x', { metadata: { tags: '["vip"]' } })],
      ['a list', '[]'],
      ['null', 'null'],
    ] as const) {
      it(`400: ${name}`, async () => {
        const agent = await service.addAgent()
        const answer = await create(agent, body)
        assertError(answer, 400, 'invalid_request')
        assert.equal(answer.headers.get('x-should-retry'), null)
        assert.equal((await agent.get('/conversations')).body.total, 0)
        assert.equal((await agent.get('/chat/completions')).body.total, 0)
        assert.equal(service.model.requests.length, 0)
      })
    }

    it('400: what is said to be wrong names the field', async () => {
      const { body } = await create(service.app.agent, say('x', { n: 2 }))
      assert.equal(body.error.param, 'n')
      const inMetadata = await create(service.app.agent, say('x', { metadata: { conversation_id: 'nope' } }))
      assert.equal(inMetadata.body.error.param, 'metadata.conversation_id')
    })

    for (const body of ['{', '', '{"messages":', 'hello', '{"messages":[]}}']) {
      it(`400: bad JSON ${body}`, async () => {
        assertError(await create(service.app.agent, body), 400, 'invalid_json')
      })
    }

    it('400: a body that is nested more than a hundred deep, wherever; brackets in texts do not count', async () => {
      const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
      const body = (content: string, rest = '') =>
        `{"messages":[{"role":"user","content":${content}}]${rest}}`
      for (const deep of [
        body('"a"', `,"x":${nested(100)}`),
        body('"a"', `,"x":${'{"a":'.repeat(100)}1${'}'.repeat(100)}`),
        body('"a"', `,"tags":{"a":${nested(99)}}`),
        body(nested(98)),
        body('"\\\\"', `,"x":${nested(30_000)}`),
      ]) {
        const answer = await create(service.app.agent, deep)
        assertError(answer, 400, 'invalid_request')
        assert.equal(answer.body.error.message, 'The body is nested more than 100 deep.')
      }
      assertError(await create(service.app.agent, body(nested(97))), 400, 'invalid_request')
      const text = `${'['.repeat(200)} "${'{'.repeat(200)} \\`
      const taken = await create(
        service.app.agent,
        body(JSON.stringify(text), `,"x":${nested(99)},"y":${nested(99)}`),
      )
      assert.equal(taken.status, 200, taken.text)
    })

    it('403: without credentials, before the body is looked at', async () => {
      assertError(
        await create(service.app.agent, '{', { 'x-api-key': 'nonsense' }),
        403,
        'invalid_credentials',
      )
    })

    it('413: a body over the limit; one below it is taken', async () => {
      const agent = await service.addAgent()
      assertError(await create(agent, say('x'.repeat(65_536))), 413, 'body_too_large')
      assert.equal((await create(agent, say('x'.repeat(65_000)))).status, 200)
    })

    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense']) {
      it(`415: ${type}`, async () => {
        const answer = await create(service.app.agent, JSON.stringify(say('x')), { 'content-type': type })
        assertError(answer, 415, 'unsupported_media_type')
      })
    }
  },
  { PARLEY_BODY_LIMIT: '65536' },
)
