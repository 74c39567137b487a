import type { NamePlaceholder } from './numbered.ts'

export { checkCustomPattern } from './custom/custom-pattern.ts'
export { contradictions } from './custom/own-words.ts'
export type { NamePlaceholder } from './numbered.ts'
export {
  createPatternRedactor,
  type PatternRedactor,
  type PatternRedactorOptions,
} from './pattern-redactor.ts'
export { redactionTypes } from './redaction-types.ts'

/** Removes personal data from texts. Returns the redacted texts in the same order. */
export interface Redactor {
  redact(texts: string[], named?: NamePlaceholder): Promise<string[]>
}
