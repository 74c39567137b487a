import { createHmac } from 'node:crypto'

/** Returns what replaces a value of a type. */
export type NamePlaceholder = (type: string, value: string) => string

/** Names a placeholder by its type alone: `[PERSON]`. */
export const byType: NamePlaceholder = (type) => `[${type}]`

/** The numbers of a type. `placeholderEnd` reads as many digits. */
const MOST = 9999
/** Types of which two values that differ only in case are two values. */
const EXACT = new Set(['SECRET', 'URL', 'CRYPTO'])

/**
 * Names placeholders by type and number: `[PERSON_4821]`. The number is a keyed hash of the value, so that the same
 * value has the same number wherever the key is the same, and nobody finds it without the key.
 */
export function numbered(key: string): NamePlaceholder {
  return (type, value) => {
    const digest = createHmac('sha256', key)
      .update(`${type}\0${normalized(type, value)}`)
      .digest()
    return `[${type}_${(digest.readUInt32BE() % MOST) + 1}]`
  }
}

/** Returns a value in the form that all its spellings share: numbers by their digits, words in lower case. */
function normalized(type: string, value: string): string {
  const text = value.normalize('NFKC').trim()
  if (EXACT.has(type)) return text
  return /\p{L}/u.test(text)
    ? text.replace(/\s+/g, ' ').toLowerCase()
    : text.replace(/[^\p{N}+]/gu, '') || text
}
