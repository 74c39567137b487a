import type { ModelKind } from '../lib/model-kinds.ts'
import {
  type OutboundBody,
  OutboundError,
  type OutboundStream,
  type TeamHttp,
  type Timeouts,
} from '../lib/outbound/outbound.ts'
import { LARGEST_PEER_JSON } from '../lib/outbound/read-peer-json.ts'
import { retryAfterMs } from '../lib/outbound/retry-after.ts'
import type { JsonObject } from '../lib/untrusted-json.ts'
import { answerCleaner } from './clean-answers.ts'
import { type Model, ModelError, type ModelPiece, type ModelRequest } from './model.ts'
import { parseCompletion, readAnswer } from './parse-answer.ts'
import { createStreamParser, LARGEST_STREAMED_ANSWER, piecesOfWhole } from './parse-stream.ts'
import type { Exchange } from './protocols/protocol.ts'
import { openProtocol } from './protocols/protocols.ts'
import { cleanServerSaid, readServerError, secretsOf } from './server-said.ts'

export interface ServedModelOptions {
  /** The protocol that the server speaks. */
  kind: ModelKind
  /** Base address, such as `https://api.openai.com/v1`. A query string is kept. */
  url: string
  apiKey: string | null
  http: TeamHttp
  /** True if the operator set the address in the environment. Calls to other addresses are guarded. */
  trusted: boolean
  timeouts?: Partial<Timeouts>
}

/**
 * The limits of a stream: 60 seconds to the first byte and between bytes (comments that keep the connection alive
 * count), and ten minutes in all. An answer in one piece sends its first byte only when it is ready, and so gets the
 * ten minutes, unless a limit for the first byte is set.
 */
const TIMEOUTS: Timeouts = { firstByteMs: 60_000, idleMs: 60_000, totalMs: 600_000 }
/** Each piece of the answer is wrapped in some 300 bytes. */
const STREAM_LIMIT = 20 * LARGEST_STREAMED_ANSWER
const REFUSAL_LIMIT = 16 * 1024
const REFUSAL_WAIT_MS = 2000

/**
 * A model behind a server, whatever protocol that speaks. All that protocols have in common is here: the guarded calls,
 * their limits, and failures without the server's secrets.
 * @throws ModelError `blocked` when the address is not a URL
 */
export function servedModel(options: ServedModelOptions): Model {
  const { http, apiKey, trusted } = options
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const protocol = openProtocol(options.kind, options.url, apiKey)
  const cleaner = answerCleaner()

  /** Cleans the server's own words here, where it is known what they must not contain. */
  function toModelError(
    error: unknown,
    brokenAs: 'unreachable' | 'interrupted',
    { url }: Exchange,
    { messages, parameters }: ModelRequest,
  ): unknown {
    const modelError = asModelError(error, brokenAs)
    if (modelError instanceof ModelError && modelError.said) {
      modelError.said = cleanServerSaid(modelError.said, secretsOf(url, apiKey), { messages, parameters })
    }
    return modelError
  }

  const call = ({ body }: Exchange, accept: string, signal: AbortSignal) => ({
    method: 'POST' as const,
    headers: { 'content-type': 'application/json', accept, 'user-agent': 'parley', ...protocol.headers },
    body: JSON.stringify(body),
    trusted,
    signal,
  })

  return {
    async complete(request, signal) {
      const exchange = protocol.ask(request, false)
      try {
        const response = await http.request(exchange.url, {
          ...call(exchange, 'application/json', signal),
          timeoutMs: options.timeouts?.firstByteMs ?? timeouts.totalMs,
          maxResponseBytes: LARGEST_PEER_JSON,
        })
        const text = response.body.toString()
        const completion = isRefused(response.status)
          ? answerOrThrow(exchange, response, text)
          : exchange.answer(parseCompletion(text))
        return cleaner.whole(readAnswer(completion, request.model))
      } catch (error) {
        throw toModelError(error, 'unreachable', exchange, request)
      }
    },

    async *stream(request, signal) {
      const exchange = protocol.ask(request, true)
      let brokenAs: 'unreachable' | 'interrupted' = 'unreachable'
      try {
        const response = await http.stream(exchange.url, {
          ...call(exchange, 'text/event-stream', signal),
          timeouts,
        })
        brokenAs = 'interrupted'
        yield* cleaner.pieces(readPieces(response, exchange))
      } catch (error) {
        throw toModelError(error, brokenAs, exchange, request)
      }
    },
  }
}

