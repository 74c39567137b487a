import type { Kysely } from 'kysely'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import { GONE_PROCESSES } from '../storage/presence.ts'
import type { Tables } from '../storage/tables.ts'

type Db = Kysely<Tables>

/** Takes as many of a notification's slots as are free, up to a number. */
export async function takeSlots(
  db: Db,
  id: number,
  { holder, now, until, most }: { holder: string; now: string; until: string; most: number },
): Promise<number> {
  const free = db
    .selectFrom('notification_slots')
    .select('slot')
    .where('notification_id', '=', id)
    .where('slot', '<', most)
    .where((where) =>
      where.or([
        where('holder', 'is', null),
        where('held_until', '<', now),
        where('holder', 'in', GONE_PROCESSES),
      ]),
    )
    .forNoKeyUpdate()
    .skipLocked()
  const rows = await db
    .updateTable('notification_slots')
    .set({ holder, held_until: until })
    .where('notification_id', '=', id)
    .where('slot', 'in', free)
    .returning('slot')
    .execute()
  return rows.length
}

interface HeldSlots {
  notification_id: number
  holder: string
}

/** Keeps slots for longer; returns those that are still held. */
export const renewSlots = prepared((db, param: ParamOf<HeldSlots & { until: string }>) =>
  db
    .updateTable('notification_slots')
    .set({ held_until: param('until') })
    .where('notification_id', '=', param('notification_id'))
    .where('holder', '=', param('holder'))
    .returning('slot'),
)

export const freeSlots = prepared((db, param: ParamOf<HeldSlots>) =>
  db
    .updateTable('notification_slots')
    .set({ holder: null, held_until: null })
    .where('notification_id', '=', param('notification_id'))
    .where('holder', '=', param('holder')),
)
