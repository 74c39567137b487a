import { CLASS, isAlphanumeric, isCapital, isDigit, LETTER, MARK } from '../../engine/characters.ts'
import { step } from '../../engine/step.ts'
import { STREET_ENDINGS } from './words.ts'

/** A stretch of a text. */
export interface Stretch {
  start: number
  end: number
}

interface Piece extends Stretch {
  kind: 'number' | 'code' | 'capital' | 'small' | 'caseless'
  word: string
  /** A comma or line end stands before it. */
  isParted: boolean
}

/** How far on either side of a street word its street is read. */
export const REACH = 64
const SHORTEST = 4
const MOST_PIECES = 8
/** A number, a few words, and what may tie the number to others. */
const MOST_WORDS_BEFORE = 8
/** `221B`, `12-14`, `4/2`, `5th`, a word, an abbreviation. */
const PIECE =
  /\d{1,5}(?:st|nd|rd|th|er|º|ª|-[яй])?[\p{L}]?(?:[-/]\d{1,4}\p{L}?){0,2}(?![\p{L}\p{N}])|\p{Lu}[\p{L}\p{M}]*(?:['.-]\p{L}[\p{L}\p{M}]*)*|\p{Ll}[\p{L}\p{M}]*(?:['-]\p{L}[\p{L}\p{M}]*)*|nº|n°|№|#|[\p{Lo}\p{M}]+(?:[.'-][\p{Lo}\p{M}]+)*/uy
const GAP = /\.?[ºª°:]?(?:[^\S\n]{0,2}[,،][^\S\n]{0,2}|[^\S\n]{1,2})?/y
const PARTICLES = new Set(
  "de del la las los el da do dos das du des le les di della dei delle degli dell' d' l' van der den von of the y e et í w i al ter ten te na nad zum zur und and".split(
    ' ',
  ),
)
const NUMBER_MARKS = new Set(
  'nº n° no nr n num núm número numero nummer number č čp д дом буд будинок № # رقم مبنى بناية عمارة नं नंबर भवन km number: số lok'.split(
    ' ',
  ),
)
const LONGEST_MARK = 8
const AFTER_NUMBER = new Set('bis ter quater quinquies a b c'.split(' '))
/** Words in small letters between a number and «street» that make it no address: `5 minutes street`. */
const NO_NAMES =
  /^(?:minutes?|hours?|days?|weeks?|months?|years?|blocks?|miles?|people|cars?|houses?|more|other|new|different|of|in|on|the|long|small|big|large|main|side|percent|km|meters?|times|lanes?|items?|boxes|orders?|am|pm|quick|old|free|good|best|local|steps|dead|single|narrow|short|from|to|at|near|busy|th|st|nd|rd)$/
/** Words for streets that mean other things too: not without a capital, or a number and a name. */
const ORDINARY =
  /^(?:st|dr|pl|way|close|park|place|court|square|row|hill|walk|green|view|rise|loop|plaza|drive|al|os|am|an der|auf der|im|zum|zur|unter den|ring|ter|tie|ut|tr|pho|ngo|gang|hem|weg|largo|grand|gate|gata|vag|stig|place|cours|route|passage|ct|av|nam|sk|cd|ps|cra|jr|r\.|ln|rd|sq|gg|heights|gardens|grove|parade|circle|cir|trail|broadway|strada|borgo|pike|mews|quay|alley|ronda|paseo|camino|diagonal|quadra|beco|ул|os|pl|plass|plats|plein|kade|gate|vei|utca|năm|cad|sok|mah|hof|markt|ngach|nhanh|дом|пер|пл|пр)$/i
/** Street words that stand before the street's name, not behind it. */
const BEFORE_NAME =
  /^(?:rue|chemin|impasse|allée|place|passage|route|quai|cours|sentier|faubourg|calle|c\/|avenida|avda|av\.?|plaza|pza|paseo|ps|camino|carretera|ctra|ronda|carrera|via|viale|v\.le|piazza|corso|largo|vicolo|rua|r\.|travessa|praça|alameda|estrada|rodovia|ulica|ul\.?|aleja|al\.?|plac|pl\.?|osiedle|os\.?|am|an der|auf der|im|zum|zur|unter den|улица|ул\.?|проспект|пр-т|переулок|пер\.?|вул\.?|вулиця|просп\.?|пров\.?|شارع|طريق|جادة|ถนน|ซอย|đường|phố|jalan|jl\.?|jln|gang|gg|lorong|bulevardul|strada|str\.?|calea)$/i

