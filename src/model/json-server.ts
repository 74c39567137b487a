import { OutboundError, type TeamHttp } from '../lib/outbound/outbound.ts'
import { ModelError } from './model.ts'
import { serverFailures } from './server-failures.ts'
import { cleanServerSaid, readServerError, secretsOf } from './server-said.ts'

interface JsonServerOptions {
  /** The name of the server in errors, such as `embedding server`. */
  kind: string
  /** The address at which its paths begin. */
  url: string
  /** The last part of the address, such as `embeddings`; the address may end in it already. */
  path: string
  apiKey: string | null
  /** True if the operator set the address in the environment. */
  trusted: boolean
}

interface JsonCall {
  /** The calls of the team that asks. */
  http: TeamHttp
  /** People's words in the body, which no error repeats. */
  texts: readonly string[]
  timeoutMs: number
  maxResponseBytes: number
  signal?: AbortSignal
}

/** A server beside the language model that answers one kind of question. */
interface JsonServer {
  /**
   * @param body sent as JSON, or as the form that it is
   * @returns the body of its answer
   * @throws ModelError, AbortError
   */
  post(body: object | FormData, call: JsonCall): Promise<string>
}

/** @throws ModelError `blocked` when the address is not a URL */
export function openJsonServer(options: JsonServerOptions): JsonServer {
  const { kind, apiKey, trusted } = options
  const address = addressOf(options)
  const secrets = secretsOf(address, apiKey)

  return {
    async post(body, { http, texts, timeoutMs, maxResponseBytes, signal }) {
      const sent = await encoded(body)
      const answer = await http
        .request(address, {
          method: 'POST',
          headers: {
            'content-type': sent.type,
            accept: 'application/json',
            'user-agent': 'parley',
            ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
          },
          body: sent.body,
          trusted,
          timeoutMs,
          maxResponseBytes,
          ...(signal ? { signal } : {}),
        })
        .catch((error: unknown) => {
          throw toModelError(kind, error)
        })
      const { status } = answer
      if (status < 200 || status > 299) {
        const beginning = answer.body.toString('utf8', 0, 16_384)
        const said = cleanServerSaid(readServerError(beginning), secrets, texts)
        throw new ModelError('status', serverFailures.say('status', { server: kind, status }), {
          status,
          said,
        })
      }
      return answer.body.toString()
    },
  }
}

async function encoded(body: object | FormData): Promise<{ type: string; body: string | Uint8Array }> {
  if (!(body instanceof FormData)) return { type: 'application/json', body: JSON.stringify(body) }
  const form = new Response(body)
  return { type: form.headers.get('content-type') ?? '', body: new Uint8Array(await form.arrayBuffer()) }
}

function addressOf({ kind, url: base, path }: JsonServerOptions): URL {
  const url = URL.parse(base)
  if (!url) throw new ModelError('blocked', serverFailures.say('no_url', { server: kind }))
  const above = url.pathname.replace(/\/+$/, '')
  url.pathname = above.endsWith(`/${path}`) ? above : `${above}/${path}`
  return url
}

function toModelError(kind: string, error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error
  if (error.reason === 'aborted') return new DOMException('The call was stopped', 'AbortError')
  return new ModelError(REASONS[error.reason], serverFailures.say(error.reason, { server: kind }))
}

const REASONS = {
  blocked: 'blocked',
  timeout: 'timeout',
  too_large: 'protocol',
  protocol: 'protocol',
  tls: 'unreachable',
  unreachable: 'unreachable',
} as const
