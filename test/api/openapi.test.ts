import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { onBothEngines } from '../support/on-both-engines.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: string[]
  format?: string
  description?: string
  default?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: unknown
}

interface Operation {
  operationId?: string
  summary?: string
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: unknown
  responses: Record<string, { description?: string; content?: { 'application/json'?: { schema: Schema } } }>
  security?: Record<string, string[]>[]
}

interface Document {
  openapi: string
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, unknown> }
}

/** Verbs with which the names of operations begin. */
const VERBS =
  'accept anonymize ask begin cancel crawl create delete dismiss end export fetch flag get give import join leave like list mark merge pause preview rate receive record reject rename reopen replay resend reset restore resume retry rotate run scrub search send set sign start stop suggest summarize test translate try turn undo update upload verify'.split(
    ' ',
  )
/** The operations that need no credentials of Parley's, sorted. A new one is added here only on purpose. */
const OPEN = [
  'GET /api/v1/channels/{id}/helpdesk',
  'GET /api/v1/channels/{id}/instagram',
  'GET /api/v1/channels/{id}/messenger-one',
  'GET /api/v1/channels/{id}/messenger-three',
  'GET /api/v1/channels/{id}/messenger-two',
  'GET /api/v1/files/{agent_id}/{file_id}',
  'GET /api/v1/mail/{agent_id}/{mailbox_id}',
  'GET /api/v1/notice-mails/{operator_id}',
  'GET /console/api/oidc/callback',
  'GET /console/api/oidc/start',
  'GET /console/api/sign-in',
  'POST /api/v1/channels/{id}/helpdesk',
  'POST /api/v1/channels/{id}/instagram',
  'POST /api/v1/channels/{id}/messenger-one',
  'POST /api/v1/channels/{id}/messenger-three',
  'POST /api/v1/channels/{id}/messenger-two',
  'POST /api/v1/channels/{id}/sms',
  'POST /api/v1/channels/{id}/telegram',
  'POST /api/v1/mail/{agent_id}/{mailbox_id}',
  'POST /api/v1/notice-mails/{operator_id}',
  'POST /console/api/join',
  'POST /console/api/join/link',
  'POST /console/api/session',
  'POST /widget/v1/{public_key}/sessions',
]
const string = ['string']
const nullable = ['null', 'string']
const integer = ['integer']
const boolean = ['boolean']

/** INTERFACE section 2: the fields of a conversation, all optional. */
const CONVERSATION = {
  id: string,
  external_id: nullable,
  agent_id: integer,
  team_id: integer,
  tags: ['null', 'object'],
  started_at: string,
  ended_at: nullable,
  agent_paused: boolean,
  agent_paused_at: nullable,
  agent_resumed_at: nullable,
}
const REDACTION = { id: string, mode: string, messages_redacted: integer, remaining: integer }
const PAUSE = {
  is_paused: boolean,
  paused_at: nullable,
  resumed_at: nullable,
  emitted: integer,
  skipped: integer,
}

/** INTERFACE sections 4 and 7: the endpoints with credentials. */
const INTERFACE = {
  'GET /conversations': { statuses: [200, 403, 500], fields: CONVERSATION, parameters: ['page', 'per_page'] },
  'POST /chat/completions/{id}/anonymize': {
    statuses: [200, 403, 404, 500],
    fields: REDACTION,
    parameters: ['id'],
  },
  'POST /chat/completions/{id}/scrub': {
    statuses: [200, 403, 404, 500],
    fields: REDACTION,
    parameters: ['id'],
  },
  'POST /pause': { statuses: [200, 403, 500], fields: PAUSE, parameters: [] },
}

const verification = {
  statuses: [200, 400, 403, 404, 503],
  parameters: ['path id!', 'query hub.challenge', 'query hub.mode!', 'query hub.verify_token!'],
}
const status = { statuses: [200, 404, 503], parameters: ['path id!'] }