/** Street words that stand on either side of the name. */
const EITHER_SIDE =
  /^(?:улиц[аеу]|ул\.?|проспекте?|пр-т|переулок|пер\.?|вул\.?|вулиця|просп\.?|пров\.?|проезд|шоссе|ulica|plac|aleja|strada)$/i

/** The street and house number around the street word between `start` and `end`, in whichever order. */
export function findStreet(text: string, start: number, end: number): Stretch | undefined {
  const word = text.slice(start, end)
  // `SQ1024`
  if (isTalk(word) || (isDigit(text.charCodeAt(end)) && isAlphanumeric(text.charCodeAt(end - 1)))) return
  const isBehindNumber = hasDigit(text, wordsBefore(text, start), start)
  // `SQ 378` is a flight, and no square.
  if (!isBehindNumber && /^[A-Z]{2}$/.test(word)) return
  if (!isBehindNumber && !hasDigit(text, end, end + REACH)) return
  const before = readBefore(text, start)
  const first = isBehindNumber ? numberFirst(before, word, start, end) : undefined
  if (first) return first
  const behind = readBehind(text, end)
  return numberThenName(text, before, behind, word) ?? numberLast(before, behind, word, start)
}

function hasDigit(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isDigit(text.charCodeAt(at))) return true
  return false
}

/** Whether a word in small letters means other things than a street too often, and does not begin one's name. */
function isTalk(word: string): boolean {
  return !/^[\p{Lu}\p{Lo}]/u.test(word) && ORDINARY.test(word) && !BEFORE_NAME.test(word)
}

/** `12 Maple Street`, `221b baker street` */
function numberFirst(before: Piece[], word: string, start: number, end: number): Stretch | undefined {
  const names = trailing(
    before,
    (piece) => piece.kind === 'capital' || (piece.kind === 'number' && /(?:st|nd|rd|th)$/.test(piece.word)),
    4,
  )
  const number = before.at(-1 - names)
  const isCapital = /^\p{Lu}/u.test(word)
  const name = before.at(-names)
  if (name && names > 0 && number?.kind === 'number' && !name.isParted) {
    // `2027 La via è chiusa`, `3. The Golden Gate`
    if (SENTENCE_STARTS.test(name.word) || (names === 1 && !isCapital && ARTICLES.test(name.word))) return
    return isCapital || !ORDINARY.test(word) ? { start: number.start, end } : undefined
  }
  const [first, second] = before.slice(-2)
  const isSmall = names === 0 && first?.kind === 'number' && second?.kind === 'small' && !second.isParted
  if (
    !isSmall ||
    isCapital ||
    ORDINARY.test(word) ||
    NO_NAMES.test(second.word) ||
    PARTICLES.has(second.word)
  )
    return
  return BEFORE_NAME.test(word) || start - second.end > 1 ? undefined : { start: first.start, end }
}

/** With units: `256 GB Wall Street` */
const SENTENCE_STARTS = /^(?:the|die|das|der|het|den|det|[KMGT]B|MP|AM|PM)$/i
const ARTICLES = /^(?:la|le|les|el|il|lo|a|o|as|os|de|een|en|ett|un|una|une|uma|ein|eine)$/i

/** `12 rue de la Paix`, `25 شارع التحرير`, `12 đường Lê Lợi` */
function numberThenName(text: string, before: Piece[], behind: Piece[], word: string): Stretch | undefined {
  const last = before.at(-1)
  const number = isHouse(last)
    ? last
    : last && AFTER_NUMBER.has(last.word) && isHouse(before.at(-2))
      ? before.at(-2)
      : undefined
  if (!number || (ORDINARY.test(word) && !BEFORE_NAME.test(word))) return
  // `© 2017-2022 R. Thomas`
  if (word.length < 3 && /^(?:19|20)\d\d$/.test(number.word)) return
  const name = nameLength(behind)
  if (name === 0) return
  const mark = before.at(-2)
  const start =
    mark && mark !== number && NUMBER_MARKS.has(mark.word) && number.start - mark.end < 3
      ? mark.start
      : number.start
  return { start, end: trimmed(text, (behind[name - 1] as Piece).end) }
}

