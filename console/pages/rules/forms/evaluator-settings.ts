import type { Condition } from '../../../../src/conditions/condition.ts'
import type { Evaluator } from '../../../api/types.ts'

export type EvaluatorKind = Evaluator['kind']

/** In the order in which they are offered: those that most rules need come first. */
export const evaluatorKinds = [
  'keywords',
  'personal_data',
  'similarity',
  'language',
  'length',
  'regex',
  'condition',
  'model_judge',
  'webhook',
] as const satisfies EvaluatorKind[]

/** The settings of all kinds, as their fields hold them; a kind uses its own. */
export interface SettingsValues extends Record<string, unknown> {
  words: string[]
  match: 'any' | 'all'
  exact: boolean
  pattern: string
  ignore_case: boolean
  examples: string[]
  types: string[]
  languages: string[]
  min: number | ''
  max: number | ''
  unit: 'characters' | 'words'
  condition: Condition | null
  criteria: string
  model: string
  url: string
  /** Empty: it stays as it is; null: it is taken away. */
  secret: string | null
}

const empty: SettingsValues = {
  words: [],
  match: 'any',
  exact: false,
  pattern: '',
  ignore_case: true,
  examples: [],
  types: [],
  languages: [],
  min: '',
  max: '',
  unit: 'characters',
  condition: null,
  criteria: '',
  model: '',
  url: '',
  secret: '',
}

const settingsOf: Record<EvaluatorKind, readonly (keyof SettingsValues & string)[]> = {
  keywords: ['words', 'match', 'exact'],
  personal_data: ['types'],
  similarity: ['examples'],
  language: ['languages'],
  length: ['min', 'max', 'unit'],
  regex: ['pattern', 'ignore_case'],
  condition: ['condition'],
  model_judge: ['criteria', 'model'],
  webhook: ['url', 'secret'],
}

/** What the fields show of stored settings. */
export function settingsValues(kind: EvaluatorKind, stored: Record<string, unknown>): SettingsValues {
  const shown = settingsOf[kind].filter((name) => name !== 'secret' && stored[name] != null)
  return { ...empty, ...Object.fromEntries(shown.map((name) => [name, stored[name]])) }
}

/** What is sent of the fields. In a new evaluator empty settings are left out, in a change they are taken away. */
export function settingsBody(kind: EvaluatorKind, values: SettingsValues, isNew: boolean): object {
  return Object.fromEntries(
    settingsOf[kind].flatMap((name) => {
      const value = values[name]
      const isEmpty = value === '' || (name === 'types' && values.types.length === 0)
      if (name === 'secret' && value === '') return []
      if (!isEmpty) return [[name, value]]
      // What a kind cannot do without is sent empty, so that the service says what is missing.
      const isNeeded = name === 'pattern' || name === 'criteria' || name === 'url'
      return isNeeded ? [[name, value]] : isNew ? [] : [[name, null]]
    }),
  )
}
