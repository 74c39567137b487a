import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { assertError } from '../support/app.ts'
import { documentOf, needsCredentials } from '../support/conforms.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

interface Operation {
  method: string
  /** Below /api/v1; parameters stand in braces. */
  path: string
  parameters: { name: string; in: string }[]
  requestBody?: object
}

/** INTERFACE.md's own endpoints: they ignore query parameters that they do not know. */
const OF_INTERFACE = [
  'GET /conversations',
  'POST /chat/completions/{id}/anonymize',
  'POST /chat/completions/{id}/scrub',
  'POST /pause',
]

onBothEngines('requests to all endpoints', (service) => {
  /** Those with credentials. */
  let operations: Operation[] = []

  before(async () => {
    const { paths } = await documentOf(service.app.baseUrl)
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, object>).flatMap(([method, operation]) =>
        needsCredentials(operation)
          ? [
              {
                parameters: [],
                ...operation,
                method: method.toUpperCase(),
                path: path.slice('/api/v1'.length),
              },
            ]
          : [],
      ),
    )
    assert.ok(operations.length > 40)
  })

  const named = ({ method, path }: Operation) => `${method} ${path}`
  const at = (path: string, id: string) => path.replaceAll(/\{\w+\}/g, id)

  it('400: a NUL in any text or name of a body, which is named', async () => {
    const { agent } = service.app
    const asked = operations.filter(({ requestBody }) => requestBody)
    assert.ok(asked.length > 15)
    for (const operation of asked) {
      for (const [body, param] of [
        ['{"name":"a\\u0000"}', 'name'],
        ['{"a":[{"b":1},{"b":"\\u0000"}]}', 'a.1.b'],
        ['{"a\\u0000b":1}', 'a\u0000b'],
        ['"\\u0000"', null],
      ] as const) {
        const answer = await agent.call(operation.method, at(operation.path, '1'), body)
        assertError(answer, 400, 'invalid_request')
        assert.equal(answer.body.error.param, param, named(operation))
      }
    }
  })

  it('400: a field named __proto__, however it is written, which is named', async () => {
    const { agent } = service.app
    for (const name of ['__proto__', '\\u005f_proto__', '__proto_\\u005F']) {
      for (const operation of operations.filter(({ requestBody }) => requestBody)) {
        const answer = await agent.call(operation.method, at(operation.path, '1'), `{"tags":{"${name}":{}}}`)
        assertError(answer, 400, 'invalid_request')
        assert.equal(answer.body.error.param, 'tags.__proto__', named(operation))
      }
    }
  })

  it('400: a query parameter that is not known, which is named; those of the interface ignore it', async () => {
    const { agent } = service.app
    for (const operation of operations) {
      const path = `${at(operation.path, '1')}?no_such_parameter=x`
      const answer = await agent.call(operation.method, path)
      if (OF_INTERFACE.includes(named(operation))) {
        assert.notEqual(answer.status, 400, named(operation))
      } else {
        assertError(answer, 400, 'invalid_request')
        assert.equal(answer.body.error.param, 'no_such_parameter', named(operation))
      }
    }
  })

  it('400: a NUL in a query parameter, which is named', async () => {
    const { agent } = service.app
    for (const operation of operations) {
      for (const { name } of operation.parameters.filter((parameter) => parameter.in === 'query')) {
        const answer = await agent.call(operation.method, `${at(operation.path, '1')}?${name}=a%00`)
        assertError(answer, 400, 'invalid_request')
        assert.equal(answer.body.error.param, name, named(operation))
      }
    }
  })

  it('404: a NUL in a path', async () => {
    const { agent } = service.app
    for (const operation of operations) {
      const path = operation.path.replace('{kind}', 'guardrail')
      if (!path.includes('{') || operation.requestBody) continue
      for (const id of ['%00', '1%00', 'a%00b']) {
        const answer = await agent.call(operation.method, at(path, id))
        if (answer.body?.error?.code !== 'operator_needed')
          assert.equal(answer.status, 404, `${named(operation)}: ${answer.text}`)
      }
    }
  })

  it('400: a field of a body that is not known, which is named', async () => {
    const { agent } = service.app
    // OpenAI's clients send what later models understand.
    const asked = operations.filter(
      (operation) => operation.requestBody && named(operation) !== 'POST /chat/completions',
    )
    const { body: cta } = await agent.post('/ctas', { name: 'C', content: 'Look' })
    for (const operation of asked) {
      // The kind decides which fields an evaluator or a tool has; a rule that is changed must be there.
      const kind = { '/evaluators': 'keywords', '/tools': 'mcp' }[operation.path]
      const body = { no_such_field: 1, ...(kind ? { kind } : {}) }
      const path = at(operation.path, operation.path.startsWith('/ctas') ? String(cta.data.id) : '1')
      const answer = await agent.call(operation.method, path, body)
      if (answer.status === 404) continue
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, 'no_such_field', named(operation))
    }
  })

  it('400: a name that is not known is told in part when it is long', async () => {
    const answer = await service.app.agent.post('/ctas', { ['x'.repeat(100_000)]: 1 })
    assertError(answer, 400, 'invalid_request')
    assert.equal(answer.body.error.param, 'x'.repeat(200))
    assert.ok(answer.text.length < 1000)
  })

  it('200: half of a surrogate pair is read as U+FFFD wherever it stands', async () => {
    const agent = await service.addAgent()
    const body = (text: string) =>
      `{"messages":[{"role":"user","content":"${text}"},{"role":"user","content":[{"type":"text","text":"${text}"}]}],` +
      `"tags":{"${text}":["${text}"]},"external_id":"${text}","x":{"${text}":1},` +
      `"metadata":{"${text}":"${text}"}}`
    const answer = await agent.post('/chat/completions', body('a\\ud83db\\uDE00c\\ud83d\\ude00'))
    assert.equal(answer.status, 200, answer.text)
    const read = 'a\uFFFDb\uFFFDc😀'
    const [request] = service.model.requests
    assert.ok(JSON.stringify(request?.body).isWellFormed())
    assert.doesNotMatch(JSON.stringify(request?.body), /\\ud[89a-f]/)
    const conversation = await agent.get(`/conversations/${encodeURIComponent(read)}`)
    assert.deepEqual(conversation.body.data.tags, { [read]: [read] })
    const { data } = (await agent.get(`/chat/completions/${answer.body.id}`)).body
    assert.equal(data.prompt, `${read}\n${read}`)
    assert.doesNotMatch(conversation.text + JSON.stringify(data), /\\ud[89a-f]/)
  })

  it('400: a NUL in the JSON text of tags inside metadata', async () => {
    for (const tags of ['{"a":"\\u0000"}', '{"__proto__":1}']) {
      const body = { messages: [{ role: 'user', content: 'hello' }], metadata: { tags } }
      const answer = await service.app.agent.post('/chat/completions', body)
      assertError(answer, 400, 'invalid_request')
      assert.match(answer.body.error.param, /^metadata\.tags\.(a|__proto__)$/)
    }
  })
})
