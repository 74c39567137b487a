import { type Kysely, sql } from 'kysely'
import { agentRows } from '../../src/app/agent-rows.ts'
import type { Tables } from '../../src/storage/tables.ts'

/** Digests the rows that an agent has on PostgreSQL, by table. */
export async function rowsOfAgent(db: Kysely<Tables>, agentId: number): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for (const { table, through } of agentRows) {
    const own = through
      ? sql`${sql.ref(through.column)} in
          (select ${sql.ref(through.refersTo)} from ${sql.table(through.table)} where agent_id = ${agentId})`
      : sql`agent_id = ${agentId}`
    const { rows } = await sql<{ digest: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(of::text, ',' order by of::text)), '') as digest
      from ${sql.table(table)} as of where ${own}`.execute(db)
    digests[table] = rows[0]?.digest ?? ''
  }
  return digests
}
