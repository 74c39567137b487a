import type { ColumnType, Generated, Selectable } from 'kysely'
import type { WorkColumns } from '../work/work-columns.ts'

/** An act on many conversations, carried out in the background. */
export interface BulkActsTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  team_id: number
  /** JSON: a BulkAction. */
  action: string
  /**
   * JSON: the filter whose conversations are gathered; null if the caller named them, and once they are gathered,
   * because a search may hold a name.
   */
  filter: string | null
  /** JSON: who does it, as in the audit. */
  actor: string
  /**
   * `gathering`: collecting the matching conversations. `failed`: its worker failed repeatedly. `cancelled`: before it
   * changed anything.
   */
  state: 'gathering' | 'working' | 'done' | 'failed' | 'cancelled'
  /** How many conversations match, as far as gathered. */
  matched: number
  /** How many of them are done, and how many of these were changed. */
  done: Generated<number>
  changed: Generated<number>
  /** JSON: a Skipped; how many were left as they were, by reason. */
  skipped: Generated<string>
  attempts: Generated<number>
  created_at: string
  /** The time at which it may begin to change conversations; null from its first change on. Until then it can be cancelled. */
  starts_at: string | null
  finished_at: Generated<string | null>
  due_at: ColumnType<string | null, string | null | undefined, string | null>
  lease: Generated<number>
  leased_until: string | null
  holder: Generated<string | null>
}

/** The conversations a bulk act has still to do. */
export interface BulkItemsTable {
  bulk_id: number
  conversation_id: string
}

export type BulkActRow = Selectable<BulkActsTable>

declare module '../storage/tables.ts' {
  interface Tables {
    bulk_acts: BulkActsTable
    bulk_items: BulkItemsTable
  }
}
