import { takeTurns } from '../lib/take-turns.ts'
import { redactContent } from '../redaction/redact-content.ts'
import type { PatternRedactor, Redactor } from '../redaction/redactor.ts'
import type { RedactableValue, ValueRedactor } from './redact-completions.ts'

/**
 * Redacts findings alone: first by the patterns, then what is left by the hosted service when there is one.
 * When that fails, what the patterns made of the values is kept and the values count as not done.
 * @param failed told of the service's failure
 */
export function anonymizer(
  patterns: PatternRedactor,
  hosted: Redactor | null,
  failed?: (error: Error) => void,
): ValueRedactor & { now: (value: RedactableValue) => unknown } {
  const now = (value: RedactableValue) => redactValue(value, (text) => patterns.redact(text))
  return {
    mode: 'anonymize',
    now,
    async redact(values) {
      const pause = takeTurns()
      const found: RedactableValue[] = []
      for (const value of values) {
        found.push({ ...value, value: now(value) } as RedactableValue)
        await pause()
      }
      const plain = () => found.map(({ value }) => value)
      if (!hosted) return { values: plain(), complete: true }
      const texts: string[] = []
      for (const value of found) redactValue(value, (text) => text, texts)
      try {
        const redacted = (await hosted.redact(texts))[Symbol.iterator]()
        const next = () => redacted.next().value ?? ''
        return { values: found.map((value) => redactValue(value, next)), complete: true }
      } catch (error) {
        failed?.(error as Error)
        return { values: plain(), complete: false }
      }
    },
  }
}

/** Redacts each text of a value in its order. @param seen gathers the texts */
function redactValue(
  { kind, value }: RedactableValue,
  redact: (text: string) => string,
  seen?: string[],
): unknown {
  if (value === null) return null
  // A name field holds nothing but a name.
  if (kind === 'name') return PERSON
  return redactContent(value, (text) => {
    seen?.push(text)
    return redact(text)
  })
}

const PERSON = '[PERSON]'
