import { type Kysely, sql } from 'kysely'
import type { Scope } from '../http/scope.ts'
import type { Page, PageRequest } from '../lib/page.ts'
import { selectPage } from '../storage/select-page.ts'
import type { Tables } from '../storage/tables.ts'
import { completesOneInScope, scopeFilter } from '../transcripts/conversations/in-scope.ts'
import type { DeliveryRow } from './tables.ts'

type Db = Kysely<Tables>

export async function selectDeliveriesPage(
  db: Db,
  notificationId: number,
  scope: Scope | null,
  request: PageRequest,
): Promise<Page<DeliveryRow>> {
  const query = db.selectFrom('deliveries').selectAll()
  const filters = scopeFilter(scope, (scope) => completesOneInScope(scope, 'deliveries.completion_id'))
  return selectPage(
    db,
    { query, of: { notification_id: notificationId }, key: ['id'], order: 'desc', filters },
    request,
  )
}

/** The number of newest deliveries among which the last ended one is sought. */
const LOOKED_AT = 100

/** Reads the last ended delivery of each of some notifications; the newest where none has ended. */
export async function selectLastDeliveries(
  db: Db,
  notificationIds: readonly number[],
): Promise<Map<number, DeliveryRow>> {
  if (notificationIds.length === 0) return new Map()
  // Two keys each: beneath row-level security PostgreSQL does not look up one that `coalesce` computes.
  const last = notificationIds.flatMap((id) => {
    const newest = sql`select id, finished_at from deliveries where notification_id = ${sql.lit(id)}
      order by id desc limit ${sql.lit(LOOKED_AT)}`
    return [
      sql<number>`(select max(id) from (${newest}) as counted where finished_at is not null)`,
      sql<number>`(select max(id) from deliveries where notification_id = ${sql.lit(id)})`,
    ]
  })
  const rows = await db.selectFrom('deliveries').selectAll().where('id', 'in', last).execute()
  const ended = rows.filter(({ finished_at }) => finished_at !== null)
  return new Map([...rows, ...ended].map((row) => [row.notification_id, row]))
}

export async function selectDelivery(
  db: Db,
  notificationId: number,
  id: number,
): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('id', '=', id)
    .where('notification_id', '=', notificationId)
    .executeTakeFirst()
}

export async function insertDelivery(
  db: Db,
  row: Pick<
    DeliveryRow,
    | 'notification_id'
    | 'agent_id'
    | 'event_id'
    | 'event_key'
    | 'completion_id'
    | 'state'
    | 'created_at'
    | 'sent_at'
    | 'replay_of'
  >,
): Promise<DeliveryRow> {
  return db.insertInto('deliveries').values(row).returningAll().executeTakeFirstOrThrow()
}
