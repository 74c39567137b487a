import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'
import type { WorkColumns } from '../work/work-columns.ts'
import type { DeskEvent } from './automation-events.ts'

/** Guardrails, calls to action and automations. */
export interface RulesTable {
  id: Generated<number>
  agent_id: number
  kind: 'guardrail' | 'cta' | 'automation'
  name: string
  active: Flag
  /** Lower positions come first. */
  position: number
  /** JSON: the settings of the rule's kind. Secrets in it are sealed. */
  settings: string
  /** The happening at the desk that starts an automation; null: the agent's answers do, or it is none. */
  on_event: Generated<DeskEvent | null>
  created_at: string
  updated_at: string
}

/** The evaluators that a rule uses. */
export interface RuleEvaluatorsTable {
  rule_id: number
  evaluator_id: number
}

/** The number of times that a CTA was shown in a conversation. */
export interface CtaCountsTable {
  conversation_id: string
  cta_id: number
  shown: number
  /** The time when it was last shown. */
  shown_at: string
}

/** The automations that run after one response. */
export interface AutomationJobsTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  completion_id: string
  conversation_id: string
  /** JSON: facts that are stored in no row, such as the retrieval score. No text. */
  facts: string
  /** JSON array: the progress of each automation. */
  runs: string
  /** `parked`: it failed too often and is not tried again. */
  state: 'waiting' | 'done' | 'parked'
  /** The time from which it may be worked on. */
  due_at: string
  created_at: string
}

/** The automations that run on one thing that happened at the desk. */
export interface DeskJobsTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  conversation_id: string
  on_event: DeskEvent
  /** Null: the conversation was opened. */
  happening_id: number | null
  /** The only automation, of a job that is due once a conversation has waited for long; null: all that are for it. */
  rule_id: number | null
  /** The id of the happening, completion or conversation that it goes back to, for which each automation runs once. */
  cause: string
  /** JSON array: the progress of each automation; null: nobody has looked yet which there are. */
  runs: string | null
  /** `parked`: it failed too often and is not tried again. */
  state: 'waiting' | 'done' | 'parked'
  /** The time from which it may be worked on. */
  due_at: string
  created_at: string
}

/** Log of the times at which a rule fired or failed. */
export interface RuleLogTable {
  id: Generated<number>
  agent_id: number
  rule_id: number
  conversation_id: string
  /** Null: it ran on something at the desk. */
  completion_id: string | null
  at: string
  outcome: 'fired' | 'failed'
  reason: 'evaluator_failed' | 'failed' | 'unknown' | null
  /** JSON array: the result of each comparison of its condition; null: it has none. */
  conditions: string | null
  /** JSON object: the evaluator that decided, with its score and whether it passed; null: none did. */
  evaluation: string | null
}

export type RuleLogRow = Selectable<RuleLogTable>
export type RuleRow = Selectable<RulesTable>
export type AutomationJobRow = Selectable<AutomationJobsTable>
export type DeskJobRow = Selectable<DeskJobsTable>

declare module '../storage/tables.ts' {
  interface Tables {
    rules: RulesTable
    rule_evaluators: RuleEvaluatorsTable
    cta_counts: CtaCountsTable
    automation_jobs: AutomationJobsTable
    desk_jobs: DeskJobsTable
    rule_log: RuleLogTable
  }
}
