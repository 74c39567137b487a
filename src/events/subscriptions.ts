import type { Kysely } from 'kysely'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import type { EventKey } from './keys.ts'

/** Sets the keys of an agent's events that go to a notification: the database's trigger reads them with each event. */
export async function subscribe(
  db: Kysely<Tables>,
  agentId: number,
  notificationId: number,
  keys: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('notification_keys')
    .where('agent_id', '=', agentId)
    .where('notification_id', '=', notificationId)
    .execute()
  if (keys.length === 0) return
  await db
    .insertInto('notification_keys')
    .values(keys.map((key) => ({ agent_id: agentId, key, notification_id: notificationId })))
    .execute()
}

const selectSubscription = prepared((db, param: ParamOf<{ agent_id: number; key: string }>) =>
  db
    .selectFrom('notification_keys')
    .select('notification_id')
    .where('agent_id', '=', param('agent_id'))
    .where('key', '=', param('key'))
    .limit(1),
)

/** True if any notification of an agent subscribes to a key. */
export async function isSubscribed(db: Kysely<Tables>, agentId: number, key: EventKey): Promise<boolean> {
  return (await selectSubscription(db, { agent_id: agentId, key })).length > 0
}

/** Returns the table and the condition of SQL for the notifications that listen to an event. @param event its row */
export function subscribedTo(event: string): string {
  return `notification_keys where agent_id = ${event}.agent_id and key = ${event}.key`
}
