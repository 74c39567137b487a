import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import { workEach } from '../lib/pacing/work-each.ts'
import type { Database } from '../storage/opened-database.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { type LookLoop, lookLoop } from '../work/look-loop.ts'
import { lockMailbox, selectMailboxesWithDueItems, selectUnwoken, setDue, wakeMailboxes } from './store.ts'
import { MAILBOXES, POSTED } from './topics.ts'

const MAILBOXES_AT_ONCE = 1000
const LOOK_EVERY_MS = 60_000

/**
 * Makes mailboxes due to which a transaction posted items without making them due itself. A pause posts to very many:
 * if it also made them due, incoming messages would wait for it. If the process dies in between, its next start or
 * another process makes up for it within a minute.
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
    const unwoken: number[] = []
    let ids: number[] = []
    do {
      const now = timestamp(clock())
      const page = { after: ids.at(-1) ?? 0, now, limit: MAILBOXES_AT_ONCE }
      ids = (await selectMailboxesWithDueItems(db, page)).map(({ mailbox_id }) => mailbox_id)
      if (ids.length > 0) unwoken.push(...(await wakeTogether(ids, now)))
    } while (ids.length === MAILBOXES_AT_ONCE && !stopping.aborted)
    // One by one, because a transaction that holds several mailboxes and waits for another may cause a deadlock.
    await workEach(unwoken, (id) => db.transaction().execute((db) => wakeOne(db, id)), { signal: stopping })
  }

  /** Returns the mailboxes that could not be woken together with others. */
  async function wakeTogether(ids: number[], now: string): Promise<number[]> {
    if ((await wakeMailboxes(db, ids, now)) > 0) wake(db, MAILBOXES)
    return selectUnwoken(db, ids, now)
  }

  /** Makes a mailbox due when the first of its items is, which a failure may have put off since it was looked at. */
  async function wakeOne(db: Kysely<Tables>, id: number): Promise<void> {
    await lockMailbox(db, { id })
    const [row] = await setDue(db, { id, earliest: '', seen: 0 })
    if (row?.due_at != null) wake(db, MAILBOXES)
  }

  const options = { name: 'posted messages', wakeUps, logger, topics: [POSTED], everyMs: LOOK_EVERY_MS }
  return lookLoop(options, wakeAll)
}
