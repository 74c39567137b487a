import { type Kysely, sql } from 'kysely'
import { selectEach } from '../../storage/select-each.ts'
import type { Tables } from '../../storage/tables.ts'

/** Reads the time of the last prompt through each of some channels of an agent; null: there was none. */
export function lastPrompts(
  db: Kysely<Tables>,
  agentId: number,
  channelIds: readonly number[],
): Promise<Map<number, { last_message_at: string | null }>> {
  return selectEach(
    db,
    channelIds,
    (id) => sql`(select max(created_at) from completions
      where agent_id = ${agentId} and channel_id = ${id}) as last_message_at`,
  )
}
