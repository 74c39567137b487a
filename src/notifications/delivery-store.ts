import { type Kysely, sql } from 'kysely'
import { agentNames } from '../agents/agent-names.ts'
import { toldEvents } from '../events/told-events.ts'
import { channelNames } from '../mailboxes/channel-names.ts'
import { countRows } from '../storage/count-rows.ts'
import { deleteSome } from '../storage/delete-some.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import { conversationChannels } from '../transcripts/doors/conversation-channels.ts'
import { isFree, leasesOf } from '../work/lease.ts'
import type { NotificationRow } from './tables.ts'

type Db = Kysely<Tables>

/**
 * Selects notifications with waiting deliveries that may be sent to now and that no other process works. The subquery
 * is compared with null because PostgreSQL would turn an `exists` into a join. If it planned that join while little
 * waited, it would later read everything that waits.
 * @param holder this process
 */
export const selectDueNotifications = prepared((db, param: ParamOf<{ holder: string; now: string }>) =>
  db
    .selectFrom('notifications')
    .innerJoin(agentNames(db), 'agent.id', 'notifications.agent_id')
    .select(['notifications.id', 'agent.team_id'])
    .where(
      ({ selectFrom }) =>
        selectFrom('deliveries')
          .select('deliveries.id')
          .whereRef('deliveries.notification_id', '=', 'notifications.id')
          .where(sql<boolean>`deliveries.state = 'pending'`)
          .limit(1),
      'is not',
      null,
    )
    .where('active', '=', 1)
    .where((where) => where.or([where('held_until', 'is', null), where('held_until', '<=', param('now'))]))
    .where((where) =>
      where.or([isFree(param('now'), param('holder')), where('holder', '=', param('holder'))]),
    ),
)

export const notificationLeases = leasesOf('notifications')

/** Claims those of some notifications that no process works. */
export async function claimNotifications(
  db: Db,
  ids: readonly number[],
  claim: { holder: string; nowMs: number },
): Promise<NotificationRow[]> {
  if (ids.length === 0) return []
  const wanted = db.selectFrom('notifications').select('id').where('id', 'in', ids)
  return notificationLeases.claimOf(db, wanted, { ...claim, limit: ids.length })
}

const PENDING = sql<boolean>`state = 'pending'`

/** Selects deliveries with the event and the channel for their bodies. */
function withEvents(db: Db) {
  return db
    .selectFrom('deliveries')
    .leftJoin(toldEvents(db), (join) =>
      join.onRef('event.id', '=', 'deliveries.event_id').onRef('event.agent_id', '=', 'deliveries.agent_id'),
    )
    .leftJoin(conversationChannels(db), 'conversation.id', 'event.conversation_id')
    .leftJoin(channelNames(db), 'channel.id', 'conversation.channel_id')
    .select(['deliveries.id', 'deliveries.agent_id', 'deliveries.event_key', 'deliveries.created_at'])
    .select(['deliveries.replay_of', 'event.occurred_at', 'event.completion_id', 'event.data'])
    .select(['event.trace_id', 'event.span_id', 'event.trace_flags', 'event.tracestate'])
    .select(['conversation.channel_id', 'channel.name as channel_name', 'channel.kind as channel_kind'])
}

/** Reads the oldest deliveries that wait. */
export const selectWaiting = prepared((db, param: ParamOf<{ notification_id: number; limit: number }>) =>
  withEvents(db)
    .where('deliveries.notification_id', '=', param('notification_id'))
    .where(sql<boolean>`deliveries.state = 'pending'`)
    .orderBy('deliveries.id')
    .limit(param('limit')),
)

export const selectSending = prepared((db, param: ParamOf<{ id: number }>) =>
  withEvents(db).where('deliveries.id', '=', param('id')),
)

export type DeliveryWithEvent = Awaited<ReturnType<typeof selectWaiting>>[number]

/** Stores the body of a delivery that is `sending` already. */
export async function writePayload(db: Db, id: number, payload: string): Promise<void> {
  await db.updateTable('deliveries').set({ payload }).where('id', '=', id).execute()
}

/** A notification with the name of its agent, which the bodies contain. */
export type SendingNotification = NotificationRow & { agent_name: string }

