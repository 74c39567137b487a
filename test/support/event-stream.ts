import assert from 'node:assert/strict'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { TestAgent } from './app.ts'

/** A streamed answer that is read event by event. */
interface OpenedStream {
  status: number
  headers: Headers
  /** Returns the data of the next event, or null at the end of the stream. */
  next(): Promise<string | null>
  /** Hangs up. */
  leave(): void
}

export interface Chunk {
  id: string
  object: string
  model: string
  choices: {
    index: number
    delta: { content?: string; [field: string]: unknown }
    finish_reason: string | null
  }[]
  usage?: Record<string, number> | null
  error?: { code: string; message: string }
  [field: string]: unknown
}

/** Sends a prompt with `stream: true` and returns its events one at a time. */
export async function openStream(
  agent: TestAgent,
  body: Record<string, unknown>,
  path: '/chat/completions' | '/responses' = '/chat/completions',
  headers: Record<string, string> = {},
): Promise<OpenedStream> {
  const gone = new AbortController()
  const response = await fetch(`${agent.baseUrl}${path}`, {
    method: 'POST',
    headers: { ...agent.headers, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...body, stream: true }),
    signal: gone.signal,
  })
  assert.ok(response.body)
  const events = response.body
    .pipeThrough(new TextDecoderStream() as never)
    .pipeThrough(new EventSourceParserStream())
    [Symbol.asyncIterator]()
  return {
    status: response.status,
    headers: response.headers,
    async next() {
      const { value } = await events.next()
      if (!value) return null
      const name = path === '/responses' ? JSON.parse(value.data).type : undefined
      assert.equal(value.event, name, 'named events break clients of chat completions')
      return value.data
    },
    leave: () => gone.abort(),
  }
}

/** Returns the data of the events that a stream still has. */
export async function readToEnd(stream: OpenedStream): Promise<string[]> {
  const events: string[] = []
  for (let data = await stream.next(); data !== null; data = await stream.next()) events.push(data)
  return events
}

/** Sends a prompt with `stream: true` and reads the stream to its end. */
export async function readWholeStream(
  agent: TestAgent,
  body: Record<string, unknown>,
): Promise<{ headers: Headers; chunks: Chunk[]; text: string; done: boolean }> {
  const stream = await openStream(agent, body)
  assert.equal(stream.status, 200)
  const events = await readToEnd(stream)
  const done = events.at(-1) === '[DONE]'
  const chunks = (done ? events.slice(0, -1) : events).map((data) => JSON.parse(data) as Chunk)
  const text = chunks.map((chunk) => chunk.choices?.[0]?.delta.content ?? '').join('')
  return { headers: stream.headers, chunks, text, done }
}

/** An event of a streamed response. */
export interface ResponseEvent {
  type: string
  sequence_number: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  [field: string]: any
}

/** Sends a prompt to `/responses` with `stream: true` and reads the stream to its end. */
export async function readResponseStream(
  agent: TestAgent,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<{ headers: Headers; events: ResponseEvent[]; last: ResponseEvent }> {
  const stream = await openStream(agent, body, '/responses', headers)
  assert.equal(stream.status, 200)
  const events = (await readToEnd(stream)).map((data): ResponseEvent => JSON.parse(data))
  assert.deepEqual(
    events.map((event) => event.sequence_number),
    events.map((_, at) => at),
  )
  const last = events.at(-1)
  assert.ok(last)
  return { headers: stream.headers, events, last }
}
