import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { includes, type Right, rights } from '../../src/http/rights.ts'
import { assertError, type TestAgent, type TestAnswer } from '../support/app.ts'
import { needsCredentials } from '../support/conforms.ts'
import { signInNew } from '../support/console.ts'
import { holdJudge } from '../support/hold-judge.ts'
import { calling } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { startPeer } from '../support/peer.ts'

/** The ladder: what each right adds to those before it. */
const LADDER: Record<Right, string[]> = {
  chat: [
    'POST /chat/completions',
    'GET /chat/completions/{id}',
    'POST /chat/completions/{id}/like',
    'POST /chat/completions/{id}/flag',
    'POST /chat/completions/{id}/feedback',
    'POST /chat/completions/{id}/clicks',
    'POST /responses',
    'GET /responses/{id}',
    'GET /models',
    'GET /models/{model}',
    'GET /conversations/{id}',
    'GET /conversations/{id}/messages',
    'GET /conversations/{id}/attachments/{attachment_id}',
    'GET /live',
  ],
  read: [
    'GET /agent',
    'GET /agent/versions',
    'GET /analytics',
    'GET /analytics/support',
    'GET /analytics/support/conversations',
    'GET /automations',
    'GET /automations/{id}',
    'GET /channels',
    'GET /channels/{id}',
    'GET /channels/{id}/parked',
    'GET /chat/completions',
    'GET /conversations',
    'GET /conversations/{id}/draft',
    'GET /conversations/{id}/summary',
    'GET /views',
    'GET /macros',
    'GET /inbox/bulk/{id}/runs',
    'GET /targets',
    'GET /conversations/{id}/earlier',
    'POST /conversations/{id}/live/replay',
    'GET /conversations/{id}/notes',
    'GET /conversations/{id}/replies',
    'GET /replies',
    'GET /rules/{kind}/{id}/log',
    'GET /conversations/{id}/rating',
    'GET /conversations/{id}/timeline',
    'GET /ctas',
    'GET /ctas/{id}',
    'GET /evaluators',
    'GET /evaluators/{id}',
    'GET /guardrails',
    'GET /inbox',
    'GET /inbox/{id}',
    'GET /colleagues',
    'GET /groups',
    'GET /chat/completions/{id}/trace',
    'GET /inbox/bulk/count',
    'GET /pause',
    'GET /inbox/bulk/{id}',
    'GET /guardrails/{id}',
    'GET /knowledge',
    'GET /knowledge/embedding',
    'GET /knowledge/imports',
    'GET /knowledge/imports/{id}',
    'GET /knowledge/imports/{id}/pages',
    'GET /knowledge/search',
    'GET /knowledge/proposals',
    'GET /knowledge/proposals/{id}',
    'GET /knowledge/unanswered',
    'GET /knowledge/{id}',
    'GET /notifications',
    'GET /notifications/{id}',
    'GET /notifications/{id}/deliveries',
    'GET /search',
    'GET /tools',
    'GET /usage',
    'GET /datasets',
    'GET /datasets/{id}',
    'GET /datasets/{id}/cases',
    'GET /datasets/{id}/cases/{case_id}',
    'GET /runs',
    'GET /runs/{id}',
    'GET /runs/{id}/cases/{case_id}',
    'GET /users',
    'GET /users/{id}',
    'POST /playground',
  ],
  respond: [
    'POST /conversations',
    'GET /channels/{id}/templates',
    'POST /conversations/{id}/attachments',
    'POST /channels/{id}/attachments',
    'POST /conversations/{id}/attachments/{attachment_id}/fetch',
    'PATCH /users/{id}',
    'POST /knowledge/proposals',
    'POST /conversations/{id}/messages',
    'POST /conversations/{id}/messages/{message_id}/resend',
    'PUT /conversations/{id}/draft',
    'POST /views',
    'POST /macros',
    'PATCH /macros/{id}',
    'DELETE /macros/{id}',
    'GET /conversations/{id}/automations/{automation_id}',
    'GET /conversations/{id}/macros/{macro_id}',
    'POST /conversations/{id}/macros/{macro_id}',
    'POST /conversations/{id}/macro-runs/{run_id}/undo',
    'PATCH /views/{id}',
    'DELETE /views/{id}',
    'POST /conversations/{id}/suggest',
    'POST /conversations/{id}/summarize',
    'POST /conversations/{id}/translate',
    'POST /replies',
    'PATCH /replies/{id}',
    'DELETE /replies/{id}',
    'POST /conversations/{id}/notes',
    'POST /conversations/{id}/rating',
    'POST /conversations/{id}/typing',
    'POST /conversations/{id}/presence',
    'POST /conversations/{id}/pause',
    'POST /conversations/{id}/resume',
    'POST /conversations/{id}/end',
    'POST /conversations/{id}/reopen',
    'POST /conversations/{id}/wait',
    'POST /inbox/bulk',
    'DELETE /inbox/bulk/{id}',
    'POST /inbox/bulk/{id}/undo',
    'PUT /conversations/{id}/assignee',
    'PUT /conversations/{id}/outcome',
    'PUT /conversations/{id}/priority',
    'PUT /conversations/{id}/read',
    'PUT /conversations/{id}/snooze',
    'PUT /users/{id}/blocked',
    'POST /users/{id}/merge',
    'DELETE /users/{id}/merge',
    'PATCH /conversations/{id}',
  ],
  manage: [
    'GET /export',
    'GET /users/{id}/export',
    'GET /widgets',
    'GET /widgets/{id}',
    'GET /work',
    'GET /problems',
    'POST /widgets/{id}/rotate-secret',
    'PATCH /agent',
    'POST /targets',
    'PATCH /targets/{id}',
    'DELETE /targets/{id}',
    'POST /pause',
    'POST /resume',
    'POST /chat/completions/{id}/scrub',
    'POST /chat/completions/{id}/anonymize',
    'POST /users/{id}/scrub',
    'POST /users/{id}/anonymize',
    'GET /users/{id}/erasures',
    'POST /users/import',
    'GET /chat/completions/{id}/erasure',
    ...[
      'guardrails',
      'ctas',
      'automations',
      'evaluators',
      'channels',
      'notifications',
      'widgets',
      'tools',
      'datasets',
      'datasets/{id}/cases',
    ].flatMap((name) => {
      const one = name.includes('{') ? '{case_id}' : '{id}'
      return [`POST /${name}`, `PATCH /${name}/${one}`, `DELETE /${name}/${one}`]
    }),
    'POST /runs',
    'DELETE /runs/{id}',
    'POST /evaluators/{id}/try',
    'POST /tools/{id}/try',
    'POST /channels/{id}/test',
    'POST /channels/{id}/test-message',
    'POST /channels/{id}/parked/{item_id}/replay',
    'POST /notifications/{id}/rotate-secret',
    'POST /notifications/{id}/test',
    'POST /notifications/{id}/deliveries/{delivery_id}/replay',
    'POST /agent/test-model',
    'POST /agent/versions/{number}/restore',
    'POST /mask/try',
    'POST /redaction/try',
    'POST /knowledge',
    'POST /knowledge/files',
    'POST /knowledge/imports',
    'POST /knowledge/imports/{id}/crawl',
    'POST /work/{kind}/retry',
    'PATCH /knowledge/imports/{id}',
    'DELETE /knowledge/imports/{id}',
    'PATCH /knowledge/{id}',
    'DELETE /knowledge/{id}',
    'PATCH /knowledge/proposals/{id}',
    'POST /knowledge/proposals/{id}/accept',
    'DELETE /knowledge/proposals/{id}',
    'DELETE /knowledge/unanswered/{id}',
  ],
  own: [
    'GET /audit',
    'GET /team',
    'PATCH /team',
    'GET /agents',
    'POST /agents',
    'PATCH /agents/{id}',
    'DELETE /agents/{id}',
    'GET /agents/{id}/erasures',
    'GET /agents/{id}/keys',
    'POST /agents/{id}/keys',
    'DELETE /agents/{id}/keys/{key_id}',
    'GET /tokens',
    'POST /tokens',
    'DELETE /tokens/{id}',
    'GET /operators',
    'POST /operators',
    'PATCH /operators/{id}',
    'DELETE /operators/{id}',
    'POST /operators/{id}/reset',
    'POST /groups',
    'PATCH /groups/{id}',
    'DELETE /groups/{id}',
  ],
}

