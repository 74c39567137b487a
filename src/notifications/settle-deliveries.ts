import type { Kysely } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { type Outcome, settleDeliveries } from './advance-deliveries.ts'
import type { Attempt } from './send-delivery.ts'

/** A delivery whose one attempt is over. */
export interface EndedDelivery {
  id: number
  attempt: Attempt
}

/** Stores how one delivery ended, whoever else holds it at the moment. */
export async function settleDelivery(db: Kysely<Tables>, ended: EndedDelivery, now: number): Promise<void> {
  await settleDeliveries(db, [outcomeOf(ended, now)])
}

export function outcomeOf(
  { id, attempt: { durationMs: duration_ms, ...attempt } }: EndedDelivery,
  now: number,
): Outcome {
  return { id, finished_at: timestamp(now), duration_ms, ...attempt }
}
