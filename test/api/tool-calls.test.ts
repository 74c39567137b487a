import assert from 'node:assert/strict'
import { it } from 'node:test'
import { z } from 'zod'
import type { Right } from '../../src/http/rights.ts'
import type { OperatorRight } from '../../src/operators/operator.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { signInNew } from '../support/console.ts'
import { readWholeStream } from '../support/event-stream.ts'
import { calling } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { type Peer, startPeer } from '../support/peer.ts'
import { ADDRESSES, addWidget } from '../support/widget-visitors.ts'

const streamed = z.looseObject({
  choices: z.array(
    z.looseObject({
      delta: z.looseObject({ content: z.string().nullish(), tool_calls: z.unknown().optional() }),
      finish_reason: z.string().nullable(),
    }),
  ),
  conversation_id: z.string().optional(),
})

async function giveTool(agent: TestAgent, peer: Peer, more: object = {}) {
  const { status, body, text } = await agent.post('/tools', {
    kind: 'http',
    name: 'look_up',
    description: 'Looks up an order.',
    parameters: {
      type: 'object',
      properties: { id: { type: 'string', maxLength: 50 }, lang: { type: 'string' } },
      required: ['id'],
      additionalProperties: false,
    },
    url: `${peer.url}/orders/{id}?lang={lang}`,
    headers: { authorization: 'Bearer s3cret-token' },
    ...more,
  })
  assert.equal(status, 201, text)
  return body.data
}

const messagesOf = async (agent: TestAgent, conversationId: string) =>
  (await agent.get(`/conversations/${conversationId}/messages?order=asc`)).body.data.map(
    ({ role, content, tool_calls }: { role: string; content: unknown; tool_calls?: { id: string }[] }) => [
      role,
      content,
      ...(tool_calls ? [tool_calls.map(({ id }) => id)] : []),
    ],
  )

