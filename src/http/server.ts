import { randomUUID } from 'node:crypto'
import rateLimit from '@fastify/rate-limit'
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ApiError } from '../errors.ts'
import { describeFailure } from '../lib/describe-failure.ts'
import { checkHost } from './check-host.ts'
import { readJson } from './read-json.ts'
import { readablePath } from './readable-path.ts'
import { refusal } from './schemas.ts'
import { securityHeaders } from './security-headers.ts'

export interface ServerOptions {
  logger: FastifyBaseLogger
  /** Bytes; larger bodies get 413. */
  bodyLimit: number
  /** Addresses and CIDRs whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[]
  /** Recognizes errors that say that the database is away: they become 503. */
  isUnavailable: (error: unknown) => boolean
}

export type Server = ReturnType<typeof createServer>

/**
 * An HTTP server that knows no route yet: limits, request ids, security headers, one error shape on every
 * path, and a log line a request that holds no query string, credential or text.
 */
export function createServer(options: ServerOptions) {
  const server = fastify({
    loggerInstance: options.logger,
    // One line a request is logged below instead, without the query string.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: options.bodyLimit,
    trustProxy: options.trustedProxies.length ? [...options.trustedProxies] : false,
    genReqId: () => `req_${randomUUID().replaceAll('-', '')}`,
    requestIdHeader: false,
    // A slow sender must not hold a connection for ever.
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    // Idle keep-alive connections end at once; those with a request under way are waited for.
    forceCloseConnections: 'idle',
    // Node's own refusal has no body: a missing Host is refused below.
    http: { requireHostHeader: false },
    // Longer than any path that Node takes: each reaches its route, which answers as its interface says.
    routerOptions: { maxParamLength: 16_384 },
    rewriteUrl: ({ url = '' }) => readablePath(url),
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    clientErrorHandler(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
      const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
      const id = `req_${randomUUID().replaceAll('-', '')}`
      const body = JSON.stringify(
        new ApiError(tooLarge ? 'headers_too_large' : 'invalid_request', {
          ...(tooLarge ? {} : { message: 'The request is not valid HTTP.' }),
        }).body(id),
      )
      socket.end(
        `HTTP/1.1 ${tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'}\r\n` +
          `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
          `x-request-id: ${id}\r\nconnection: close\r\n\r\n${body}`,
      )
    },
  }).withTypeProvider<ZodTypeProvider>()

  // An expectation that nobody knows may be ignored (RFC 9110 section 10.1.1); Node answers it without a body.
  server.server.on('checkExpectation', (request, response) => server.routing(request, response))
  // Bodies are JSON: Fastify would read plain text too.
  server.removeContentTypeParser('text/plain')
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) =>
      // Many clients name the type of a body on every request, also where they send none.
      body.length === 0 && !needsBody(request) ? undefined : readJson(body),
  )
  server.setValidatorCompiler<z.ZodType>(({ schema }) => (part) => {
    const { data, error } = schema.safeParse(part)
    return error ? { error: refusal(error) } : { value: data }
  })
  // Answers are typed by the compiler and checked against their schemas in the tests: no second check here.
  server.setSerializerCompiler(() => (data) => JSON.stringify(data))

  server.register(rateLimit, { global: false })
  const protection = securityHeaders()
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(protection).header('x-request-id', request.id)
    checkHost(request.raw)
    // Before a body is read, which may be no JSON: what is not there is not there whatever is sent to it.
    done(request.is404 ? new ApiError('not_found') : undefined)
  })
  // Answers of one turn of the event loop leave together: the first write wakes a client that sleeps, which costs more
  // than the write, and meanwhile the others follow.
  server.addHook('onSend', (_request, _reply, payload, done) => {
    setImmediate(done, null, payload)
  })
  server.addHook('onResponse', (request, reply, done) => {
    request.log.info({
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    })
    done()
  })
  server.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  server.setNotFoundHandler((request, reply) => sendError(new ApiError('not_found'), request, reply))

  function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const answer = toApiError(error, options.isUnavailable)
    if (answer.status >= 500)
      request.log.error({ code: answer.code, cause: describe(answer.cause) }, 'request failed')
    // Closing while a client still sends its body would take this answer from it: the rest is read and dropped.
    reply.removeHeader('connection')
    return reply
      .code(answer.status)
      .headers({ ...answer.headers, 'x-request-id': request.id })
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(answer.body(request.id)))
  }

  return server
}

function needsBody({ routeOptions }: FastifyRequest): boolean {
  const { body } = routeOptions.schema ?? {}
  return body instanceof z.ZodType && !body.safeParse(null).success
}

/** Finds the place of any thrown thing in the error table; what has none is an internal error. */
export function toApiError(error: unknown, isUnavailable: (error: unknown) => boolean): ApiError {
  if (error instanceof ApiError) return error
  if (isUnavailable(error))
    return new ApiError('unavailable', { cause: error, headers: { 'retry-after': '5' } })
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

/** What a log may say of a failure, with its place in the code. */
function describe(cause: unknown) {
  if (!(cause instanceof Error)) return undefined
  const frames = cause.stack?.split('\n').filter((line) => line.startsWith('    at '))
  return { ...describeFailure(cause), stack: frames?.slice(0, 8).join('\n') }
}
