import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { TestAgent, TestAnswer, TestApp } from './app.ts'
import { assertConforms, compile, documentOf } from './conforms.ts'
import type { Chunk } from './event-stream.ts'
import { type LiveEvent, type LiveStream, openLive } from './live-stream.ts'

/** Settings with which each widget of a test has its own address, so that limits of addresses hold only for it. */
export const ADDRESSES = { PARLEY_TRUSTED_PROXIES: '127.0.0.1/32' }

let addresses = 0

/** The site of the tests' widgets. */
export const SITE = 'https://shop.example'

/** A widget that was created for a test. */
export interface TestWidget {
  id: number
  key: string
  secret: string
  /** The address, which ends in the public key. */
  url: string
  agent: TestAgent
  /** Signs an id as the site does. */
  hash(userId: string): string
  /** Calls the protocol as a page of the site does. */
  call(method: string, path: string, options?: CallOptions): Promise<TestAnswer>
  /** Begins the session of a visitor of the site. */
  visit(session?: Record<string, unknown>): Promise<TestVisitor>
}

interface CallOptions {
  body?: unknown
  token?: string
  /** Null to send none. */
  origin?: string | null
  headers?: Record<string, string>
}

/** Somebody with a visitor token. */
export interface TestVisitor {
  token: string
  /** The answer of `POST /sessions`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  session: any
  get(path: string): Promise<TestAnswer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>
  /** Sends a message and reads the answer to its end. */
  say(content: string, options?: SayOptions): Promise<Said>
  listen(query?: string, headers?: Record<string, string>): Promise<LiveStream>
}

interface SayOptions {
  key?: string
  fields?: Record<string, unknown>
}

/** The answer to a message. */
interface Said {
  status: number
  headers: Headers
  chunks: Chunk[]
  text: string
  first: Chunk
  last: Chunk
  isDone: boolean
  // biome-ignore lint/suspicious/noExplicitAny: an error, when the status says so
  body: any
}

export async function addWidget(
  { url: service }: Pick<TestApp, 'url'>,
  agent: TestAgent,
  wish: Record<string, unknown> = {},
): Promise<TestWidget> {
  const made = await agent.post('/widgets', { name: 'w', allowed_origins: [SITE], ...wish })
  assert.equal(made.status, 201, made.text)
  const { id, public_key: key, identity_secret: secret } = made.body.data
  const url = `${service}/widget/v1/${key}`
  const address = { 'x-forwarded-for': `203.0.113.${addresses++ % 250}` }

  const call: TestWidget['call'] = async (
    method,
    path,
    { body, token, origin = SITE, headers = {} } = {},
  ) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(origin === null ? {} : { origin }),
        ...address,
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
    const answer = isJson ? JSON.parse(text) : undefined
    await assertConforms(url, method, new URL(url + path).pathname, response.status, answer)
    return { status: response.status, headers: response.headers, text, body: answer }
  }

  async function visit(session: Record<string, unknown> = {}): Promise<TestVisitor> {
    const opened = await call('POST', '/sessions', { body: session })
    assert.equal(opened.status, 200, opened.text)
    const token = opened.body.data.visitor_token as string
    return {
      token,
      session: opened.body.data,
      get: (path) => call('GET', path, { token }),
      post: (path, body, headers = {}) =>
        call('POST', path, { token, headers, ...(body === undefined ? {} : { body }) }),
      say: (content, { key: message = randomUUID(), fields = {} } = {}) =>
        say(url, { token, content: { content, ...fields }, key: message, address }),
      async listen(query = '', headers = {}) {
        const document = await documentOf(url)
        const event = compile({ $ref: '#/components/schemas/VisitorLiveEvent' }, document)
        return openLive(
          `${url}/live${query}`,
          { authorization: `Bearer ${token}`, origin: SITE, ...headers },
          (told) => void event.parse(told),
        )
      },
    }
  }
  const hash = (userId: string) => createHmac('sha256', secret).update(userId).digest('hex')
  return { id, key, secret, url, agent, hash, call, visit }
}

async function say(
  url: string,
  sent: { token: string; content: object; key: string; address: Record<string, string> },
): Promise<Said> {
  const response = await fetch(`${url}/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${sent.token}`,
      origin: SITE,
      'idempotency-key': sent.key,
      ...sent.address,
    },
    body: JSON.stringify(sent.content),
  })
  const { status, headers } = response
  const isStream = headers.get('content-type')?.startsWith('text/event-stream')
  const events: string[] = []
  if (isStream && response.body)
    for await (const { event, data } of response.body
      .pipeThrough(new TextDecoderStream() as never)
      .pipeThrough(new EventSourceParserStream())) {
      assert.equal(event, undefined, 'named events break clients')
      events.push(data)
    }
  const body = isStream ? undefined : await response.json()
  await assertConforms(url, 'POST', `${new URL(url).pathname}/messages`, status, body)
  const isDone = events.at(-1) === '[DONE]'
  const chunks = (isDone ? events.slice(0, -1) : events).map((data) => JSON.parse(data) as Chunk)
  return {
    status,
    headers,
    chunks,
    text: chunks.map((chunk) => chunk.choices?.[0]?.delta.content ?? '').join(''),
    first: chunks[0] as Chunk,
    last: chunks.at(-1) as Chunk,
    isDone,
    body,
  }
}

/** Waits for a wanted event, and skips others. */
export async function eventLike(
  stream: LiveStream,
  isWanted: (event: LiveEvent) => boolean,
): Promise<LiveEvent> {
  for (;;) {
    const event = await stream.next()
    if (isWanted(event)) return event
  }
}
