import { setTimeout as wait } from 'node:timers/promises'
import type { TeamHttp } from '../../lib/outbound/outbound.ts'
import type { JsonObject } from '../../lib/untrusted-json.ts'
import { type ToolHeaders, withoutSecrets } from '../secret-place.ts'
import { ToolError } from '../tool.ts'
import { type Bounds, connect } from './connection.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { mcpFailure } from './mcp-failure.ts'
import type { Offer } from './read-offer.ts'
import { resultText } from './result-text.ts'
import { sharedConnection } from './shared-connection.ts'

/** The longest time for connecting and listing together. */
const LIST_LIMIT_MS = 10_000
/** The longest time that a turn waits for a list. The reading goes on, for later turns. */
const WAIT_MS = 3000
/** The time for which a list counts as current when nothing was called since. */
const FRESH_MS = 30_000
/** The time for which a server that failed is not asked again. */
const REST_MS = 15_000

/** An MCP server of an agent, with the last good list of what it offers. */
export interface McpServer {
  /**
   * Returns what it offers now, or what it last offered if it fails or does not answer in time. After it was too late
   * once, no turn waits for it until it answers again. Never throws.
   */
  offers(): Promise<readonly Offer[]>
  /** Reads what it offers now. @throws ToolError, or AbortError when the signal fires */
  list(bounds: Bounds): Promise<readonly Offer[]>
  /** Calls one of its tools. @throws ToolError, or AbortError when the signal fires */
  call(name: string, args: JsonObject, context: Bounds): Promise<string>
  close(): void
}

interface McpServerOptions {
  http: TeamHttp
  url: string
  sealed: ToolHeaders
  /** Called when its list cannot be read. */
  failed?: (reason: string) => void
  /** Returns the time in milliseconds, from any beginning. */
  now?: () => number
  /** Resolves when a turn has waited for a list long enough. */
  waited?: () => Promise<unknown>
}

export function mcpServer({
  http,
  url,
  sealed,
  failed,
  now = () => performance.now(),
  waited = () => wait(WAIT_MS, undefined, { ref: false }),
}: McpServerOptions): McpServer {
  const fetch = guardedFetch(http, sealed, new URL(url).origin)
  const connection = sharedConnection((bounds) => connect(url, fetch, bounds))
  let good: readonly Offer[] = []
  let goodAt = Number.NEGATIVE_INFINITY
  let failedAt = Number.NEGATIVE_INFINITY
  /** Resolves when turns go on with the list that is known by then. */
  let listing: Promise<void> | null = null
  let isLate = false

  async function list(bounds: Bounds): Promise<readonly Offer[]> {
    try {
      const offers = await connection.use(bounds, (open, left) => open.list(left))
      return offers.map(withoutSecretsIn)
    } catch (error) {
      bounds.signal.throwIfAborted()
      throw said(error)
    }
  }

  /** Reads the list for all turns that ask at the same time. */
  async function listForTurns(): Promise<void> {
    try {
      good = await list({ signal: new AbortController().signal, timeoutMs: LIST_LIMIT_MS })
      goodAt = now()
      failedAt = Number.NEGATIVE_INFINITY
      isLate = false
    } catch (error) {
      failedAt = now()
      connection.renew()
      failed?.((error as Error).message)
    } finally {
      listing = null
    }
  }

  async function inTime(list: Promise<void>): Promise<void> {
    const isThere = await Promise.race([list.then(() => true), waited().then(() => false)])
    if (!isThere) isLate = true
  }

  function said(error: unknown): ToolError {
    const { message, mayHaveHappened } = mcpFailure(error)
    return new ToolError(withoutSecrets(message, sealed), { mayHaveHappened })
  }

  /** Cleans an offer, because a server may repeat the secrets that it was sent when it describes its tools. */
  function withoutSecretsIn(offer: Offer): Offer {
    const clean = (_: string, value: unknown) =>
      typeof value === 'string' ? withoutSecrets(value, sealed) : value
    return JSON.parse(JSON.stringify(offer, clean))
  }

  return {
    list,

    async offers() {
      const at = now()
      if (at - goodAt < FRESH_MS || at - failedAt < REST_MS) return good
      listing ??= inTime(listForTurns())
      if (!isLate) await listing
      return good
    },

    async call(name, args, bounds) {
      try {
        const result = await connection.use(bounds, (open, left) => open.call(name, args, left))
        const text = withoutSecrets(resultText(result), sealed)
        if (result.isError === true) throw new ToolError(text || 'the tool failed.')
        return text
      } catch (error) {
        if (bounds.signal.aborted) throw error
        throw said(error)
      } finally {
        // A call may have changed what the server offers.
        goodAt = Number.NEGATIVE_INFINITY
      }
    },

    close: () => connection.renew(),
  }
}
