import type { Kysely } from 'kysely'
import type { Page, PageRequest } from '../lib/page.ts'
import { selectPage } from '../storage/select-page.ts'
import type { Tables } from '../storage/tables.ts'
import type { NotificationRow } from './tables.ts'

type Db = Kysely<Tables>

export async function selectNotification(
  db: Db,
  agentId: number,
  id: number,
): Promise<NotificationRow | undefined> {
  return db
    .selectFrom('notifications')
    .selectAll()
    .where('id', '=', id)
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
}

export async function selectNotificationsPage(
  db: Db,
  agentId: number,
  request: PageRequest,
): Promise<Page<NotificationRow>> {
  const query = db.selectFrom('notifications').selectAll()
  return selectPage(db, { query, of: { agent_id: agentId }, key: ['id'], order: 'desc' }, request)
}

export async function insertNotification(
  db: Db,
  row: Pick<NotificationRow, 'agent_id' | 'name' | 'url' | 'security' | 'events' | 'active' | 'created_at'>,
): Promise<number> {
  const { id } = await db
    .insertInto('notifications')
    .values({ ...row, secret: '', updated_at: row.created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Reads a notification of an agent and locks it until the transaction ends. */
export async function lockNotification(
  db: Db,
  agentId: number,
  id: number,
): Promise<NotificationRow | undefined> {
  return db
    .selectFrom('notifications')
    .selectAll()
    .where('id', '=', id)
    .where('agent_id', '=', agentId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function updateNotification(
  db: Db,
  id: number,
  values: Partial<Omit<NotificationRow, 'id' | 'agent_id' | 'created_at'>>,
): Promise<NotificationRow> {
  return db
    .updateTable('notifications')
    .set(values)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteNotification(db: Db, id: number): Promise<void> {
  await db.deleteFrom('deliveries').where('notification_id', '=', id).execute()
  await db.deleteFrom('notifications').where('id', '=', id).execute()
}
