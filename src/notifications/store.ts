import type { Kysely } from 'kysely'
import { lockedRowOfAgent, pageOfAgent, rowOfAgent } from '../storage/rows-of-agent.ts'
import type { Tables } from '../storage/tables.ts'
import type { NotificationRow } from './tables.ts'

type Db = Kysely<Tables>

const notifications = (db: Db) => db.selectFrom('notifications').selectAll()

export const selectNotification = rowOfAgent(notifications)

export const selectNotificationsPage = pageOfAgent(notifications)

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
export const lockNotification = lockedRowOfAgent(notifications)

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
