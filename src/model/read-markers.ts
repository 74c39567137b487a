/**
 * Decides about a number between brackets: returns the number that takes its place, null to remove it, undefined to
 * leave it as it is.
 * @param at where its bracket stands in the text
 */
export type Renumber = (number: number, at: number) => number | null | undefined

/** Rewrites the markers of a text that comes in pieces. */
export interface MarkerReader {
  /** Takes a piece. @returns the text that is certain now; a marker that may go on in the next piece is held back */
  feed(text: string): string
  /** Ends the text. @returns what was held back */
  end(): string
}

/** One number or several between brackets: `[1]`, `[1, 3]`, `[2-4]`, and `【1】` as some models write it. */
const MARKER =
  /([ \t]{0,3})(?:\[[ \t]?(\d{1,2}(?:[ \t]?[,;–-][ \t]?\d{1,2}){0,9})[ \t]?\]|【[ \t]?(\d{1,2}(?:[ \t]?[,;–-][ \t]?\d{1,2}){0,9})[ \t]?】)/y
const RANGE = /[–-]/
/** Text at the end of a piece that may become a marker. */
const BEGUN = /[ \t]{0,3}(?:[[【][\d \t,;–-]{0,60})?$/y
const PLAIN = /[^`[【 \t\n]+/y
const FENCE = 3

/**
 * Reads the markers of a text, except in code and in the texts of links.
 * @param isKnown tells whether something has this number
 */
export function markerReader(
  renumber: Renumber,
  isKnown: (number: number) => boolean = () => true,
): MarkerReader {
  let held = ''
  /** The length of the text before `held`. */
  let passed = 0
  /** The number of backticks that end the code in which the text stands; 0: it is no code. */
  let code = 0
  let isFence = false
  let isLineStart = true
  /** White space before a marker that was removed. The next marker takes it over. */
  let lead = ''

  function read(isEnd: boolean): string {
    let out = ''
    let at = 0
    const copy = (end: number) => {
      out += held.slice(at, end)
      at = end
      lead = ''
    }
    while (at < held.length) {
      const first = held[at] as string
      if (first === '`') {
        const end = at + runOf(held, at)
        if (end === held.length && !isEnd) break
        const run = end - at
        if (code === 0) {
          code = run
          isFence = run >= FENCE && isLineStart
        } else if (isFence ? run >= code && isLineStart : run === code) code = 0
        isLineStart = false
        copy(end)
      } else if (first === '\n') {
        if (!isFence) code = 0
        copy(at + 1)
        isLineStart = true
      } else if (code > 0 || (first !== '[' && first !== '【' && first !== ' ' && first !== '\t')) {
        isLineStart &&= first === ' ' || first === '\t'
        PLAIN.lastIndex = at
        copy(PLAIN.test(held) ? PLAIN.lastIndex : at + 1)
      } else {
        MARKER.lastIndex = at
        const found = MARKER.exec(held)
        const end = at + (found?.[0].length ?? 0)
        BEGUN.lastIndex = at
        // The text behind a marker shows whether it is the text of a link, or part of a pattern.
        if (!isEnd && (found ? end === held.length : BEGUN.test(held))) break
        if (!found || held[end] === '(' || held[end] === '{') {
          isLineStart &&= first === ' ' || first === '\t'
          copy(found ? end : at + 1)
          continue
        }
        const [, before = '', round, other] = found
        const rewritten = rewrite(round ?? other ?? '', passed + at + before.length)
        if (rewritten === null) copy(end)
        else if (rewritten === '') {
          lead ||= before
          // At the beginning of a line, the white space behind the marker goes too.
          at = isLineStart && held[end] === ' ' ? end + 1 : end
          continue
        } else {
          out += (before || lead) + rewritten
          lead = ''
          at = end
        }
        isLineStart = false
      }
    }
    passed += at
    held = held.slice(at)
    return out
  }

  /** Rewrites the numbers of one marker. @returns null: the marker stays as it is */
  function rewrite(numbers: string, at: number): string | null {
    const asked = expand(numbers)
    // Passages are counted from 1, so a list with a 0 in it names something else.
    if (asked.length > 1 && asked.includes(0)) return null
    // A range that goes beyond the passages counts something else, such as characters.
    if (RANGE.test(numbers) && !asked.every(isKnown)) return null
    const given = asked.map((number) => renumber(number, at))
    const kept = given.filter((number) => typeof number === 'number')
    // Several numbers that name no passage are more likely to be an ordinary list.
    if (kept.length === 0 && (asked.length > 1 || given[0] === undefined)) return null
    return [...new Set(kept)].map((number) => `[${number}]`).join('')
  }

  return {
    feed(text) {
      held += text
      return read(false)
    },
    end: () => read(true),
  }
}

/** Rewrites the markers of a whole text. */
export function rewriteMarkers(
  text: string,
  renumber: Renumber,
  isKnown?: (number: number) => boolean,
): string {
  const reader = markerReader(renumber, isKnown)
  return reader.feed(text) + reader.end()
}

function runOf(text: string, from: number): number {
  let end = from
  while (text[end] === '`') end++
  return end - from
}

/** Lists the numbers of a marker, with those between the ends of a range. */
function expand(numbers: string): number[] {
  return numbers.split(/[,;]/).flatMap((part) => {
    const [from = 0, to = from] = part.split(/[–-]/).map(Number)
    if (to < from || to - from > 20) return [from, to]
    return Array.from({ length: to - from + 1 }, (_, index) => from + index)
  })
}
