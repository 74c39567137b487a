import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/**
 * Ids of deleted rows are never reused where something still goes by them: a bulk act that runs a macro, the address of
 * a view, the timeline's entries of a run, the topic of a push, the notice
 * of a clock, and the `webhook-id` of what runs and automations call.
 */
export async function up(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await engine.retireIds(db, {
    macros: sql`select max(id) as id from macros union all select max(macro_id) from macro_runs`,
    macro_runs: sql`select max(id) as id from macro_runs union all select max(part_of) from happenings`,
    saved_views: sql`select max(id) as id from saved_views`,
    notices: sql`select max(id) as id from notices`,
    target_clocks: sql`select max(id) as id from target_clocks`,
    automation_jobs: sql`select max(id) as id from automation_jobs`,
    desk_jobs: sql`select max(id) as id from desk_jobs`,
  })
}
