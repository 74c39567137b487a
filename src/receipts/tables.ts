import type { Selectable } from 'kysely'

/** Accounts of what was erased. They outlive the agent and the people they tell of, and name none of these. */
export interface ErasuresTable {
  /** A UUID. */
  id: string
  team_id: number
  agent_id: number
  /** The subject, as `subjectText` writes it. */
  subject: string
  mode: 'scrub' | 'anonymize' | 'delete'
  began_at: string
  actor_kind: 'operator' | 'token' | 'command_line' | 'system'
  actor_id: number | null
  /** JSON: `Erased`. */
  erased: string
  /** Null: it goes on. */
  finished_at: string | null
  /** JSON: the signed receipt. */
  signed: string | null
}

export type ErasureRow = Selectable<ErasuresTable>

declare module '../storage/tables.ts' {
  interface Tables {
    erasures: ErasuresTable
  }
}
