import type { Kysely } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { insertInbound, touchMailbox } from './store.ts'

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

/**
 * Keeps what came in, in one transaction: once this resolves it is on disk, and each item is there once however
 * often and from how many sides it comes.
 * @param delayMs how long the items wait for others that follow
 * @returns how many were new
 */
export async function acceptItems(
  db: Kysely<Tables>,
  channel: { id: number; agent_id: number },
  items: NewItem[],
  delayMs: number,
  now: number,
): Promise<number> {
  const created_at = timestamp(now)
  const due_at = timestamp(now + delayMs)
  // Threads in one order whoever accepts, so that no two transactions wait for each other.
  const ordered = items.length > 1 ? items.toSorted((a, b) => compare(a.thread, b.thread)) : items
  return db.transaction().execute(async (db) => {
    let accepted = 0
    for (const { sourceId, thread, kind, payload, writableUntil } of ordered) {
      const [mailbox] = await touchMailbox(db, {
        channel_id: channel.id,
        agent_id: channel.agent_id,
        thread,
        writable_until: writableUntil ?? '',
        due_at,
      })
      if (!mailbox) throw new Error('a mailbox was not returned')
      const kept = await insertInbound(db, {
        mailbox_id: mailbox.id,
        channel_id: channel.id,
        source_id: sourceId,
        kind,
        payload: JSON.stringify(payload),
        due_at,
        created_at,
      })
      accepted += kept.length
    }
    return accepted
  })
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
