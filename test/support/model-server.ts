import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { parseArgs } from 'node:util'

/** A model server on loopback that speaks OpenAI's chat completions and does as a test tells it. */
export interface ModelServer {
  /** The base address, as users write it into PARLEY_MODEL_URL: ends in /v1. */
  readonly url: string
  /** Every chat completion requested, in order. */
  readonly requests: RecordedRequest[]
  /** The answer to each request while nothing is queued. By default the last user message comes back. */
  answer: Answer
  /** Chooses the answer by the request while nothing is queued; null to use `answer`. */
  answerFor: ((body: RequestBody) => Answer) | null
  /** Queues answers, one for each of the next requests. */
  next(...answers: Answer[]): void
  /** Resolves with the nth request (0 is the first), now or when it comes. */
  request(n: number): Promise<RecordedRequest>
  /** Resolves when the nth client has gone away before its answer ended, now or later. */
  aborted(n?: number): Promise<void>
  /** Forgets everything queued, set and recorded. */
  reset(): void
  /** Ends every connection. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface RecordedRequest {
  headers: IncomingHttpHeaders
  body: RequestBody
}

export interface RequestBody {
  model: string
  messages: { role: string; content: unknown }[]
  stream?: boolean
  stream_options?: { include_usage?: boolean }
  [field: string]: unknown
}

/** An answer. At most one of the first five fields is set, and an empty answer echoes. */
export interface Answer {
  text?: string
  /** Streamed as given, text or deltas; an async iterable (`pieceFeed()`) paces them. */
  pieces?: Iterable<Piece> | AsyncIterable<Piece>
  /** Leaves out the piece with the role, as some servers do. */
  without_role?: boolean
  /** The status of an error, in OpenAI's form or, with `raw`, in any. */
  status?: number
  /** Exactly these bytes. */
  raw?: { body: string | Buffer[]; content_type?: string }
  /** True to never send the head of an answer. */
  hang?: boolean
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
  finish_reason?: string
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number }
  /** The end of a stream after its pieces, instead of finish_reason, usage and [DONE]. */
  ending?: 'hang' | 'cut' | 'error' | 'end'
  headers?: Record<string, string>
  /** Delays the answer until it resolves. */
  after?: Promise<unknown>
}

export type Piece = string | Record<string, unknown>

/** Starts a model server on a free port, or on the given one. */
export async function startModelServer({ port = 0 } = {}): Promise<ModelServer> {
  const queue: Answer[] = []
  const requests = waitableList<RecordedRequest>()
  const aborts = waitableList<void>()
  const http = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  http.listen(port, '127.0.0.1')
  await once(http, 'listening')

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('close', () => response.writableFinished || aborts.push())
    const path = request.url?.split('?')[0]
    if (path === '/v1/models') return void sendJson(response, 200, MODELS)
    if (path !== '/v1/chat/completions') return void sendJson(response, 404, openaiError(404))
    const body: RequestBody = JSON.parse(await readText(request))
    requests.push({ headers: request.headers, body })
    await send(response, body, queue.shift() ?? server.answerFor?.(body) ?? server.answer)
  }

  const server: ModelServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    requests: requests.items,
    answer: {},
    answerFor: null,
    next: (...answers) => void queue.push(...answers),
    request: requests.at,
    aborted: (n = 0) => aborts.at(n),
    reset() {
      server.answer = {}
      server.answerFor = null
      queue.length = 0
      requests.clear()
      aborts.clear()
    },
    async close() {
      http.closeAllConnections()
      await new Promise((done) => http.close(done))
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
  return server
}

/** Returns a model's answer that calls tools. */
export function calling(...calls: [name: string, args: object | string, id?: string][]): Answer {
  return {
    tool_calls: calls.map(([name, args, id], at) => ({
      id: id ?? `call_${at}`,
      type: 'function',
      function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
    })),
  }
}

/** Returns pieces that a test hands over one at a time; nothing is sent before it is pushed. */
export function pieceFeed(): AsyncIterable<Piece> & { push(piece: Piece): void; end(): void } {
  const pieces = waitableList<Piece | null>()
  return {
    push: pieces.push,
    end: () => pieces.push(null),
    async *[Symbol.asyncIterator]() {
      for (let n = 0; ; n++) {
        const piece = await pieces.at(n)
        if (piece === null) return
        yield piece
      }
    },
  }
}

async function send(response: ServerResponse, body: RequestBody, answer: Answer): Promise<void> {
  await answer.after
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value)
  if (answer.hang) return
  if (answer.raw) return sendRaw(response, answer.raw, answer.status)
  if (answer.status) return sendJson(response, answer.status, openaiError(answer.status))
  if (body.stream) return sendStream(response, body, answer)
  const content = answer.text ?? (answer.tool_calls ? null : lastUserText(body))
  const message = { role: 'assistant', content, ...(answer.tool_calls && { tool_calls: answer.tool_calls }) }
  sendJson(response, 200, {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: body.model,
    choices: [{ index: 0, message, finish_reason: finishReason(answer) }],
    usage: answer.usage ?? USAGE,
  })
}

