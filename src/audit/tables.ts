import type { Generated, Selectable } from 'kysely'

/** Acts with their actors. */
export interface AuditTable {
  id: Generated<number>
  team_id: number
  agent_id: number | null
  at: string
  actor_kind: 'operator' | 'token' | 'command_line' | 'system'
  actor_id: number | null
  actor_name: string | null
  /** A noun and a past participle, such as `agent.paused`. */
  action: string
  target: string | null
  /** JSON object, without secrets and without the text of end users. */
  details: string | null
  address: string | null
}

export type AuditRow = Selectable<AuditTable>

declare module '../storage/tables.ts' {
  interface Tables {
    audit: AuditTable
  }
}
