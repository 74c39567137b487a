export { type CustomPattern, checkCustomPattern } from './custom/custom-pattern.ts'
export {
  createPatternRedactor,
  type Finding,
  type PatternRedactor,
  type PatternRedactorOptions,
} from './pattern-redactor.ts'
export { type RedactionType, redactionTypes } from './redaction-types.ts'

/** Takes personal data out of texts. The answer has as many texts, in the same order. */
export interface Redactor {
  redact(texts: string[]): Promise<string[]>
}

/** A redactor that lets each one see what the one before left. */
export function chain(redactors: readonly Redactor[]): Redactor {
  return {
    async redact(texts) {
      let redacted = texts
      for (const redactor of redactors) redacted = await redactor.redact(redacted)
      return redacted
    },
  }
}
