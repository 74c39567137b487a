import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'
import type { WorkColumns } from '../work/work-columns.ts'

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

/** Log of the chat completions on which a rule fired or failed. */
export interface RuleLogTable {
  id: Generated<number>
  agent_id: number
  rule_id: number
  conversation_id: string
  completion_id: string
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

declare module '../storage/tables.ts' {
  interface Tables {
    rules: RulesTable
    rule_evaluators: RuleEvaluatorsTable
    cta_counts: CtaCountsTable
    automation_jobs: AutomationJobsTable
    rule_log: RuleLogTable
  }
}
