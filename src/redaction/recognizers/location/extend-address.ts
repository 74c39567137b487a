import { CLASS, isDigit, LETTER, MARK } from '../../engine/characters.ts'
import { step } from '../../engine/step.ts'
import { NO_NAMES, plain } from '../person/lists.ts'
import { UNITS } from './words.ts'

const LONGEST = 140
const MOST_PIECES = 10

/** The separator between the parts of an address. */
const GAP =
  /(?:\.(?=,))?[^\S\n]?(?:[,،、/|-]|;(?=[^\S\n])|\n(?!\n|(?:tel|fax|phone|mobile?|handy|cell|e-?mail|web)\b)(?:[^\S\n]{0,4}))[^\S\n]{0,3}|[^\S\n]/iy
const UNIT = new RegExp(
  `(?:${UNITS})(?:[.:º°]|\\s?(?:nº|no\\.|n\\.º|number|#|:))?\\s?#?\\s?\\p{Lu}?\\d{0,5}[-/]?(?:\\d{1,4}|\\p{Lu}(?![\\p{L}]))?[\\p{L}]?(?![\\p{L}\\p{N}])`,
  'iuy',
)
const FLOOR =
  /\d{1,3}(?:\.?[ºª°]|\.|st|nd|rd|th|er|e|ème)? ?(?:[A-Z](?![\p{L}])|floor|fl|th|tv|mf|sal|izq|izda|dcha|dcho|esq|dto|dir|og|stock|étage|etage|piano|kat|andar|piętro|этаж|th floor)\.?(?![\p{L}])/iuy
