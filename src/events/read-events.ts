import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { EventKey } from './keys.ts'

/** Reads an agent's events of some kinds, oldest first. */
export function readEvents(
  db: Kysely<Tables>,
  { agentId, keys, since }: { agentId: number; keys: readonly EventKey[]; since: string },
) {
  return db
    .selectFrom('events')
    .select(['id', 'key', 'completion_id', 'occurred_at'])
    .where('agent_id', '=', agentId)
    .where('key', 'in', keys)
    .where('occurred_at', '>', since)
    .orderBy('id')
    .execute()
}