async function sendStream(response: ServerResponse, body: RequestBody, answer: Answer): Promise<void> {
  const base = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: body.model }
  const event = (chunk: object) => `data: ${JSON.stringify({ ...base, ...chunk })}\n\n`
  const choice = (delta: object, finish_reason: string | null = null) =>
    event({ choices: [{ index: 0, delta, finish_reason }] })
  const piece = (given: Piece) => choice(typeof given === 'string' ? { content: given } : given)

  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const pieces = answer.pieces ?? defaultPieces(body, answer)
  let text = answer.without_role ? '' : choice({ role: 'assistant', content: '' })
  if (Symbol.iterator in pieces) {
    for (const given of pieces) text += piece(given)
  } else {
    response.write(text)
    text = ''
    for await (const given of pieces) {
      if (response.destroyed) return
      response.write(piece(given))
    }
  }
  if (answer.ending === 'hang') return void response.write(text)
  if (answer.ending === 'cut') return void response.write(text, () => response.destroy())
  if (answer.ending === 'end') return void response.end(text)
  if (answer.ending === 'error')
    return void response.end(`${text}data: ${JSON.stringify(openaiError(500))}\n\n`)
  text += choice({}, finishReason(answer))
  if (body.stream_options?.include_usage) text += event({ choices: [], usage: answer.usage ?? USAGE })
  response.end(`${text}data: [DONE]\n\n`)
}

/** Splits a text into words, so that every text streams in several pieces. */
function defaultPieces(body: RequestBody, answer: Answer): Piece[] {
  const calls = answer.tool_calls?.map((call, index) => ({ tool_calls: [{ index, ...call }] }))
  const text = answer.text ?? (calls ? '' : lastUserText(body))
  return [...(text.match(/\s*\S+\s*$|\s*\S+/g) ?? []), ...(calls ?? [])]
}

function finishReason(answer: Answer): string {
  return answer.finish_reason ?? (answer.tool_calls ? 'tool_calls' : 'stop')
}

/** Matches the time and the words about documents, which stand before what the user wrote last. */
const AHEAD =
  /(?<=^|\n\n)Now: [^\n]*(?:\n\n|$)(?:Passages of the documents.*<\/passage \d+ \w{16}>(?:\n\n|$)|No passage of the documents[^\n]*(?:\n\n|$))?/s

/** The last words of the user, without what Parley put before them. */
function lastUserText(body: RequestBody): string {
  const content = body.messages.findLast((message) => message.role === 'user')?.content
  const parts: { text?: string }[] = Array.isArray(content) ? content : [{ text: String(content ?? '') }]
  return parts.map(({ text = '' }) => withoutAhead(text)).join('')
}

/** A text of the user without what Parley put before it. */
export function withoutAhead(text: string): string {
  return text.replace(AHEAD, '')
}

async function sendRaw(
  response: ServerResponse,
  raw: NonNullable<Answer['raw']>,
  status = 200,
): Promise<void> {
  response.writeHead(status, { 'content-type': raw.content_type ?? 'text/event-stream' })
  for (const part of typeof raw.body === 'string' ? [raw.body] : raw.body) {
    await new Promise((written) => response.write(part, written))
  }
  response.end()
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function openaiError(status: number) {
  return { error: { message: `secret detail ${status}`, type: 'server_error', param: null, code: null } }
}

const USAGE = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 }
const MODELS = { object: 'list', data: [{ id: 'test-model', object: 'model', created: 1, owned_by: 'test' }] }

/** Makes a list that can be asked for items that it does not hold yet. */
function waitableList<T>() {
  const items: T[] = []
  const waiting = new Map<number, PromiseWithResolvers<T>>()
  return {
    items,
    push(item: T): void {
      waiting.get(items.push(item) - 1)?.resolve(item)
    },
    clear(): void {
      items.length = 0
      waiting.clear()
    },
    async at(n: number): Promise<T> {
      if (n < items.length) return items[n] as T
      const promised = waiting.get(n) ?? Promise.withResolvers<T>()
      waiting.set(n, promised)
      return promised.promise
    },
  }
}

/** Runs it as a process of its own, for benches: `node test/support/model-server.ts --port 9000 --pieces 50`. */
if (import.meta.main) {
  const { values } = parseArgs({
    options: { port: { type: 'string' }, pieces: { type: 'string' }, paced: { type: 'boolean' } },
  })
  const server = await startModelServer({ port: Number(values.port ?? 0) })
  const pieces = Array.from({ length: Number(values.pieces ?? 50) }, (_, n) => ` word${n}`)
  // With `paced`, every piece is a packet of its own, a turn of the event loop after the one before.
  const paced = {
    async *[Symbol.asyncIterator]() {
      for (const piece of pieces) yield setImmediate(piece)
    },
  }
  server.answer = { pieces: values.paced ? paced : pieces }
  process.stdout.write(`${server.url}\n`)
}
