import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import { keepTrying } from '../storage/keep-trying.ts'
import type { Database } from '../storage/opened-database.ts'
import type { Tables } from '../storage/tables.ts'
import { writeHealth } from './endpoint-health.ts'
import type { Attempt } from './send-delivery.ts'
import { type Outcome, settleAndClaim, settleDeliveries } from './settle-and-claim.ts'

/** A delivery whose attempt has ended. */
export interface EndedDelivery {
  id: number
  attempt: Attempt
}

type Storage = Pick<Database, 'db' | 'engine'>

/** Stores the outcome of one delivery. Waits while a redaction holds it. */
export async function settleDelivery(db: Kysely<Tables>, ended: EndedDelivery, nowMs: number): Promise<void> {
  await settleDeliveries(db, [outcomeOf(ended, nowMs)])
}

/**
 * Stores the outcomes of several deliveries, each by itself so that none waits for another. Gives up an outcome that
 * cannot be stored.
 */
export async function settleEach(
  { db, engine }: Storage,
  ended: readonly EndedDelivery[],
  clock: Clock,
): Promise<void> {
  for (const one of ended) await keepTrying(engine, () => settleDelivery(db, one, clock())).catch(() => {})
}

/**
 * Stores the outcomes of deliveries of a notification, and the health of its endpoint. Never throws.
 * @param ended DELIVERIES_AT_ONCE at most
 * @returns `left`: those that could not be stored, because somebody holds them or the database is away; `failures`: the
 * endpoint's consecutive failures by now, null when unknown
 */
export async function settleWithHealth(
  { db, engine }: Storage,
  notificationId: number,
  ended: readonly EndedDelivery[],
  clock: Clock,
): Promise<{ left: EndedDelivery[]; failures: number | null }> {
  const store = async (db: Kysely<Tables>) => {
    const nowMs = clock()
    const attempts = ended.map(({ attempt }) => attempt)
    const failures = await writeHealth(db, notificationId, attempts, nowMs)
    const outcomes = ended.map((one) => outcomeOf(one, nowMs))
    const { settled } = await settleAndClaim(db, engine, null, outcomes, timestamp(nowMs))
    return { settled, failures }
  }
  const stored = await keepTrying(engine, () => db.transaction().execute(store)).catch(() => null)
  return {
    left: ended.filter(({ id }) => !stored?.settled.includes(id)),
    failures: stored?.failures ?? null,
  }
}

export function outcomeOf(
  { id, attempt: { durationMs: duration_ms, ...attempt } }: EndedDelivery,
  nowMs: number,
): Outcome {
  return { id, finished_at: timestamp(nowMs), duration_ms, ...attempt }
}
