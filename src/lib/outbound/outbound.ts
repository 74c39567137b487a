import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { Agent, buildConnector } from 'undici'
import { decodeUri } from '../decode-uri.ts'
import { placesEach } from '../pacing/places-each.ts'
import type { Team } from '../pacing/turns-by-team.ts'
import { startSpan, traceHeaders } from '../tracing/tracing.ts'
import { exchange, type OutboundStream, type Timeouts } from './exchange.ts'
import { createGuard, type Resolve } from './guard.ts'
import { skippingInterim } from './interim-responses.ts'
import { OutboundError } from './outbound-error.ts'
import { outboundMessages } from './outbound-messages.ts'
import type { PrivateTargets } from './private-targets.ts'

export type { OutboundBody, OutboundStream, Timeouts } from './exchange.ts'
export { OutboundError, type OutboundReason } from './outbound-error.ts'
export { parsePrivateTargets } from './private-targets.ts'

/**
 * The client of all outgoing HTTP calls. Targets are guarded unless the call is `trusted`. Redirects are never
 * followed. All failures are OutboundError.
 */
export interface Outbound {
  /** Returns the client for calls on behalf of a team; null: for those of the operator, which have no share. */
  of(team: Team): TeamHttp
  /**
   * Judges a target without calling it, for example when it is saved. A name without an address is judged when it is
   * called.
   * @throws OutboundError `blocked`, also for anything but an http(s) URL
   */
  checkTarget(url: string | URL): Promise<void>
  /** Ends all connections; calls under way fail. */
  close(): Promise<void>
}

/** The calls of one team. To each origin it has a share of the connections; further calls wait for their turn. */
export interface TeamHttp {
  /** Makes a call and reads the whole answer. */
  request(url: string | URL, options?: OutboundRequest): Promise<OutboundResponse>
  /**
   * Makes a call and returns the answer as it arrives. Callers must read the body, leave its loop, or `discard()` it.
   */
  stream(url: string | URL, options?: OutboundStreamRequest): Promise<OutboundStream>
  /**
   * Judges a host as a target and returns the address at which a connection of another protocol may reach it.
   * @throws OutboundError `blocked`, `unreachable`
   */
  addressOf(host: string): Promise<HostAddress>
}

interface HostAddress {
  address: string
  /** False for an address that only a network of the operator's own reaches. */
  isPublic: boolean
}

interface OutboundCall {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
  headers?: Record<string, string>
  body?: string | Uint8Array | AsyncIterable<Uint8Array>
  signal?: AbortSignal
  /** True if the operator set this address in the environment: it may be private. */
  trusted?: boolean
  /** True if the address must be public, also where PARLEY_PRIVATE_TARGETS allows a private one. */
  publicOnly?: boolean
  /** True to open a new connection. A kept one can lose the request if the peer is just closing it. */
  freshConnection?: boolean
}

export interface OutboundRequest extends OutboundCall {
  /** The limit of the whole exchange; 30 seconds by default. */
  timeoutMs?: number
  /** The most body bytes to read; 10 MiB by default. */
  maxResponseBytes?: number
  /**
   * True if only the status matters: a body that is too large, breaks off or takes too long is then cut off instead of
   * failing the call.
   */
  truncate?: boolean
}

export interface OutboundStreamRequest extends OutboundCall {
  /** The limits; by default 60 seconds to the first byte and between bytes, 10 minutes in total. */
  timeouts?: Partial<Timeouts>
}

export interface OutboundResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  truncated: boolean
}

export interface OutboundOptions {
  privateTargets: PrivateTargets
  /** The most calls of all teams that are under way to one origin. */
  callsToOrigin?: number
  connectTimeoutMs?: number
  /** Replaces the system's resolver. */
  resolve?: Resolve
}

