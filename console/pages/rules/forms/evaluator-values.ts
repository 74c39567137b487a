import type { EvaluatorKind, SettingsValues } from './evaluator-settings.ts'

export interface EvaluatorValues extends Record<string, unknown> {
  name: string
  kind: EvaluatorKind
  settings: SettingsValues
  /** An empty text takes the kind's usual threshold. */
  threshold: number | ''
  invert: boolean
}
