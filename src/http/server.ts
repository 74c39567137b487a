import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import rateLimit from '@fastify/rate-limit'
import fastify, {
  type ConnectionError,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ApiError } from '../errors.ts'
import { openScope } from '../lib/agent-scope.ts'
import { describeFailure } from '../lib/describe-failure.ts'
import { checkHost } from './check-host.ts'
import { rememberMethods } from './methods-of.ts'
import { readJson } from './read-json.ts'
import { readablePath } from './readable-path.ts'
import type {} from './request-trace.ts'
import { refusal } from './schemas.ts'
import { securityHeaders } from './security-headers.ts'
import { endSlowSenders } from './slow-senders.ts'

interface ServerOptions {
  logger: FastifyBaseLogger
  /** The limit in bytes. Larger bodies get 413. */
  bodyLimit: number
  /** Addresses and CIDRs whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[]
  /** Recognizes errors that mean that the database is away. They become 503. */
  isUnavailable: (error: unknown) => boolean
  /** The time in which a body has to arrive; absent: a minute. */
  arrivesMs?: number
}

/** The time that a refused client has to read the reason. */
const LINGER_MS = 1000

/** The time that an upload may take, however steadily it arrives. */
const LONGEST_UPLOAD_MS = 15 * 60_000

export type Server = ReturnType<typeof createServer>

/**
 * Creates an HTTP server without routes. It sets limits, request ids and security headers, uses one form for errors on
 * every path, and logs one line per request without the query string, credentials or text.
 */
export function createServer(options: ServerOptions) {
  const server = fastify({
    loggerInstance: options.logger,
    // Replaced below by one line per request, without the query string.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: options.bodyLimit,
    trustProxy: options.trustedProxies.length ? [...options.trustedProxies] : false,
    genReqId: newRequestId,
    requestIdHeader: false,
    // Routes are mounted without waiting for anything. Fastify would set a timer for each.
    pluginTimeout: 0,
    // Node counts the whole body, also of an upload over a slow line. `endSlowSenders` is stricter.
    requestTimeout: LONGEST_UPLOAD_MS,
    keepAliveTimeout: 72_000,
    // When the server closes, idle keep-alive connections end at once, and those with a running request are waited for.
    forceCloseConnections: 'idle',
    // A request that a proxy sends on such a connection meanwhile is answered like any other, and is its last one.
    return503OnClosing: false,
    // Node's own refusal has no body, so a missing Host is refused below.
    http: { requireHostHeader: false, connectionsCheckingInterval: 5000 },
    // Longer than any path that Node accepts, so that each path reaches its route, which answers as its interface says.
    routerOptions: { maxParamLength: 16_384 },
    rewriteUrl: ({ url = '' }) => readablePath(url),
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    clientErrorHandler: refuseClient,
  }).withTypeProvider<ZodTypeProvider>()

  // An unknown expectation may be ignored (RFC 9110 section 10.1.1). Node would refuse it without a body.
  server.server.on('checkExpectation', (request, response) => server.routing(request, response))
  // Bodies are JSON. Fastify would also read plain text.
  server.removeContentTypeParser('text/plain')
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) =>
      // Many clients set a content type on every request, even without a body.
      body.length === 0 && !needsBody(request) ? undefined : readJson(body),
  )
  server.setValidatorCompiler<z.ZodType>(({ schema }) => (part) => {
    const { data, error } = schema.safeParse(part)
    return error ? { error: refusal(error) } : { value: data }
  })
  // The compiler checks the types of answers, and the tests check answers against their schemas: no check here.
  server.setSerializerCompiler(() => (data) => JSON.stringify(data))

  server.register(rateLimit, { global: false })
  const scopes = new WeakMap<FastifyRequest, ReturnType<typeof openScope>>()
  server.addHook('onRequest', (request, _reply, done) => {
    const scope = openScope()
    scopes.set(request, scope)
    scope(done)
  })
  // The body is read in events of the socket, outside the scope. The later steps run in it again.
  server.addHook('preValidation', (request, _reply, done) => scopes.get(request)?.(done))
  server.addHook('onRequest', endSlowSenders(refuseLate, options.arrivesMs))
  const methods = rememberMethods()
  server.addHook('onRoute', (route) => methods.add(route))
  const protection = securityHeaders()
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(protection).header('x-request-id', request.id)
    checkHost(request.raw)
    // Before the body is read, which may not be JSON: an unknown address is 404 whatever is sent to it.
    done(request.is404 ? notFound(request) : undefined)
  })
  // Answers of one turn of the event loop are sent together. The first write wakes a sleeping client, which costs more
  // than the write, and the other answers follow meanwhile.
  server.addHook('onSend', (_request, _reply, payload, done) => {
    setImmediate(done, null, payload)
  })
  server.addHook('onResponse', (request, reply, done) => {
    request.log.info({
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      agent_id: request.caller?.agentId,
      trace_id: request.trace?.context.traceId,
    })
    done()
  })
  server.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  server.setNotFoundHandler((request, reply) => sendError(notFound(request), request, reply))

  /** Returns a 404 for an unknown method too, since the interface lists no 405. */
  function notFound({ url }: FastifyRequest): ApiError {
    const taken = methods.of(url)
    if (taken.length === 0) return new ApiError('not_found')
    const message = `This address takes ${new Intl.ListFormat('en').format(taken)}, but not this method.`
    return new ApiError('not_found', { message, headers: { allow: taken.join(', ') } })
  }

  function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const answer = toApiError(error, options.isUnavailable)
    if (answer.status >= 500)
      request.log.error(
        { code: answer.code, reason: describeFailure(answer).message, cause: describe(answer.cause) },
        'request failed',
      )
    // If the connection closed while a client still sends its body, the client would lose this answer. The rest of the
    // body is read and dropped instead, also when a parser has begun to read it: the next request comes behind it.
    reply.removeHeader('connection')
    request.raw.unpipe().resume()
    return reply
      .code(answer.status)
      .headers({ ...answer.headers, 'x-request-id': request.id })
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(answer.body(request.id)))
  }

  return server
}

