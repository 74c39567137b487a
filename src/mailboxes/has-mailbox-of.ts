import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'

/** Whether an agent has a chat with this id of its platform. */
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
