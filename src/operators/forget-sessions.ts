import type { Kysely } from 'kysely'
import { inBatches } from '../lib/pacing/in-batches.ts'
import type { Tables } from '../storage/tables.ts'
import { deleteOldLinks } from './links.ts'
import { deleteOldSessions } from './sessions.ts'
import { deleteOldFailures } from './sign-in-failures.ts'

/** Deletes sessions and links that have expired, and refused sign-ins that no longer count. */
export async function forgetSessions(db: Kysely<Tables>, nowMs: number, signal?: AbortSignal): Promise<void> {
  await inBatches((limit) => deleteOldSessions(db, nowMs, limit), signal)
  await inBatches((limit) => deleteOldFailures(db, nowMs, limit), signal)
  await inBatches((limit) => deleteOldLinks(db, nowMs, limit), signal)
}
