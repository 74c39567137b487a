import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'

/** Evaluators, which score texts for guardrails, CTAs and automations. */
export interface EvaluatorsTable {
  id: Generated<number>
  agent_id: number
  name: string
  /** A KindName of src/evaluators. */
  kind: string
  /** JSON: the settings of the kind. A secret in it is sealed. */
  settings: string
  threshold: number
  /** Set for an evaluator that passes below the threshold instead. */
  invert: Flag
  /** The result that a failed evaluation counts as; null: neither passed nor failed. */
  on_error: 'pass' | 'fail' | null
  created_at: string
  updated_at: string
}

export type EvaluatorRow = Selectable<EvaluatorsTable>

declare module '../storage/tables.ts' {
  interface Tables {
    evaluators: EvaluatorsTable
  }
}
