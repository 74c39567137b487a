import type { FastifyBaseLogger } from 'fastify'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Database } from '../storage/engine.ts'
import { wake } from '../storage/waking-db.ts'
import { type LookLoop, lookLoop } from '../work/look-loop.ts'
import { makeDue } from './items.ts'
import { selectMailboxesWithDueItems, selectUnwoken, wakeMailboxes } from './store.ts'
import { MAILBOXES, POSTED } from './topics.ts'

const MAILBOXES_AT_ONCE = 1000
const LOOK_EVERY_MS = 60_000

/**
 * Makes mailboxes due to which something was posted without that, as a pause does: to write all of them in the pause's
 * own transaction would keep everything that comes in meanwhile waiting. If the process that posted dies, this is made
 * up for at the next start, or within a minute by another process.
 */
export function wakePosted({
  database: { db, wakeUps },
  clock,
  logger,
}: {
  database: Pick<Database, 'db' | 'wakeUps'>
  clock: Clock
  logger: FastifyBaseLogger
}): LookLoop {
  async function wakeAll(stopping: AbortSignal): Promise<void> {
    let ids: number[] = []
    do {
      const now = timestamp(clock())
      const page = { after: ids.at(-1) ?? 0, now, limit: MAILBOXES_AT_ONCE }
      ids = (await selectMailboxesWithDueItems(db, page)).map(({ mailbox_id }) => mailbox_id)
      if (ids.length > 0) await wakeEach(ids, now)
    } while (ids.length === MAILBOXES_AT_ONCE && !stopping.aborted)
  }

  async function wakeEach(ids: number[], now: string): Promise<void> {
    if ((await wakeMailboxes(db, ids, now)) > 0) wake(db, MAILBOXES)
    // One by one: to hold several and wait for another could be to wait in a circle.
    for (const id of await selectUnwoken(db, ids, now)) await makeDue(db, { id, due_at: now })
  }

  const options = { name: 'posted messages', wakeUps, logger, topics: [POSTED], everyMs: LOOK_EVERY_MS }
  return lookLoop(options, wakeAll)
}
