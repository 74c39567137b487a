import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'

/** Whether an agent has seen this end user. */
export async function userExists(db: Kysely<Tables>, agentId: number, id: string): Promise<boolean> {
  if (id.includes('\u0000')) return false
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('agent_id', '=', agentId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}
