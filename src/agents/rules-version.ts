import { type Kysely, sql } from 'kysely'
import type { Tables } from '../storage/tables.ts'

/** Invalidates the copies of an agent's rules in all processes. Runs in the transaction that changes them. */
export async function changeRules(db: Kysely<Tables>, agentId: number): Promise<void> {
  await db
    .updateTable('agents')
    .set((row) => ({ rules_version: sql`${row.ref('rules_version')} + 1` }))
    .where('id', '=', agentId)
    .execute()
}