function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`
}

function refuseLate(socket: Socket): void {
  refuseClient({ code: TOO_LATE }, socket)
}

/** Node's code for a request that took too long. */
const TOO_LATE = 'ERR_HTTP_REQUEST_TIMEOUT'

/** Answers what is not HTTP, or is too large or too late to be read as a request. */
function refuseClient(error: Pick<ConnectionError, 'code'>, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  // A client that sends nothing may never close its end either.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
  const isLate = error.code === TOO_LATE
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
  const id = newRequestId()
  const body = JSON.stringify(
    new ApiError(tooLarge ? 'headers_too_large' : 'invalid_request', {
      ...(tooLarge
        ? {}
        : { message: isLate ? 'The request took too long.' : 'The request is not valid HTTP.' }),
    }).body(id),
  )
  socket.end(
    `HTTP/1.1 ${tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'}\r\n` +
      `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `x-request-id: ${id}\r\nconnection: close\r\n\r\n${body}`,
  )
}

function needsBody({ routeOptions }: FastifyRequest): boolean {
  const { body } = routeOptions.schema ?? {}
  return body instanceof z.ZodType && !body.safeParse(null).success
}

/** Converts anything thrown to an error of the error table. Unknown errors become internal errors. */
export function toApiError(error: unknown, isUnavailable: (error: unknown) => boolean): ApiError {
  if (error instanceof ApiError) return error
  if (isUnavailable(error)) return new ApiError('unavailable', { cause: error })
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ApiError('body_too_large')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new ApiError('unsupported_media_type')
  if (code === 'FST_ERR_CTP_EMPTY_JSON_BODY' || code === 'FST_ERR_CTP_INVALID_JSON_BODY') {
    return new ApiError('invalid_json')
  }
  if (code === 'FST_ERR_NOT_FOUND') return new ApiError('not_found')
  if (statusCode >= 400 && statusCode < 500) return new ApiError('invalid_request')
  return new ApiError('internal_error', { cause: error })
}

/** Returns the loggable parts of a failure, with its position in the code. */
function describe(cause: unknown) {
  if (!(cause instanceof Error)) return undefined
  const frames = cause.stack?.split('\n').filter((line) => line.startsWith('    at '))
  return { ...describeFailure(cause), stack: frames?.slice(0, 8).join('\n') }
}