/** The endpoints that platforms call: only these statuses and parameters (`!`: required), and no credentials. */
const CALLED_BY_PLATFORMS = {
  'GET /channels/{id}/messenger-one': verification,
  'GET /channels/{id}/messenger-two': verification,
  'GET /channels/{id}/instagram': verification,
  'POST /channels/{id}/messenger-three': {
    statuses: [200, 400, 403, 500, 503],
    parameters: ['header x-messenger-three-signature', 'path id!', 'query api_key'],
  },
  'GET /channels/{id}/messenger-three': status,
  'GET /channels/{id}/helpdesk': status,
}

/** Endpoints that CONTRACT section 4 adds. */
const ALSO = [
  'POST /chat/completions',
  'GET /chat/completions',
  'GET /chat/completions/{id}',
  'POST /chat/completions/{id}/like',
  'POST /chat/completions/{id}/flag',
  'POST /chat/completions/{id}/feedback',
  'POST /chat/completions/{id}/clicks',
  'GET /conversations/{id}',
  'GET /conversations/{id}/messages',
  'POST /conversations/{id}/messages',
  'POST /conversations/{id}/pause',
  'POST /conversations/{id}/resume',
  'POST /conversations/{id}/end',
  'POST /conversations/{id}/reopen',
  'POST /users/{id}/scrub',
  'POST /users/{id}/anonymize',
  'GET /agent',
  'PATCH /agent',
  'GET /models',
  'GET /models/{model}',
  'POST /resume',
]

