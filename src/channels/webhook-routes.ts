import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ApiError, foundOr } from '../errors.ts'
import { pascalCase } from '../http/operation-id.ts'
import { prefersJson } from '../http/prefers-json.ts'
import { errors, idParam } from '../http/schemas.ts'
import { type Server, toApiError } from '../http/server.ts'
import { bindScope } from '../lib/agent-scope.ts'
import type { Clock } from '../lib/clock.ts'
import { equalInConstantTime } from '../lib/secrets/constant-time.ts'
import { type AnyPlatform, kindsOf, type PlatformKind, platforms } from '../platforms/platforms.ts'
import { type Channel, webhookUrl } from './channel.ts'
import { countHandshakeRefusals, type HandshakeRefusals } from './handshake-refusals.ts'
import { type Receiving, readWebhook, receive } from './receive.ts'
import { channelStatus } from './schemas.ts'

interface WebhookDependencies {
  clock: Clock
  receiving: Omit<Receiving, 'log'>
  /** The public address of the API; ends in /api/v1. */
  baseUrl: () => string
  /** Finds a channel, also while the database is away; null when there is none. */
  findChannel: (id: string, kind: PlatformKind) => Promise<Channel | null>
  /** Finds the agent of an API key; null when the key is not valid. */
  agentOfKey: (apiKey: string) => Promise<number | null>
  /** The limit in bytes. */
  bodyLimit: number
  isUnavailable: (error: unknown) => boolean
}

const params = idParam('Channel id.')
const tags = ['channel webhooks']

/**
 * Adds the endpoints that platforms call. They need no credentials of Parley, and each answers only certain statuses.
 */
export function webhookRoutes(server: Server, dependencies: WebhookDependencies): void {
  const { findChannel } = dependencies
  const refusals = countHandshakeRefusals(server)
  for (const kind of kindsOf(({ hasHandshake }) => hasHandshake))
    handshakeRoute(server, kind, dependencies, refusals)
  for (const kind of kindsOf(({ hasStatus }) => hasStatus)) {
    server.get(
      `/channels/:id/${kind}`,
      {
        schema: {
          operationId: `get${pascalCase(kind)}Status`,
          summary: 'Whether a channel is there and active',
          tags,
          params,
          response: { 200: channelStatus, ...errors('channel_not_found', 'unavailable') },
        },
      },
      async ({ params: { id } }) => {
        const channel = foundOr(await findChannel(id, kind), 'channel_not_found')
        const active = channel.isActive
        return { status: active ? ('ok' as const) : ('inactive' as const), channel: kind, active }
      },
    )
  }
  for (const [type, isForm] of [
    ['application/json', false],
    ['application/x-www-form-urlencoded', true],
  ] as const)
    server.register(async (scope: Server) => {
      keepRawBodies(scope, type, dependencies)
      for (const kind of kindsOf(({ form, webhookSecret }) => webhookSecret !== null && !!form === isForm))
        webhookRoute(scope, kind, dependencies)
    })
}

const challenge = { schema: z.string() }
const challengeTypes = { 'text/plain': challenge, 'application/json': challenge }

const handshakeQuery = z.object({
  'hub.mode': z.literal('subscribe'),
  'hub.verify_token': z.string().min(1),
  'hub.challenge': z.string().optional(),
})

/** The request body of webhooks in the OpenAPI document. */
const webhookBody = z.unknown().meta({ type: 'object', description: "The platform's own payload." })

/** Describes in the OpenAPI document how a webhook proves that it is genuine, for platforms that have two ways. */
function signatureOf({ keyInAddress }: AnyPlatform) {
  if (!keyInAddress) return {}
  const { signatureHeader, description } = keyInAddress
  return {
    headers: z.looseObject({
      [signatureHeader]: z
        .unknown()
        .optional()
        .meta({ type: 'string', description: `${description}; required without \`api_key\`.` }),
    }),
    querystring: z.looseObject({
      api_key: z
        .unknown()
        .optional()
        .meta({ type: 'string', description: "The agent's API key, in place of a signature." }),
    }),
  }
}

/**
 * Adds the route of a platform's handshake. It checks the query before it looks for the channel, and the token last, in
 * constant time. After too many wrong tokens every token is refused for a while, so that a guesser learns nothing.
 */