onBothEngines(
  'calls of tools',
  (service) => {
    it('are made beside each other, kept in the transcript, and answered', async () => {
      let together: (() => void) | undefined
      const both = new Promise<void>((resolve) => {
        together = resolve
      })
      let arrived = 0
      await using peer = await startPeer(async (response, { path }) => {
        if (++arrived === 2) together?.()
        // Each waits for the other.
        await both
        response.end(JSON.stringify({ path, token: 'Bearer s3cret-token', of: 's3cret-token' }))
      })
      const agent = await service.addAgent()
      await giveTool(agent, peer)
      service.model.next(
        {
          ...calling(['look_up', { id: 'a/b' }], ['look_up', { id: 'ü', lang: 'de&x' }]),
          text: 'Let me see.',
        },
        { text: 'Both are on their way.' },
      )
      const answer = await agent.prompt('Where are my orders?')
      const text = 'Let me see.\n\nBoth are on their way.'
      assert.equal(answer.choices[0].message.content, text)
      assert.equal(answer.choices[0].finish_reason, 'stop')
      assert.deepEqual(peer.requests.map(({ method, path }) => `${method} ${path}`).sort(), [
        'GET /orders/%C3%BC?lang=de%26x',
        'GET /orders/a%2Fb',
      ])
      assert.equal(peer.requests[0]?.headers.authorization, 'Bearer s3cret-token')
      const second = service.model.requests[1]?.body
      assert.deepEqual(
        second?.messages.slice(-5).map(({ role }) => role),
        ['user', 'assistant', 'tool', 'assistant', 'tool'],
      )
      assert.ok(JSON.stringify(second?.messages).includes('/orders/a%2Fb'))
      const kept = await messagesOf(agent, answer.conversation_id)
      assert.deepEqual(
        kept.map(([role]: string[]) => role),
        ['user', 'assistant', 'tool', 'tool', 'assistant'],
      )
      assert.deepEqual(kept.at(-1), ['assistant', text])
      // The secret is nowhere.
      assert.ok(!JSON.stringify(service.model.requests).includes('s3cret'))
      assert.ok(!JSON.stringify(kept).includes('s3cret'))
      const completion = (await agent.get(`/chat/completions/${answer.id}`)).body.data
      assert.deepEqual([completion.prompt, completion.response], ['Where are my orders?', text])

      // What was called belongs to the history.
      await agent.prompt('And now?', { conversation_id: answer.conversation_id })
      const roles = service.model.requests[2]?.body.messages.map(({ role }) => role)
      assert.deepEqual(roles?.slice(-7), [
        'user',
        'assistant',
        'tool',
        'assistant',
        'tool',
        'assistant',
        'user',
      ])
    })

    it('are no answer: a person who takes over meanwhile is not refused, and the inbox shows what was said', async () => {
      const agent = await service.addAgent()
      const called = Promise.withResolvers<void>()
      const held = Promise.withResolvers<void>()
      await using peer = await startPeer(async (response) => {
        called.resolve()
        await held.promise
        response.end('{}')
      })
      await giveTool(agent, peer)
      service.model.next(calling(['look_up', { id: '7' }]))
      const answering = agent.prompt('Where is 7?', { external_id: 'taken over' })
      await called.promise
      const path = '/conversations/taken%20over/messages'
      const [asked] = (await agent.get(path)).body.data
      const [row] = (await agent.get('/inbox')).body.data
      assert.equal(row.last_message.content, 'Where is 7?')
      const { status, text } = await agent.post(path, { content: 'Grace here.', after: asked.id })
      assert.equal(status, 200, text)
      held.resolve()
      await answering
    })

    it('go on in a stream, without a trace of them in it', async () => {
      await using peer = await startPeer((response) => response.end('{"state":"sent"}'))
      const agent = await service.addAgent()
      await giveTool(agent, peer)
      service.model.next(
        {
          pieces: [
            'One ',
            'moment.',
            {
              tool_calls: [
                { index: 0, id: 'c1', type: 'function', function: { name: 'look_up', arguments: '{"id":' } },
              ],
            },
            { tool_calls: [{ index: 0, function: { arguments: '"7"}' } }] },
          ],
          finish_reason: 'tool_calls',
        },
        { pieces: ['It is ', 'sent.'] },
      )
      const response = await fetch(`${agent.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { ...agent.headers, 'content-type': 'application/json' },
        body: JSON.stringify({
          messages: [{ role: 'user', content: 'Where is 7?' }],
          stream: true,
          stream_options: { include_usage: true },
        }),
      })
      const events = (await response.text())
        .split('\n')
        .filter((line) => line.startsWith('data: {'))
        .map((line) => streamed.parse(JSON.parse(line.slice(6))))
      const text = events.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
      assert.equal(text, 'One moment.\n\nIt is sent.')
      assert.ok(events.every(({ choices }) => !choices[0]?.delta.tool_calls))
      assert.deepEqual(
        events.flatMap(({ choices }) => choices[0]?.finish_reason ?? []),
        ['stop'],
      )
      assert.equal(peer.requests[0]?.path, '/orders/7')
      const last = events.findLast(({ conversation_id }) => conversation_id)
      const kept = await messagesOf(agent, last?.conversation_id ?? '')
      assert.deepEqual(kept, [
        ['user', 'Where is 7?'],
        ['assistant', null, ['c1']],
        ['tool', '{"state":"sent"}'],
        ['assistant', 'One moment.\n\nIt is sent.'],
      ])
    })

    for (const stream of [false, true])
      it(`leave an answer in JSON as the last round says it${stream ? ', in a stream' : ''}`, async () => {
        await using peer = await startPeer((response) => response.end('{"state":"sent"}'))
        const agent = await service.addAgent()
        await giveTool(agent, peer)
        const ask = async () => {
          const request = {
            messages: [{ role: 'user', content: 'Where is 7?' }],
            response_format: { type: 'json_object' },
          }
          if (stream) return (await readWholeStream(agent, request)).text
          return (await agent.post('/chat/completions', request)).body.choices[0].message.content
        }
        const call = calling(['look_up', { id: '7' }])
        service.model.next({ ...call, text: 'Let me look.' }, { text: '{"state":"sent"}' })
        assert.equal(await ask(), '{"state":"sent"}')
        service.model.next(call, { text: '' })
        assert.equal(await ask(), '')
        assert.equal((await agent.get('/chat/completions')).body.data[1].response, '{"state":"sent"}')
      })

    it('with wrong arguments are not made, and the model is told', async () => {
      await using peer = await startPeer()
      const agent = await service.addAgent()
      await giveTool(agent, peer)
      service.model.next(
        calling(
          ['look_up', {}, 'a'],
          ['look_up', { id: 7 }, 'b'],
          ['look_up', { id: 'x', more: 1 }, 'c'],
          ['look_up', '{"id', 'd'],
          ['look_up', { id: '..' }, 'e'],
          ['look_up', { id: '' }, 'f'],
          ['look_up', { id: 'x'.repeat(51) }, 'g'],
        ),
        { text: 'No.' },
      )
      const { conversation_id } = await agent.prompt('?')
      const kept = await messagesOf(agent, conversation_id)
      const results = kept.flatMap(([role, content]: string[]) => (role === 'tool' ? [content] : []))
      assert.equal(results.length, 7)
      for (const result of results) assert.match(result, /^Error: .*The tool was not called\.$/)
      assert.equal(peer.requests.length, 0)
    })

    it('of tools that nobody has are results too', async () => {
      await using peer = await startPeer((response) => response.end('x'))
      const agent = await service.addAgent()
      await giveTool(agent, peer)
      service.model.next(calling(['look_down', { id: '1' }]), { text: 'I cannot look down.' })
      const answer = await agent.prompt('Where are my orders?')
      assert.equal(answer.choices[0].message.content, 'I cannot look down.')
      assert.equal(peer.requests.length, 0)
      const told = JSON.stringify(service.model.requests[1]?.body.messages)
      assert.ok(told.includes('there is no such tool'), told)
    })

    it('that fail, hang up or answer with an error are results too, and cut at 32 kB', async () => {
      await using peer = await startPeer((response, { path }) => {
        if (path === '/orders/gone') return response.destroy()
        if (path === '/orders/moved') return response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
        if (path === '/orders/long') return response.end('ä'.repeat(100_000))
        response.writeHead(404).end('no such order')
      })
      const agent = await service.addAgent()
      await giveTool(agent, peer, { idempotent: false })
      service.model.next(
        calling(
          ['look_up', { id: 'gone' }, 'callNo01a'],
          ['look_up', { id: 'moved' }, 'callNo01b'],
          ['look_up', { id: 'long' }, 'callNo01c'],
          ['look_up', { id: '1' }, 'callNo01d'],
        ),
        { text: 'So.' },
      )
      await agent.prompt('?')
      const results = Object.fromEntries(
        (service.model.requests[1]?.body.messages ?? []).map((message) => [
          (message as { tool_call_id?: string }).tool_call_id,
          String(message.content),
        ]),
      )
      assert.match(results.callNo01a ?? '', /^<result \w{16}>\noutcome unknown/)
      assert.match(results.callNo01b ?? '', /status 302/)
      assert.match(results.callNo01d ?? '', /status 404.*no such order/)
      assert.match(
        results.callNo01c ?? '',
        /^<result (\w{16})>\nä+\n\[The result was longer and is cut here\.\]\n<\/result \1>$/,
      )
      const [long] = (await service.app.app.foundation.database.db
        .selectFrom('messages')
        .select('content')
        .where('agent_id', '=', agent.agentId)
        .where('tool_call_id', '=', 'callNo01c')
        .execute()) as { content: string }[]
      const bytes = Buffer.byteLength(JSON.parse(long?.content ?? ''))
      assert.ok(bytes <= 32_000 && bytes > 31_900, `${bytes}`)
    })

    it('end after eight rounds in an answer', async () => {
      await using peer = await startPeer((response) => response.end(`${peer.requests.length}`))
      const agent = await service.addAgent()
      await giveTool(agent, peer)
      // This model calls even when it is offered nothing.
      for (let n = 0; n < 9; n++) service.model.next(calling(['look_up', { id: `${n}` }, `c${n}`]))
      const answer = await agent.prompt('Can you find it?')
      assert.equal(peer.requests.length, 8)
      assert.equal(service.model.requests.length, 9)
      assert.equal(service.model.requests.at(-1)?.body.tools, undefined)
      assert.match(answer.choices[0].message.content, /could not finish/)
      assert.equal(answer.choices[0].finish_reason, 'stop')
    })

    it('that repeat with the same result three times end in an answer', async () => {
      await using peer = await startPeer((response) => response.end('nothing'))
      const agent = await service.addAgent()
      await giveTool(agent, peer)
      for (let n = 0; n < 3; n++) service.model.next(calling(['look_up', { id: '1' }, `c${n}`]))
      service.model.next({ text: 'I found nothing.' })
      const answer = await agent.prompt('?')
      assert.equal(peer.requests.length, 3)
      assert.equal(service.model.requests.at(-1)?.body.tools, undefined)
      assert.equal(answer.choices[0].message.content, 'I found nothing.')
    })

    it("of the request's own tools come back to the caller, beside those of the agent", async () => {
      await using peer = await startPeer((response) => response.end('found'))
      const agent = await service.addAgent()
      await giveTool(agent, peer)
      const tools = [{ type: 'function', function: { name: 'theirs', parameters: { type: 'object' } } }]
      service.model.next(calling(['look_up', { id: '1' }, 'a'], ['theirs', {}, 'b']))
      const answer = await agent.prompt('?', { tools })
      const { finish_reason, message } = answer.choices[0]
      assert.equal(finish_reason, 'tool_calls')
      assert.deepEqual(
        (message.tool_calls as { id: string }[]).map(({ id }) => id),
        ['b'],
      )
      assert.equal(peer.requests.length, 1)
      service.model.next({ text: 'Done.' })
      const { conversation_id } = answer
      const second = await agent.post('/chat/completions', {
        conversation_id,
        tools,
        messages: [{ role: 'tool', tool_call_id: 'b', content: 'their result' }],
      })
      assert.equal(second.status, 200, second.text)
      const roles = service.model.requests.at(-1)?.body.messages.map(({ role }) => role)
      assert.deepEqual(roles?.slice(-5), ['user', 'assistant', 'tool', 'assistant', 'tool'])

      const named = [{ type: 'function', function: { name: 'look_up' } }]
      const refused = await agent.post('/chat/completions', {
        messages: [{ role: 'user', content: 'x' }],
        tools: named,
      })
      assertError(refused, 400, 'invalid_request')
      assert.equal(refused.body.error.param, 'tools.0')
    })

    it('know the user only when it is verified, and never from the model', async () => {
      await using peer = await startPeer((response) => response.end('ok'))
      const agent = await service.addAgent()
      await giveTool(agent, peer, { url: `${peer.url}/users/{user.id}/orders/{id}` })
      service.model.next(calling(['look_up', { id: '1' }]), { text: 'Yes.' })
      await agent.prompt('?', { user: 'ada/1' })
      assert.equal(peer.requests[0]?.path, '/users/ada%2F1/orders/1')
      service.model.next(
        calling(['look_up', { id: '1', 'user.id': 'eve' }], ['look_up', { id: '2' }, 'second']),
        { text: 'No.' },
      )
      await agent.prompt('?')
      assert.equal(peer.requests.length, 1)
      assert.match(
        JSON.stringify(service.model.requests.at(-1)?.body.messages),
        /not verified who the user is/,
      )
    })

    it('are redacted with the rest', async () => {
      await using peer = await startPeer((response) => response.end('mail bob@example.com'))
      const agent = await service.addAgent()
      await giveTool(agent, peer)
      service.model.next(calling(['look_up', { id: 'eve@example.com' }]), { text: 'Done.' })
      const { id, conversation_id } = await agent.prompt('?')
      assert.equal((await agent.post(`/chat/completions/${id}/anonymize`)).status, 200)
      const kept = JSON.stringify((await agent.get(`/conversations/${conversation_id}/messages`)).body)
      assert.ok(!kept.includes('@example.com'), kept)
      assert.ok(kept.includes('[EMAIL_ADDRESS]'))
      const row = (await agent.get(`/chat/completions/${id}`)).body.data
      assert.deepEqual([row.prompt, row.response], ['?', 'Done.'])
    })

    it('that are under way while their completion is scrubbed leave no text', async () => {
      const arrived = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      await using peer = await startPeer(async (response) => {
        arrived.resolve()
        await released.promise
        response.end('mail bob@example.com')
      })
      const agent = await service.addAgent()
      await giveTool(agent, peer)
      service.model.next(calling(['look_up', { id: 'eve@example.com' }]), { text: 'Bob has it.' })
      const answered = agent.prompt('Who?')
      await arrived.promise
      const [{ id }] = (await agent.get('/chat/completions')).body.data
      assert.equal((await agent.post(`/chat/completions/${id}/scrub`)).status, 200)
      released.resolve()
      const { conversation_id } = await answered
      const kept = JSON.stringify((await agent.get(`/conversations/${conversation_id}/messages`)).body)
      assert.ok(!/example\.com|Bob|Who/.test(kept), kept)
      assert.equal((await agent.post(`/chat/completions/${id}/scrub`)).body.data.remaining, 0)
    })

    it('for a person: the conversation waits, and the user is told in one more round', async () => {
      const agent = await service.addAgent()
      assert.equal((await agent.get('/agent')).body.data.handoff, false)
      await agent.patch('/agent', { handoff: true })
      service.model.next(calling(['request_person', { reason: 'A refund' }]), {
        text: 'A person will answer.',
      })
      const { conversation_id, choices } = await agent.prompt('I want my money back')
      assert.equal(choices[0].message.content, 'A person will answer.')
      const last = service.model.requests.at(-1)?.body
      assert.equal(last?.tools, undefined)
      const conversation = (await agent.get('/inbox')).body.data.find(
        ({ id }: { id: string }) => id === conversation_id,
      )
      assert.equal(conversation.waiting_reason, 'asked')
      assert.equal(conversation.agent_paused, false)
      // The agent goes on until a person comes, and does not read that it is relieved.
      service.model.next({ text: 'While you wait: yes.' })
      await agent.prompt('One more thing', { conversation_id })
      assert.ok(!JSON.stringify(service.model.requests.at(-1)?.body.messages).includes('request_person'))

      service.model.next(calling(['request_person', {}]), { text: '' })
      const silent = await agent.prompt('Ich möchte bitte mein Geld zurück haben, und zwar heute noch')
      assert.equal(silent.choices[0].message.content, 'Eine Person aus dem Team antwortet Ihnen hier.')

      const taken = await agent.post('/chat/completions', {
        messages: [{ role: 'user', content: 'x' }],
        tools: [{ type: 'function', function: { name: 'request_person' } }],
      })
      assertError(taken, 400, 'invalid_request')
    })

    it('for a person are not offered unless the agent may hand over', async () => {
      const agent = await service.addAgent()
      service.model.next({ ...calling(['request_person', {}]), text: 'Hm.' })
      const { conversation_id } = await agent.prompt('A refund, please')
      assert.equal(service.model.requests.at(-1)?.body.tools, undefined)
      const [conversation] = (await agent.get('/inbox')).body.data
      assert.deepEqual([conversation.id, conversation.waiting_reason], [conversation_id, null])
    })

    it('are not made any more once a person has taken over', async () => {
      const asked = Promise.withResolvers<void>()
      await using peer = await startPeer()
      const agent = await service.addAgent()
      await giveTool(agent, peer)
      service.model.next({ ...calling(['look_up', { id: '1' }]), after: asked.promise })
      const answered = agent.prompt('?', { external_id: 'chat' })
      await service.model.request(0)
      const taken = await agent.post('/conversations/chat/messages', { content: 'I am here.' })
      assert.ok(taken.status < 300, taken.text)
      asked.resolve()
      assert.equal((await answered).agent_paused, true)
      assert.equal(peer.requests.length, 0)
    })

    it('in a widget: the visitor sees the answer, and nothing of the calls', async () => {
      await using peer = await startPeer((response) => response.end('{"state":"secret state"}'))
      const widget = await addWidget(service.app, await service.addAgent())
      await giveTool(widget.agent, peer, { url: `${peer.url}/users/{user.id}/orders/{id}` })
      const visitor = await widget.visit()
      service.model.next(
        { ...calling(['look_up', { id: '7' }]), text: 'One moment.' },
        { pieces: ['It is ', 'sent.'] },
      )
      const said = await visitor.say('Where is 7?')
      assert.equal(said.text, 'One moment.\n\nIt is sent.')
      // Nobody knows who a visitor is.
      assert.equal(peer.requests.length, 0)
      const { body, text } = await visitor.get('/messages')
      assert.deepEqual(
        body.data.map(({ role }: { role: string }) => role),
        ['user', 'assistant'],
      )
      assert.ok(!/look_up|secret state/.test(text + JSON.stringify(said.chunks)))

      const known = await widget.visit({ user: { id: 'ada', hash: widget.hash('ada') } })
      service.model.next(calling(['look_up', { id: '8' }]), { text: 'Sent.' })
      await known.say('And 8?')
      assert.deepEqual(
        peer.requests.map(({ path }) => path),
        ['/users/ada/orders/8'],
      )
    })

    for (const idempotent of [true, false])
      it(`are told by the playground, which stores nothing; it calls ${idempotent ? 'idempotent ones' : 'others'} for who may`, async () => {
        await using peer = await startPeer((response) => response.end('found'))
        const agent = await service.addAgent()
        await giveTool(agent, peer, { idempotent })
        service.model.answer = { text: 'It is found.' }
        const { agentId, teamId } = agent
        const asToken = async (right: Right) => {
          const caller = await service.app.issue({ agentId, teamId, right })
          return (body: object) => caller.post('/playground', body)
        }
        const asPerson = async (right: OperatorRight) => {
          const person = await signInNew(service.app, { teamId, right })
          return (body: object) => person.call('POST', `/agents/${agentId}/playground`, body)
        }
        for (const [who, asking, status] of [
          ['a token that may manage', asToken('manage'), 'ok'],
          ['a token that may respond', asToken('respond'), 'not_called'],
          ['a token that may read', asToken('read'), 'not_called'],
          ['a person who may respond', asPerson('respond'), 'ok'],
          ['a person who may read', asPerson('read'), 'not_called'],
        ] as const) {
          const ask = await asking
          const called = peer.requests.length
          service.model.next(calling(['look_up', { id: '1' }]))
          const { body, text } = await ask({ messages: [{ role: 'user', content: '?' }] })
          assert.equal(body?.data.response, 'It is found.', text)
          const [call] = body.data.trace.tools
          assert.deepEqual(
            [call.name, call.arguments, call.status, call.round],
            ['look_up', '{"id":"1"}', status, 1],
            who,
          )
          assert.equal(body.data.trace.requests.length, 2)
          assert.equal(peer.requests.length - called, status === 'ok' ? 1 : 0, who)
        }
        assert.deepEqual((await agent.get('/conversations')).body.data, [])
      })

    it('can be tried', async () => {
      await using peer = await startPeer((response) => response.end('{"echo":"s3cret-token"}'))
      const agent = await service.addAgent()
      const { id } = await giveTool(agent, peer)
      const tried = await agent.post(`/tools/${id}/try`, { arguments: { id: '7' } })
      assert.equal(tried.status, 200, tried.text)
      const { status, result } = tried.body.data
      assert.deepEqual([status, result], ['ok', '{"echo":"[secret]"}'])
      const wrong = (await agent.post(`/tools/${id}/try`)).body.data
      assert.deepEqual(
        [wrong.status, wrong.result],
        ['failed', 'Error: id is missing. The tool was not called.'],
      )
    })

    it('cost an agent without tools nothing: no query for them', async () => {
      const agent = await service.addAgent()
      await agent.prompt('hello')
      assert.equal(service.model.requests.at(-1)?.body.tools, undefined)
    })
  },
  ADDRESSES,
)
