import { StringDecoder } from 'node:string_decoder'
import type { FetchLike } from '@modelcontextprotocol/client'
import { createParser } from 'eventsource-parser'
import { type OutboundBody, OutboundError, type TeamHttp } from '../../lib/outbound/outbound.ts'
import { PeerJsonError, requirePeerBounds } from '../../lib/outbound/read-peer-json.ts'
import type { ToolHeaders } from '../secret-place.ts'

/** The most bytes of one answer. They are counted before any of them are parsed. */
const ANSWER_LIMIT = 2 * 1024 * 1024
const ERROR_LIMIT = 16 * 1024
/** The most lines of events. The library takes up to a millisecond for each, and answers a server's requests. */
const MOST_LINES = 4000

/**
 * Makes a `fetch` for the transport of an MCP server. It goes through the guarded client, to the server's own origin
 * only, with its sealed headers. Redirects are not followed. Answers of more than `ANSWER_LIMIT` bytes or `MOST_LINES`
 * fail, and those whose JSON breaks the bounds of peers.
 */
export function guardedFetch(http: TeamHttp, sealed: ToolHeaders, origin: string): FetchLike {
  return async (target, init = {}) => {
    const url = new URL(target)
    if (url.origin !== origin) throw new OutboundError('blocked', 'the server leads to another origin')
    const method = methodOf(init.method)
    const headers = Object.fromEntries(new Headers(init.headers))
    // Without an event to go on from, this stream would stay open for notifications only. Lists are read again instead.
    if (method === 'GET' && !headers['last-event-id']) return new Response(null, { status: 405 })
    const body = typeof init.body === 'string' ? init.body : null
    const answer = await http.stream(url, {
      method,
      headers: { ...headers, 'user-agent': 'parley', ...sealed },
      ...(body === null ? {} : { body }),
      ...(init.signal ? { signal: init.signal } : {}),
      // A kept connection that is just being closed would leave the outcome of a call unknown.
      freshConnection: body?.includes('"method":"tools/call"') ?? false,
      // A session is ended without a long wait for the answer.
      timeouts: { totalMs: method === 'DELETE' ? 5000 : 90_000 },
    })
    const isError = answer.status < 200 || answer.status > 299
    const given = new Headers()
    for (const name of ['content-type', 'mcp-session-id', 'location', 'www-authenticate']) {
      const value = answer.headers[name]
      if (typeof value === 'string') given.set(name, value)
    }
    const isEvents = /^text\/event-stream/i.test(given.get('content-type') ?? '')
    if (NO_BODY.has(answer.status)) {
      answer.body.discard()
      return new Response(null, { status: answer.status, headers: given })
    }
    const read = isError
      ? cutBody(answer.body)
      : boundedBody(answer.body, isEvents, isEvents && body !== null ? requestIdOf(body) : undefined)
    return new Response(read, { status: answer.status, headers: given })
  }
}

const NO_BODY = new Set([204, 205, 304])

function methodOf(method = 'GET'): 'GET' | 'POST' | 'DELETE' {
  if (method === 'GET' || method === 'POST' || method === 'DELETE') return method
  throw new OutboundError('protocol', 'the method is not one of MCP')
}

/**
 * Returns the body, which fails above the limit. If it holds events, only the request that they answer fails, at once.
 */
function boundedBody(body: OutboundBody, isEvents: boolean, requestId: unknown): ReadableStream<Uint8Array> {
  let size = 0
  let lines = 0
  const json = isEvents ? jsonOfEvents() : jsonOfWhole()
  const pieces = body[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) {
        if (!json.keepsBounds(null)) throw new OutboundError('too_large', 'the answer has too many parts')
        return controller.close()
      }
      for (const piece of value) {
        size += piece.length
        if (isEvents) lines += linesIn(piece)
        if (size <= ANSWER_LIMIT && lines <= MOST_LINES && json.keepsBounds(piece)) {
          controller.enqueue(piece)
          continue
        }
        await pieces.return?.()
        if (requestId === undefined) {
          throw new OutboundError('too_large', 'the answer is too large')
        }
        controller.enqueue(new TextEncoder().encode(`\n\ndata: ${tooLarge(requestId)}\n\n`))
        return controller.close()
      }
    },
    async cancel() {
      await pieces.return?.()
    },
  })
}

/** Checks the JSON in a body before the library parses it. */
interface JsonInBody {
  /**
   * Takes the next piece; null: the end. @returns false when the JSON that the library would parse next breaks a bound
   */
  keepsBounds(piece: Buffer | null): boolean
}

/** Checks the whole body at its end, where the library parses it. */
function jsonOfWhole(): JsonInBody {
  const kept: Buffer[] = []
  return {
    keepsBounds(piece) {
      if (piece === null) return isBounded(Buffer.concat(kept))
      kept.push(piece)
      return true
    },
  }
}

/** Checks each event when the line after it has come, because the library parses the event then. */
function jsonOfEvents(): JsonInBody {
  const decoder = new StringDecoder('utf8')
  let isKept = true
  const events = createParser({
    onEvent({ data }) {
      isKept &&= isBounded(data)
    },
  })
  return {
    keepsBounds(piece) {
      if (piece !== null) events.feed(decoder.write(piece))
      return isKept
    },
  }
}

function isBounded(json: Buffer | string): boolean {
  try {
    requirePeerBounds(json)
    return true
  } catch (error) {
    if (error instanceof PeerJsonError) return false
    throw error
  }
}

function linesIn(piece: Buffer): number {
  let count = 0
  for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) count++
  return count
}

/** Returns only the beginning of what a server says about a failure. */
function cutBody(body: OutboundBody): ReadableStream<Uint8Array> {
  let left = ERROR_LIMIT
  const pieces = body[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) return controller.close()
      for (const piece of value) {
        controller.enqueue(piece.subarray(0, left))
        left -= Math.min(left, piece.length)
      }
      if (left > 0) return
      await pieces.return?.()
      controller.close()
    },
    async cancel() {
      await pieces.return?.()
    },
  })
}

/** The message of a request that failed here, to tell it from one that the server refused. */
export const TOO_LARGE = 'parley: the answer is too large'

function tooLarge(id: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: TOO_LARGE } })
}

function requestIdOf(body: string): unknown {
  try {
    return (JSON.parse(body) as { id?: unknown } | null)?.id
  } catch {
    return undefined
  }
}
