import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/**
 * Ids of deleted rows are never reused: mailboxes of channels, counts of calls to action and the `webhook-id` of
 * deliveries still refer to them, and would be taken for those of the new row.
 */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await engine.retireIds(db, {
    channels: sql`
      select max(id) as id from channels union all select max(channel_id) from mailboxes
      union all select max(channel_id) from conversations union all select max(channel_id) from completions`,
    rules: sql`
      select max(id) as id from rules union all select max(cta_id) from cta_counts
      union all select max(rule_id) from evaluations`,
    evaluators: sql`
      select max(id) as id from evaluators union all select max(evaluator_id) from evaluations`,
    notifications: sql`select max(id) as id from notifications`,
    deliveries: sql`select max(id) as id from deliveries union all select max(replay_of) from deliveries`,
    knowledge_documents: sql`select max(id) as id from knowledge_documents`,
  })
}
