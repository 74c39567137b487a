import type { Kysely } from 'kysely'
import { HOUR_MS, timestamp } from '../../lib/clock.ts'
import type { Tables } from '../../storage/tables.ts'
import { staleEditions } from '../hidden-passages.ts'
import { deleteUnlisted } from '../store.ts'
import { removeEdition } from './remove-edition.ts'

const STALE_MS = HOUR_MS

/** Deletes the remains of documents that a process was writing or removing when it died. */
export async function sweepHidden(db: Kysely<Tables>, nowMs: number, signal: AbortSignal): Promise<void> {
  const before = timestamp(nowMs - STALE_MS)
  for (const { agent_id, edition } of await staleEditions(db, before)) {
    signal.throwIfAborted()
    await removeEdition(db, agent_id, edition)
  }
  await deleteUnlisted(db, before)
}
