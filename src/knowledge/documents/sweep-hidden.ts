import type { Kysely } from 'kysely'
import { HOUR_MS, timestamp } from '../../lib/clock.ts'
import { workEach } from '../../lib/pacing/work-each.ts'
import type { Tables } from '../../storage/tables.ts'
import { staleEditions } from '../hidden-passages.ts'
import { deleteUnlisted } from '../store.ts'
import { removeEdition } from './remove-edition.ts'

const STALE_MS = HOUR_MS

/** Deletes the remains of documents that a process was writing or removing when it died. */
export async function sweepHidden(db: Kysely<Tables>, nowMs: number, signal: AbortSignal): Promise<void> {
  const before = timestamp(nowMs - STALE_MS)
  const stale = await staleEditions(db, before)
  await workEach(stale, ({ agent_id, edition }) => removeEdition(db, agent_id, edition), { signal })
  if (!signal.aborted) await deleteUnlisted(db, before)
}
