import type { Kysely } from 'kysely'
import { hasMailboxOf } from '../../mailboxes/has-mailbox-of.ts'
import type { Tables } from '../../storage/tables.ts'

/** Whether an agent has seen this end user. A channel's chat counts even before any of its messages was worked. */
export async function userExists(db: Kysely<Tables>, agentId: number, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('agent_id', '=', agentId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined || hasMailboxOf(db, agentId, id)
}
