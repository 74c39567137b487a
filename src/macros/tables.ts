import type { ColumnType, Generated, Selectable } from 'kysely'

/** Actions with a name, which people run in conversations. */
export interface MacrosTable {
  id: Generated<number>
  agent_id: number
  /** The only person who has it; null: it is shared. */
  operator_id: number | null
  /** The person who made it; null: a program, or an older version that did not note it. */
  maker_id: ColumnType<number | null, number | null | undefined, number | null>
  name: string
  /** The actions as JSON. Secrets in them are sealed. */
  actions: string
  created_at: string
  updated_at: string
}

/** The runs of macros in conversations, with their outcomes. */
export interface MacroRunsTable {
  id: Generated<number>
  agent_id: number
  /** The macro may have been deleted since. */
  macro_id: number
  macro_name: string
  conversation_id: string
  /** The bulk act that it is part of; null: none. */
  bulk_id: number | null
  /** JSON: a `Step` for each action. */
  actions: string
  /** The number of actions that failed, or of which nobody knows whether they did. */
  failed: Generated<number>
  created_at: string
  /** Null: it is under way, or was cut off. */
  finished_at: string | null
  undone_at: string | null
}

export type MacroRow = Selectable<MacrosTable>
export type MacroRunRow = Selectable<MacroRunsTable>

declare module '../storage/tables.ts' {
  interface Tables {
    macros: MacrosTable
    macro_runs: MacroRunsTable
  }
}
