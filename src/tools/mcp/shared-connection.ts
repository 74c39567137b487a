import { ToolError } from '../tool.ts'
import type { Bounds, Connection } from './connection.ts'
import { isLostSession, mcpFailure } from './mcp-failure.ts'

/** The longest time that connecting may take. */
const OPEN_LIMIT_MS = 10_000
/** The time for which an unused connection is kept. */
const IDLE_MS = 60_000

/** One connection that all users share. A time limit of one user does not end it for the others. */
interface SharedConnection {
  /**
   * Works with the connection, and once more with a new one when the server has lost the session.
   * @throws ToolError when no connection can be made, and whatever `work` throws
   */
  use<T>(bounds: Bounds, work: (connection: Connection, left: Bounds) => Promise<T>): Promise<T>
  /** Gives the next user a new connection. The present one closes when its users have finished. */
  renew(): void
}

interface Held {
  opening: Promise<Connection>
  users: number
  isDropped: boolean
  idle: NodeJS.Timeout | undefined
}

export function sharedConnection(open: (bounds: Bounds) => Promise<Connection>): SharedConnection {
  let current: Held | null = null

  function hold(): Held {
    if (current) return current
    const opening = open({ signal: AbortSignal.timeout(OPEN_LIMIT_MS), timeoutMs: OPEN_LIMIT_MS })
    const held: Held = { opening, users: 0, isDropped: false, idle: undefined }
    opening.catch(() => drop(held))
    current = held
    return held
  }

  function drop(held: Held): void {
    if (current === held) current = null
    held.isDropped = true
    if (held.users === 0) close(held)
  }

  async function useHeld<T>(held: Held, work: (connection: Connection) => Promise<T>, bounds: Bounds) {
    held.users++
    clearTimeout(held.idle)
    try {
      return await work(await connected(held, bounds))
    } finally {
      held.users--
      if (held.users === 0) {
        if (held.isDropped) close(held)
        else held.idle = setTimeout(() => drop(held), IDLE_MS).unref()
      }
    }
  }

  return {
    async use(bounds, work) {
      const deadline = performance.now() + bounds.timeoutMs
      const left = () => ({ ...bounds, timeoutMs: Math.max(1, deadline - performance.now()) })
      const held = hold()
      let hadSession = false
      const noted = (connection: Connection) => {
        hadSession = connection.hasSession()
        return work(connection, left())
      }
      try {
        return await useHeld(held, noted, bounds)
      } catch (error) {
        if (!hadSession || !isLostSession(error)) throw error
        drop(held)
        return await useHeld(hold(), (connection) => work(connection, left()), left())
      }
    },

    renew() {
      if (current) drop(current)
    },
  }
}

function close({ opening, idle }: Held): void {
  clearTimeout(idle)
  opening.then((connection) => connection.close()).catch(() => {})
}

/** Waits for the connection only as long as this user may wait. If that fails, nothing was called. */
async function connected({ opening }: Held, { signal, timeoutMs }: Bounds): Promise<Connection> {
  const stop = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(timeoutMs))])
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const onStop = () => reject(stop.reason)
  if (stop.aborted) onStop()
  stop.addEventListener('abort', onStop, { once: true })
  try {
    return await Promise.race([opening, stopped])
  } catch (error) {
    signal.throwIfAborted()
    throw new ToolError(mcpFailure(error).message)
  } finally {
    stop.removeEventListener('abort', onStop)
  }
}