async function* readPieces(response: OutboundStream, exchange: Exchange): AsyncGenerator<ModelPiece[]> {
  const { status, headers, body } = response
  if (isRefused(status)) {
    yield piecesOfWhole(answerOrThrow(exchange, response, await readBeginning(body)))
    return
  }
  const type = headers['content-type'] ?? 'text/event-stream'
  if (/\bjson\b/i.test(type)) yield piecesOfWhole(exchange.answer(parseCompletion(await readText(body))))
  else if (/^text\/event-stream\b/i.test(type)) yield* readEvents(body, exchange)
  else {
    body.discard()
    throw new ModelError('protocol', 'The model server answered with neither JSON nor an event stream')
  }
}

async function* readEvents(body: OutboundBody, exchange: Exchange): AsyncGenerator<ModelPiece[]> {
  const parser = createStreamParser(exchange)
  let size = 0
  try {
    for await (const chunks of body) {
      for (const chunk of chunks) size += chunk.length
      if (size > STREAM_LIMIT) throw new OutboundError('too_large', 'the answer is too large')
      // If bad data followed the pieces, the parser throws when it is called again.
      for (let pieces = parser.feed(chunks); pieces.length > 0; pieces = parser.feed([])) yield pieces
      if (parser.finished) return body.discard()
    }
  } catch (error) {
    const isBroken = error instanceof OutboundError && error.reason !== 'aborted'
    if (!isBroken || !parser.concluded) throw error
  }
  yield parser.end()
}

async function readText(body: OutboundBody): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const arrived of body) {
    for (const chunk of arrived) size += chunk.length
    if (size > LARGEST_PEER_JSON) throw new OutboundError('too_large', 'the answer is too large')
    chunks.push(...arrived)
  }
  return Buffer.concat(chunks, size).toString()
}

/** Reads the beginning of an error answer, enough to tell the reason, if it arrives soon. */
async function readBeginning(body: OutboundBody): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  const reading = body[Symbol.asyncIterator]()
  const deadline = setTimeout(() => void reading.return?.(), REFUSAL_WAIT_MS)
  try {
    for await (const arrived of { [Symbol.asyncIterator]: () => reading }) {
      for (const chunk of arrived) size += chunk.length
      chunks.push(...arrived)
      if (size > REFUSAL_LIMIT) break
    }
  } catch {
    // The status is known; the rest of the reason is not worth an error.
  }
  clearTimeout(deadline)
  return Buffer.concat(chunks, Math.min(size, REFUSAL_LIMIT)).toString()
}

function isRefused(status: number): boolean {
  return status < 200 || status > 299
}

/** Returns the chat completion that an error stands for. @throws ModelError `status` if it stands for none */
function answerOrThrow(
  exchange: Exchange,
  { status, headers }: Pick<OutboundStream, 'status' | 'headers'>,
  body: string,
): JsonObject {
  const said = readServerError(body.slice(0, REFUSAL_LIMIT))
  const completion = exchange.answerOf?.(status, said)
  if (completion) return completion
  const more = { status, said, retryAfterMs: retryAfterMs(headers) }
  throw new ModelError('status', `The model server answered with status ${status}`, more)
}

/** Turns a failed connection into a ModelError. @param brokenAs what a lost connection means at this stage */
function asModelError(error: unknown, brokenAs: 'unreachable' | 'interrupted'): unknown {
  if (!(error instanceof OutboundError)) return error
  if (error.reason === 'aborted') return new DOMException('The model call was stopped', 'AbortError')
  const [reason, message] = {
    blocked: ['blocked', 'The address of the model server is not one that may be called'],
    timeout: ['timeout', 'The model server took too long'],
    protocol: ['protocol', 'The model server does not speak HTTP as it should'],
    too_large: ['protocol', 'The answer of the model server is too large'],
    tls: ['unreachable', 'No secure connection to the model server could be made'],
    unreachable:
      brokenAs === 'unreachable'
        ? ['unreachable', 'The model server could not be reached']
        : ['interrupted', 'The connection to the model server broke in the middle of its answer'],
  }[error.reason] as [ModelError['reason'], string]
  const modelError = new ModelError(reason, message)
  modelError.cause = error
  return modelError
}
