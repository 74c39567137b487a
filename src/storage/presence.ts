import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { DAY_MS, timestamp } from '../lib/clock.ts'
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
const KEPT_MS = 7 * DAY_MS

/**
 * The time after which a process of PostgreSQL with an unchanged count is gone. If it was only slow, its next beat brings
 * it back.
 */
export const GONE_AFTER_MS = 2500

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

interface LivingProcess {
  id: string
  beats: number
  version: string | null
}

/** Selects the processes that are not known to be gone. Before 0.2.0 their table had no versions. */
async function livingProcesses(db: Kysely<Tables>, hasVersions: boolean): Promise<LivingProcess[]> {
  const version = hasVersions ? sql`version` : sql`null`
  const { rows } = await sql<LivingProcess>`
    select id, beats, ${version} as version from processes where gone = 0 order by version`.execute(db)
  return rows
}

/** The number of processes of a version: null for those from before 0.2.0. */
export interface VersionCount {
  version: string | null
  count: number
}

function countVersions(processes: LivingProcess[]): VersionCount[] {
  const versions = Map.groupBy(processes, ({ version }) => version)
  return [...versions].map(([version, of]) => ({ version, count: of.length }))
}

/** Counts the processes that are not known to be gone. */
export async function livingVersions(db: Kysely<Tables>, hasVersions = true): Promise<VersionCount[]> {
  return countVersions(await livingProcesses(db, hasVersions))
}

/** Watches the processes of PostgreSQL for a while, and counts those that raise their counts. */
export async function beatingVersions(db: Kysely<Tables>, hasVersions: boolean): Promise<VersionCount[]> {
  const before = new Map((await livingProcesses(db, hasVersions)).map(({ id, beats }) => [id, beats]))
  if (before.size === 0) return []
  await wait(GONE_AFTER_MS)
  const after = await livingProcesses(db, hasVersions)
  return countVersions(after.filter(({ id, beats }) => before.get(id) !== beats))
}

/** Returns the beats of all processes, as a text that changes as long as one of them is alive. */
export async function beatsOfProcesses(db: Kysely<Tables>): Promise<string> {
  const rows = await db.selectFrom('processes').select(['id', 'beats']).orderBy('id').execute()
  return JSON.stringify(rows.map(({ id, beats }) => [id, beats]))
}

/** Selects the ids of processes that are gone, to find the rows that they held. */
export const GONE_PROCESSES = sql<string>`(select id from processes where gone = 1)`
/** Selects the ids of processes that are not known to be gone. */
export const LIVING_PROCESSES = sql<string>`(select id from processes where gone = 0)`
