import { type Kysely, sql } from 'kysely'
import type { Tables } from '../storage/tables.ts'

/** Tells all processes, in the transaction of the change, that what they know of an agent's rules is old. */
export async function changeRules(db: Kysely<Tables>, agentId: number): Promise<void> {
  await db
    .updateTable('agents')
    .set((row) => ({ rules_version: sql`${row.ref('rules_version')} + 1` }))
    .where('id', '=', agentId)
    .execute()
}
