import type { agentCalls, teamCalls } from '../../src/app/console-calls.ts'
import type { ErrorCode } from '../../src/errors.ts'
import type { AnswerTo, BodyOf, Calls, Exactly, Method, PathOf, QueryOf, QueryValue } from './typed-calls.ts'

/** An error response, no response at all (`unreachable`), or no script (`script_missing`). */
export class Refusal extends Error {
  readonly code: ErrorCode | 'unreachable' | 'script_missing'
  /** The HTTP status; 0 when nothing answered. */
  readonly status: number
  /** The field at fault, with dots where it is nested. */
  readonly param: string | null
  /** Seconds after which the request may be tried again. */
  readonly retryAfter: number | null
  /** The data that a caller needs to go on, for the codes that have any. */
  readonly data: unknown

  constructor(
    code: Refusal['code'],
    message: string,
    {
      status = 0,
      param = null,
      retryAfter = null,
      data = null,
    }: Partial<Pick<Refusal, 'status' | 'param' | 'retryAfter' | 'data'>> = {},
  ) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.status = status
    this.param = param
    this.retryAfter = retryAfter
    this.data = data
  }
}

/** The calls of an API, each with the query, the body and the answer that its path has. */
export interface Api<All extends Calls = typeof agentCalls> {
  get<Path extends PathOf<All, 'GET'>, Given extends Exactly<QueryOf<All, 'GET', Path>, Given>>(
    path: Path,
    query?: Given,
    signal?: AbortSignal,
  ): Promise<AnswerTo<All, 'GET', Path>>
  /** @param key the idempotency key, which makes a repeat safe: the service carries the request out once */
  post<Path extends PathOf<All, 'POST'>, Given extends Exactly<BodyOf<All, 'POST', Path>, Given>>(
    path: Path,
    body?: Given,
    key?: string,
  ): Promise<AnswerTo<All, 'POST', Path>>
  put<Path extends PathOf<All, 'PUT'>, Given extends Exactly<BodyOf<All, 'PUT', Path>, Given>>(
    path: Path,
    body: Given,
  ): Promise<AnswerTo<All, 'PUT', Path>>
  patch<Path extends PathOf<All, 'PATCH'>, Given extends Exactly<BodyOf<All, 'PATCH', Path>, Given>>(
    path: Path,
    body: Given,
  ): Promise<AnswerTo<All, 'PATCH', Path>>
  delete<Path extends PathOf<All, 'DELETE'>, Given extends Exactly<BodyOf<All, 'DELETE', Path>, Given>>(
    path: Path,
    body?: Given,
  ): Promise<AnswerTo<All, 'DELETE', Path>>
  /** Returns the response itself, for streams. */
  open<
    M extends Method,
    Path extends PathOf<All, M>,
    Asked extends Exactly<QueryOf<All, M, Path>, Asked>,
    Sent extends Exactly<BodyOf<All, M, Path>, Sent>,
  >(method: M, path: Path, sent: { query?: Asked; body?: Sent; signal?: AbortSignal }): Promise<Response>
  /** Returns the address of what the browser itself loads, such as a picture. */
  address(path: string): string
}

/** The time without an answer after which a request that is safe to repeat is given up. */
const SILENCE_MS = 20_000

/** The console's API for everything that belongs to a team or to the signed-in person. */
export const teamApi = apiBelow<typeof teamCalls>('/console/api')

/** The API of one agent. */
export function agentApi(agentId: number): Api {
  return apiBelow(`/console/api/agents/${agentId}`)
}

function apiBelow<All extends Calls = typeof agentCalls>(prefix: string): Api<All> {
  async function open(
    method: Method,
    path: string,
    body?: unknown,
    signal?: AbortSignal,
    key?: string,
  ): Promise<Response> {
    const content = body === undefined || body instanceof FormData ? body : JSON.stringify(body)
    const isText = typeof content === 'string'
    const response = await fetch(prefix + path, {
      method,
      // Tells the service that one of its own pages asks. No other site can send this header.
      headers: {
        'x-parley-console': '1',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        // For a form, the browser sets the content type and its boundary.
        ...(isText ? { 'content-type': 'application/json' } : {}),
      },
      ...(content === undefined ? {} : { body: content }),
      // A save that is sent while the person leaves the page still arrives. Browsers allow this only for small bodies.
      ...(method === 'PUT' && isText && new Blob([content]).size < 60_000 ? { keepalive: true } : {}),
      ...(signal ? { signal } : key === undefined ? {} : { signal: AbortSignal.timeout(SILENCE_MS) }),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error
      throw new Refusal('unreachable', 'The service cannot be reached.')
    })
    if (!response.ok) throw await readRefusal(response)
    return response
  }
  async function call<Answer>(
    method: Method,
    path: string,
    body?: unknown,
    signal?: AbortSignal,
    key?: string,
  ) {
    const response = await open(method, path, body, signal, key)
    const text = await response.text()
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }
  return {
    get: (path, query, signal) => call('GET', path + asQueryString(query), undefined, signal),
    post: (path, body, key) => call('POST', path, body, undefined, key),
    put: (path, body) => call('PUT', path, body),
    patch: (path, body) => call('PATCH', path, body),
    delete: (path, body) => call('DELETE', path, body),
    open: (method, path, { query, body, signal }) => open(method, path + asQueryString(query), body, signal),
    address: (path) => prefix + path,
  }
}

async function readRefusal(response: Response): Promise<Refusal> {
  const { status } = response
  const retryAfter = Number(response.headers.get('retry-after')) || null
  const body = (await response.json().catch(() => null)) as ErrorBody | null
  // A proxy in front of the service answers in its own format.
  if (!body?.error) return new Refusal('unreachable', response.statusText, { status, retryAfter })
  const { code, message, param } = body.error
  return new Refusal(code, message, { status, param, retryAfter, data: body.data })
}

interface ErrorBody {
  error?: { code: ErrorCode; message: string; param: string | null }
  data?: unknown
}

function asQueryString(query: Record<string, QueryValue> = {}): string {
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : ''
}
