import { isDigit } from './characters.ts'

const LONGEST = 71
const MOST_DIGITS = 3
const LONGEST_NUMBER = 4

/**
 * Returns the end of the placeholder (such as `[EMAIL_ADDRESS]` or `[PERSON_4821]`) that begins at `start`, or -1. A
 * placeholder has capital letters, underscores and at most three digits, and may end with a number of up to four: more
 * digits might be personal data in brackets.
 */
export function placeholderEnd(text: string, start: number): number {
  let digits = 0
  /** The digits behind the last underscore, and whether nothing else stands there. */
  let last = 0
  let isNumber = false
  const limit = Math.min(text.length, start + LONGEST)
  for (let at = start + 1; at < limit; at++) {
    const code = text.charCodeAt(at)
    if (code === 93) {
      const others = isNumber && last <= LONGEST_NUMBER ? digits - last : digits
      return at - start > 1 && others <= MOST_DIGITS ? at + 1 : -1
    }
    if (isDigit(code)) {
      if (at === start + 1) return -1
      digits++
      last++
    } else if (code === 95) {
      last = 0
      isNumber = true
    } else if (code >= 65 && code <= 90) isNumber = false
    else return -1
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
