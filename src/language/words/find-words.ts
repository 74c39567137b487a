const ASCII = /^\p{ASCII}*$/u
const INVISIBLE = /\p{Cf}/gu
const SPACES = /\s+/gu
/** Letters, digits, their marks, and characters that join identifiers. A word does not end between two of these. */
const WORD = /[\p{L}\p{N}\p{M}\p{Pc}]/u
/** Scripts that are written without spaces. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]/u
/** Korean particles are written onto the word before them. */
const HANGUL = /\p{Script=Hangul}/u

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
/** The number of characters on both sides of a find that the segmenter reads. */
const AROUND = 32
/** The most finds in a text that the segmenter checks. After them a word may end anywhere, so that no text is slow. */
const MOST_ASKED = 1000

/**
 * Returns a text in the form in which words are searched: case and width folded, composed, without invisible
 * characters, with single spaces.
 */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replace(SPACES, ' ').trim()
  return text.normalize('NFKC').toLowerCase().replace(INVISIBLE, '').replace(SPACES, ' ').trim()
}

/**
 * Tells whether a text contains a word or phrase that begins and ends at word boundaries; both are folded by
 * `foldText`. In scripts without spaces the segmenter finds the boundaries. A Korean word may have particles after it.
 */
export function holdsWord(text: string, word: string): boolean {
  if (word === '') return false
  let asked = 0
  const parts = (place: number) => ++asked > MOST_ASKED || isBetweenSegments(text, place)
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, nextStart(text, at))) {
    if (isEdge(text, at, 'start', parts) && isEdge(text, at + word.length, 'end', parts)) return true
  }
  return false
}

/** Returns the next position at which a word may begin. No word begins within a run of plain letters. */
function nextStart(text: string, at: number): number {
  let next = at + 1
  while (isAsciiWord(text.charCodeAt(next)) && isAsciiWord(text.charCodeAt(next - 1))) next++
  return next
}

/**
 * Tells whether a word may begin or end at this position.
 * @param parts tells whether the segmenter separates two words of a script without spaces here
 */
function isEdge(text: string, at: number, side: 'start' | 'end', parts: (place: number) => boolean): boolean {
  if (isAsciiWord(text.charCodeAt(at - 1)) && isAsciiWord(text.charCodeAt(at))) return false
  const before = characterBefore(text, at)
  const behind = characterAt(text, at)
  if (!WORD.test(before) || !WORD.test(behind)) return true
  if (UNSPACED.test(before) && UNSPACED.test(behind)) return parts(at)
  // A change to or from a script without spaces ends a word: `iPhoneを`.
  if (UNSPACED.test(before) !== UNSPACED.test(behind)) return true
  return side === 'end' && HANGUL.test(before)
}

/** Tests quickly for the most frequent characters. Only the others need a pattern. */
function isAsciiWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95
  )
}

function isBetweenSegments(text: string, at: number): boolean {
  const from = Math.max(0, at - AROUND)
  const segment = segmenter.segment(text.slice(from, at + AROUND)).containing(at - from)
  return segment?.index === at - from
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0x20)
}

function characterBefore(text: string, at: number): string {
  const code = text.charCodeAt(at - 1)
  return code >= 0xdc00 && code <= 0xdfff ? characterAt(text, at - 2) : text.charAt(at - 1)
}
