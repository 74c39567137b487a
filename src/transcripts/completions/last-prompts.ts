import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

/** When the last prompt came through each of some channels of an agent; channels without one are left out. */
export async function lastPrompts(
  db: Kysely<Tables>,
  agentId: number,
  channelIds: readonly number[],
): Promise<Map<number, string>> {
  if (channelIds.length === 0) return new Map()
  const each = channelIds.map(
    (id) => sql`select ${sql.lit(id)} as channel_id, max(created_at) as at from completions
      where agent_id = ${agentId} and channel_id = ${sql.lit(id)}`,
  )
  const { rows } = await sql<{
    channel_id: number
    at: string | null
  }>`${sql.join(each, sql` union all `)}`.execute(db)
  return new Map(rows.flatMap(({ channel_id, at }): [number, string][] => (at ? [[channel_id, at]] : [])))
}
