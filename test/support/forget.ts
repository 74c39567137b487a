import type { Kysely } from 'kysely'
import { forgetOld, oldRows } from '../../src/app/forget-old.ts'
import type { Tables } from '../../src/storage/tables.ts'

/** Forgets what is old at a time, as housekeeping does; acts are kept for 400 days. */
export function forget(
  db: Kysely<Tables>,
  what: keyof ReturnType<typeof oldRows>,
  nowMs: number,
  eventDays = 90,
): Promise<void> {
  return forgetOld(db, oldRows({ auditDays: 400, eventDays })[what], nowMs)
}
