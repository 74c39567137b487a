import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'

/** Whether a chat of an agent is known by this id of its platform. */
export async function hasMailboxOf(db: Kysely<Tables>, agentId: number, thread: string): Promise<boolean> {
  const mailbox = await db
    .selectFrom('mailboxes')
    .select('id')
    .where('agent_id', '=', agentId)
    .where('thread', '=', thread)
    .limit(1)
    .executeTakeFirst()
  return mailbox !== undefined
}
