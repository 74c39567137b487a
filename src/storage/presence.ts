import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import { OWN_VERSION } from '../lib/own-version.ts'
import type { Tables } from './tables.ts'

/** Lets other processes know that this one is alive, so that the work it holds becomes free soon after it dies. */
export interface Presence {
  /** Marks the rows that this process holds. */
  readonly id: string
  /** Makes the other processes watch for the end of this one. */
  start(): Promise<void>
  /** Frees everything that this process still holds. */
  stop(): Promise<void>
}

/**
 * The time for which the row of a dead process is kept. By then its leases have run out, and no client repeats a
 * request to it.
 */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000

/** Creates the presence of the only process of a database: every earlier process is gone. */
export function singleProcessPresence(db: Kysely<Tables>): Presence {
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

/** Adds a process to those that are alive, and deletes those that ended long ago. */
export async function joinProcesses(db: Kysely<Tables>, id: string, nowMs: number): Promise<void> {
  const seen_at = timestamp(nowMs)
  await db
    .deleteFrom('processes')
    .where('gone', '=', 1)
    .where('seen_at', '<', timestamp(nowMs - KEPT_MS))
    .execute()
  await db
    .insertInto('processes')
    .values({ id, seen_at, version: OWN_VERSION })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ gone: 0, seen_at, version: OWN_VERSION }))
    .execute()
}

export async function leaveProcesses(db: Kysely<Tables>, id: string): Promise<void> {
  await db.updateTable('processes').set({ gone: 1 }).where('id', '=', id).execute()
}

/** Counts the processes that are not known to be gone, by version: null for those from before 0.2.0. */
export async function livingVersions(
  db: Kysely<Tables>,
): Promise<{ version: string | null; count: number }[]> {
  const rows = await db
    .selectFrom('processes')
    .select(({ fn }) => ['version', fn.countAll<number>().as('count')])
    .where('gone', '=', 0)
    .groupBy('version')
    .orderBy('version')
    .execute()
  return rows.map(({ version, count }) => ({ version, count: Number(count) }))
}

/** Returns the beats of all processes, as a text that changes as long as one of them is alive. */
export async function beatsOfProcesses(db: Kysely<Tables>): Promise<string> {
  const rows = await db.selectFrom('processes').select(['id', 'beats']).orderBy('id').execute()
  return JSON.stringify(rows.map(({ id, beats }) => [id, beats]))
}

/** Selects the ids of processes that are gone, for conditions on the rows that they held. */
export const GONE_PROCESSES = sql<string>`(select id from processes where gone = 1)`
/** Selects the ids of processes that are not known to be gone. */
export const LIVING_PROCESSES = sql<string>`(select id from processes where gone = 0)`
