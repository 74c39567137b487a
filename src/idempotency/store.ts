import type { Kysely } from 'kysely'
import { deleteSome } from '../storage/delete-some.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import type { IdempotencyKeysTable } from './tables.ts'

type Db = Kysely<Tables>

/** Stores an Idempotency-Key; returns nothing when it is stored already. */
export const insertIdempotencyKey = prepared((db, param: ParamOf<Omit<IdempotencyKeysTable, 'message_id'>>) =>
  db
    .insertInto('idempotency_keys')
    .values({
      agent_id: param('agent_id'),
      key: param('key'),
      fingerprint: param('fingerprint'),
      completion_id: param('completion_id'),
      created_at: param('created_at'),
    })
    .onConflict((conflict) => conflict.columns(['agent_id', 'key']).doNothing())
    .returning('key'),
)

export async function selectIdempotencyKey(db: Db, agentId: number, key: string) {
  return db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** Stores the message that the request with a key has made. */
export async function nameMessage(db: Db, agentId: number, key: string, messageId: number): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ message_id: messageId })
    .where('agent_id', '=', agentId)
    .where('key', '=', key)
    .execute()
}

/** Deletes a key if it was stored before a time. */
export async function deleteIdempotencyKey(
  db: Db,
  agentId: number,
  key: string,
  before: string,
): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('agent_id', '=', agentId)
    .where('key', '=', key)
    .where('created_at', '<', before)
    .execute()
}

/** Deletes some of the keys that were stored before a time; returns the number deleted. */
export function deleteOldIdempotencyKeys(db: Db, before: string, limit: number): Promise<number> {
  const old = db
    .selectFrom('idempotency_keys')
    .select(['agent_id', 'key'])
    .where('created_at', '<', before)
    .limit(limit)
  return deleteSome(db, 'idempotency_keys', ['agent_id', 'key'], old)
}
