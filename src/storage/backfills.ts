import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Engine } from './engine.ts'
import { type Backfill, later } from './migration.ts'
import { migrations } from './migrations.ts'
import type { Tables } from './tables.ts'
import { yieldingTransaction } from './yielding-transaction.ts'

/** What the work in the background needs. */
export interface BackfillWork {
  db: Kysely<Tables>
  engine: Engine
  report?: (words: string) => void
  signal?: AbortSignal | undefined
}

/** Rows of the first piece, and of each on a machine where fewer would take as long. */
const SMALLEST_SIZE = 500
const LARGEST_SIZE = 10_000
/** About how long a piece may take: whoever wants its rows waits, and on SQLite everybody who writes. */
const PIECE_MS = 50
const REPORT_EVERY_MS = 2000
/** The rest when others have to end something first. */
const REST_MS = 50

/** Does all that migrations have left to the background, in their order, and goes on where it or another process stood. */
export async function runBackfills(
  work: BackfillWork,
  backfills: readonly Backfill[] = migrations.flatMap(({ backfills }) => backfills ?? []),
): Promise<void> {
  const open = await openBackfills(work.db)
  for (const backfill of backfills) {
    if (open.includes(backfill.name) && !(await workOff(work, backfill))) return
  }
}

/** The names of what is left to do in the background. */
export async function openBackfills(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db.selectFrom('backfills').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

/** Where a backfill goes on; null: nothing of it is left. */
export async function placeOfBackfill(db: Kysely<Tables>, name: string): Promise<string | null> {
  const row = await db.selectFrom('backfills').select('at').where('name', '=', name).executeTakeFirst()
  return row?.at ?? null
}

/** Says where a backfill goes on, null at its end, unless another process has moved it on. */
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

/** Does a whole backfill, or what is left of it. */
export async function runPieces(work: BackfillWork, backfill: Backfill): Promise<void> {
  await later(backfill)(work.db, work.engine)
  while (!(await workOff(work, backfill))) {
    work.signal?.throwIfAborted()
    await wait(REST_MS)
  }
}

/** Returns true when all is done, false when it was asked to stop or another process is at it. */
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
    // It leaves others at least half of the time.
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
