import type { NamePlaceholder } from './numbered.ts'

export { type CustomPattern, checkCustomPattern } from './custom/custom-pattern.ts'
export { contradictions, type OwnWords } from './custom/own-words.ts'
export { byType, type NamePlaceholder, numbered } from './numbered.ts'
export {
  createPatternRedactor,
  type Finding,
  type PatternRedactor,
  type PatternRedactorOptions,
} from './pattern-redactor.ts'
export { type RedactionType, redactionTypes } from './redaction-types.ts'

/** Removes personal data from texts. Returns the redacted texts in the same order. */
export interface Redactor {
  redact(texts: string[], named?: NamePlaceholder): Promise<string[]>
}
