import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { it } from 'node:test'
import { assertError, type TestAnswer } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

/** One that each of these addresses takes. */
const METHOD_OF = {
  '/api/v1/conversations': 'GET',
  '/api/v1/agent': 'PATCH',
  '/api/v1/chat/completions': 'POST',
  '/api/v1/resume': 'POST',
  '/healthz': 'GET',
}

onBothEngines('errors', (service) => {
  /** Sends these very bytes and reads until the server closes. */
  async function raw(bytes: string): Promise<{ status: number; head: string; body: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const socket = connect(Number(new URL(service.app.url).port), '127.0.0.1')
    let text = ''
    socket.setEncoding('latin1').on('data', (data) => {
      text += data
    })
    socket.on('close', () => resolve(text)).on('error', reject)
    // Node drops the answer to a request whose sender has ended; one that is asked to close does so by itself.
    if (bytes.includes('connection: close')) socket.write(bytes, 'latin1')
    else socket.end(bytes, 'latin1')
    const [head = '', ...rest] = (await promise).split('\r\n\r\n')
    return { status: Number(head.split(' ')[1]), head, body: rest.join('\r\n\r\n') }
  }

  function assertRawError(
    answer: { status: number; head: string; body: string },
    status: number,
    code: string,
  ) {
    assert.equal(answer.status, status, answer.head)
    const headers = new Headers(
      answer.head
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(/: ?(.*)/s).slice(0, 2) as [string, string]),
    )
    assertError({ status, headers, text: answer.body, body: JSON.parse(answer.body) }, status, code)
    assert.match(headers.get('content-type') ?? '', /^application\/json/)
  }

  async function ask(
    method: string,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<TestAnswer> {
    const response = await fetch(service.app.url + path, { method, headers })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: text && JSON.parse(text) }
  }

  for (const path of [
    '/no/such/path',
    '/api/v1/no/such/path?api_key=hunter2&text=hello',
    '/api/v1',
    '/api/v1/',
    '/conversations',
    '/api/v2/conversations',
    '/API/V1/CONVERSATIONS',
    '/api/v1//conversations',
    '/api/v1/chat/completions/%2e%2e/agent',
  ]) {
    it(`404: ${path.slice(0, 60)}, without an echo of the query string`, async () => {
      const answer = await ask('GET', path)
      assertError(answer, 404, 'not_found')
      assert.ok(!answer.text.includes('hunter2') && !answer.text.includes('conversations'))
    })
  }

  for (const [method, path] of [
    ['PUT', '/api/v1/conversations'],
    ['DELETE', '/api/v1/agent'],
    ['PUT', '/api/v1/chat/completions'],
    ['GET', '/api/v1/resume'],
    ['OPTIONS', '/api/v1/conversations'],
    ['POST', '/healthz'],
  ] as const) {
    it(`404: ${method} ${path} is no endpoint`, async () => {
      const answer = await ask(method, path)
      assertError(answer, 404, 'not_found')
      const allowed = (answer.headers.get('allow') ?? '').split(', ')
      assert.ok(allowed.includes(METHOD_OF[path]), `${allowed}`)
      assert.ok(!allowed.includes(method))
      for (const one of allowed) assert.ok(answer.body.error.message.includes(one), answer.body.error.message)
    })
  }

  it('HEAD is answered as GET, without the body', async () => {
    for (const path of ['/api/v1/conversations', '/healthz', '/openapi.json', '/api/v1/nothing']) {
      const [head, get] = [await ask('HEAD', path), await ask('GET', path)]
      const told = [head.status, head.headers.get('content-type'), head.headers.get('content-length')]
      assert.deepEqual(told, [get.status, get.headers.get('content-type'), get.headers.get('content-length')])
      assert.equal(head.text, '', path)
    }
    assert.equal((await ask('HEAD', '/api/v1/resume')).status, 404)
  })

  it('404: an address with an id names its methods, and one that is none names nothing', async () => {
    const known = await ask('PUT', '/api/v1/chat/completions/1?x=hunter2')
    assert.equal(known.body.error.message, 'This address takes GET, but not this method.')
    const unknown = await ask('PUT', '/api/v1/chat/completions/1/2/3')
    assert.equal(unknown.headers.get('allow'), null)
    assert.equal(unknown.body.error.message, 'There is nothing at this address.')
  })

  it('404: what is no endpoint is none whatever is sent to it', async () => {
    for (const type of ['application/json', 'text/xml', 'not a type'])
      assertError(await ask('PUT', '/api/v1/pause', { 'content-type': type }), 404, 'not_found')
  })

  it('204: a DELETE that names a type of body and has none', async () => {
    const { agent } = service.app
    const { body } = await agent.post('/evaluators', {
      name: 'Refunds',
      kind: 'keywords',
      settings: { words: ['refund'] },
    })
    const deleted = await agent.call('DELETE', `/evaluators/${body.data.id}`, undefined, {
      'content-type': 'application/json',
    })
    assert.equal(deleted.status, 204, deleted.text)
  })

  it('404: an empty id', async () => {
    assertError(await service.app.agent.get('/conversations/'), 404, 'conversation_not_found')
    const long = await service.app.agent.get(`/conversations/${'a'.repeat(10_000)}`)
    assertError(long, 404, 'conversation_not_found')
    assertError(await service.app.agent.get('/chat/completions/'), 404, 'completion_not_found')
  })

  it('HEAD: as GET without the body', async () => {
    const { agent } = service.app
    const head = await fetch(`${agent.baseUrl}/conversations`, { method: 'HEAD', headers: agent.headers })
    assert.equal(head.status, 200)
    assert.equal(await head.text(), '')
    assert.equal((await ask('HEAD', '/api/v1/conversations')).status, 403)
    assert.equal((await ask('HEAD', '/nowhere')).status, 404)
  })

  it('malformed URL escapes name nothing: each path answers as it does for what is not there', async () => {
    const { apiKey, bearerToken } = service.app.agent
    const webhooks = ['messenger-one', 'messenger-two', 'messenger-three', 'helpdesk', 'telegram'].map(
      (kind) => `/channels/%FF/${kind}?api_key=hunter2`,
    )
    const ask = (method: string, path: string) =>
      raw(
        `${method} ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${apiKey}\r\nauthorization: Bearer ${bearerToken}\r\n` +
          'content-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
      )
    for (const path of ['/%E0%A4%A', '/%', '/api/v1/no/%00'])
      assertRawError(await ask('GET', path), 404, 'not_found')
    for (const id of ['%', '%zz', '%ED%A0%80', 'a%FFb', '%00', '1%00']) {
      for (const [path, code] of [
        [`/chat/completions/${id}/scrub`, 'completion_not_found'],
        [`/chat/completions/${id}/anonymize?next=/channels/1/helpdesk`, 'completion_not_found'],
        [`/users/${id}/scrub`, 'user_not_found'],
        [`/users/${id}/anonymize`, 'user_not_found'],
        [`/channels/${id}/test`, 'channel_not_found'],
        [`/channels/1/parked/${id}/replay`, 'channel_not_found'],
        [`/notifications/1/deliveries/${id}/replay`, 'notification_not_found'],
        [`/conversations/${id}/end`, 'conversation_not_found'],
      ] as const)
        assertRawError(await ask('POST', `/api/v1${path}`), 404, code)
    }
    assertRawError(await ask('GET', '/api/v1/conversations/%zz?api_key=hunter2'), 400, 'invalid_request')
    for (const path of webhooks) {
      const answer = await ask('POST', `/api/v1${path}`)
      assertRawError(answer, 403, 'webhook_refused')
      assert.ok(!answer.body.includes('hunter2'))
    }
    assertRawError(await ask('GET', '/api/v1/channels/%FF/helpdesk'), 404, 'channel_not_found')
  })

  for (const [name, request] of [
    ['no HTTP', 'hello\r\n\r\n'],
    ['an unknown method', 'FOO / HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['no Host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['two Hosts', 'GET /healthz HTTP/1.1\r\nhost: x\r\nHost: x\r\nconnection: close\r\n\r\n'],
    ['a Host with a space', 'GET /healthz HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n'],
    ['a Host with a user', 'GET /healthz HTTP/1.1\r\nhost: hunter2@x\r\nconnection: close\r\n\r\n'],
    ['a Host with a path', 'GET /healthz HTTP/1.1\r\nhost: x/y\r\nconnection: close\r\n\r\n'],
    [
      'a Host with a port that is no number',
      'GET /healthz HTTP/1.1\r\nhost: x:y\r\nconnection: close\r\n\r\n',
    ],
    ['a header without a colon', 'GET /healthz HTTP/1.1\r\nhost: x\r\nhunter2\r\n\r\n'],
    ['a space in a header name', 'GET /healthz HTTP/1.1\r\nhost: x\r\na b: c\r\n\r\n'],
    ['a NUL in a header', 'GET /healthz HTTP/1.1\r\nhost: x\r\na: b\0c\r\n\r\n'],
    [
      'two lengths',
      'POST /api/v1/pause HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    ],
    [
      'a length and chunks',
      'POST /api/v1/pause HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a negative length', 'POST /api/v1/pause HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n'],
  ] as const) {
    it(`400: ${name}`, async () => {
      const answer = await raw(request)
      assertRawError(answer, 400, 'invalid_request')
      assert.ok(!answer.body.includes('hunter2'))
    })
  }

  for (const host of [
    'x',
    'x:8080',
    'EXAMPLE.com.',
    '127.0.0.1:1',
    '[::1]:8080',
    '[fe80::1]',
    'a_b-c',
    '%41',
    '',
  ]) {
    it(`200: the Host "${host}"`, async () => {
      const answer = await raw(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
      assert.equal(answer.status, 200, answer.head)
    })
  }

  it('403: a credential that comes twice, the same or another', async () => {
    const { apiKey, bearerToken } = service.app.agent
    const key = `x-api-key: ${apiKey}\r\n`
    const token = `authorization: Bearer ${bearerToken}\r\n`
    const ask = (credentials: string) =>
      raw(`GET /api/v1/agent HTTP/1.1\r\nhost: x\r\n${credentials}connection: close\r\n\r\n`)
    assert.equal((await ask(key + token)).status, 200)
    for (const credentials of [
      key + token + token,
      `${key}${token}Authorization: Bearer x\r\n`,
      key + key + token,
    ])
      assertRawError(await ask(credentials), 403, 'invalid_credentials')
  })

  it('413, 400: who sends too much is answered, and may go on with the connection', async () => {
    for (const [path, status] of [
      ['/api/v1/chat/completions', 413],
      ['/api/v1/channels/1/messenger-three', 400],
    ] as const) {
      const { apiKey, bearerToken } = service.app.agent
      const socket = connect(Number(new URL(service.app.url).port), '127.0.0.1').setEncoding('latin1')
      const size = 11 * 1024 * 1024
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${apiKey}\r\nauthorization: Bearer ${bearerToken}\r\n` +
          `content-type: application/json\r\ncontent-length: ${size}\r\n\r\n`,
      )
      const [answer] = await once(socket, 'data')
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
      socket.write('x'.repeat(size))
      socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
      const [next] = await once(socket, 'data')
      assert.match(next, /^HTTP\/1.1 200 /)
      socket.destroy()
    }
  })

  it('431: headers that are too large', async () => {
    const answer = await raw(`GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`)
    assertRawError(answer, 431, 'headers_too_large')
  })

  it('400: a chunk of no size, and a body that ends early', async () => {
    const { apiKey, bearerToken } = service.app.agent
    const head = `POST /api/v1/pause HTTP/1.1\r\nhost: x\r\nx-api-key: ${apiKey}\r\nauthorization: Bearer ${bearerToken}\r\n`
    assertRawError(await raw(`${head}transfer-encoding: chunked\r\n\r\nzz\r\n`), 400, 'invalid_request')
    const early = await raw(`${head}content-length: 10\r\n\r\nab`)
    if (early.head !== '') assert.equal(early.status, 400)
  })

  it('403: an expectation that nobody knows is ignored', async () => {
    const answer = await raw(
      'GET /api/v1/agent HTTP/1.1\r\nhost: x\r\nexpect: wonders\r\nconnection: close\r\n\r\n',
    )
    assertRawError(answer, 403, 'invalid_credentials')
  })

  it('each answer has a request id of its own, which the caller cannot choose', async () => {
    const ids = new Set<string>()
    for (const path of ['/healthz', '/nowhere', '/api/v1/agent', '/healthz']) {
      const { headers } = await ask('GET', path, { 'x-request-id': 'mine', 'request-id': 'mine' })
      const id = headers.get('x-request-id') ?? ''
      assert.match(id, /^req_[0-9a-f]{32}$/)
      ids.add(id)
    }
    assert.equal(ids.size, 4)
  })

  it('security headers are on every answer, errors included', async () => {
    for (const path of ['/healthz', '/nowhere', '/api/v1/agent']) {
      const { headers } = await ask('GET', path)
      assert.equal(headers.get('content-security-policy'), "default-src 'none';frame-ancestors 'none'", path)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.equal(headers.get('cache-control'), 'no-store', path)
      assert.match(headers.get('strict-transport-security') ?? '', /max-age=\d+/)
      assert.equal(headers.get('x-powered-by'), null)
      assert.equal(headers.get('server'), null)
    }
  })

  it('500: an internal error tells nothing of itself', async () => {
    const agent = await service.addAgent()
    const { db } = service.app.app.foundation.database
    await db
      .updateTable('agents')
      .set({ settings: '{broken hunter2' })
      .where('id', '=', agent.agentId)
      .execute()
    const answer = await agent.get('/agent')
    assertError(answer, 500, 'internal_error')
    assert.equal(answer.body.error.message, 'Internal server error.')
    assert.ok(!answer.text.includes('hunter2') && !answer.text.includes('JSON'))
  })
})
