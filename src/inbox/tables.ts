import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'
import type { Outcome } from '../transcripts/conversations/outcomes.ts'
import type { UserKey } from '../users/user-key.ts'
import type { WorkColumns } from '../work/work-columns.ts'
import type { InboxState } from './states.ts'

/** An act on many conversations, carried out in the background. */
export interface BulkActsTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  team_id: number
  /** JSON: a BulkWork. */
  action: string
  /**
   * JSON: the filter that selects the conversations. Null if the caller named them, and once they are gathered, because
   * a search may contain a name.
   */
  filter: string | null
  /** JSON: the actor, as in the audit. */
  actor: string
  /**
   * `gathering`: collecting the matching conversations. `failed`: its worker failed repeatedly. `cancelled`: before it
   * changed anything.
   */
  state: 'gathering' | 'working' | 'done' | 'failed' | 'cancelled'
  /** The number of matching conversations gathered so far. */
  matched: number
  /** The number of conversations processed, and the number of those that were changed. */
  done: Generated<number>
  changed: Generated<number>
  /** JSON: a Skipped, the number of conversations left as they were, by reason. */
  skipped: Generated<string>
  /** The number of conversations in which it ran a macro that can be undone. */
  undoable: Generated<number>
  /** The bulk act that undoes it; null: none. */
  undone_by: ColumnType<number | null, number | null | undefined, number | null>
  created_at: string
  /**
   * The time from which it may change conversations; null: at once, or it has begun. It can be cancelled only while
   * this is set.
   */
  starts_at: string | null
  finished_at: Generated<string | null>
  due_at: ColumnType<string | null, string | null | undefined, string | null>
}

/** The conversations that a bulk act still has to process. */
export interface BulkItemsTable {
  bulk_id: number
  conversation_id: string
}

/** The columns that order and filter the inbox. Only triggers of the database write them (triggers.ts). */
export interface InboxRowsTable {
  conversation_id: string
  agent_id: number
  sequence: number
  state: InboxState
  /** 1 if the conversation is open, not snoozed, and the agent is paused in it. */
  is_paused: Flag
  /** 0: nobody. */
  assignee_id: number
  /** 0: none. */
  group_id: Generated<number>
  /** Null also while it is snoozed. */
  waiting_since: string | null
  channel_id: number | null
  user_id: UserKey | null
  language: string | null
  /** The id of the last message that a person or the agent wrote; 0: none. */
  last_message_id: Generated<number>
  last_message_at: string | null
  priority: Generated<number>
  /** Null while it has not ended. */
  outcome: Generated<Outcome | null>
  /** The time at which the next clock of a target is due, or was; null: none runs. */
  due_at: Generated<string | null>
}

/**
 * The number of open conversations of an operator (0: nobody), the number of these that wait for a person, and the
 * number of those that are snoozed, which are in neither. Each count is the sum of several shards. The same triggers write it.
 */
export interface InboxCountersTable {
  agent_id: number
  assignee_id: number
  shard: number
  open_count: number
  waiting_count: number
  snoozed_count: Generated<number>
}

/** The same numbers of the conversations that are in a group, by group and operator. */
export interface InboxGroupCountersTable extends Omit<InboxCountersTable, 'snoozed_count'> {
  group_id: number
  snoozed_count: number
}

/** Queries of the inbox that people keep. */
export interface SavedViewsTable {
  id: Generated<number>
  agent_id: number
  /** The only person who has it; null: it is shared. */
  operator_id: number | null
  /** The person who made it; null: a program, or an older version that did not note it. */
  maker_id: ColumnType<number | null, number | null | undefined, number | null>
  name: string
  /** The `SavedQuery` as JSON. */
  query: string
  created_at: string
  updated_at: string
}

export type InboxRow = Selectable<InboxRowsTable>
export type BulkActRow = Selectable<BulkActsTable>
export type SavedViewRow = Selectable<SavedViewsTable>

declare module '../storage/tables.ts' {
  interface Tables {
    bulk_acts: BulkActsTable
    bulk_items: BulkItemsTable
    inbox_rows: InboxRowsTable
    saved_views: SavedViewsTable
    inbox_counters: InboxCountersTable
    inbox_group_counters: InboxGroupCountersTable
  }
}
