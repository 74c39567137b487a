import { setTimeout as wait } from 'node:timers/promises'
import { timestamp } from '../../lib/clock.ts'
import type { Outbound } from '../../lib/outbound/outbound.ts'
import { type Connection, type Inbound, InvalidWebhook, PlatformError } from '../../platforms/platform.ts'
import type { Database } from '../../storage/opened-database.ts'
import type { Lease } from '../../work/lease.ts'
import { nextAttemptAt } from '../../work/retry.ts'
import { type RunningWork, runWork, type WorkDependencies } from '../../work/run-work.ts'
import { type Channel, webhookUrl } from '../channel.ts'
import type { Channels } from '../find-channel.ts'
import { type Receiving, receive } from '../receive.ts'
import {
  CONNECTIONS,
  connectionLeases,
  connectMoved,
  dueConnections,
  nextDue,
  updateConnection,
} from './store.ts'
import type { ChannelConnectionRow } from './tables.ts'

export interface ConnectionDependencies extends WorkDependencies {
  database: Pick<Database, 'db' | 'presence' | 'wakeUps'>
  channels: Pick<Channels, 'byId'>
  outbound: Pick<Outbound, 'of'>
  receiving: Omit<Receiving, 'log'>
  /** The public address of the API. Platforms can call it only when it is https. */
  baseUrl: () => string
}

/** A platform that refuses the token will go on doing so, but it is asked again in case it was mistaken. */
const REFUSED_MS = 15 * 60_000
/** A platform that answers at once without events is not asked again at once. */
const SHORTEST_POLL_MS = 500

/**
 * Connects the channels that the service itself connects to their platform. A platform that can call this service is told
 * where its events go. Any other is asked for them, by the one process that has the connection's lease. Events count as
 * received only once they are stored, and each is stored once, so that another process can go on at any time.
 */
export function runConnections(dependencies: ConnectionDependencies): RunningWork {
  const { database, channels, clock, logger, outbound, receiving, baseUrl } = dependencies
  const { db, presence } = database
  let isMoved = true

  async function connect(row: ChannelConnectionRow, channel: Channel, lease: Lease): Promise<void> {
    const { settings, platform, teamId, isActive } = channel
    const { connection } = platform
    if (!connection) return settle(row, lease, { due_at: null })
    const url = webhookUrl(baseUrl(), channel)
    const http = outbound.of(teamId)
    const { push } = connection
    if (isActive && push && url.startsWith('https:')) {
      await push.subscribe(http, settings, url)
      return settle(row, lease, {
        way: 'webhook',
        webhook_url: url,
        due_at: null,
        failure: null,
        attempts: 0,
      })
    }
    if (isActive) {
      await push?.unsubscribe(http, settings)
      if (push) await settle(row, lease, { way: 'polling', webhook_url: null, failure: null })
      return listen(row, channel, connection, lease)
    }
    // The platform keeps what comes meanwhile, and other programs may use the account.
    await push?.unsubscribe(http, settings).catch((error) => {
      if (!(error instanceof PlatformError)) throw error
    })
    await settle(row, lease, {
      way: null,
      webhook_url: null,
      position: null,
      due_at: null,
      failure: null,
      attempts: 0,
    })
  }

  async function listen(
    row: ChannelConnectionRow,
    channel: Channel,
    connection: Connection<Channel['settings']>,
    lease: Lease,
  ): Promise<void> {
    // Not counted for the team: a poll that waits for half a minute would hold up the team's other calls.
    const http = outbound.of(null)
    let began = performance.now()
    let wasEmpty = false
    for await (const arrived of connection.listen(http, channel.settings, row.position, lease.signal)) {
      const events = arrived.bodies.flatMap((body) => readOne(logger, channel, body))
      await receive({ ...receiving, log: logger }, channel, events)
      const { position } = arrived
      if (row.attempts > 0 || row.position !== position || row.way !== 'polling')
        await settle(row, lease, { way: 'polling', failure: null, attempts: 0, position })
      const left = SHORTEST_POLL_MS - (performance.now() - began)
      const isEmpty = arrived.bodies.length === 0
      if (isEmpty && wasEmpty && left > 0)
        await wait(left, undefined, { signal: lease.signal }).catch(() => {})
      wasEmpty = isEmpty
      if (lease.signal.aborted) return
      began = performance.now()
    }
  }

  async function fail(row: ChannelConnectionRow, lease: Lease, error: Error): Promise<void> {
    const ofPlatform = error instanceof PlatformError ? error : null
    const failure = ofPlatform?.reason ?? 'internal'
    const after = ofPlatform?.retryAfterMs ?? (ofPlatform?.outcome === 'refused' ? REFUSED_MS : null)
    const attempts = row.attempts + 1
    if (row.failure !== failure)
      logger.warn(
        { channel_id: row.id, agent_id: row.agent_id, reason: failure },
        'a channel is not connected',
      )
    await settle(row, lease, { due_at: nextAttemptAt(after, attempts, clock()), failure, attempts })
  }

  return runWork<ChannelConnectionRow>(
    {
      name: 'connections',
      topics: [CONNECTIONS],
      async claim() {
        if (isMoved) await connectMoved(db, baseUrl(), timestamp(clock()))
        isMoved = false
        const nowMs = clock()
        const due = dueConnections(db, timestamp(nowMs))
        return connectionLeases.claimOf(db, due, { holder: presence.id, nowMs, limit: AT_ONCE })
      },
      hasMore: () => false,
      async work(row, stop) {
        using lease = connectionLeases.take(db, row, clock, stop.asked)
        try {
          const channel = await channels.byId(row.id)
          // A deleted channel takes its connection's row with it, so there is nothing to settle.
          if (channel) await connect(row, channel, lease)
        } catch (error) {
          if (lease.signal.aborted) return
          await fail(row, lease, error as Error)
          if (!(error instanceof PlatformError)) throw error
        } finally {
          if (!lease.isLost) await db.transaction().execute((db) => lease.free(db))
        }
      },
      nextDue: () => nextDue(db, timestamp(clock())),
      about: ({ id, agent_id }) => ({ channel_id: id, agent_id }),
    },
    dependencies,
  )
}

/** The most connections that one look claims. */
const AT_ONCE = 1000

/** Changes the row of a connection, provided that this process still has its lease. */
async function settle(
  row: ChannelConnectionRow,
  lease: Lease,
  values: Parameters<typeof updateConnection>[2],
): Promise<void> {
  await lease.transaction((db) => updateConnection(db, row.id, values))
  Object.assign(row, values)
}

/** Reads the events of a body. One that cannot be read is skipped, as it would come again and again. */
function readOne(logger: ConnectionDependencies['logger'], channel: Channel, body: unknown): Inbound[] {
  try {
    return channel.platform.read(body, channel.settings)
  } catch (error) {
    if (!(error instanceof InvalidWebhook)) throw error
    logger.warn({ channel_id: channel.id }, 'an event could not be read')
    return []
  }
}