/** A postcode, alone or with a place before or after it. */
const POSTCODE =
  /(?:[A-Z]{1,2}[- ])?(?:\d{5}-\d{3,4}|\d{4}-\d{3}|\d{2}-\d{3}|\d{3}-\d{4}|\d{3} \d{2}|\d{4} ?[A-Z]{2}|\d{4,6})(?![\d\p{L}])|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?![\p{L}\d])|[A-Z]\d[A-Z] ?\d[A-Z]\d(?![\p{L}\d])|(?:#|no\.? ?)?\d{1,5}\p{L}?(?:[-/]\d{1,5})?(?![\p{L}\d])/uy
const CAPITAL = /\p{Lu}[\p{L}\p{M}]*(?:['.-]\p{L}[\p{L}\p{M}]*)*\.?/uy
const SMALL_JOINT =
  /(?:de|del|da|do|dos|das|di|la|las|los|le|les|el|y|e|et|of|the|upon|am|an der|im|in|bei|ob der|on|sur|sous|en|van|den|der|aan|op|nad|pod|w|na|av|и|на|город|г\.|м\.|обл|область|край|район|р-н|місто) (?=[\p{Lu}\d])|(?:г|м|с|пос|gm|woj|tp|kec|kel|kab|kota)\.? ?(?=\p{Lu})/uy
const CASELESS = /[\p{Lo}\p{M}]{1,24}\.?/uy
const THAI_PIECE = /(?:แขวง|เขต|ตำบล|อำเภอ|จังหวัด|ต\.|อ\.|จ\.|กรุงเทพ|ซอย|ถนน|หมู่|กทม)[\u0e00-\u0e7f.]{0,30}/y

/**
 * Returns the end of the address whose street and number end at `core`. Includes flats, floors, postcodes, places and
 * countries that follow, but nothing that continues the sentence.
 */
export function extendAddress(text: string, core: number): number {
  let end = core
  for (let piece = 0; piece < MOST_PIECES && end - core < LONGEST; piece++) {
    const start = step(GAP, text, end)
    if (start === end) return end
    const isParted = !/^ $/.test(text.slice(end, start))
    const next = pieceEnd(text, start, isParted, end)
    if (next === start) return end
    end = next
  }
  return end
}

/** Returns the end of the part that begins at `start`; `start` if no part begins there. */
function pieceEnd(text: string, start: number, isParted: boolean, before: number): number {
  const unit = step(UNIT, text, start)
  if (unit > start && /\d/.test(text.slice(start, unit))) return unit
  const code = text.charCodeAt(start)
  const floor = isDigit(code) ? step(FLOOR, text, start) : start
  if (floor > start) return floor
  const thai = code >= 0xe00 && code < 0xe80 ? step(THAI_PIECE, text, start) : start
  if (thai > start) return withThaiPlace(text, thai)
  const postcode = step(POSTCODE, text, start)
  if (postcode > start) {
    const digits = text.slice(start, postcode).replace(/\D/g, '').length
    const isUsual = digits >= 4 || /\p{Lu}/u.test(text.slice(start, postcode))
    if (!isUsual && !isParted) return start
    const place = text.charAt(postcode) === ' ' && isUsual ? placeEnd(text, postcode + 1, true) : postcode
    return place > postcode + 1 ? place : postcode
  }
  const isBehindNumber = isDigit(text.charCodeAt(before - 1))
  const place = placeEnd(text, start, false)
  if (place === start) return start
  if (isParted) return closes(text, place) ? place : start
  // Without a comma, only a region or a place with its postcode follows: `VIC 3000`, `Leeds LS6 3AB`.
  return !isBehindNumber && hasPostcodeBehind(text, place) ? place : start
}

function hasPostcodeBehind(text: string, at: number): boolean {
  const start = step(GAP, text, at)
  const end = step(POSTCODE, text, start)
  return end > start && text.slice(start, end).length >= 4
}

/** Returns the end of a place's name: up to four words with capitals, or in a script without capitals. */
function placeEnd(text: string, start: number, isBehindPostcode: boolean): number {
  let at = start
  let end = start
  for (let words = 0; words < 4; words++) {
    const joint = step(SMALL_JOINT, text, at)
    let next = step(CAPITAL, text, joint)
    if (isDigit(text.charCodeAt(next))) break
    if (next > joint) {
      const written = text.slice(joint, next).replace(/\.$/, '')
      const word = plain(written)
      const isRegion = /^[A-Z]{2}$/.test(written) && hasPostcodeBehind(text, next)
      if (!isRegion && NO_PLACES.has(word) && !/^(?:st|la|las|los|el|le|san|new|bad)$/.test(word)) break
      if (text.charAt(next - 1) === '.' && next - joint > 4) next--
    } else {
      next = step(CASELESS, text, at)
      if (next === at || (isBehindPostcode && words > 1)) break
      if (NO_PLACES.has(text.slice(at, next))) break
    }
    end = next
    if (text.charAt(next) === '-' || (text.charAt(next) === '/' && words < 3)) {
      at = next + 1
      continue
    }
    if (text.charAt(next) === ' ' && text.charAt(next + 1) === '-' && text.charAt(next + 2) === ' ') {
      at = next + 3
      continue
    }
    if (text.charAt(next) !== ' ') break
    at = next + 1
  }
  const district = end > start ? DISTRICT.exec(text.slice(end, end + 4)) : null
  return end + (district ? district[0].length : 0)
}

/** The number of a district: `Praha 1`. */
const DISTRICT = /^ \d{1,2}(?![\d\p{L}])/u

/** Capitalized words after an address that continue the conversation. */
const NO_PLACES: ReadonlySet<string> = new Set(
  [...NO_NAMES, ...'है हैं और में पर को مع من في هل أنا متى لكن'.split(' ')].filter(
    (word) =>
      !/^(?:la|el|le|los|las|san|am|im|in|new|do|da|de|st|a|na|w|v|o|london|paris|berlin|tokyo)$/.test(word),
  ),
)

/** Tells whether the address can end or continue where a place ends. */
function closes(text: string, at: number): boolean {
  if (at >= text.length) return true
  const code = text.charCodeAt(at)
  const kind = CLASS[code]
  if (kind === LETTER || kind === MARK) return false
  return /^(?:[,.;!?)\n"'|،。、।]|\s?[-–]\s|\s?\d| [A-Z]{1,2}\d| (?:है|में|पर)| \(|\s*$)/.test(
    text.slice(at, at + 6),
  )
}

function withThaiPlace(text: string, at: number): number {
  const place = /^\s?(?:[\u0e00-\u0e7f.ฯ]{2,24}\s)?\d{5}(?!\d)/.exec(text.slice(at, at + 40))
  return place ? at + place[0].length : at
}
