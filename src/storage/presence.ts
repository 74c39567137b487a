import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from './tables.ts'

/** How others know that this process is there, so that what it holds is free soon after it has died. */
export interface Presence {
  /** Names this process in what it holds. */
  readonly id: string
  /** Has the others watch for the end of this process. */
  start(): Promise<void>
  /** Frees what this process still holds. */
  stop(): Promise<void>
}

/** Until then leases have run out, and nobody repeats a request of a process that is gone. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000

/** The presence of a process that is alone: whoever was there before is gone. */
export function alonePresence(db: Kysely<Tables>): Presence {
  const id = randomUUID()
  return {
    id,
    async start() {
      await db.transaction().execute(async (db) => {
        await db.updateTable('processes').set({ gone: 1 }).where('gone', '=', 0).execute()
        await joinProcesses(db, id, Date.now())
      })
    },
    stop: () => leaveProcesses(db, id),
  }
}

/** Adds a process to those that are there, and forgets those that went long ago. */
export async function joinProcesses(db: Kysely<Tables>, id: string, now: number): Promise<void> {
  const seen_at = timestamp(now)
  await db
    .deleteFrom('processes')
    .where('gone', '=', 1)
    .where('seen_at', '<', timestamp(now - KEPT_MS))
    .execute()
  await db
    .insertInto('processes')
    .values({ id, seen_at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ gone: 0, seen_at }))
    .execute()
}

export async function leaveProcesses(db: Kysely<Tables>, id: string): Promise<void> {
  await db.updateTable('processes').set({ gone: 1 }).where('id', '=', id).execute()
}

/** The ids of processes that are gone: for conditions on what they held. */
export const GONE_PROCESSES = sql<string>`(select id from processes where gone = 1)`
