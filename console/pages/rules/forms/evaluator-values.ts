import type { EvaluatorKind, SettingsValues } from './evaluator-settings.ts'

export interface EvaluatorValues extends Record<string, unknown> {
  name: string
  kind: EvaluatorKind
  settings: SettingsValues
  /** Empty: the kind's usual one. */
  threshold: number | ''
  invert: boolean
}
