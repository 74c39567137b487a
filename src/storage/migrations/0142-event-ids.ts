import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Ids of deleted events are never reused: deliveries refer to them, and a replay would send the new event. */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await engine.retireIds(db, {
    events: sql`select max(id) as id from events union all select max(event_id) from deliveries`,
  })
}
