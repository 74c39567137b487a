import { createHmac } from 'node:crypto'

/** Returns what replaces a value of a type. */
export type NamePlaceholder = (type: string, value: string) => string

/** Names a placeholder by its type alone: `[PERSON]`. */
export const byType: NamePlaceholder = (type) => `[${type}]`

/** The numbers of a type. `placeholderEnd` reads as many digits. */
const NUMBERS = 9999
/** Types of which two values that differ only in case are two values. */
const EXACT = new Set(['SECRET', 'URL', 'CRYPTO'])

/**
 * Names placeholders by type and number: `[PERSON_4821]`. The number is a keyed hash of the value, so that the same
 * value has the same number wherever the key is the same, and nobody finds it without the key.
 */
export function numbered(key: string): NamePlaceholder {
  return (type, value) => `[${type}_${numberOf(key, identityOf(type, value))}]`
}

/** Returns the number of a value, by what all its spellings share. */
export function numberOf(key: string, identity: string): number {
  return (createHmac('sha256', key).update(identity).digest().readUInt32BE() % NUMBERS) + 1
}

/** Returns what all spellings of a value share: its type, and the digits of a number or words in lower case. */
export function identityOf(type: string, value: string): string {
  const text = value.normalize('NFKC').trim()
  const digits = text.replace(/[^\p{N}+]/gu, '')
  if (EXACT.has(type) || (digits === '' && !/\p{L}/u.test(text))) return `${type}\0${text}`
  return `${type}\0${/\p{L}/u.test(text) ? text.replace(/\s+/g, ' ').toLowerCase() : digits}`
}