const TEAM = /^\/(operators|groups|team|agents|tokens|audit)\b/

/** An address of an operation at which there is nothing. */
function addressOf(path: string): string {
  const address = path.replaceAll(/\{\w+\}/g, '0')
  return address.endsWith('/live') ? `${address}?conversation_id=0` : address
}

interface Operation {
  'x-right'?: Right
  security?: object[]
  responses: Record<string, { description: string }>
}

onBothEngines('rights', (service) => {
  /** Every credentialed operation of the OpenAPI document, with what the document says of it. */
  let operations: { method: string; path: string; name: string; said: Operation }[]

  before(async () => {
    const response = await fetch(`${service.app.url}/openapi.json`)
    const { paths } = (await response.json()) as { paths: Record<string, Record<string, Operation>> }
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => needsCredentials(operation))
        .map(([method, said]) => {
          const below = path.replace(/^\/api\/v1/, '')
          return {
            method: method.toUpperCase(),
            path: below,
            name: `${method.toUpperCase()} ${below}`,
            said,
          }
        }),
    )
  })

  const neededFor = (name: string) => rights.find((right) => LADDER[right].includes(name))

  /** Returns the right that a refusal asks for; null if the call was not refused for lack of a right. */
  function missing({ status, body }: Pick<TestAnswer, 'status' | 'body'>): string | null {
    if (status !== 403 || body.error.code !== 'insufficient_right') return null
    return /'(\w+)'/.exec(body.error.message)?.[1] ?? ''
  }

  it('the document names the right of each operation, as the ladder has it', () => {
    assert.deepEqual(
      operations.map(({ name }) => name).toSorted(),
      rights.flatMap((right) => LADDER[right]).toSorted(),
    )
    for (const { name, said } of operations) {
      assert.equal(said['x-right'], neededFor(name), name)
      assert.match(said.responses[403]?.description ?? '', /insufficient_right/, name)
    }
  })

  for (const right of rights) {
    it(`a token with '${right}' may do what the ladder says, and is told what it lacks`, async () => {
      const { headers } = await service.addAgent({ right })
      const json = { ...headers, 'content-type': 'application/json' }
      for (const { method, path, name } of operations) {
        const response = await fetch(service.app.baseUrl + addressOf(path), {
          method,
          headers: method === 'GET' || method === 'DELETE' ? headers : json,
          ...(method === 'GET' || method === 'DELETE' ? {} : { body: '{"broken' }),
        })
        const text = await response.text()
        const isJson = text !== '' && response.headers.get('content-type')?.includes('json')
        const answer = { status: response.status, body: isJson ? JSON.parse(text) : undefined }
        const needed = neededFor(name) ?? 'own'
        assert.equal(missing(answer), includes(right, needed) ? null : needed, `${name}: ${text}`)
      }
    })
  }

  for (const right of ['read', 'respond', 'manage', 'own'] as const) {
    it(`a person with '${right}' may do the same, and needs 'respond' to prompt and react`, async () => {
      const { agentId, teamId } = await service.addAgent()
      const person = await signInNew(service.app, { teamId, right })
      for (const { method, path, name } of operations) {
        const place = addressOf(TEAM.test(path) ? path : `/agents/${agentId}${path}`)
        const declared = neededFor(name) ?? 'own'
        const needed = declared === 'chat' && method !== 'GET' ? 'respond' : declared
        const answer = await person.call(method, place, method === 'GET' ? undefined : {})
        assert.equal(missing(answer), includes(right, needed) ? null : needed, `${name}: ${answer.text}`)
        assert.notEqual(answer.body?.error?.code, 'not_found', name)
      }
    })
  }

  it("'chat' reads one completion and one conversation, without evaluations, system and tool messages", async () => {
    const manager = await service.addAgent()
    const site = await siteOf(manager)
    const evaluator = await manager.post('/evaluators', { name: 'e', kind: 'length', settings: { max: 5 } })
    await manager.post('/guardrails', {
      name: 'g',
      on: 'prompt',
      evaluator_id: evaluator.body.data.id,
      action: 'flag',
    })
    const { status, body } = await site.post('/chat/completions', {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'what does it cost?' },
      ],
      external_id: 'visitor 1',
    })
    assert.equal(status, 200)
    const whole = (await manager.get(`/chat/completions/${body.id}`)).body.data
    assert.equal(whole.evaluations.length, 1)
    assert.ok(whole.messages.some(({ role }: { role: string }) => role === 'system'))
    const answers = [
      await site.get(`/chat/completions/${body.id}`),
      await site.post(`/chat/completions/${body.id}/like`, { liked: true }),
    ]
    for (const { body } of answers) {
      assert.deepEqual(body.data.evaluations, [])
      assert.deepEqual(
        body.data.messages.map(({ role }: { role: string }) => role),
        ['user', 'assistant'],
      )
    }
    for (const id of [body.conversation_id, encodeURIComponent('visitor 1')]) {
      const messages = await site.get(`/conversations/${id}/messages`)
      assert.equal(messages.body.total, 2)
      assert.deepEqual(
        messages.body.data.map(({ role }: { role: string }) => role),
        ['user', 'assistant'],
      )
    }
  })

  it("'chat' reads nothing of an answer that a pause withheld", async () => {
    const manager = await service.addAgent({ settings: { pause_message: 'Paused.' } })
    const site = await siteOf(manager)
    await using judge = await holdJudge()
    const evaluator_id = await judge.addTo(manager)
    await manager.post('/ctas', { name: 'C', content: 'Look', evaluator_id })
    const cited = { url: 'https://example.com/', title: 'The', content: 'withheld' }
    const message = {
      role: 'assistant',
      content: 'withheld',
      annotations: [{ type: 'url_citation', url_citation: cited }],
    }
    const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
    service.model.next({ raw: { body, content_type: 'application/json' } })
    const answering = site.prompt('hello')
    // The answer is made and not stored: a pause that came earlier would have stopped it.
    await judge.asked
    await manager.post('/pause')
    const { id, conversation_id } = await answering
    const whole = (await manager.get(`/chat/completions/${id}`)).body.data
    assert.deepEqual([whole.response, whole.citations.length], ['withheld', 1])
    const read = await site.get(`/chat/completions/${id}`)
    const answers = [
      read,
      await site.post(`/chat/completions/${id}/like`, { liked: true }),
      await site.get(`/conversations/${conversation_id}/messages`),
    ]
    for (const { status, text } of answers) {
      assert.equal(status, 200)
      assert.ok(!text.includes('withheld'), text)
    }
    const { response, citations, ctas } = read.body.data
    assert.deepEqual([response, citations, ctas], [null, [], []])
  })

  it("'chat' reads none of the agent's own calls of tools, and those of its own requests", async () => {
    await using peer = await startPeer((response) => response.end('{}'))
    const manager = await service.addAgent()
    const site = await siteOf(manager)
    const tool = { kind: 'http', name: 'look_up', description: 'Looks up.', url: peer.url }
    assert.equal((await manager.post('/tools', tool)).status, 201)
    service.model.next(calling(['look_up', {}]), { text: 'It is sent.' }, calling(['own', {}]))
    const { id, conversation_id } = await site.prompt('Where is it?')
    const whole = (await manager.get(`/chat/completions/${id}`)).body.data.messages
    assert.equal(whole.filter(({ tool_calls }: { tool_calls?: unknown }) => tool_calls).length, 1)
    const { data } = (await site.get(`/chat/completions/${id}`)).body
    const said = (await site.get(`/conversations/${conversation_id}/messages`)).body.data
    for (const messages of [data.messages, said])
      assert.deepEqual(
        messages.map(({ content }: { content: unknown }) => content),
        ['Where is it?', 'It is sent.'],
      )
    const own = { type: 'function', function: { name: 'own', parameters: {} } }
    const asked = await site.prompt('And mine?', { tools: [own] })
    const [, call] = (await site.get(`/chat/completions/${asked.id}`)).body.data.messages
    assert.equal(call.tool_calls[0].function.name, 'own')
  })

  it("'chat' 404 for numbers of completions, which could be guessed", async () => {
    const manager = await service.addAgent()
    const site = await siteOf(manager)
    const { number } = await site.prompt('hello')
    assert.equal((await manager.get(`/chat/completions/${number}`)).status, 200)
    assertError(await site.get(`/chat/completions/${number}`), 404, 'completion_not_found')
    assertError(
      await site.post(`/chat/completions/${number}/like`, { liked: true }),
      404,
      'completion_not_found',
    )
  })

  it("'chat' 404 for a channel's chats, whatever names them", async () => {
    const manager = await service.addAgent()
    const site = await siteOf(manager)
    const channel = await manager.post('/channels', { kind: 'helpdesk' })
    const { id, conversation_id } = await manager.prompt('hello', { external_id: 'helpdesk:1:chat' })
    const { db } = service.app.app.foundation.database
    await db
      .updateTable('conversations')
      .set({ channel_id: channel.body.data.id })
      .where('id', '=', conversation_id)
      .execute()
    for (const name of [conversation_id, 'helpdesk:1:chat']) {
      assert.equal((await manager.get(`/conversations/${name}`)).status, 200)
      assertError(await site.get(`/conversations/${name}`), 404, 'conversation_not_found')
      assertError(await site.get(`/conversations/${name}/messages`), 404, 'conversation_not_found')
    }
    assert.equal((await site.get(`/chat/completions/${id}`)).status, 404)
    const messages = [{ role: 'user', content: 'what was said before?' }]
    for (const where of [{ conversation_id }, { external_id: 'helpdesk:1:chat' }])
      assertError(await site.post('/chat/completions', { messages, ...where }), 404, 'conversation_not_found')
  })

  /** The same agent's key with a token for its web site's server. */
  async function siteOf({ agentId, teamId }: TestAgent): Promise<TestAgent> {
    return service.app.issue({ agentId, teamId, right: 'chat' })
  }
})
