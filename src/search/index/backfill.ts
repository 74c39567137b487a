import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import { indexPending, MOST_WAITING } from './index-pending.ts'
import type { SearchedTexts } from './searched-texts.ts'
import { advanceBackfill, agentsWithPending, insertPending, readBackfill } from './store.ts'

/** The number of ids that one transaction looks through for texts to queue. */
const WINDOW = 2000

interface Dependencies {
  db: Kysely<Tables>
  texts: SearchedTexts
  engine: Pick<Engine, 'lock' | 'isAway' | 'isLocked'>
  logger: Pick<FastifyBaseLogger, 'warn'>
}

/**
 * Indexes texts written before the index existed, the newest first. Continues where this or another process stopped.
 */
export async function backfill(dependencies: Dependencies, signal: AbortSignal): Promise<void> {
  const { db, texts } = dependencies
  for (const { kind, next_id } of await readBackfill(db)) {
    for (let next = next_id; next > 0 && !signal.aborted; ) {
      const from = Math.max(0, next - WINDOW)
      const upTo = next
      const isOurs = await db.transaction().execute(async (db) => {
        if (!(await advanceBackfill(db, kind, upTo, from))) return false
        const rows = await texts.list(db, kind, from, upTo)
        await insertPending(
          db,
          rows.map((row) => ({ ...row, kind })),
        )
        return true
      })
      // Another process has taken this window and continues.
      if (!isOurs) return
      next = from
      for (const agentId of await agentsWithPending(db, MOST_WAITING))
        await indexPending(dependencies, agentId, signal)
    }
  }
}
