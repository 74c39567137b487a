import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { MailboxRow, Tables } from '../storage/tables.ts'
import { renewLease } from './store.ts'

/** How long the chats of a worker that hangs wait for another one. */
const LEASE_MS = 10_000
const RENEW_EVERY_MS = 3_000

/** Another worker holds the mailbox: nothing more may be stored for it. */
export class LeaseLost extends Error {
  constructor() {
    super('the lease of a mailbox was lost')
    this.name = 'LeaseLost'
  }
}

/** The right to work one mailbox, as long as no later claim has been made. */
export interface Lease extends AsyncDisposable {
  /** Fires when the lease is lost, or the process stops. */
  readonly signal: AbortSignal
  /** Whether another worker has claimed the mailbox. */
  readonly isLost: boolean
  /**
   * Renews the lease within a transaction and keeps any other worker from claiming the mailbox until that ends.
   * @throws LeaseLost
   */
  hold(db: Kysely<Tables>): Promise<void>
}

export function leaseUntil(now: number): string {
  return timestamp(now + LEASE_MS)
}

/** Keeps a claimed mailbox's lease until it is disposed of. */
export function takeLease(
  db: Kysely<Tables>,
  { id, lease }: Pick<MailboxRow, 'id' | 'lease'>,
  clock: Clock,
  stopped: AbortSignal,
): Lease {
  const lost = new AbortController()

  async function hold(db: Kysely<Tables>): Promise<void> {
    const [held] = await renewLease(db, { id, lease, until: leaseUntil(clock()) })
    if (held) return
    lost.abort()
    throw new LeaseLost()
  }

  const timer = setInterval(() => {
    // A database that is away for a moment costs nothing: the next transaction tells.
    hold(db).catch(() => {})
  }, RENEW_EVERY_MS)
  timer.unref()
  return {
    signal: AbortSignal.any([lost.signal, stopped]),
    get isLost() {
      return lost.signal.aborted
    },
    hold,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
    },
  }
}
