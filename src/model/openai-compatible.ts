import {
  type OutboundBody,
  OutboundError,
  type OutboundStream,
  type TeamHttp,
  type Timeouts,
} from '../lib/outbound/outbound.ts'
import { LARGEST_PEER_JSON } from '../lib/outbound/read-peer-json.ts'
import { retryAfterMs } from '../lib/outbound/retry-after.ts'
import { answerCleaner } from './clean-answers.ts'
import { type Model, ModelError, type ModelPiece, type ModelRequest } from './model.ts'
import { parseAnswer } from './parse-answer.ts'
import { createStreamParser, LARGEST_STREAMED_ANSWER, parseAsOnePiece } from './parse-stream.ts'
import { cleanServerSaid, readServerError, secretsOf } from './server-said.ts'

export interface OpenAICompatibleOptions {
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
 * A model behind any server that speaks OpenAI's chat completions.
 * @throws ModelError `blocked` when the address is not a URL
 */
export function openaiCompatible(options: OpenAICompatibleOptions): Model {
  const { http, apiKey, trusted } = options
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const url = completionsUrl(options.url)
  const authorization = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }
  const secrets = secretsOf(url, apiKey)
  const cleaner = answerCleaner()

  /** Cleans the server's own words here, where it is known what they must not contain. */
  function toModelError(
    error: unknown,
    brokenAs: 'unreachable' | 'interrupted',
    { messages, parameters }: ModelRequest,
  ): unknown {
    const modelError = asModelError(error, brokenAs)
    if (modelError instanceof ModelError && modelError.said) {
      modelError.said = cleanServerSaid(modelError.said, secrets, { messages, parameters })
    }
    return modelError
  }

  const call = (body: object, accept: string, signal: AbortSignal) => ({
    method: 'POST' as const,
    headers: { 'content-type': 'application/json', accept, 'user-agent': 'parley', ...authorization },
    body: JSON.stringify(body),
    trusted,
    signal,
  })

  return {
    async complete(request, signal) {
      try {
        const response = await http.request(url, {
          ...call(completeBody(request), 'application/json', signal),
          timeoutMs: options.timeouts?.firstByteMs ?? timeouts.totalMs,
          maxResponseBytes: LARGEST_PEER_JSON,
        })
        if (isRefused(response.status)) throw statusError(response, response.body.toString())
        return cleaner.whole(parseAnswer(response.body.toString(), request.model))
      } catch (error) {
        throw toModelError(error, 'unreachable', request)
      }
    },

    async *stream(request, signal) {
      let brokenAs: 'unreachable' | 'interrupted' = 'unreachable'
      try {
        const response = await http.stream(url, {
          ...call(streamBody(request), 'text/event-stream', signal),
          timeouts,
        })
        brokenAs = 'interrupted'
        yield* cleaner.pieces(readPieces(response))
      } catch (error) {
        throw toModelError(error, brokenAs, request)
      }
    },
  }
}

async function* readPieces(response: OutboundStream): AsyncGenerator<ModelPiece[]> {
  const { status, headers, body } = response
  if (isRefused(status)) throw statusError(response, await readBeginning(body))
  const type = headers['content-type'] ?? 'text/event-stream'
  if (/\bjson\b/i.test(type)) yield parseAsOnePiece(await readText(body))
  else if (/^text\/event-stream\b/i.test(type)) yield* readEvents(body)
  else {
    body.discard()
    throw new ModelError('protocol', 'The model server answered with neither JSON nor an event stream')
  }
}

async function* readEvents(body: OutboundBody): AsyncGenerator<ModelPiece[]> {
  const parser = createStreamParser()
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

function completeBody({ model, messages, parameters }: ModelRequest): object {
  return { ...parameters, model, messages, stream: undefined, stream_options: undefined }
}

function streamBody({ model, messages, parameters }: ModelRequest): object {
  return { ...parameters, model, messages, stream: true, stream_options: { include_usage: true } }
}

function completionsUrl(base: string): URL {
  const url = URL.parse(base)
  if (!url) throw new ModelError('blocked', 'The address of the model server is not a URL')
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')}/chat/completions`
  return url
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

function statusError(
  { status, headers }: Pick<OutboundStream, 'status' | 'headers'>,
  body: string,
): ModelError {
  const said = readServerError(body.slice(0, REFUSAL_LIMIT))
  const more = { status, said, retryAfterMs: retryAfterMs(headers) }
  return new ModelError('status', `The model server answered with status ${status}`, more)
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
