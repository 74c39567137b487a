import type { Generated, Selectable } from 'kysely'
import type { Outcome } from '../../transcripts/conversations/outcomes.ts'
import type { WaitingReason } from '../../transcripts/tables.ts'
import type { WorkColumns } from '../../work/work-columns.ts'

/** Conversations whose facts are to be read again. Triggers of the database write it (triggers.ts). */
export interface SupportPendingTable {
  id: Generated<number>
  agent_id: number
  conversation_id: string
}

/** Conversations that are counted one by one, because counting a batch of them failed. */
export interface SupportRetriesTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  conversation_id: string
  due_at: string | null
}

/** The facts of each conversation that the figures of support count. They follow from the record alone. */
export interface SupportRowsTable {
  conversation_id: string
  agent_id: number
  channel_id: number | null
  language: string | null
  group_id: number | null
  /** The person who answered last; if nobody has answered, the person whom it is assigned to. */
  operator_id: number | null
  /** JSON array of the tags that conversations can be filtered by, as `name:value`. */
  tags: string
  started_at: string
  /** The time at which it first waited for a person, and the reason. */
  waited_at: string | null
  reason: WaitingReason | null
  /** The time of the first answer of a person after that, and the milliseconds until it. */
  answered_at: string | null
  answer_ms: number | null
  /** The part of `answer_ms` within the agent's opening hours. */
  answer_open_ms: number | null
  ended_at: string | null
  outcome: Outcome | null
  /** Null also for a conversation that ended without a solution. */
  solved_by: 'agent' | 'person' | null
  /** The milliseconds since it began, or was last opened again. */
  solution_ms: number | null
  solution_open_ms: number | null
  /** The last time at which it was opened again. */
  reopened_at: string | null
  /** The time at which it had met all of its targets; null: some are open, or it missed one. */
  met_at: string | null
  /** The time at which it first missed a target. */
  missed_at: string | null
  /** The time at which its user was asked for a rating. */
  asked_at: string | null
  rated_at: string | null
  score: number | null
}

/** The figures of a day of UTC, `YYYY-MM-DD`, or of a month, `YYYY-MM`, for one value of what they are counted by. */
export interface SupportCountsTable {
  agent_id: number
  kind: SupportKind
  /** An id, a language, or a tag as `name:value`; empty: the conversation has none, or the row is of all. */
  value: string
  day: string
  /** JSON by figure: pairs of a quarter of an hour and its count for a day, a count for a month. */
  counts: string
}

/** The progress of counting figures anew. */
export interface RecountsTable {
  name: 'chat' | 'support'
  /** JSON: an `EventsPlace` or a `SupportPlace`. */
  place: string
}

/** The things that figures are counted by, besides their time. */
export type SupportKind = 'all' | 'operator' | 'group' | 'channel' | 'tag' | 'language'

export type SupportRetryRow = Selectable<SupportRetriesTable>
export type SupportRow = Selectable<SupportRowsTable>
export type SupportCounts = Selectable<SupportCountsTable>

declare module '../../storage/tables.ts' {
  interface Tables {
    support_pending: SupportPendingTable
    support_retries: SupportRetriesTable
    support_rows: SupportRowsTable
    support_counts: SupportCountsTable
    recounts: RecountsTable
  }
}
