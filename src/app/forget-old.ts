import type { Kysely } from 'kysely'
import { deleteOldActs } from '../audit/store.ts'
import { EVENTS_KEPT_MS } from '../channels/receive.ts'
import { REPEATS_KEPT_MS } from '../idempotency/repeats.ts'
import { deleteOldIdempotencyKeys } from '../idempotency/store.ts'
import { deleteBulkActsBefore, deleteItemsOfFinished } from '../inbox/bulk/store.ts'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import { inBatches } from '../lib/pacing/in-batches.ts'
import { deleteRunsBefore } from '../macros/store.ts'
import { deleteFinishedItems } from '../mailboxes/items.ts'
import { deleteNoticesBefore } from '../notices/store.ts'
import { deleteEndedJobs, deleteOldCtaCounts, deleteOldRuleLog } from '../rules/store.ts'
import type { Tables } from '../storage/tables.ts'

/** Deletes at most `limit` rows from before a time. Returns the number of them. */
type DeleteSome = (db: Kysely<Tables>, before: string, limit: number) => Promise<number>

/** Rows that are forgotten by their age: for how long they are kept, and what deletes them. */
type OldRows = readonly [keptMs: number, ...DeleteSome[]]

/** A run of a macro may be a part of a bulk act, so both are kept for as long. */
const ACTS_KEPT_MS = 30 * DAY_MS

/** All rows that are only forgotten by their age, by what the log calls them. */
export function oldRows({ auditDays, eventDays }: { auditDays: number; eventDays: number }) {
  return {
    'finished items': [EVENTS_KEPT_MS, deleteFinishedItems],
    'idempotency keys': [REPEATS_KEPT_MS, deleteOldIdempotencyKeys],
    acts: [auditDays * DAY_MS, deleteOldActs],
    'runs of macros': [ACTS_KEPT_MS, deleteRunsBefore],
    'bulk acts': [
      ACTS_KEPT_MS,
      // What is left of any finished act, of whatever age.
      (db, _before, limit) => deleteItemsOfFinished(db, limit),
      deleteBulkActsBefore,
    ],
    notices: [30 * DAY_MS, deleteNoticesBefore],
    'rule records': [
      eventDays * DAY_MS,
      (db, before, limit) => deleteEndedJobs(db, 'automation_jobs', before, limit),
      (db, before, limit) => deleteEndedJobs(db, 'desk_jobs', before, limit),
      deleteOldCtaCounts,
      deleteOldRuleLog,
    ],
  } satisfies Record<string, OldRows>
}

/** Deletes the rows that are older than they are kept for. */
export async function forgetOld(
  db: Kysely<Tables>,
  [keptMs, ...deletes]: OldRows,
  nowMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const before = timestamp(nowMs - keptMs)
  for (const deleteSome of deletes) await inBatches((limit) => deleteSome(db, before, limit), signal)
}
