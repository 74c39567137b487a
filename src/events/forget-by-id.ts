import { type Kysely, sql } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'

/** The number of rows in a window: few enough that no other write waits long for the deletion of all. */
const WINDOW = 1000

/** A table whose ids rise with time, and its column with the time. */
type InOrder = readonly ['events', 'occurred_at'] | readonly ['changes', 'at']

/**
 * Deletes the rows from before a time. Windows of ids are looked at from the lowest on, so that no index of times is
 * needed, until all rows of one are young. A process whose clock was wrong may have dated rows in the future: they stay,
 * and what lies behind them is deleted all the same.
 */
export async function forgetById(
  db: Kysely<Tables>,
  [table, time]: InOrder,
  { before, nowMs }: { before: string; nowMs: number },
  signal?: AbortSignal,
): Promise<void> {
  const now = timestamp(nowMs)
  let after = 0
  while (!signal?.aborted) {
    const { rows } = await sql<Window>`
      select max(id) as last, min(time) as oldest, max(time) as newest
      from (
        select id, ${sql.ref(time)} as time from ${sql.table(table)}
        where id > ${after} order by id limit ${sql.lit(WINDOW)}
      ) as looked_at`.execute(db)
    const window = rows[0]
    if (!window?.last) return
    const { last, oldest, newest } = window
    if (oldest < before)
      await sql`delete from ${sql.table(table)}
        where id > ${after} and id <= ${last} and ${sql.ref(time)} < ${before}`.execute(db)
    else if (newest <= now) return
    after = last
  }
}

/** The highest id of a window, and the times of its oldest and newest row; all null in a window without rows. */
type Window = { last: number; oldest: string; newest: string } | { last: null }
