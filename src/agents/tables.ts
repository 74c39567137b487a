import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'

export interface TeamsTable {
  id: Generated<number>
  name: string
  created_at: string
}

export interface AgentsTable {
  id: Generated<number>
  team_id: number
  name: string
  /** JSON: AgentSettings of src/agents. Secrets in it are sealed. */
  settings: string
  is_paused: Generated<Flag>
  paused_at: string | null
  resumed_at: string | null
  /** Rises with every change of a rule or an evaluator; 0: there has been no change. */
  rules_version: Generated<number>
  created_at: string
  /** When it was taken away; its data is being erased. */
  deleted_at: Generated<string | null>
  /** How many rows of it have been erased. */
  rows_erased: Generated<number>
}

export type AgentRow = Selectable<AgentsTable>

declare module '../storage/tables.ts' {
  interface Tables {
    teams: TeamsTable
    agents: AgentsTable
  }
}
