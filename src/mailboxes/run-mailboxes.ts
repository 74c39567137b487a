import type { Kysely } from 'kysely'
import { raise } from '../events/raise.ts'
import { timestamp } from '../lib/clock.ts'
import { describeFailure } from '../lib/describe-failure.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import type { Lease } from '../work/lease.ts'
import { codeOf, MOST_ATTEMPTS, MOST_DEATHS, ProcessEnded, rule } from '../work/retry.ts'
import { type QueueDependencies, runQueue } from '../work/run-queue.ts'
import type { RunningWork } from '../work/run-work.ts'
import { updateItems } from './items.ts'
import { replayCrashed } from './replay-crashed.ts'
import * as store from './store.ts'
import type { MailboxItemRow, MailboxRow } from './tables.ts'
import { MAILBOXES } from './topics.ts'
import { wakePosted } from './wake-mailboxes.ts'

/** Items of a mailbox that are worked together. */
export interface Batch {
  mailbox: MailboxRow
  /** The items in their order. */
  items: MailboxItemRow[]
  lease: Lease
  /** The number of this attempt. */
  attempt: number
  /** True when a failure now parks the items. */
  isLastAttempt: boolean
  /** Fires when the lease is lost or the process stops. */
  signal: AbortSignal
}

/** The items that are worked next, together; or the time at which to look again. */
export type NextItems = MailboxItemRow[] | { waitUntil: string }

/** The work of a feature on the items of mailboxes. */
export interface Work {
  /** Chooses among the open items. */
  next(mailbox: MailboxRow, items: MailboxItemRow[], nowMs: number): NextItems
  /** Works a batch and finishes its items. Each of its transactions holds the lease. */
  run(batch: Batch): Promise<void>
  /** Runs in the transaction that parks items after their last attempt. */
  parked(db: Kysely<Tables>, batch: Batch, error: Error): Promise<void>
  /** Runs in the transaction that puts an item back that was parked only because processes ended. */
  replayed?(db: Kysely<Tables>, item: MailboxItemRow): Promise<void>
}

interface MailboxOptions extends QueueDependencies {
  work: Work
  /** The most mailboxes that are worked at once. */
  concurrency?: number
}

const CONCURRENCY = 400
const ITEMS_AT_ONCE = 500

/** Works many mailboxes at once. Across all processes, one worker at a time works a mailbox, in order. */
export function runMailboxes({
  work,
  concurrency = CONCURRENCY,
  ...dependencies
}: MailboxOptions): RunningWork {
  const { database, clock, logger } = dependencies
  const { db, engine } = database
  const posted = wakePosted({ database, clock, logger })
  const crashed = replayCrashed(dependencies, work.replayed)
  const mailboxes = runQueue<MailboxRow>(
    {
      name: 'channels',
      queue: store.mailboxQueue,
      topics: [MAILBOXES],
      atOnce: concurrency,
      endsAt: 'forced',
      findsSuspect: true,
      work: workMailbox,
      raise,
      about: ({ id, channel_id, agent_id }) => ({ agent_id, mailbox_id: id, channel_id }),
    },
    dependencies,
  )

  async function workMailbox(mailbox: MailboxRow, lease: Lease): Promise<void> {
    const rest = await workItems(mailbox, lease)
    await db.transaction().execute(async (db) => {
      if (lease.signal.aborted) await lease.free(db)
      else await store.mailboxQueue.end(db, mailbox)
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
    const attempt = Math.max(...items.map((item) => item.attempts)) + 1
    const isLastAttempt = attempt >= MOST_ATTEMPTS
    const batch: Batch = { mailbox, items, lease, attempt, isLastAttempt, signal: lease.signal }
    try {
      if (mailbox.deaths >= MOST_DEATHS) throw new ProcessEnded()
      await work.run(batch)
      if (mailbox.deaths > 0) await lease.transaction((db) => goFurther(db, mailbox))
      return null
    } catch (error) {
      // Failures that are not the fault of the items leave them unchanged, and another process may continue.
      if (lease.isLost || engine.isAway(error)) throw error
      if (lease.signal.aborted) return null
      const failure = error as Error
      logger.warn(
        { channel_id: mailbox.channel_id, attempt, error: describeFailure(failure) },
        'mailbox item failed',
      )
      const { dueAt, isParked } = rule(failure, attempt, clock())
      if (isParked) {
        await park(batch, ids, failure, dueAt)
        return null
      }
      const due_at = dueAt ?? timestamp(clock())
      await lease.transaction((db) =>
        updateItems(db, ids, { due_at, error: codeOf(failure), attempts: attempt }),
      )
      return due_at
    }
  }

  async function park(batch: Batch, ids: number[], error: Error, replay: string | null): Promise<void> {
    await batch.lease.transaction(async (db) => {
      await updateItems(db, ids, {
        state: 'parked',
        finished_at: timestamp(clock()),
        error: codeOf(error),
        attempts: batch.attempt,
        ...(replay === null ? {} : { due_at: replay }),
      })
      await work.parked(db, batch, error)
      await goFurther(db, batch.mailbox)
    })
  }

  /** Clears the failures of a mailbox. Its next items did not cause them. */
  async function goFurther(db: Kysely<Tables>, mailbox: MailboxRow): Promise<void> {
    await store.mailboxQueue.progress(db, mailbox)
    mailbox.deaths = 0
  }

  return {
    start(inTurn) {
      mailboxes.start(inTurn)
      posted.start(inTurn)
      crashed.start(inTurn)
    },
    async stop(limitMs) {
      await Promise.all([posted.stop(), crashed.stop(), mailboxes.stop(limitMs)])
    },
    running: mailboxes.running,
  }
}
