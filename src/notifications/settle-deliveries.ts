import type { Kysely } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import type { Engine } from '../storage/engine.ts'
import type { DeliveryRow, Tables } from '../storage/tables.ts'
import { writeFreeOutcomes, writeOutcomes } from './delivery-store.ts'
import type { Attempt } from './send-delivery.ts'

/** A delivery whose one attempt is over. */
export interface EndedDelivery {
  delivery: DeliveryRow
  attempt: Attempt
}

/** Stores how one delivery ended, whoever else holds it at the moment. */
export async function settleDelivery(db: Kysely<Tables>, ended: EndedDelivery, now: number): Promise<void> {
  await writeOutcomes(db, [outcomeOf(ended, now)])
}

/** Stores how deliveries ended; returns those that were not written, since a redaction may hold them at the moment. */
export async function settleFreeDeliveries(
  db: Kysely<Tables>,
  engine: Pick<Engine, 'kind'>,
  ended: readonly EndedDelivery[],
  now: number,
): Promise<EndedDelivery[]> {
  if (ended.length === 0) return []
  const outcomes = ended.map((one) => outcomeOf(one, now))
  const written = await writeFreeOutcomes[engine.kind](db, outcomes)
  return ended.filter(({ delivery }) => !written.includes(delivery.id))
}

function outcomeOf(
  { delivery, attempt: { durationMs: duration_ms, ...attempt } }: EndedDelivery,
  now: number,
) {
  return { id: delivery.id, finished_at: timestamp(now), duration_ms, ...attempt }
}
