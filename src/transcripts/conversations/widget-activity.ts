import { type Kysely, sql } from 'kysely'
import { ACTIVITY_MOST } from '../../lib/activity.ts'
import { selectEach } from '../../storage/select-each.ts'
import type { Tables } from '../../storage/tables.ts'

export interface WidgetActivity {
  visitors: number
  last_message_at: string | null
}

/**
 * Reads the activity of some widgets, from the newest conversations of each.
 * @param since the time from which visitors count
 */
export function widgetActivity(
  db: Kysely<Tables>,
  widgetIds: readonly number[],
  since: string,
): Promise<Map<number, WidgetActivity>> {
  return selectEach(db, widgetIds, (id) => {
    const newest = sql`from conversations where widget_id = ${id}
      order by sequence desc limit ${sql.lit(ACTIVITY_MOST)}`
    return sql`
      (select cast(count(*) as integer) from (
        select user_id from (select user_id, started_at ${newest}) as counted
        where started_at >= ${since} group by user_id) as counted) as visitors,
      (select max(at) from (
        select (select last_message_at from inbox_rows where conversation_id = conversations.id) as at ${newest}
      ) as counted) as last_message_at`
  })
}
