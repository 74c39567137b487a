import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { insertInbound, type MailboxTouch, touchMailboxes } from './store.ts'

/** Something that came in through a channel. */
export interface NewItem {
  /** The same whenever the platform sends it again. */
  sourceId: string
  thread: string
  kind: string
  /** JSON-able; kept until it is worked. */
  payload: unknown
  /** Until when the platform takes messages in this thread; null: this changes nothing about that. */
  writableUntil: string | null
}

/** What came in at once. */
export interface Arrival {
  channel: { id: number; agent_id: number }
  items: NewItem[]
  /** How long the items wait for others that follow. */
  delayMs: number
}

/** Keeps an arrival: once this resolves it is on disk. Returns how many of its items were new. */
export type Accept = (arrival: Arrival) => Promise<number>

/** Arrivals that one transaction takes. */
const AT_ONCE = 200
/**
 * Transactions at once. On SQLite they run in the order in which they are asked for, and only their flushes to disk
 * overlap; on PostgreSQL two could pass each other, and with them the messages of one chat.
 */
const TRANSACTIONS = { sqlite: 2, postgres: 1 }

/**
 * Keeps what comes in. Arrivals that come while others are being stored are stored together next: a transaction a
 * request would cost several times more. An arrival that cannot be stored takes none of its neighbours with it.
 */
export function acceptItems(
  db: Kysely<Tables>,
  engine: Pick<Engine, 'kind' | 'isUnavailable'>,
  clock: Clock,
): Accept {
  const waiting: { arrival: Arrival; done: PromiseWithResolvers<number> }[] = []
  let storing = 0
  let isDue = false

  async function storeAll(): Promise<void> {
    while (waiting.length > 0) {
      const together = waiting.splice(0, AT_ONCE)
      try {
        const counts = await store(
          db,
          together.map(({ arrival }) => arrival),
          clock(),
        )
        for (const [index, { done }] of together.entries()) done.resolve(counts[index] ?? 0)
      } catch (error) {
        const isHopeless = together.length === 1 || engine.isUnavailable(error)
        for (const { arrival, done } of together) {
          if (isHopeless) done.reject(error)
          else await store(db, [arrival], clock()).then(([count = 0]) => done.resolve(count), done.reject)
        }
      }
    }
    storing--
  }

  return (arrival) => {
    const done = Promise.withResolvers<number>()
    waiting.push({ arrival, done })
    if (!isDue && storing < TRANSACTIONS[engine.kind]) {
      isDue = true
      storing++
      // What arrives in the same turn of the event loop joins.
      setImmediate(() => {
        isDue = false
        void storeAll()
      })
    }
    return done.promise
  }
}

/** Stores arrivals in one transaction; each item is there once however often and from how many sides it comes. */
async function store(db: Kysely<Tables>, arrivals: Arrival[], now: number): Promise<number[]> {
  const created_at = timestamp(now)
  const items = arrivals.flatMap(({ channel, items, delayMs }, arrival) =>
    items.map((item) => ({ ...item, channel, due_at: timestamp(now + delayMs), arrival })),
  )
  return db.transaction().execute(async (db) => {
    const mailboxes = new Map<string, number>()
    for (const { id, channel_id, thread } of await touchMailboxes(db, mailboxesOf(items)))
      mailboxes.set(keyOf(channel_id, thread), id)
    const rows = items.map(({ channel, thread, sourceId, kind, payload, due_at }) => {
      const mailbox_id = mailboxes.get(keyOf(channel.id, thread))
      if (mailbox_id === undefined) throw new Error('a mailbox was not returned')
      return {
        mailbox_id,
        channel_id: channel.id,
        source_id: sourceId,
        kind,
        payload: JSON.stringify(payload),
        state: 'waiting' as const,
        due_at,
        created_at,
      }
    })
    const fresh = new Set<string>()
    for (const { channel_id, source_id } of await insertInbound(db, rows))
      fresh.add(keyOf(channel_id, source_id ?? ''))
    const counts = arrivals.map(() => 0)
    // A copy within the same transaction is not new a second time.
    for (const { channel, sourceId, arrival } of items)
      if (fresh.delete(keyOf(channel.id, sourceId))) counts[arrival] = (counts[arrival] ?? 0) + 1
    return counts
  })
}

type KeyedItem = NewItem & { channel: Arrival['channel']; due_at: string }

/** Each mailbox once, and in one order whoever accepts, so that no two transactions wait for each other. */
function mailboxesOf(items: KeyedItem[]) {
  const mailboxes = new Map<string, MailboxTouch>()
  for (const { channel, thread, writableUntil, due_at } of items) {
    const key = keyOf(channel.id, thread)
    const known = mailboxes.get(key)
    mailboxes.set(key, {
      channel_id: channel.id,
      agent_id: channel.agent_id,
      thread,
      writable_until: latest(known?.writable_until ?? '', writableUntil ?? ''),
      due_at: known && known.due_at < due_at ? known.due_at : due_at,
    })
  }
  const sorted = [...mailboxes].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([, mailbox]) => mailbox)
}

function keyOf(channelId: number, id: string): string {
  return `${channelId} ${id}`
}

function latest(a: string, b: string): string {
  return a > b ? a : b
}
