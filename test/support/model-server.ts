import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { ModelKind } from '../../src/lib/model-kinds.ts'
import { keepsConnections } from './keeps-connections.ts'
import {
  type Asked,
  type Dialect,
  dialectOf,
  SECRET_DETAIL,
  type StreamEncoder,
} from './model-dialects/dialect.ts'

/** A model server on loopback that speaks one protocol and does as a test tells it. */
export interface ModelServer {
  /** The base address, as users write it into PARLEY_MODEL_URL. */
  readonly url: string
  /** Every answer requested, in order. */
  readonly requests: RecordedRequest[]
  /** The answer to each request while nothing is queued. By default the last user message comes back. */
  answer: Answer
  /** Chooses the answer by the request while nothing is queued; null to use `answer`. */
  answerFor: ((body: RequestBody) => Answer) | null
  /** Queues answers, one for each of the next requests. */
  next(...answers: Answer[]): void
  /** Queues an answer whose pieces the test hands over one at a time; nothing is sent before it is pushed. */
  feed(rest?: Omit<Answer, 'pieces'>): PieceFeed
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

type RecordedRequest = Asked

/** A request's body in OpenAI's form; other protocols have fields of their own. */
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
  /** Streamed as given, text or deltas; those of an async iterable as they come. */
  pieces?: Iterable<Piece> | AsyncIterable<Piece>
  /** Leaves out the piece with the role, as some servers do. */
  without_role?: boolean
  /** The status of an error, in the protocol's form or, with `raw`, in any. */
  status?: number
  /** Exactly these bytes. */
  raw?: { body: string | Buffer[]; content_type?: string }
  /** True to never send the head of an answer. */
  hang?: boolean
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
  finish_reason?: string
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number }
  /** The thoughts before the answer. */
  thoughts?: string
  /** The web pages that the answer cites. */
  citations?: { url: string; title: string }[]
  /** The end of a stream after its pieces, or of `raw`, instead of the usual one. */
  ending?: 'hang' | 'cut' | 'error' | 'end'
  headers?: Record<string, string>
  /** Delays the answer until it resolves. */
  after?: Promise<unknown>
}

export type Piece = string | Record<string, unknown>

interface PieceFeed extends AsyncIterable<Piece> {
  push(piece: Piece): void
  end(): void
}

/** Starts a model server on a free port, or on the given one. */
export async function startModelServer({
  port = 0,
  kind = 'openai' as ModelKind,
} = {}): Promise<ModelServer> {
  const dialect = dialectOf(kind)
  const queue: Answer[] = []
  const requests = waitableList<RecordedRequest>()
  const aborts = waitableList<void>()
  const http = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  keepsConnections(http)
  http.listen(port, '127.0.0.1')
  await once(http, 'listening')

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('close', () => response.writableFinished || aborts.push())
    const path = request.url ?? ''
    const error = (status: number, message = SECRET_DETAIL(status)) =>
      sendJson(response, status, dialect.error(status, message))
    const { models } = dialect
    if (models && path.split('?')[0] === models.path) return sendJson(response, 200, models.list)
    if (!dialect.isAsked(path)) return error(404)
    const body: RequestBody = JSON.parse(await readText(request))
    const asked = { path, headers: request.headers, body }
    requests.push(asked)
    const refusal = dialect.refusal(asked)
    if (refusal) return error(refusal.status, refusal.message)
    await send(response, dialect, asked, queue.shift() ?? server.answerFor?.(body) ?? server.answer)
  }

  const server: ModelServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}${dialect.base}`,
    requests: requests.items,
    answer: {},
    answerFor: null,
    next: (...answers) => void queue.push(...answers),
    feed(rest) {
      const pieces = pieceFeed()
      queue.push({ ...rest, pieces })
      return pieces
    },
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

/** Returns the field of a request that offers tools of these names. */
export function offering(...names: string[]) {
  return { tools: names.map((name) => ({ type: 'function' as const, function: { name } })) }
}

/** Returns pieces that a test hands over one at a time; nothing is sent before it is pushed. */
function pieceFeed(): PieceFeed {
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

async function send(response: ServerResponse, dialect: Dialect, asked: Asked, answer: Answer): Promise<void> {
  await answer.after
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value)
  if (answer.hang) return
  if (answer.raw) return sendRaw(response, answer.raw, answer)
  if (answer.status)
    return sendJson(response, answer.status, dialect.error(answer.status, SECRET_DETAIL(answer.status)))
  const echo = dialect.lastUserTexts(asked.body).map(withoutAhead).join('')
  const told = { ...answer, text: answer.text ?? (answer.tool_calls ? null : echo) }
  if (!dialect.isStream(asked)) return sendJson(response, 200, dialect.whole(asked, told))
  const pieces = answer.pieces ?? defaultPieces(told.text ?? '', answer)
  await sendStream(response, dialect.stream(asked, told), pieces, answer.ending)
}

async function sendStream(
  response: ServerResponse,
  encoder: StreamEncoder,
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  ending: Answer['ending'],
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  let text = encoder.begin()
  if (Symbol.iterator in pieces) {
    for (const given of pieces) text += encoder.piece(given)
  } else {
    response.write(text)
    text = ''
    for await (const given of pieces) {
      if (response.destroyed) return
      response.write(encoder.piece(given))
    }
  }
  if (ending === 'hang') return void response.write(text)
  if (ending === 'cut') return void response.write(text, () => response.destroy())
  if (ending === 'end') return void response.end(text)
  response.end(text + (ending === 'error' ? encoder.error() : encoder.end()))
}

/** Splits a text into words, so that every text streams in several pieces. */
function defaultPieces(text: string, { tool_calls = [] }: Answer): Piece[] {
  const calls = tool_calls.map((call, index) => ({ tool_calls: [{ index, ...call }] }))
  return [...(text.match(/\s*\S+\s*$|\s*\S+/g) ?? []), ...calls]
}

/** Matches Parley's words about the time and the documents, which stand before the user's last message. */
const AHEAD =
  /(?<=^|\n\n)Now: [^\n]*(?:\n\n|$)(?:Passages of the documents.*<\/passage \d+ \w{16}>(?:\n\n|$)|No passage of the documents[^\n]*(?:\n\n|$))?/s

/** Returns a text of the user without what Parley put before it. */
export function withoutAhead(text: string): string {
  return text.replace(AHEAD, '')
}

async function sendRaw(
  response: ServerResponse,
  raw: NonNullable<Answer['raw']>,
  { status = 200, ending }: Answer,
): Promise<void> {
  response.writeHead(status, { 'content-type': raw.content_type ?? 'text/event-stream' })
  for (const part of typeof raw.body === 'string' ? [raw.body] : raw.body) {
    await new Promise((written) => response.write(part, written))
  }
  if (ending === 'cut') response.destroy()
  else response.end()
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

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
