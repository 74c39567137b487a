import type { Condition } from '../../../../src/conditions/condition.ts'
import type { Evaluator } from '../../../api/types.ts'

export type EvaluatorKind = Evaluator['kind']

/** The settings of all kinds, as their fields hold them; each kind uses only its own. */
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
  /** An empty text keeps the secret, null removes it. */
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

/** The kinds in the order in which they are offered: those that most rules need come first. */
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

export const evaluatorKinds = Object.keys(settingsOf) as EvaluatorKind[]

/** Returns the values that the fields show of stored settings. */
export function settingsValues(kind: EvaluatorKind, stored: Record<string, unknown>): SettingsValues {
  const shown = settingsOf[kind].filter((name) => name !== 'secret' && stored[name] != null)
  return { ...empty, ...Object.fromEntries(shown.map((name) => [name, stored[name]])) }
}

/** Returns the body of a request. Empty settings are left out of a new evaluator, and removed by a change. */
export function settingsBody(kind: EvaluatorKind, values: SettingsValues, isNew: boolean): object {
  return Object.fromEntries(
    settingsOf[kind].flatMap((name) => {
      const value = values[name]
      const isEmpty = value === '' || (name === 'types' && values.types.length === 0)
      if (name === 'secret' && value === '') return []
      if (!isEmpty) return [[name, value]]
      // A required setting is sent even if it is empty, so that the service says what is missing.
      const isNeeded = name === 'pattern' || name === 'criteria' || name === 'url'
      return isNeeded ? [[name, value]] : isNew ? [] : [[name, null]]
    }),
  )
}
