import type { Clock } from '../lib/clock.ts'

/** The time of the database, which decides leases and due times: the clocks of replicas need not agree. */
export interface DatabaseTime {
  /** The lead of this machine's clock over the database's, in milliseconds; 0 while they agree well enough. */
  aheadMs(): number
  /** Asks the database for its time. Before the first answer no lead is known. */
  measure(): Promise<void>
}

/** The difference up to which clocks agree well enough: asking for the time is no more exact. */
const AGREED_MS = 250
/** An answer that took longer is too inexact to use. */
const LONGEST_ASKED_MS = 2 * AGREED_MS
/** The lead beyond which signatures and certificates of others are judged wrongly. */
const MOST_AHEAD_MS = 2000

/** The time of a database that only this machine uses. */
export const ownTime: DatabaseTime = { aheadMs: () => 0, measure: async () => {} }

/**
 * Follows the time of a database on another machine. Between two answers it uses the monotonic clock, so that setting
 * the machine's clock changes nothing.
 * @param usual asks the database for its time, in milliseconds since the epoch
 */
export function followedTime(usual: () => Promise<number>) {
  let known: { databaseMs: number; at: number } | null = null
  return {
    aheadMs() {
      if (!known) return 0
      const ahead = Math.round(Date.now() - (known.databaseMs + performance.now() - known.at))
      return Math.abs(ahead) < AGREED_MS ? 0 : ahead
    },
    /** @param ask another way to ask */
    async measure(ask = usual): Promise<void> {
      const asked = performance.now()
      const databaseMs = await ask()
      const answered = performance.now()
      if (known && answered - asked > LONGEST_ASKED_MS) return
      known = { databaseMs, at: (asked + answered) / 2 }
    },
  }
}

/** Returns a clock of this machine that is corrected by the time of the database. */
export function setBy(time: DatabaseTime, clock: Clock): Clock {
  return () => clock() - time.aheadMs()
}

/** Describes the error of this machine's clock when it is wrong by seconds; otherwise returns null. */
export function skewInWords(time: DatabaseTime): string | null {
  const ahead = time.aheadMs()
  if (Math.abs(ahead) < MOST_AHEAD_MS) return null
  const seconds = Math.round(Math.abs(ahead) / 1000)
  return `the clock of this machine is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} the database's`
}
