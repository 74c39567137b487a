import { type Kysely, sql } from 'kysely'
import type { Engine } from '../storage/engine.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { DeliveryState, NotificationRow, Tables } from '../storage/tables.ts'

type Db = Kysely<Tables>

/** Notifications for which something waits, and which may be sent to now. */
export const selectDueNotifications = prepared((db, param: ParamOf<{ now: string }>) =>
  db
    .selectFrom('notifications')
    .select(['id'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('deliveries')
          .select('deliveries.id')
          .whereRef('deliveries.notification_id', '=', 'notifications.id')
          .where(sql<boolean>`deliveries.state = 'pending'`),
      ),
    )
    .where('active', '=', 1)
    .where((where) => where.or([where('held_until', 'is', null), where('held_until', '<=', param('now'))])),
)

/** Takes one of a notification's slots; nothing when all are held. */
export async function takeSlot(
  db: Db,
  engine: Engine,
  id: number,
  { holder, now, until, most }: { holder: string; now: string; until: string; most: number },
): Promise<number | null> {
  const free = db
    .selectFrom('notification_slots')
    .select('slot')
    .where('notification_id', '=', id)
    .where('slot', '<', most)
    .where((where) => where.or([where('holder', 'is', null), where('held_until', '<', now)]))
    .limit(1)
    .$if(engine.kind === 'postgres', (query) => query.forUpdate().skipLocked())
  const row = await db
    .updateTable('notification_slots')
    .set({ holder, held_until: until })
    .where('notification_id', '=', id)
    .where('slot', '=', free)
    .returning('slot')
    .executeTakeFirst()
  return row?.slot ?? null
}

interface Slot {
  notification_id: number
  slot: number
  holder: string
}

/** Keeps a slot for longer; returns nothing when another process has it. */
export const renewSlot = prepared((db, param: ParamOf<Slot & { until: string }>) =>
  db
    .updateTable('notification_slots')
    .set({ held_until: param('until') })
    .where('notification_id', '=', param('notification_id'))
    .where('slot', '=', param('slot'))
    .where('holder', '=', param('holder'))
    .returning('slot'),
)

export const freeSlot = prepared((db, param: ParamOf<Slot>) =>
  db
    .updateTable('notification_slots')
    .set({ holder: null, held_until: null })
    .where('notification_id', '=', param('notification_id'))
    .where('slot', '=', param('slot'))
    .where('holder', '=', param('holder')),
)

const PENDING = sql<boolean>`state = 'pending'`

function oldestPending(skipsLocked: boolean) {
  return prepared((db, param: ParamOf<{ notification_id: number }>) =>
    db
      .selectFrom('deliveries')
      .selectAll()
      .where('notification_id', '=', param('notification_id'))
      .where(PENDING)
      .orderBy('id')
      .limit(1)
      .$if(skipsLocked, (query) => query.forUpdate().skipLocked()),
  )
}

/** Takes the oldest delivery that waits, for as long as the transaction lasts. On SQLite that one is alone anyway. */
export const takeDelivery = { sqlite: oldestPending(false), postgres: oldestPending(true) }

/** A notification as its deliveries need it. */
export type SendingNotification = NotificationRow & { agent_name: string }

export const selectNotificationById = prepared((db, param: ParamOf<{ id: number }>) =>
  db
    .selectFrom('notifications')
    .innerJoin('agents', 'agents.id', 'notifications.agent_id')
    .selectAll('notifications')
    .select('agents.name as agent_name')
    .where('notifications.id', '=', param('id')),
)

/** From the commit on it is being sent. */
export const writeSending = prepared((db, param: ParamOf<{ id: number; sent_at: string; payload: string }>) =>
  db
    .updateTable('deliveries')
    .set({ state: 'sending', sent_at: param('sent_at'), payload: param('payload') })
    .where('id', '=', param('id')),
)

