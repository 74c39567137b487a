import { isDigit } from './characters.ts'

const LONGEST = 66

/**
 * Returns the end of the placeholder (such as `[EMAIL_ADDRESS]`) that begins at `start`, or -1. A placeholder has
 * capital letters, underscores and at most three digits: more digits might be personal data in brackets.
 */
export function placeholderEnd(text: string, start: number): number {
  let digits = 0
  const limit = Math.min(text.length, start + LONGEST)
  for (let at = start + 1; at < limit; at++) {
    const code = text.charCodeAt(at)
    if (code === 93) return at - start > 1 ? at + 1 : -1
    if (isDigit(code)) {
      if (at === start + 1 || ++digits > 3) return -1
    } else if ((code < 65 || code > 90) && code !== 95) return -1
  }
  return -1
}

/** Tells whether the text contains nothing but placeholders, spaces and punctuation. */
export function hasOnlyPlaceholders(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) === 91) {
      const end = placeholderEnd(text, at)
      if (end > 0) {
        at = end - 1
        continue
      }
    }
    if (WORD.test(text.charAt(at)) || text.charCodeAt(at) >= 0xd800) return false
  }
  return true
}

const WORD = /[\p{L}\p{N}]/u
