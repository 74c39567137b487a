import type {
  Client,
  FetchLike,
  JsonSchemaValidator,
  jsonSchemaValidator,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { z } from 'zod'
import { type JsonObject, toObjects } from '../../lib/untrusted-json.ts'
import { type Offer, offerReader } from './read-offer.ts'

/** The most pages of a list that are read. */
const MOST_PAGES = 64

/** An open connection to an MCP server. */
export interface Connection {
  /** Reads the tools that the server offers. A list that does not end is read up to a bound. */
  list(bounds: Bounds): Promise<Offer[]>
  call(name: string, args: JsonObject, bounds: Bounds): Promise<JsonObject>
  /** Tells whether the server keeps a session, which it may lose. */
  hasSession(): boolean
  close(): Promise<void>
}

export interface Bounds {
  signal: AbortSignal
  timeoutMs: number
}

/** Checks nothing, because a server's schema may hang the process that checks it. `checkArguments` checks arguments. */
const noValidator: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined })
  },
}

/** Checks no results, which `resultText` reads: the library would block the process with the parts of a large one. */
const anyResult = z.looseObject({})
const listPage = z.looseObject({ tools: z.unknown().optional(), nextCursor: z.unknown().optional() })

/** Connects to a server of any version of the protocol. The client library is loaded with the first server. */
export async function connect(
  url: string,
  fetch: FetchLike,
  { signal, timeoutMs }: Bounds,
): Promise<Connection> {
  const mcp = await import('@modelcontextprotocol/client')
  const client: Client = new mcp.Client(
    { name: 'parley', version: '1' },
    {
      versionNegotiation: { mode: 'auto', probe: { timeoutMs } },
      jsonSchemaValidator: noValidator,
      capabilities: {},
      // A server has nobody to ask here.
      inputRequired: { autoFulfill: false },
    },
  )
  const transport: StreamableHTTPClientTransport = new mcp.StreamableHTTPClientTransport(new URL(url), {
    fetch,
    reconnectionOptions: {
      initialReconnectionDelay: 250,
      maxReconnectionDelay: 2000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 2,
    },
  })
  const bounded = (bounds: Bounds) => ({
    signal: bounds.signal,
    timeout: bounds.timeoutMs,
    maxTotalTimeout: bounds.timeoutMs,
  })
  try {
    await client.connect(transport, bounded({ signal, timeoutMs }))
  } catch (error) {
    await client.close().catch(() => {})
    throw error
  }

  return {
    hasSession: () => transport.sessionId !== undefined,

    async list(bounds) {
      const reader = offerReader()
      const deadline = performance.now() + bounds.timeoutMs
      let cursor: unknown
      for (let pages = 0; pages < MOST_PAGES && !reader.isFull(); pages++) {
        const params = typeof cursor === 'string' ? { cursor } : {}
        const left = { ...bounds, timeoutMs: Math.max(1, deadline - performance.now()) }
        const page = await client.request({ method: 'tools/list', params }, listPage, bounded(left))
        await reader.take(toObjects(page.tools))
        cursor = page.nextCursor
        if (typeof cursor !== 'string') break
      }
      return reader.offers()
    },

    async call(name, args, bounds) {
      const params = { name, arguments: args }
      return client.request({ method: 'tools/call', params }, anyResult, bounded(bounds))
    },

    async close() {
      // Some servers keep the state of a session until they are told to end it.
      await transport.terminateSession().catch(() => {})
      await client.close().catch(() => {})
    },
  }
}
