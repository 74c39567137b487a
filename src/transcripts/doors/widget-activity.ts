import { type Kysely, type RawBuilder, sql } from 'kysely'
import { ACTIVITY_MOST } from '../../lib/activity.ts'
import { selectEach } from '../../storage/select-each.ts'
import type { Tables } from '../../storage/tables.ts'

interface WidgetActivity {
  visitors: number
  last_message_at: string | null
}

/**
 * Reads the activity of some widgets, from the newest conversations of each.
 * @param since the time from which visitors count
 * @param lastMessageAt returns SQL for the time of the last message in the conversation that a column names
 */
export function widgetActivity(
  db: Kysely<Tables>,
  widgetIds: readonly number[],
  since: string,
  lastMessageAt: (conversation: string) => RawBuilder<string | null>,
): Promise<Map<number, WidgetActivity>> {
  return selectEach(db, widgetIds, (id) => {
    const newest = sql`from conversations where widget_id = ${id}
      order by sequence desc limit ${sql.lit(ACTIVITY_MOST)}`
    return sql`
      (select cast(count(*) as integer) from (
        select user_id from (select user_id, started_at ${newest}) as counted
        where started_at >= ${since} group by user_id) as counted) as visitors,
      (select max(at) from (
        select ${lastMessageAt('conversations.id')} as at ${newest}
      ) as counted) as last_message_at`
  })
}