export function createOutbound(options: OutboundOptions): Outbound {
  const guard = createGuard(options.privateTargets, options.resolve)
  const strictGuard = createGuard({ hosts: new Set(), networks: [] }, options.resolve)
  const agents = createAgents(options, guard.lookup, strictGuard.lookup)
  const takePlace = placesEach<string>(options.callsToOrigin ?? CALLS_TO_ORIGIN)

  async function stream(
    team: Team,
    target: string | URL,
    call: OutboundStreamRequest = {},
  ): Promise<OutboundStream> {
    const url = parseTarget(target)
    if (call.publicOnly) strictGuard.checkUrl(url)
    else if (!call.trusted) guard.checkUrl(url)
    const method = call.method ?? 'GET'
    const span = startSpan(method, 'client', {
      'http.request.method': method,
      'server.address': url.hostname,
      'server.port': Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
    })
    const request = {
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: {
        ...basicCredentials(url),
        ...(span.trace ? traceHeaders(span.trace) : {}),
        ...call.headers,
      },
      body: bodyOf(call.body),
    }
    try {
      const answer = await exchange(
        agents.of(call),
        request,
        { ...DEFAULT_TIMEOUTS, ...call.timeouts },
        call.signal,
        team === null ? null : takePlace(url.origin, team),
      )
      span.end({ 'http.response.status_code': answer.status }, answer.status >= 400)
      return answer
    } catch (error) {
      span.end({ 'error.type': error instanceof OutboundError ? error.reason : 'unknown' }, true)
      throw error
    }
  }

  async function request(
    team: Team,
    target: string | URL,
    { timeoutMs = 30_000, maxResponseBytes = 10 * 1024 * 1024, truncate, ...call }: OutboundRequest = {},
  ): Promise<OutboundResponse> {
    const timeouts = { firstByteMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs }
    const { status, headers, body } = await stream(team, target, { ...call, timeouts })
    return { status, headers, ...(await collect(body, maxResponseBytes, truncate ?? false)) }
  }

  return {
    of: (team) => ({
      request: (target, call) => request(team, target, call),
      stream: (target, call) => stream(team, target, call),
      addressOf: guard.addressOf,
    }),
    async checkTarget(target) {
      await guard.checkTarget(parseTarget(target))
    },
    close: agents.close,
  }
}

/** A team that is alone gets seven of ten places, as many as it may have chats of channels under way. */
const CALLS_TO_ORIGIN = 400
const DEFAULT_TIMEOUTS: Timeouts = { firstByteMs: 60_000, idleMs: 60_000, totalMs: 600_000 }

type Lookup = ReturnType<typeof createGuard>['lookup']

/**
 * Makes the undici agents. Calls under different guards share no connection, because none may use one to an address
 * that its own guard forbids. Agents without pipelining close each connection after its answer.
 */
function createAgents({ connectTimeoutMs = 10_000 }: OutboundOptions, lookup: Lookup, publicLookup: Lookup) {
  const keepAlive = { pipelining: 1 }
  const once = { pipelining: 0 }
  const connector = { timeout: connectTimeoutMs, allowH2: false }
  const open = { connect: skippingInterim(buildConnector(connector)) }
  const guarded = { connect: skippingInterim(buildConnector({ ...connector, lookup })) }
  const publicOnly = { connect: skippingInterim(buildConnector({ ...connector, lookup: publicLookup })) }
  const agents = {
    trusted: new Agent({ ...keepAlive, ...open }),
    trustedOnce: new Agent({ ...once, ...open }),
    guarded: new Agent({ ...keepAlive, ...guarded }),
    guardedOnce: new Agent({ ...once, ...guarded }),
    publicOnly: new Agent({ ...once, ...publicOnly }),
  }
  return {
    of({ trusted, publicOnly, freshConnection }: OutboundCall): Agent {
      if (publicOnly) return agents.publicOnly
      if (trusted) return freshConnection ? agents.trustedOnce : agents.trusted
      return freshConnection ? agents.guardedOnce : agents.guarded
    },
    async close() {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()))
    },
  }
}

function bodyOf(body: OutboundCall['body']) {
  if (body === undefined) return null
  return typeof body === 'string' || body instanceof Uint8Array ? body : Readable.from(body)
}

/** Reads the user name and password that a trusted address may hold. */
function basicCredentials({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const credentials = `${decodeUri(username)}:${decodeUri(password)}`
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

function parseTarget(target: string | URL): URL {
  const url = URL.parse(String(target))
  if (!url) throw new OutboundError('blocked', outboundMessages.no_url)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('blocked', outboundMessages.no_http)
  }
  return url
}

async function collect(
  body: AsyncIterable<Buffer[]>,
  limit: number,
  truncate: boolean,
): Promise<Pick<OutboundResponse, 'body' | 'truncated'>> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const arrived of body) {
      chunks.push(...arrived)
      for (const chunk of arrived) size += chunk.length
      if (size > limit) throw new OutboundError('too_large', `the answer is larger than ${limit} bytes`)
    }
  } catch (error) {
    const canBeCut = error instanceof OutboundError && error.reason !== 'aborted'
    if (!truncate || !canBeCut) throw error
    return { body: Buffer.concat(chunks, Math.min(size, limit)), truncated: true }
  }
  return { body: Buffer.concat(chunks, size), truncated: false }
}
