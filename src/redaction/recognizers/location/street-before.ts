import { CLASS, isCapital, LETTER, MARK } from '../../engine/characters.ts'
import { REACH, trimmed } from './street-pieces.ts'
import { NO_STREETS, NUMBER_MARKS, STREET_ENDINGS } from './words.ts'

const SHORTEST = 4
const LONGEST_MARK = 8

/**
 * Returns the start of the street name before the house number at `start`, if it ends as names of streets do; otherwise
 * -1.
 */
export function streetBefore(text: string, start: number): number {
  let end = start - 1
  let from = wordStart(text, end)
  if (from === end) return -1
  if (isNumberMark(text, from, end)) {
    end = /[\s,]/.test(text.charAt(from - 2)) ? from - 2 : from - 1
    from = wordStart(text, end)
  }
  if (end - from < SHORTEST || !isCapital(text.charCodeAt(from))) return -1
  const name = wordOf(text, from, end)
  // `Karl-Marx-Straße` is one word. The first word of a name like `Große Bleichen` may stay, because the number is
  // hidden anyway.
  if (NO_STREETS.has(name)) return -1
  const endings = ENDINGS_BY_TAIL.get(name.slice(-TAIL))
  return endings?.some((ending) => ending.length < name.length && name.endsWith(ending)) ? from : -1
}

/** Tells whether this is a word between the street and its number: `Hauptstraße Nr. 5`. */
function isNumberMark(text: string, start: number, end: number): boolean {
  return (
    end - start <= LONGEST_MARK &&
    MARK_BEGINNINGS.has(text.charCodeAt(start)) &&
    NUMBER_MARKS.has(wordOf(text, start, end))
  )
}

const MARK_BEGINNINGS = new Set(Array.from(NUMBER_MARKS).flatMap((mark) => beginnings(mark)))

function beginnings(mark: string): number[] {
  return [mark.charCodeAt(0), mark.toUpperCase().charCodeAt(0)]
}

/** The length of the shortest ending. */
const TAIL = 3
const ENDINGS_BY_TAIL = Map.groupBy(STREET_ENDINGS, (ending) => ending.slice(-TAIL))

/** Returns a word in lower case, without a final full stop. */
function wordOf(text: string, start: number, end: number): string {
  return text.slice(start, trimmed(text, end)).toLowerCase()
}

/** Returns the start of the word that ends at `end`, including its hyphens, apostrophes and full stops. */
function wordStart(text: string, end: number): number {
  let at = end
  for (; at > 0 && end - at < REACH; at--) {
    const code = text.charCodeAt(at - 1)
    const kind = CLASS[code]
    if (kind !== LETTER && kind !== MARK && code !== 45 && code !== 39 && code !== 46) break
  }
  return at
}
