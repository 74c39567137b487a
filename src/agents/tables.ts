import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'

export interface TeamsTable {
  id: Generated<number>
  name: string
  created_at: string
  /** Set when its people need a second factor, unless an identity provider vouches for them. */
  require_two_factor: Generated<Flag>
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
  /** Rises with every change of a rule or an evaluator; 0 before the first one. */
  rules_version: Generated<number>
  created_at: string
  /** The time at which it was deleted; its data is being erased. */
  deleted_at: Generated<string | null>
  /** The number of its rows that have been erased. */
  rows_erased: Generated<number>
}

/** The settings of an agent after a change. */
export interface AgentVersionsTable {
  agent_id: number
  /** The number of the version. Version 1 holds the settings before the first change. */
  number: number
  at: string
  actor_kind: 'operator' | 'token' | 'command_line' | 'system'
  actor_id: number | null
  actor_name: string | null
  /** JSON: the names of the settings that changed. */
  changes: string
  /** JSON: a patch that sets all of them, without secrets. */
  settings: string
}

export type AgentVersionRow = Selectable<AgentVersionsTable>

export type AgentRow = Selectable<AgentsTable>
export type TeamRow = Selectable<TeamsTable>

declare module '../storage/tables.ts' {
  interface Tables {
    teams: TeamsTable
    agents: AgentsTable
    agent_versions: AgentVersionsTable
  }
}