function handshakeRoute(
  server: Server,
  kind: PlatformKind,
  { findChannel }: WebhookDependencies,
  refusals: HandshakeRefusals,
): void {
  server.get(
    `/channels/:id/${kind}`,
    {
      schema: {
        operationId: `verify${pascalCase(kind)}`,
        summary: "Answer a platform's verification handshake",
        description:
          'The challenge comes back bare, or as a JSON string to anyone who prefers application/json. ' +
          'After 60 wrong tokens a minute for a channel, or 600 from an address, every token is refused until the minute is over.',
        tags,
        params,
        querystring: handshakeQuery,
        response: {
          200: { description: 'The challenge.', content: challengeTypes },
          ...errors('invalid_request', 'verify_token_mismatch', 'channel_not_found', 'unavailable'),
        },
      },
    },
    async (request, reply) => {
      const { params, query, headers } = request
      const channel = foundOr(await findChannel(params.id, kind), 'channel_not_found')
      if (await refusals.areUsedUp(request)) throw new ApiError('verify_token_mismatch')
      const expected = channel.settings.verify_token
      if (typeof expected !== 'string' || !equalInConstantTime(query['hub.verify_token'], expected)) {
        await refusals.count(request)
        throw new ApiError('verify_token_mismatch')
      }
      const challenge = query['hub.challenge'] ?? ''
      if (prefersJson(headers.accept)) {
        reply.type('application/json; charset=utf-8')
        return reply.send(JSON.stringify(challenge))
      }
      return reply.type('text/plain; charset=utf-8').send(challenge)
    },
  )
}

function webhookRoute(scope: Server, kind: PlatformKind, dependencies: WebhookDependencies): void {
  const { findChannel } = dependencies
  const { form } = platforms[kind]
  scope.post(
    `/channels/:id/${kind}`,
    {
      // The request's schema is only for the OpenAPI document. The handler checks the request.
      validatorCompiler: () => (value) => ({ value }),
      schema: {
        operationId: `receive${pascalCase(kind)}`,
        summary: "Receive a platform's events",
        description: '200 means that the events are stored; they are worked after that.',
        tags,
        params,
        body: webhookBody,
        ...signatureOf(platforms[kind]),
        response: {
          200: form
            ? { description: 'Instructions: none.', content: { 'text/xml': { schema: z.string() } } }
            : z.object({}),
          ...errors('invalid_json', 'webhook_refused', 'internal_error', 'unavailable'),
        },
      },
    },
    async (request, reply) => {
      const raw = request.body as Buffer
      if (!Buffer.isBuffer(raw) || raw.length === 0) throw new ApiError('invalid_json')
      // An unknown channel is refused like a wrong signature, so that a caller cannot learn which ids exist.
      const channel = await findChannel(request.params.id, kind)
      if (!channel || !(await isGenuine(request, raw, channel, dependencies)))
        throw new ApiError('webhook_refused')
      bindScope(channel.agentId)
      const events = readWebhook(channel, raw)
      await receive({ ...dependencies.receiving, log: request.log }, channel, events)
      return form ? reply.type(form.answer.type).send(form.answer.body) : {}
    },
  )
}

/**
 * True if a webhook is signed with the channel's secret, or has the agent's key in its URL where platforms cannot sign.
 */
async function isGenuine(
  request: FastifyRequest,
  raw: Buffer,
  channel: Channel,
  { agentOfKey, clock, baseUrl }: WebhookDependencies,
): Promise<boolean> {
  const { agentId, platform, settings } = channel
  const { api_key } = request.query as { api_key?: unknown }
  if (platform.keyInAddress && api_key !== undefined)
    return typeof api_key === 'string' && (await agentOfKey(api_key)) === agentId
  const query = request.url.indexOf('?')
  const url = `${webhookUrl(baseUrl(), channel)}${query < 0 ? '' : request.url.slice(query)}`
  return platform.isSigned({ raw, headers: request.headers, url, nowMs: clock() }, settings)
}

/** Keeps bodies as bytes, over which signatures are made, and answers errors with statuses that platforms know. */
function keepRawBodies(scope: Server, type: string, { bodyLimit, isUnavailable }: WebhookDependencies): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit }, (_request, body, done) =>
    done(null, body),
  )
  scope.setErrorHandler((error, request: FastifyRequest) => {
    const { status, code, cause, headers } = toApiError(error, isUnavailable)
    // The server's handler answers these and writes the log.
    if (status === 403 || status === 503) throw error
    if (status >= 500) throw new ApiError('internal_error', { cause: cause ?? error, headers })
    request.log.info({ code }, 'webhook refused')
    throw code === 'invalid_json'
      ? error
      : new ApiError('invalid_json', { message: 'The body is not valid.' })
  })
}
