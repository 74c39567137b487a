import type { z } from 'zod'
import type { EvaluatorKind } from './evaluator.ts'
import { condition } from './kinds/condition.ts'
import { keywords } from './kinds/keywords.ts'
import { language } from './kinds/language.ts'
import { length } from './kinds/length.ts'
import { modelJudge } from './kinds/model-judge.ts'
import { personalData } from './kinds/personal-data.ts'
import { regex } from './kinds/regex.ts'
import { similarity } from './kinds/similarity.ts'
import { webhook } from './kinds/webhook.ts'

/** Every kind of evaluator, by its name. */
export const kinds = {
  keywords,
  regex,
  similarity,
  personal_data: personalData,
  language,
  length,
  condition,
  model_judge: modelJudge,
  webhook,
}

export type KindName = keyof typeof kinds
export const kindNames = Object.keys(kinds) as [KindName, ...KindName[]]

/** A kind whose type of settings the compiler does not know. The settings are parsed with the kind's own schema. */
export function kindOf(name: KindName): EvaluatorKind<z.ZodType> {
  return kinds[name] as EvaluatorKind<z.ZodType>
}
