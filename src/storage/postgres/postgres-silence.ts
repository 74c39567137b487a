import type pg from 'pg'
import type { KeptSession } from './postgres-session.ts'
import type { WatchedClient } from './postgres-watched-client.ts'

/** The time for which a query waits before the server is asked whether it still works on it. */
const ASKED_AFTER_MS = 3000

/** The connections of a pool that are watched. */
interface WatchedConnections {
  add(client: WatchedClient): void
  /** Destroys all watched connections. */
  dropAll(): void
}

/**
 * Destroys the connections of a pool on which no answer will come. When a network drops packets, or a firewall forgets
 * a connection, it stays open on this side, and the kernel takes a quarter of an hour to give it up. A connection that
 * has waited for long is kept only while the server, asked over the session, says that it still works on the query.
 */
export function watchForSilence(pool: pg.Pool, session: KeptSession): WatchedConnections {
  const clients = new Set<WatchedClient>()
  const idle = new Set<pg.ClientBase>()
  pool.on('acquire', (client) => void idle.delete(client))
  pool.on('release', (_error, client) => void idle.add(client))
  pool.on('remove', (client) => void idle.delete(client))

  async function dropStuck(askServer: (clients: WatchedClient[]) => Promise<Set<number | null>>) {
    const stuck = [...clients].filter(isStuck)
    if (stuck.length === 0) return
    const working = await askServer(stuck)
    for (const client of stuck) if (isStuck(client) && !working.has(client.backend)) client.destroy()
  }

  session.add({
    beat: (client) => dropStuck((stuck) => backendsAtWork(client, stuck)),
    unreachable: () => dropStuck(async () => new Set()),
    silent() {
      for (const client of clients) if (idle.has(client)) client.destroy()
    },
  })
  return {
    add(client) {
      clients.add(client)
      client.once('end', () => clients.delete(client))
    },
    dropAll() {
      for (const client of clients) client.destroy()
    },
  }
}

function isStuck({ waiting }: WatchedClient): boolean {
  return waiting > ASKED_AFTER_MS
}

async function backendsAtWork(session: pg.Client, clients: WatchedClient[]): Promise<Set<number | null>> {
  const { rows } = await session.query<{ pid: number }>(
    `select pid from pg_stat_activity where pid = any($1) and state in ('active', 'fastpath function call')`,
    [clients.flatMap(({ backend }) => backend ?? [])],
  )
  return new Set(rows.map(({ pid }) => pid))
}
