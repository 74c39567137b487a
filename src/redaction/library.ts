import {
  createPatternRedactor,
  type PatternRedactor,
  type PatternRedactorOptions,
} from './pattern-redactor.ts'

export type { CustomPattern } from './custom/custom-pattern.ts'
export type { OwnWords } from './custom/own-words.ts'
export type { Finding, Strength } from './pattern-redactor.ts'
export { type RedactionType, redactionTypes } from './redaction-types.ts'

/** Finds and replaces personal data in texts. */
export type Redactor = PatternRedactor

/**
 * The options of a redactor. `types`: the types to look for; null or missing: all of them. `patterns`: additional
 * patterns of the caller's own. `words`: words that are always replaced, by `[CUSTOM]`, and words that never are.
 * `care`: how sure names and addresses must be that no pattern knows: `strict`, `usual` (if it is missing) or
 * `thorough`.
 */
export type RedactorOptions = PatternRedactorOptions

/**
 * Makes a redactor for many texts.
 * @throws Error if one of the caller's patterns cannot run in linear time, or its name cannot be the name of a type
 */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  return createPatternRedactor(options)
}

/**
 * Returns the text with each piece of personal data replaced by its type in brackets.
 * @throws Error as createRedactor does
 */
export function redact(text: string, options: RedactorOptions = {}): string {
  return createRedactor(options).redact(text)
}
