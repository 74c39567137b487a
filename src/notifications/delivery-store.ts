import { type Kysely, sql } from 'kysely'
import { numbered, type ParamOf, prepared } from '../storage/prepared.ts'
import type { DeliveryState, NotificationRow, Tables } from '../storage/tables.ts'
import { AT_ONCE } from './notification.ts'

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

const PENDING = sql<boolean>`state = 'pending'`

function oldestPending(skipsLocked: boolean) {
  return prepared((db, param: ParamOf<{ notification_id: number; limit: number }>) =>
    db
      .selectFrom('deliveries')
      .selectAll()
      .where('notification_id', '=', param('notification_id'))
      .where(PENDING)
      .orderBy('id')
      .limit(param('limit'))
      .$if(skipsLocked, (query) => query.forUpdate().skipLocked()),
  )
}

/** Takes the oldest deliveries that wait, for as long as the transaction lasts. On SQLite that one is alone anyway. */
export const takeDeliveries = { sqlite: oldestPending(false), postgres: oldestPending(true) }

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

/** From the commit on they are being sent. */
export async function writeSending(
  db: Db,
  sent_at: string,
  deliveries: readonly { id: number; payload: string }[],
): Promise<void> {
  const values = { sent_at, ...numbered(['id', 'payload'], deliveries) }
  await writeSendingRows[deliveries.length - 1]?.(db, values as SendingRows)
}

type SendingRows = { sent_at: string } & Record<`id${number}`, number> & Record<`payload${number}`, string>

const writeSendingRows = forEachCount((count) =>
  prepared<SendingRows, unknown>((db, param) => {
    const rows = upTo(count).map(
      (row) => sql`(cast(${param(`id${row}`)} as bigint), cast(${param(`payload${row}`)} as text))`,
    )
    return db
      .updateTable('deliveries')
      .from(sql<{ column1: number; column2: string }>`(values ${sql.join(rows)})`.as('given'))
      .set({ state: 'sending', sent_at: param('sent_at'), payload: sql.ref('given.column2') })
      .whereRef('deliveries.id', '=', 'given.column1')
  }),
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

const OUTCOME = ['id', 'state', 'finished_at', 'status', 'failure', 'duration_ms', 'answer'] as const

/** Of one that was given up as unknown it is good to know after all. */
const OPEN = sql<boolean>`deliveries.state in ('sending', 'unknown')`

type OutcomeRows = Record<`${(typeof OUTCOME)[number]}${number}`, Outcome[keyof Outcome]>

/** Writes how deliveries ended. An answer may echo what was sent: after a redaction it is not kept. */
function outcomesQuery(count: number, skipsLocked: boolean) {
  return prepared<OutcomeRows, { id: number }>((db, param) => {
    const types = ['bigint', 'text', 'text', 'integer', 'text', 'integer', 'text']
    const rows = upTo(count).map((row) => {
      const cells = OUTCOME.map(
        (column, at) => sql`cast(${param(`${column}${row}`)} as ${sql.raw(types[at] ?? 'text')})`,
      )
      return sql`(${sql.join(cells)})`
    })
    const ids = upTo(count).map((row) => param(`id${row}`) as number)
    return db
      .with('free', (db) =>
        db
          .selectFrom('deliveries')
          .select('id')
          .where('id', 'in', ids)
          .$if(skipsLocked, (query) => query.forUpdate().skipLocked()),
      )
      .updateTable('deliveries')
      .from(sql<Record<`column${number}`, never>>`(values ${sql.join(rows)})`.as('given'))
      .set({
        state: sql.ref('given.column2'),
        finished_at: sql.ref('given.column3'),
        status: sql.ref('given.column4'),
        failure: sql.ref('given.column5'),
        duration_ms: sql.ref('given.column6'),
        answer: sql`case when deliveries.payload is null then null else given.column7 end`,
      })
      .whereRef('deliveries.id', '=', 'given.column1')
      .where('deliveries.id', 'in', (select) => select.selectFrom('free').select('free.id'))
      .where(OPEN)
      .returning('deliveries.id')
  })
}

function outcomesWriter(skipsLocked: boolean) {
  const statements = forEachCount((count) => outcomesQuery(count, skipsLocked))
  return async (db: Db, outcomes: readonly Outcome[]): Promise<number[]> => {
    const values = numbered(OUTCOME, outcomes)
    const rows = (await statements[outcomes.length - 1]?.(db, values as OutcomeRows)) ?? []
    return rows.map(({ id }) => id)
  }
}

/** Writes how deliveries ended, AT_ONCE at most; returns the ids of those whose end was not known already. */
export const writeOutcomes = outcomesWriter(false)

/** The same, but leaves those alone that a redaction holds at the moment: it may wait for another of them. */
export const writeFreeOutcomes = { sqlite: writeOutcomes, postgres: outcomesWriter(true) }

function forEachCount<Query>(make: (count: number) => Query): Query[] {
  return upTo(AT_ONCE).map((at) => make(at + 1))
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at)
}

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
