import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import { describeFailure } from '../lib/describe-failure.ts'
import type { Database } from '../storage/engine.ts'
import type { MailboxItemRow, MailboxRow, Tables } from '../storage/tables.ts'
import { updateItems } from './items.ts'
import { type Lease, LeaseLost, leaseUntil, takeLease } from './lease.ts'
import * as store from './store.ts'
import { MAILBOXES } from './topics.ts'
import { wakePosted } from './wake-mailboxes.ts'

/** What a batch of items is worked with. */
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

/** A failure after which the items are tried again, at the time it names or a growing while later. */
export class TryAgain extends Error {
  /** Milliseconds. */
  readonly after: number | null
  /** What is kept of it with the items. */
  readonly code: string

  constructor(message: string, options: { after?: number | null; code?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'TryAgain'
    this.after = options.after ?? null
    this.code = options.code ?? this.name
  }
}

export interface Work {
  /** Which of the open items are worked next, together; or when to look again. */
  next(mailbox: MailboxRow, items: MailboxItemRow[], now: number): MailboxItemRow[] | { waitUntil: string }
  /** Works them; what it stores is stored in transactions that first `lease.hold(db)`. It finishes the items. */
  run(batch: Batch): Promise<void>
  /** In the transaction that parks items after their last attempt. */
  parked(db: Kysely<Tables>, batch: Batch, error: Error): Promise<void>
}

export interface RunnerOptions {
  database: Pick<Database, 'db' | 'wakeUps' | 'presence'>
  clock: Clock
  logger: FastifyBaseLogger
  work: Work
  /** Mailboxes worked at once. */
  concurrency?: number
}

const CONCURRENCY = 100
const MOST_ATTEMPTS = 5
const ITEMS_AT_ONCE = 500
/** How often a runner looks without being told. */
const LOOK_EVERY_MS = 1000
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000

/**
 * Works mailboxes: each in order and by one worker at a time across all processes, different ones side by side.
 * A worker that dies leaves its lease behind; when its process is known to be gone another one goes on.
 */
export function runMailboxes({ database, clock, logger, work, concurrency = CONCURRENCY }: RunnerOptions) {
  const { db, wakeUps, presence } = database
  const running = new Set<Promise<void>>()
  const stopped = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let claiming: Promise<void> | null = null
  let isAskedAgain = false
  let isOn = false

  function look(): void {
    if (!isOn) return
    isAskedAgain = true
    claiming ??= claimAll().finally(() => {
      claiming = null
      if (isAskedAgain && running.size < concurrency) look()
    })
  }

  async function claimAll(): Promise<void> {
    clearTimeout(timer)
    let pause = LOOK_EVERY_MS
    try {
      while (isAskedAgain && isOn && running.size < concurrency) {
        isAskedAgain = false
        const limit = concurrency - running.size
        const now = clock()
        const claim = { holder: presence.id, now: timestamp(now), until: leaseUntil(now), limit }
        const claimed = await store.claimMailboxes(db, claim)
        for (const mailbox of claimed) begin(mailbox)
        if (claimed.length === limit) isAskedAgain = true
      }
      pause = await untilNextDue()
    } catch (error) {
      logger.warn({ error: describeFailure(error) }, 'mailboxes cannot be claimed')
    }
    if (!isOn) return
    timer = setTimeout(look, pause)
    timer.unref()
  }

  async function untilNextDue(): Promise<number> {
    const now = clock()
    const [next] = await store.selectNextDue(db, { now: timestamp(now) })
    if (!next?.due_at || running.size >= concurrency) return LOOK_EVERY_MS
    return Math.min(LOOK_EVERY_MS, Math.max(1, Date.parse(next.due_at) - now))
  }

  function begin(mailbox: MailboxRow): void {
    const task = workMailbox(mailbox)
      .catch((error: Error) => {
        if (!(error instanceof LeaseLost))
          logger.error({ error: describeFailure(error) }, 'a mailbox was left')
      })
      .finally(() => {
        running.delete(task)
        if (running.size === concurrency - 1) look()
      })
    running.add(task)
  }

  async function workMailbox(mailbox: MailboxRow): Promise<void> {
    await using lease = takeLease(db, mailbox, clock, stopped.signal)
    const rest = await workItems(mailbox, lease)
    if (lease.isLost) return
    const isDue = await db.transaction().execute(async (db) => {
      const [freed] = await store.freeMailbox(db, { id: mailbox.id, lease: mailbox.lease })
      if (!freed) return false
      const [row] = await store.setDue(db, { id: mailbox.id, ...rest })
      return row?.due_at != null
    })
    // Something has come since the last look, or is waited for.
    if (isDue) look()
  }

  /** @returns when the items up to a number are to be looked at again, whatever they say themselves */
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

  /** @returns when the mailbox may be looked at again after a failure; null when it goes on at once */
  async function attempt(mailbox: MailboxRow, items: MailboxItemRow[], lease: Lease): Promise<string | null> {
    const ids = items.map(({ id }) => id)
    const attempts = Math.max(...items.map((item) => item.attempts)) + 1
    const isLastAttempt = attempts >= MOST_ATTEMPTS
    const batch: Batch = { mailbox, items, lease, isLastAttempt, signal: lease.signal }
    // Counted before it is worked: what ends the process counts too.
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
      // The process stops: the next worker takes it up.
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
      const after = (failure instanceof TryAgain ? failure.after : null) ?? pauseAfter(attempts)
      const due_at = timestamp(clock() + after)
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

  const posted = wakePosted({ database, clock, logger, woken: look })
  let unlisten = () => {}
  return {
    start() {
      isOn = true
      posted.start()
      unlisten = wakeUps.listen(MAILBOXES, look)
      look()
    },
    /** Claims nothing more and waits for what is under way; what is not done by then is left to the next worker. */
    async stop(limitMs: number) {
      isOn = false
      unlisten()
      clearTimeout(timer)
      const impatient = setTimeout(() => stopped.abort(), limitMs)
      await posted.stop()
      await claiming
      await Promise.all(running)
      clearTimeout(impatient)
    },
    /** Mailboxes being worked at this moment. */
    running: () => running.size,
  }
}

function pauseAfter(attempts: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 4 ** (attempts - 1))
}

/** What may be kept of a failure: its kind, never its words. */
function codeOf(error: Error): string {
  return error instanceof TryAgain ? error.code : error.name
}
