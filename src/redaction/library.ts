import {
  createPatternRedactor,
  type PatternRedactor,
  type PatternRedactorOptions,
} from './pattern-redactor.ts'

export type { CustomPattern } from './custom/custom-pattern.ts'
export type { Finding, Strength } from './pattern-redactor.ts'
export { type RedactionType, redactionTypes } from './redaction-types.ts'

/** Finds and replaces personal data in texts. */
export type Redactor = PatternRedactor

/** `types`: those to look for, all when it is null or missing; `patterns`: more of one's own. */
export type RedactorOptions = PatternRedactorOptions

/**
 * Makes a redactor for many texts.
 * @throws Error when a pattern of one's own cannot run in linear time, or its name is no name of a type
 */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  return createPatternRedactor(options)
}

/** The text with each piece of personal data replaced by its type in brackets. @throws Error as createRedactor does */
export function redact(text: string, options: RedactorOptions = {}): string {
  return createRedactor(options).redact(text)
}