export interface Outcome {
  id: number
  state: DeliveryState
  finished_at: string
  status: number | null
  failure: string | null
  duration_ms: number
  answer: string | null
}

/** Writes how a delivery ended. The answer may echo what was sent: after a redaction it is not kept. */
export const writeOutcome = prepared((db, param: ParamOf<Outcome>) =>
  db
    .updateTable('deliveries')
    .set((row) => ({
      state: param('state'),
      finished_at: param('finished_at'),
      status: param('status'),
      failure: param('failure'),
      duration_ms: param('duration_ms'),
      answer: row.case().when('payload', 'is', null).then(null).else(param('answer')).end(),
    }))
    .where('id', '=', param('id'))
    // Of one that was given up as unknown it is good to know after all.
    .where('state', 'in', ['sending', 'unknown']),
)

export const resetFailures = prepared((db, param: ParamOf<{ id: number }>) =>
  db.updateTable('notifications').set({ failures: 0, held_until: null }).where('id', '=', param('id')),
)

export const countFailure = prepared((db, param: ParamOf<{ id: number }>) =>
  db
    .updateTable('notifications')
    .set((row) => ({ failures: sql<number>`${row.ref('failures')} + 1` }))
    .where('id', '=', param('id'))
    .returning('failures'),
)

export const holdNotification = prepared((db, param: ParamOf<{ id: number; held_until: string }>) =>
  db
    .updateTable('notifications')
    .set({ held_until: param('held_until') })
    .where('id', '=', param('id')),
)

/** What was being sent when its process died: nobody knows whether it arrived, and it is not sent again. */
export async function markUnknown(db: Db, sentBefore: string, now: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ state: 'unknown', finished_at: now })
    .where(sql<boolean>`state = 'sending'`)
    .where('sent_at', '<', sentBefore)
    .execute()
}

export async function freeAllSlots(db: Db): Promise<void> {
  await db.updateTable('notification_slots').set({ holder: null }).where('holder', 'is not', null).execute()
}

/** Gives up what has waited too long. */
export async function expireDeliveries(db: Db, createdBefore: string, now: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ state: 'expired', finished_at: now })
    .where(PENDING)
    .where('created_at', '<', createdBefore)
    .execute()
}

/** Gives up what waits for a notification that is off or gone, raised in the moment when that happened. */
export async function expireUnwanted(db: Db, now: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ state: 'expired', finished_at: now })
    .where(PENDING)
    .where('notification_id', 'not in', (select) =>
      select.selectFrom('notifications').select('id').where('active', '=', 1),
    )
    .execute()
}

export async function expireDeliveriesOf(db: Db, notificationId: number, now: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ state: 'expired', finished_at: now })
    .where(PENDING)
    .where('notification_id', '=', notificationId)
    .execute()
}

/** Forgets deliveries that ended long ago; returns how many. */
export async function deleteOldDeliveries(db: Db, finishedBefore: string, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('deliveries')
    .where('id', 'in', (select) =>
      select.selectFrom('deliveries').select('id').where('finished_at', '<', finishedBefore).limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function selectNotificationIds(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('notifications').select('id').execute()
  return rows.map(({ id }) => id)
}

/** Forgets all but the newest deliveries of a notification, as far as they have ended; returns how many. */
export async function deleteSurplusDeliveries(
  db: Db,
  notificationId: number,
  kept: number,
  limit: number,
): Promise<number> {
  const oldestKept = await db
    .selectFrom('deliveries')
    .select('id')
    .where('notification_id', '=', notificationId)
    .orderBy('id', 'desc')
    .offset(kept)
    .limit(1)
    .executeTakeFirst()
  if (!oldestKept) return 0
  const { numDeletedRows } = await db
    .deleteFrom('deliveries')
    .where('id', 'in', (select) =>
      select
        .selectFrom('deliveries')
        .select('id')
        .where('notification_id', '=', notificationId)
        .where('id', '<=', oldestKept.id)
        .where('finished_at', 'is not', null)
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
