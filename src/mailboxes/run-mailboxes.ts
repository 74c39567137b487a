import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import { describeFailure } from '../lib/describe-failure.ts'
import type { Database } from '../storage/opened-database.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import type { Lease } from '../work/lease.ts'
import { codeOf, MOST_ATTEMPTS, nextAttemptAt } from '../work/retry.ts'
import { type RunningWork, runWork, type Stop } from '../work/run-work.ts'
import { updateItems } from './items.ts'
import * as store from './store.ts'
import type { MailboxItemRow, MailboxRow } from './tables.ts'
import { MAILBOXES } from './topics.ts'
import { wakePosted } from './wake-mailboxes.ts'

/** Items of a mailbox that are worked together. */
export interface Batch {
  mailbox: MailboxRow
  /** In their order. */
  items: MailboxItemRow[]
  lease: Lease
  /** Whether a failure now parks the items. */
  isLastAttempt: boolean
  /** Fires when the lease is lost or the process stops. */
  signal: AbortSignal
}

/** What a feature does with the items of mailboxes. */
export interface Work {
  /** Chooses the open items that are worked next, together; or says when to look again. */
  next(mailbox: MailboxRow, items: MailboxItemRow[], nowMs: number): MailboxItemRow[] | { waitUntil: string }
  /** Works a batch and finishes its items. Each of its transactions begins with `lease.hold(db)`. */
  run(batch: Batch): Promise<void>
  /** Called in the transaction that parks items after their last attempt. */
  parked(db: Kysely<Tables>, batch: Batch, error: Error): Promise<void>
}

export interface MailboxOptions {
  database: Pick<Database, 'db' | 'wakeUps' | 'presence'>
  clock: Clock
  logger: FastifyBaseLogger
  work: Work
  /** How many mailboxes are worked at once. */
  concurrency?: number
}

const CONCURRENCY = 100
const ITEMS_AT_ONCE = 500

/** Works many mailboxes at once. Across all processes one worker at a time works a mailbox, in order. */
export function runMailboxes({
  database,
  clock,
  logger,
  work,
  concurrency = CONCURRENCY,
}: MailboxOptions): RunningWork {
  const { db, presence } = database
  const posted = wakePosted({ database, clock, logger })
  const mailboxes = runWork<MailboxRow>(
    {
      name: 'mailboxes',
      topics: [MAILBOXES],
      atOnce: concurrency,
      claim: (limit) => store.claimMailboxes(db, { holder: presence.id, nowMs: clock(), limit }),
      nextDue: () => store.selectNextDue(db, timestamp(clock())),
      work: workMailbox,
      about: ({ id, channel_id }) => ({ mailbox_id: id, channel_id }),
    },
    { database, clock, logger },
  )

  async function workMailbox(mailbox: MailboxRow, stop: Stop): Promise<void> {
    using lease = store.mailboxLeases.take(db, mailbox, clock, stop.forced)
    const rest = await workItems(mailbox, lease)
    await db.transaction().execute(async (db) => {
      await lease.free(db)
      const [row] = await store.setDue(db, { id: mailbox.id, ...rest })
      // An item has come since the last look, or waits for its time.
      if (row?.due_at != null) wake(db, MAILBOXES, 'here')
    })
  }

  /** @returns `earliest`: the items with ids up to `seen` are not due before this time */
  async function workItems(mailbox: MailboxRow, lease: Lease): Promise<{ earliest: string; seen: number }> {
    while (!lease.signal.aborted) {
      const open = await store.selectOpenItems(db, { mailbox_id: mailbox.id, limit: ITEMS_AT_ONCE })
      if (open.length === 0) break
      const isAll = open.length < ITEMS_AT_ONCE
      const seen = isAll ? (open.at(-1)?.id ?? 0) : Number.MAX_SAFE_INTEGER
      const items = work.next(mailbox, open, clock())
      if (!Array.isArray(items)) return { earliest: items.waitUntil, seen }
      const pause = await attempt(mailbox, items, lease)
      if (pause !== null) return { earliest: pause, seen }
    }
    return { earliest: '', seen: 0 }
  }

  /** @returns when the mailbox is due again after a failure; null to go on at once */
  async function attempt(mailbox: MailboxRow, items: MailboxItemRow[], lease: Lease): Promise<string | null> {
    const ids = items.map(({ id }) => id)
    const attempts = Math.max(...items.map((item) => item.attempts)) + 1
    const isLastAttempt = attempts >= MOST_ATTEMPTS
    const batch: Batch = { mailbox, items, lease, isLastAttempt, signal: lease.signal }
    // Counted before the work, so that an attempt that ends the process counts too.
    await db.transaction().execute(async (db) => {
      await lease.hold(db)
      await store.countAttempt(db, ids)
    })
    try {
      if (attempts > MOST_ATTEMPTS) throw new Error('each attempt ended the process')
      await work.run(batch)
      return null
    } catch (error) {
      if (lease.isLost) throw error
      // The process stops, and another one takes the items up.
      if (lease.signal.aborted) return null
      const failure = error as Error
      logger.warn(
        { channel_id: mailbox.channel_id, attempt: attempts, error: describeFailure(failure) },
        'mailbox item failed',
      )
      if (isLastAttempt) {
        await park(batch, ids, failure)
        return null
      }
      const due_at = nextAttemptAt(failure, attempts, clock())
      await db.transaction().execute(async (db) => {
        await lease.hold(db)
        await updateItems(db, ids, { due_at, error: codeOf(failure) })
      })
      return due_at
    }
  }

  async function park(batch: Batch, ids: number[], error: Error): Promise<void> {
    await db.transaction().execute(async (db) => {
      await batch.lease.hold(db)
      await updateItems(db, ids, {
        state: 'parked',
        finished_at: timestamp(clock()),
        error: codeOf(error),
      })
      await work.parked(db, batch, error)
    })
  }

  return {
    start() {
      posted.start()
      mailboxes.start()
    },
    async stop(limitMs) {
      await Promise.all([posted.stop(), mailboxes.stop(limitMs)])
    },
    running: mailboxes.running,
  }
}