/** `Calle Mayor 12`, `ул. Ленина, д. 5`, `Goethe Straße 12`, `Atatürk Caddesi No: 12` */
function numberLast(before: Piece[], behind: Piece[], word: string, start: number): Stretch | undefined {
  if (/^[A-Z]{2}$/.test(word)) return
  const isCapital = /^[\p{Lu}\p{Lo}]/u.test(word)
  const direct = houseNumberAt(behind, 0)
  if (direct >= 0 && (!BEFORE_NAME.test(word) || EITHER_SIDE.test(word))) {
    const names = trailing(before, (piece) => piece.kind === 'capital' || piece.kind === 'caseless', 3)
    const first = before.at(-names)
    if (names > 0 && first && (isCapital || !ORDINARY.test(word)))
      return { start: first.start, end: (behind[direct] as Piece).end }
  }
  if (/^(?:via|gang)$/.test(word)) return
  const name = nameLength(behind)
  const last = behind[name - 1]
  if (last?.kind === 'number' && name > 1) return { start, end: last.end }
  for (let length = name; length > 0; length--) {
    const number = houseNumberAt(behind, length)
    if (number >= 0) return { start, end: (behind[number] as Piece).end }
    if (behind[length - 1]?.kind === 'number' && length > 1)
      return { start, end: (behind[length - 1] as Piece).end }
  }
  return
}

/** How many pieces belong to the street's name. */
function nameLength(pieces: readonly Piece[]): number {
  let length = 0
  const [first, second] = pieces
  const isBareNumber = first?.kind === 'number' && second?.kind !== 'capital'
  if (isBareNumber && !(second && NUMBER_MARKS.has(second.word.toLowerCase()))) return 0
  for (let at = 0; at < pieces.length && at < 6; at++) {
    const piece = pieces[at] as Piece
    if (at > 0 && piece.isParted) break
    if (piece.kind === 'small' && !PARTICLES.has(piece.word.toLowerCase())) break
    if (piece.kind === 'caseless' && (at > 2 || NUMBER_MARKS.has(piece.word))) break
    if (piece.kind === 'capital' && NUMBER_MARKS.has(piece.word.toLowerCase())) break
    if (piece.kind === 'number' && at > 0) return isHouse(piece) ? at + 1 : length
    if (piece.kind !== 'small' && piece.kind !== 'number') length = at + 1
  }
  return length
}

/** Where the house number stands that begins at `at`, past a mark such as `nº` or `д.`; -1 when there is none. */
function houseNumberAt(pieces: readonly Piece[], at: number): number {
  for (let index = at; index < at + 2 && index < pieces.length; index++) {
    const piece = pieces[index] as Piece
    if (piece.kind === 'number') return isHouse(piece) ? index : -1
    if (!NUMBER_MARKS.has(piece.word.toLowerCase())) return -1
  }
  return -1
}

function isHouse(piece: Piece | undefined): boolean {
  return piece?.kind === 'number' && !/^\d{5}$/.test(piece.word)
}

function trailing(pieces: readonly Piece[], belongs: (piece: Piece) => boolean, most: number): number {
  let count = 0
  for (let at = pieces.length - 1; at >= 0 && count < most; at--) {
    const piece = pieces[at] as Piece
    if (!belongs(piece)) break
    count++
    if (piece.isParted) break
  }
  return count
}

function readBehind(text: string, end: number): Piece[] {
  const pieces: Piece[] = []
  let at = end
  while (pieces.length < MOST_PIECES && at - end < REACH) {
    const from = step(GAP, text, at)
    if (from === at) break
    const isParted = /[,،]/.test(text.slice(at, from))
    const piece = readPiece(text, from, isParted)
    if (!piece) break
    pieces.push(piece)
    at = piece.end
  }
  return pieces
}

