import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** The audit is read by time. */
export async function up(db: Kysely<Tables>, _engine: Engine): Promise<void> {
  for (const index of ['audit_team', 'audit_action', 'audit_actor'])
    await db.schema.dropIndex(index).execute()
  for (const [index, ...of] of [
    ['audit_team'],
    ['audit_action', 'action'],
    ['audit_kind', 'actor_kind'],
    ['audit_actor', 'actor_kind', 'actor_id'],
  ] as const) {
    await db.schema
      .createIndex(index)
      .on('audit')
      .columns(['team_id', ...of, 'at', 'id'])
      .execute()
  }
}
