import type { Kysely } from 'kysely'
import { countRows } from '../../storage/count-rows.ts'
import type { Tables } from '../../storage/tables.ts'

/** Counts the conversations of an agent that have not ended. */
export function countOpenConversations(db: Kysely<Tables>, agentId: number): Promise<number> {
  return countRows(
    db.selectFrom('conversations').where('agent_id', '=', agentId).where('ended_at', 'is', null),
  )
}
