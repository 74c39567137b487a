import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'
import type { WorkColumns } from '../work/work-columns.ts'

/** Promises to users: the minutes within which a person first answers, answers again, and ends the conversation. */
export interface TargetsTable {
  id: Generated<number>
  agent_id: number
  name: string
  /** Lower ones go first. */
  position: number
  /** JSON: the conversations that it is for; null: all. */
  condition: string | null
  /** Minutes; null: none is promised. */
  first_response: number | null
  next_response: number | null
  resolution: number | null
  /** 1: only the minutes count in which people are there. */
  within_hours: Flag
  created_at: string
  updated_at: string
}

export type TargetKind = 'first_response' | 'next_response' | 'resolution'

/**
 * The clocks that run towards targets, and those that have ended. A conversation has at most one open clock of a kind.
 * A row is work while `due_at` is set: first when people are to be warned, then when it is due.
 */
export interface TargetClocksTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  conversation_id: string
  target_id: number
  kind: TargetKind
  started_at: string
  /** The milliseconds that had counted by `since`, or by the time at which it stopped. */
  spent_ms: Generated<number>
  /** The time from which it runs; null: it is stopped, or has ended. */
  since: string | null
  /** The time at which it is due, or was; null: it is stopped. */
  ends_at: string | null
  /** The time at which people were warned that it is nearly due; null: they are still to be. */
  warned_at: Generated<string | null>
  /** The time at which it was due and nobody had come; null: it is not missed. */
  missed_at: Generated<string | null>
  /** The time at which what it counts towards happened, or no longer mattered; null: it is open. */
  ended_at: Generated<string | null>
  due_at: string | null
}

/** The agents whose open clocks are being counted anew. A row is work while `due_at` is set. */
export interface TargetRecountsTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  /** The change that asks for it. */
  reason: 'hours' | 'target'
  /** The id of the last clock that was counted. */
  after_id: Generated<number>
  due_at: string | null
}

export type TargetRow = Selectable<TargetsTable>
export type ClockRow = Selectable<TargetClocksTable>
export type RecountRow = Selectable<TargetRecountsTable>

declare module '../storage/tables.ts' {
  interface Tables {
    targets: TargetsTable
    target_clocks: TargetClocksTable
    target_recounts: TargetRecountsTable
  }
}
