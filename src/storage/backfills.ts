import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Engine } from './engine.ts'
import { type Backfill, later } from './migration.ts'
import { migrations } from './migrations.ts'
import type { Tables } from './tables.ts'
import { yieldingTransaction } from './yielding-transaction.ts'

/** The dependencies of background work. */
export interface BackfillWork {
  db: Kysely<Tables>
  engine: Engine
  report?: (words: string) => void
  signal?: AbortSignal | undefined
}

/** The rows of the first piece, and the fewest of any later one. */
const SMALLEST_SIZE = 500
const LARGEST_SIZE = 10_000
/** The time a piece may take, roughly: it blocks others who need its rows, and on SQLite every writer. */
const PIECE_MS = 50
const REPORT_EVERY_MS = 2000
/** The pause when other transactions have to end first. */
const REST_MS = 50

/**
 * Runs the backfills that migrations left to the background, in order, resuming where this or another process stopped.
 */
export async function runBackfills(
  work: BackfillWork,
  backfills: readonly Backfill[] = migrations.flatMap(({ backfills }) => backfills ?? []),
): Promise<void> {
  const open = await openBackfills(work.db)
  for (const backfill of backfills) {
    if (open.includes(backfill.name) && !(await workOff(work, backfill))) return
  }
}

/** Returns the names of the backfills that are not complete. */
export async function openBackfills(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db.selectFrom('backfills').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

/** Returns the place where a backfill goes on; null when it is complete. */
export async function placeOfBackfill(db: Kysely<Tables>, name: string): Promise<string | null> {
  const row = await db.selectFrom('backfills').select('at').where('name', '=', name).executeTakeFirst()
  return row?.at ?? null
}

/** Stores the place where a backfill goes on, null at its end, unless another process has moved it on. */
export async function moveBackfill(
  db: Kysely<Tables>,
  name: string,
  from: string,
  to: string | null,
): Promise<void> {
  if (to === null) await db.deleteFrom('backfills').where('name', '=', name).where('at', '=', from).execute()
  else
    await db
      .updateTable('backfills')
      .set({ at: to })
      .where('name', '=', name)
      .where('at', '=', from)
      .execute()
}

/** Runs a whole backfill, or the rest of it. */
export async function runPieces(work: BackfillWork, backfill: Backfill): Promise<void> {
  await later(backfill)(work.db, work.engine)
  while (!(await workOff(work, backfill))) {
    work.signal?.throwIfAborted()
    await wait(REST_MS)
  }
}

/** Returns true when all is done, false when it was asked to stop or another process runs the backfill. */
async function workOff({ db, engine, report, signal }: BackfillWork, backfill: Backfill): Promise<boolean> {
  const { name } = backfill
  let size = SMALLEST_SIZE
  let looked = 0
  let reportedAt = performance.now()
  while (!signal?.aborted) {
    const began = performance.now()
    const outcome = await yieldingTransaction(db, engine, (db) => doPiece(db, engine, backfill, size)).catch(
      (error): Outcome => {
        if (!engine.isLocked(error)) throw error
        return 'waits'
      },
    )
    const tookMs = performance.now() - began
    if (outcome === 'done') return true
    if (outcome === 'taken') return false
    if (outcome === 'moved') looked += size
    if (performance.now() - reportedAt > REPORT_EVERY_MS) {
      report?.(`${name}, ${looked} rows so far`)
      reportedAt = performance.now()
    }
    // The pause leaves others at least half of the time.
    await wait(outcome === 'moved' ? tookMs : REST_MS)
    size = Math.ceil(Math.min(LARGEST_SIZE, Math.max(SMALLEST_SIZE, size * Math.min(2, PIECE_MS / tookMs))))
  }
  return false
}

type Outcome = 'done' | 'taken' | 'moved' | 'waits'

async function doPiece(
  db: Kysely<Tables>,
  engine: Engine,
  backfill: Backfill,
  size: number,
): Promise<Outcome> {
  const open = db.selectFrom('backfills').where('name', '=', backfill.name)
  const row = await open.select('at').forUpdate().skipLocked().executeTakeFirst()
  if (!row) return (await open.select('at').executeTakeFirst()) ? 'taken' : 'done'
  const next = await backfill.piece(db, row.at, size, engine)
  if (next === row.at) return 'waits'
  await moveBackfill(db, backfill.name, row.at, next)
  return next === null ? 'done' : 'moved'
}
