import type { Kysely } from 'kysely'
import { acrossAgents } from '../lib/agent-scope.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { whenQuiet } from '../lib/pacing/when-quiet.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { resolveThreads } from './aliases.ts'
import type { ItemKind } from './item-kinds.ts'
import { isTakeover } from './items.ts'
import { type InboundItem, insertInbound, type MailboxTouch, touchMailboxes } from './store.ts'
import { MAILBOXES, takeoverTopic } from './topics.ts'

/** An item that came in through a channel. */
export interface NewItem {
  /** The platform's id of the event. It stays the same when the platform sends the event again. */
  sourceId: string
  thread: string
  /** The person's ids, on platforms where a person can have several. */
  ids?: readonly string[]
  /** Ids that lead to the same chat from now on. */
  newIds?: readonly string[]
  /** The id of the message, by which the platform reports that it was edited or withdrawn; a withdrawal has it, too. */
  platformMessageId?: string | null
  kind: ItemKind
  /** The content, stored as JSON until it is worked. */
  payload: unknown
  /** The time until which the platform takes messages in this thread; null when the item does not change it. */
  writableUntil: string | null
}

/** The items that one request brought. */
interface Arrival {
  channel: { id: number; agent_id: number }
  items: NewItem[]
  /** The time for which the items wait for others that are to be answered with them. */
  delayMs: number
}

/** Stores an arrival. It is committed when this resolves. */
export type Accept = (arrival: Arrival) => Promise<void>

/**
 * The number of items that one transaction stores. More would hold the event loop for long, and on SQLite pass the limit
 * of a statement.
 */
const ITEMS_AT_ONCE = 200
/**
 * The number of concurrent transactions on an engine that keeps their order. On others two could mix up a chat's
 * messages.
 */
const TRANSACTIONS_AT_ONCE = 2

/**
 * Stores incoming items. Arrivals that come while others are being stored share the next transaction, because one for
 * each request would cost several times more. If an arrival cannot be stored, only its own request fails.
 */
export function acceptItems(
  db: Kysely<Tables>,
  engine: Pick<Engine, 'keepsOrder' | 'isAway'>,
  clock: Clock,
): Accept {
  const waiting: { arrival: Arrival; done: PromiseWithResolvers<void> }[] = []
  let storing = 0
  let isDue = false
  const most = engine.keepsOrder ? TRANSACTIONS_AT_ONCE : 1

  async function storeAll(): Promise<void> {
    while (waiting.length > 0) {
      const together = waiting.splice(0, fitting(waiting))
      try {
        await store(
          db,
          together.map(({ arrival }) => arrival),
          clock(),
        )
        for (const { done } of together) done.resolve()
      } catch (error) {
        const isHopeless = together.length === 1 || engine.isAway(error)
        for (const { arrival, done } of together) {
          if (isHopeless) done.reject(error)
          else await store(db, [arrival], clock()).then(done.resolve, done.reject)
        }
      }
    }
    storing--
  }

  function storeSoon(arrival: Arrival): Promise<void> {
    const done = Promise.withResolvers<void>()
    waiting.push({ arrival, done })
    if (!isDue && storing < most) {
      isDue = true
      storing++
      whenQuiet(
        () => waiting.length,
        () => {
          isDue = false
          void acrossAgents('one transaction stores what arrived for several agents', storeAll)
        },
      )
    }
    return done.promise
  }

  return async ({ items, ...arrival }) => {
    // If a later part cannot be stored, the sender repeats them all, and what is stored is recognized by its ids.
    for (let at = 0; at < items.length; at += ITEMS_AT_ONCE)
      await storeSoon({ ...arrival, items: items.slice(at, at + ITEMS_AT_ONCE) })
  }
}

/** Counts the arrivals at the beginning of a line that one transaction stores: at least one. */
function fitting(line: readonly { arrival: Arrival }[]): number {
  let [arrivals, items] = [0, 0]
  for (const { arrival } of line) {
    items += arrival.items.length
    if (arrivals > 0 && items > ITEMS_AT_ONCE) break
    arrivals++
  }
  return arrivals
}

/** Stores arrivals in one transaction. An item that comes several times, also to several processes, is stored once. */
async function store(db: Kysely<Tables>, arrivals: Arrival[], nowMs: number): Promise<void> {
  await db.transaction().execute(async (db) => {
    const identified = arrivals.flatMap(({ channel, items }) =>
      items.map(({ thread, ids = [], newIds = [] }) => ({ channelId: channel.id, thread, ids, newIds })),
    )
    const { mailboxes, rows } = rowsOf(arrivals, await resolveThreads(db, identified), nowMs)
    await touchMailboxes(db, mailboxes)
    await insertInbound(db, rows)
    wake(db, MAILBOXES)
    for (const row of rows) if (isTakeover(row)) wake(db, takeoverTopic(row))
  })
}

/** @param threads of all items in their order */
function rowsOf(arrivals: Arrival[], threads: string[], nowMs: number) {
  const created_at = timestamp(nowMs)
  const mailboxes = new Map<string, MailboxTouch>()
  const rows: InboundItem[] = []
  const next = threads.values()
  for (const { channel, items, delayMs } of arrivals) {
    const due_at = timestamp(nowMs + delayMs)
    for (const { writableUntil, sourceId, platformMessageId = null, kind, payload } of items) {
      const thread = next.next().value ?? ''
      const key = `${channel.id} ${thread}`
      const known = mailboxes.get(key)
      mailboxes.set(key, {
        channel_id: channel.id,
        agent_id: channel.agent_id,
        thread,
        writable_until: latest(known?.writable_until ?? '', writableUntil ?? ''),
        due_at: known && known.due_at < due_at ? known.due_at : due_at,
      })
      rows.push({
        channel_id: channel.id,
        thread,
        source_id: sourceId,
        platform_message_id: platformMessageId,
        kind,
        payload: JSON.stringify(payload),
        due_at,
        created_at,
      })
    }
  }
  // Always in the same order, so that no two transactions wait for each other in a deadlock.
  const sorted = [...mailboxes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, mailbox]) => mailbox)
  return { mailboxes: sorted, rows }
}

function latest(a: string, b: string): string {
  return a > b ? a : b
}