function readBefore(text: string, start: number): Piece[] {
  let at = wordsBefore(text, start)
  let pieces: Piece[] = []
  let isParted = true
  if (at > 0 && /[\p{L}\p{N}]/u.test(text.charAt(at - 1)))
    while (at < start && /[\p{L}\p{M}\p{N}]/u.test(text.charAt(at))) at++
  while (at < start) {
    const piece = readPiece(text, at, isParted)
    if (!piece || piece.end > start) {
      if (!/[\s]/.test(text.charAt(at))) pieces = []
      isParted = true
      at++
      continue
    }
    pieces.push(piece)
    at = step(GAP, text, piece.end)
    const gap = text.slice(piece.end, at)
    isParted = /[,،]/.test(gap) || at === piece.end || (piece.kind === 'number' && gap === '. ')
  }
  return start - (pieces.at(-1)?.end ?? 0) <= 3 ? pieces : []
}

/** Where the words before a place begin that may belong to its street: those of its line, within reach. */
function wordsBefore(text: string, start: number): number {
  const near = Math.max(0, start - REACH)
  let words = 0
  for (let at = start; at > near; at--) {
    const code = text.charCodeAt(at - 1)
    if (code === 10) return at
    if (code === 32 && ++words > MOST_WORDS_BEFORE) return at
  }
  return near
}

function readPiece(text: string, at: number, isParted: boolean): Piece | undefined {
  PIECE.lastIndex = at
  if (!PIECE.test(text)) return
  const end = PIECE.lastIndex
  const word = text.slice(at, end)
  const kind = kindOf(text.charCodeAt(at))
  return {
    start: at,
    end,
    kind: kind === 'number' && isOfCode(text, at, end, word) ? 'code' : kind,
    word,
    isParted,
  }
}

/** Whether a number is a date, or part of a longer code or number. */
function isOfCode(text: string, start: number, end: number, word: string): boolean {
  const before = text.charCodeAt(start - 1)
  if (isAlphanumeric(before) || DATE.test(word)) return true
  if (/[.,:-]/.test(text.charAt(start - 1)) && isDigit(text.charCodeAt(start - 2))) return true
  return /[.,]/.test(text.charAt(end)) && isDigit(text.charCodeAt(end + 1))
}

const DATE = /^\d{1,4}[-/]\d{1,2}[-/]\d{2,4}$/

/** What a piece is that begins with a character. */
function kindOf(code: number): Piece['kind'] {
  if (isDigit(code)) return 'number'
  if (isCapital(code)) return 'capital'
  return (code >= 97 && code <= 122) || CASELESS.test(String.fromCharCode(code)) === false
    ? 'small'
    : 'caseless'
}

const CASELESS = /[\p{Lo}\p{M}]/u

function trimmed(text: string, end: number): number {
  return text.charCodeAt(end - 1) === 46 ? end - 1 : end
}

/** The start of the street's own name before the house number at `start`, when it ends as street names do; else -1. */
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
  // `Karl-Marx-Straße` is one word; `Große Bleichen` and its like lose no number by keeping the first.
  const endings = ENDINGS_BY_TAIL.get(name.slice(-TAIL))
  return endings?.some((ending) => ending.length < name.length && name.endsWith(ending)) ? from : -1
}

/** Whether a word stands between the street and its number: `Hauptstraße Nr. 5`. */
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

/** No ending of a street's name is shorter. */
const TAIL = 3
const ENDINGS_BY_TAIL = Map.groupBy(STREET_ENDINGS, (ending) => ending.slice(-TAIL))

/** A word in small letters, without a full stop behind it. */
function wordOf(text: string, start: number, end: number): string {
  return text.slice(start, trimmed(text, end)).toLowerCase()
}

/** Where the word begins that ends at `end`, with its hyphens, apostrophes and full stops. */
function wordStart(text: string, end: number): number {
  let at = end
  for (; at > 0 && end - at < REACH; at--) {
    const code = text.charCodeAt(at - 1)
    const kind = CLASS[code]
    if (kind !== LETTER && kind !== MARK && code !== 45 && code !== 39 && code !== 46) break
  }
  return at
}
