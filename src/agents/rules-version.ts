import { type Kysely, sql } from 'kysely'
import type { Tables } from '../storage/tables.ts'

/** Invalidates what all processes know about an agent's rules. Runs in the transaction that changes them. */
export async function changeRules(db: Kysely<Tables>, agentId: number): Promise<void> {
  await db
    .updateTable('agents')
    .set((row) => ({ rules_version: sql`${row.ref('rules_version')} + 1` }))
    .where('id', '=', agentId)
    .execute()
}