export const selectNotificationById = prepared((db, param: ParamOf<{ id: number }>) =>
  db
    .selectFrom('notifications')
    .innerJoin(agentNames(db), 'agent.id', 'notifications.agent_id')
    .selectAll('notifications')
    .select('agent.name as agent_name')
    .where('notifications.id', '=', param('id')),
)

export const resetFailures = prepared((db, param: ParamOf<{ id: number }>) =>
  db.updateTable('notifications').set({ failures: 0, held_until: null }).where('id', '=', param('id')),
)

export const countFailures = prepared((db, param: ParamOf<{ id: number; failed: number }>) =>
  db
    .updateTable('notifications')
    .set((row) => ({ failures: sql<number>`${row.ref('failures')} + ${param('failed')}` }))
    .where('id', '=', param('id'))
    .returning('failures'),
)

export const holdNotification = prepared((db, param: ParamOf<{ id: number; held_until: string }>) =>
  db
    .updateTable('notifications')
    .set({ held_until: param('held_until') })
    .where('id', '=', param('id')),
)

/** Marks deliveries whose process died while it sent them, and returns their number. They may have arrived, so they are not sent again. */
export async function markUnknown(db: Db, sentBefore: string, now: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ state: 'unknown', finished_at: now })
    .where(sql<boolean>`state = 'sending'`)
    .where('sent_at', '<', sentBefore)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Gives up deliveries that have waited too long; returns their number. */
export async function expireDeliveries(db: Db, createdBefore: string, now: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ state: 'expired', finished_at: now })
    .where(PENDING)
    .where('created_at', '<', createdBefore)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/**
 * Gives up deliveries of notifications that are off or deleted; returns their number. An event may have added some at
 * the moment of the change.
 */
export async function expireUnwanted(db: Db, now: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ state: 'expired', finished_at: now })
    .where(PENDING)
    .where('notification_id', 'not in', (select) =>
      select.selectFrom('notifications').select('id').where('active', '=', 1),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function expireDeliveriesOf(db: Db, notificationId: number, now: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ state: 'expired', finished_at: now })
    .where(PENDING)
    .where('notification_id', '=', notificationId)
    .execute()
}

/** Deletes some of the deliveries that ended before a time; returns the number of them. */
export function deleteOldDeliveries(db: Db, finishedBefore: string, limit: number): Promise<number> {
  const old = db.selectFrom('deliveries').select('id').where('finished_at', '<', finishedBefore).limit(limit)
  return deleteSome(db, 'deliveries', ['id'], old)
}

export async function selectNotificationIds(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('notifications').select('id').execute()
  return rows.map(({ id }) => id)
}

/** Deletes some of the ended deliveries of a notification that are not among its newest; returns the number of them. */
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
  const surplus = db
    .selectFrom('deliveries')
    .select('id')
    .where('notification_id', '=', notificationId)
    .where('id', '<=', oldestKept.id)
    .where('finished_at', 'is not', null)
    .limit(limit)
  return deleteSome(db, 'deliveries', ['id'], surplus)
}

/** Counts the deliveries that wait, and reads the time of the oldest. */
export async function measureBacklog(db: Db): Promise<{ waiting: number; oldest: string | null }> {
  // The index of those that wait has both.
  const { waiting, first } = await db
    .selectFrom('deliveries')
    .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min<number | null>('id').as('first')])
    .where(PENDING)
    .executeTakeFirstOrThrow()
  if (first === null) return { waiting: 0, oldest: null }
  const oldest = await db
    .selectFrom('deliveries')
    .select('created_at')
    .where('id', '=', first)
    .executeTakeFirst()
  return { waiting: Number(waiting), oldest: oldest?.created_at ?? null }
}

/** Counts the active notifications whose endpoint gets nothing for a while, because it keeps failing. */
export function countHeld(db: Db, now: string): Promise<number> {
  return countRows(held(db, now))
}

/** Selects the active notifications whose endpoint gets nothing for a while. */
function held(db: Db, now: string) {
  return db.selectFrom('notifications').where('active', '=', 1).where('held_until', '>', now)
}

/** Reads the active notifications of an agent whose endpoint gets nothing for a while, because it keeps failing. */
export async function heldNotifications(
  db: Db,
  agentId: number,
  now: string,
): Promise<{ id: number; name: string }[]> {
  return held(db, now).select(['id', 'name']).where('agent_id', '=', agentId).orderBy('id').execute()
}