onBothEngines('GET /openapi.json', (service) => {
  let document: Document

  before(async () => {
    const response = await fetch(`${service.app.url}/openapi.json`)
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
    document = (await response.json()) as Document
  })

  function operationOf(endpoint: string): Operation {
    const [method = '', path = ''] = endpoint.split(' ')
    const operation = document.paths[`/api/v1${path}`]?.[method.toLowerCase()]
    assert.ok(operation, endpoint)
    return operation
  }

  function resolve(schema: Schema | undefined): Schema {
    assert.ok(schema)
    if (schema.$ref === undefined) return schema
    return resolve(document.components.schemas[schema.$ref.replace('#/components/schemas/', '')])
  }

  function typesOf(schema: Schema): string[] {
    const types = schema.anyOf
      ? schema.anyOf.flatMap((option) => typesOf(resolve(option)))
      : [schema.type ?? '?'].flat()
    return types.sort()
  }

  const dataOf = (operation: Operation): Schema =>
    resolve(resolve(operation.responses[200]?.content?.['application/json']?.schema).properties?.data)

  it('publishes as open only the operations that are listed', () => {
    const open = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, { security }]) => security?.length === 0)
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    )
    assert.deepEqual(open.toSorted(), OPEN)
  })

  it('is OpenAPI 3.1 of interface version 1.0.0', () => {
    assert.match(document.openapi, /^3\.1\.\d+$/)
    assert.equal(document.info.version, '1.0.0')
    assert.deepEqual(document.components.securitySchemes, {
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      bearerToken: { type: 'http', scheme: 'bearer' },
      visitorToken: {
        type: 'http',
        scheme: 'bearer',
        description:
          'The `visitor_token` of `beginVisitorSession`, for one widget. The `Origin` must be one that the widget ' +
          'allows. A program that is no web page has to set it itself with every POST.',
      },
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: 'parley_session',
        description:
          'Set at signing in; `__Secure-parley_session` where the public address is https. While the team requires ' +
          'a second factor that the person has not set up, all but that is answered 403 `two_factor_required`.',
      },
    })
  })

  for (const [endpoint, { statuses, fields, parameters }] of Object.entries(INTERFACE)) {
    it(`${endpoint}: statuses, parameters, fields, both credentials`, () => {
      const operation = operationOf(endpoint)
      for (const status of statuses) {
        const schema = operation.responses[status]?.content?.['application/json']?.schema
        assert.ok(schema, `${status}`)
        if (status !== 200) assert.deepEqual(resolve(schema).required, ['error', 'request_id'])
      }
      for (const name of parameters)
        assert.ok(
          operation.parameters?.some((parameter) => parameter.name === name),
          name,
        )
      assert.equal(operation.requestBody, undefined)
      assert.deepEqual(operation.security, [{ apiKey: [], bearerToken: [] }], 'both at once, not one of them')

      const data = dataOf(operation)
      const item = data.items ? resolve(data.items) : data
      const types = Object.entries(item.properties ?? {}).map(([name, schema]) => [
        name,
        typesOf(resolve(schema)),
      ])
      assert.deepEqual(Object.fromEntries(types), fields)
      assert.equal(item.additionalProperties, false)
    })
  }

  for (const [endpoint, { statuses, parameters }] of Object.entries(CALLED_BY_PLATFORMS)) {
    it(`${endpoint}: statuses and parameters, and no credentials`, () => {
      const operation = operationOf(endpoint)
      assert.deepEqual(Object.keys(operation.responses).map(Number), statuses)
      const named = (operation.parameters ?? []).map(
        (parameter) => `${parameter.in} ${parameter.name}${parameter.required ? '!' : ''}`,
      )
      assert.deepEqual(named.toSorted(), parameters)
      assert.deepEqual(operation.security, [])
    })
  }

  it('channels: one mode, the challenge as text or JSON, an object received, an empty one answered, a status', () => {
    const handshake = operationOf('GET /channels/{id}/messenger-one')
    const mode = handshake.parameters?.find(({ name }) => name === 'hub.mode')
    assert.deepEqual(mode?.schema.enum ?? [Reflect.get(mode?.schema ?? {}, 'const')], ['subscribe'])
    assert.deepEqual(Object.keys(handshake.responses[200]?.content ?? {}), ['text/plain', 'application/json'])
    const webhook = operationOf('POST /channels/{id}/messenger-three')
    const { content } = webhook.requestBody as { content: Record<string, { schema: Schema }> }
    assert.equal(content['application/json']?.schema.type, 'object')
    const answer = resolve(webhook.responses[200]?.content?.['application/json']?.schema)
    assert.deepEqual([answer.type, answer.properties], ['object', {}])
    for (const kind of ['messenger-three', 'helpdesk']) {
      const { responses } = operationOf(`GET /channels/{id}/${kind}`)
      const { properties } = resolve(responses[200]?.content?.['application/json']?.schema)
      const types = Object.entries(properties ?? {}).map(([name, schema]) => [name, schema.type])
      assert.deepEqual(Object.fromEntries(types), { status: 'string', channel: 'string', active: 'boolean' })
    }
  })

  it('GET /conversations: the page, its parameters and their defaults', () => {
    const operation = operationOf('GET /conversations')
    const page = resolve(operation.responses[200]?.content?.['application/json']?.schema)
    assert.deepEqual(page.required, ['data', 'total', 'page', 'per_page'])
    assert.equal(page.properties?.data?.type, 'array')
    for (const name of ['total', 'page', 'per_page']) assert.equal(page.properties?.[name]?.type, 'integer')
    for (const [name, value] of [
      ['page', 1],
      ['per_page', 50],
    ] as const) {
      const parameter = operation.parameters?.find((parameter) => parameter.name === name)
      assert.deepEqual([parameter?.in, parameter?.required ?? false], ['query', false])
      assert.deepEqual([parameter?.schema.type, parameter?.schema.default], ['integer', value])
    }
  })

  it('a visitor of a widget has a scheme of their own, and begins a session without one', () => {
    const named = Object.entries(document.paths).flatMap(([path, operations]) =>
      path.startsWith('/widget/v1/{public_key}/')
        ? Object.values(operations).map(({ operationId = '', security }) => [operationId, security])
        : [],
    )
    const { beginVisitorSession, ...others } = Object.fromEntries(named)
    assert.deepEqual(beginVisitorSession, [])
    assert.deepEqual(Object.keys(others).toSorted(), [
      'askForPerson',
      'endVisitorConversation',
      'flagVisitorCompletion',
      'getVisitorAttachment',
      'getVisitorLive',
      'giveVisitorFeedback',
      'leaveVisitorAddress',
      'likeVisitorCompletion',
      'listVisitorConversations',
      'listVisitorMessages',
      'markVisitorSeen',
      'rateVisitorConversation',
      'recordVisitorClick',
      'sendVisitorMessage',
      'sendVisitorTyping',
      'uploadVisitorAttachment',
    ])
    for (const [name, security] of Object.entries(others))
      assert.deepEqual(security, [{ visitorToken: [] }], name)
    const key = document.paths['/widget/v1/{public_key}/messages']?.post?.parameters?.find(
      ({ name }) => name === 'idempotency-key',
    )
    assert.deepEqual([key?.in, key?.required], ['header', true])
  })

  it('redaction: the id is a path parameter, the mode one of two', () => {
    for (const mode of ['scrub', 'anonymize']) {
      const operation = operationOf(`POST /chat/completions/{id}/${mode}`)
      const [id] = operation.parameters ?? []
      assert.deepEqual([id?.name, id?.in, id?.required, id?.schema.type], ['id', 'path', true, 'string'])
      assert.deepEqual(dataOf(operation).properties?.mode?.enum?.toSorted(), ['anonymize', 'scrub'])
    }
  })

  it('a prompt is answered in one piece or as a stream, and each answer of each endpoint is described', () => {
    const { content = {} } = operationOf('POST /chat/completions').responses[200] ?? {}
    assert.deepEqual(Object.keys(content), ['application/json', 'text/event-stream'])
    for (const operations of Object.values(document.paths))
      for (const { summary, responses } of Object.values(operations))
        for (const [status, { description }] of Object.entries(responses))
          assert.ok(description && description !== 'Default Response', `${summary}: ${status}`)
  })

  it('timestamps are told as such', () => {
    const { properties } = dataOf(operationOf('GET /conversations')).items
      ? resolve(dataOf(operationOf('GET /conversations')).items)
      : {}
    assert.equal(properties?.started_at?.format, 'date-time')
    assert.ok(properties?.ended_at?.anyOf?.some(({ format }) => format === 'date-time'))
  })

  it('has the endpoints beside the interface, and a summary for each', () => {
    const listed = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { summary }]) => {
        assert.ok(summary, `${method} ${path}`)
        return `${method.toUpperCase()} ${path.replace(/^\/api\/v1/, '')}`
      }),
    )
    for (const endpoint of [...Object.keys(INTERFACE), ...Object.keys(CALLED_BY_PLATFORMS), ...ALSO])
      assert.ok(listed.includes(endpoint), endpoint)
  })

  it('names each operation, and no two the same', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => ({ method, path, operationId })),
    )
    for (const { method, path, operationId } of operations)
      assert.match(operationId ?? '', /^[a-z][A-Za-z]+$/, `${method} ${path}`)
    assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
    for (const [operation, name] of [
      ['POST /conversations/{id}/pause', 'pauseConversation'],
      ['POST /conversations/{id}/typing', 'sendTyping'],
      ['GET /conversations/{id}/messages', 'listConversationMessages'],
      ['POST /datasets/{id}/cases', 'createDatasetCase'],
      ['PATCH /replies/{id}', 'updateReply'],
      ['POST /notifications/{id}/rotate-secret', 'rotateNotificationSecret'],
      ['GET /models/{model}', 'getModel'],
    ] as const)
      assert.equal(operationOf(operation).operationId, name)
    const verbs = new Set(operations.map(({ operationId = '' }) => /^[a-z]+/.exec(operationId)?.[0]))
    assert.deepEqual(
      [...verbs].filter((verb) => !VERBS.includes(verb ?? '')),
      [],
      'each name begins with a verb: state an operationId where the path does not lead to one',
    )
  })

  it('has no error in the eyes of a linter, and says who may call each operation', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    assert.deepEqual(
      problems.flatMap(({ severity, message, location }) =>
        severity === 'error' ? [`${location[0]?.pointer}: ${message}`] : [],
      ),
      [],
    )
    assert.deepEqual(operationOf('POST /channels/{id}/helpdesk').security, [])
  })

  it('asks generated clients for no field that has a default', () => {
    const found: string[] = []
    const look = (part: unknown, at: string) => {
      if (typeof part !== 'object' || part === null) return
      for (const [name, field] of Object.entries(Reflect.get(part, 'properties') ?? {}))
        if (typeof field === 'object' && 'default' in (field as object)) found.push(`${at}/${name}`)
      for (const [key, inner] of Object.entries(part)) look(inner, `${at}/${key}`)
    }
    look(document, '')
    assert.deepEqual(found, [])
    const { NewCtaInput } = document.components.schemas
    assert.match(NewCtaInput?.properties?.position?.description ?? '', /Default: `100`/)
  })

  it('has no schema that nothing refers to', () => {
    const { schemas } = document.components
    const used = new Set(JSON.stringify(document).match(/#\/components\/schemas\/[^"]+/g))
    for (const name of Object.keys(schemas)) assert.ok(used.has(`#/components/schemas/${name}`), name)
  })

  it('a DELETE with a body is answered as the document says', async () => {
    const agent = await service.addAgent()
    const { id } = (await agent.post('/ctas', { name: 'C', content: 'Look' })).body.data
    for (const [type, body, status] of [
      ['application/json', '{"broken', 400],
      ['text/plain', 'x', 415],
      ['application/json', JSON.stringify('x'.repeat(11 * 1024 * 1024)), 413],
    ] as const)
      assert.equal((await agent.call('DELETE', `/ctas/${id}`, body, { 'content-type': type })).status, status)
    assert.equal((await agent.call('DELETE', `/ctas/${id}`)).status, 204)
    const long = 'x'.repeat(11 * 1024 * 1024)
    assert.equal((await agent.call('POST', '/pause', long, { 'content-type': 'text/plain' })).status, 413)
  })

  it('a stored tool call is read back as the document says, with the fields of its own', async () => {
    const agent = await service.addAgent()
    const call = {
      id: 'call_1',
      type: 'function',
      function: { name: 'look', arguments: '{}', strict: true },
      extra_content: { vendor: { signature: 'x' } },
    }
    const messages = [
      { role: 'user', content: 'look' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'seen' },
    ]
    const { status, body } = await agent.post('/chat/completions', { messages })
    assert.equal(status, 200)
    const read = await agent.get(`/chat/completions/${body.id}`)
    const stored = read.body.data.messages.flatMap((one: { tool_calls?: object[] }) => one.tool_calls ?? [])
    assert.equal(stored[0]?.id, 'call_1')
    assert.equal((await agent.get(`/conversations/${body.conversation_id}/messages`)).status, 200)
  })

  it('refers to nothing that is not there', () => {
    const references = new Set(JSON.stringify(document).match(/"\$ref":"[^"]*"/g))
    assert.ok(references.size > 5)
    for (const reference of references) {
      const { $ref } = JSON.parse(`{${reference}}`) as { $ref: string }
      const found = $ref
        .slice(2)
        .split('/')
        .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], document)
      assert.ok($ref.startsWith('#/') && found, $ref)
    }
  })

  it('/docs 200: a page to read it, which loads nothing from elsewhere', async () => {
    const response = await fetch(`${service.app.url}/docs/`)
    assert.equal(response.status, 200)
    const page = await response.text()
    assert.match(page, /swagger/i)
    assert.doesNotMatch(page, /(src|href)="(https?:)?\/\//)
    for (const [, path = ''] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const loaded = await fetch(new URL(path, response.url))
      await loaded.arrayBuffer()
      assert.equal(loaded.status, 200, path)
    }
  })
})
