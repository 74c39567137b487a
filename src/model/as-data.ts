/** Characters that could begin a line, hide something, or end the quotation marks around a value. */
const NOT_ON_ONE_LINE =
  /[\p{Zl}\p{Zp}\p{Cc}\p{Cs}\p{Co}\p{Cn}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu
const QUOTES = /["“”„‟«»]/gu
const LONGEST_VALUE = 200

/** Returns a value that somebody else wrote on one line, and cut. */
export function onOneLine(value: string): string {
  return value.normalize('NFC').replace(NOT_ON_ONE_LINE, ' ').trim().slice(0, LONGEST_VALUE).toWellFormed()
}

/** Returns such a value in quotation marks, which the value cannot close; an empty one stays empty. */
export function quoted(value: string): string {
  const line = onOneLine(value).replace(QUOTES, "'")
  return line === '' ? '' : `“${line}”`
}

const LONGEST_NAME = 60
/** Characters that are removed from names, so that a name cannot end its mark, begin a line or imitate another mark. */
const NOT_OF_NAMES = /[^\p{L}\p{M}\p{N}.'’-]+/gu

/** Returns a name as models read it: letters, digits and what joins them, up to a limit. */
export function cleanName(name: string): string {
  const clean = name.normalize('NFC').replace(NOT_OF_NAMES, ' ').trim()
  return clean.slice(0, LONGEST_NAME).trim().toWellFormed()
}
