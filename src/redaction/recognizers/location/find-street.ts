import { isAlphanumeric, isDigit } from '../../engine/characters.ts'
import type { Stretch } from '../../engine/stretch.ts'
import { hasDigit, type Piece, REACH, readBefore, readBehind, trimmed, wordsBefore } from './street-pieces.ts'
import { NUMBER_MARKS } from './words.ts'

const PARTICLES = new Set(
  "de del la las los el da do dos das du des le les di della dei delle degli dell' d' l' van der den von of the y e et í w i al ter ten te na nad zum zur und and".split(
    ' ',
  ),
)
const AFTER_NUMBER = new Set('bis ter quater quinquies a b c'.split(' '))
/** Lower-case words between a number and "street" that show that it is not an address: `5 minutes street`. */
const NO_NAMES =
  /^(?:minutes?|hours?|days?|weeks?|months?|years?|blocks?|miles?|people|cars?|houses?|more|other|new|different|of|in|on|the|long|small|big|large|main|side|percent|km|meters?|times|lanes?|items?|boxes|orders?|am|pm|quick|old|free|good|best|local|steps|dead|single|narrow|short|from|to|at|near|busy|th|st|nd|rd)$/
/** Words for streets that also have other meanings. They need a capital, or a number and a name. */
const ORDINARY =
  /^(?:st|dr|pl|way|close|park|place|court|square|row|hill|walk|green|view|rise|loop|plaza|drive|al|os|am|an der|auf der|im|zum|zur|unter den|ring|ter|tie|ut|tr|pho|ngo|gang|hem|weg|largo|grand|gate|gata|vag|stig|place|cours|route|passage|ct|av|nam|sk|cd|ps|cra|jr|r\.|ln|rd|sq|gg|heights|gardens|grove|parade|circle|cir|trail|broadway|strada|borgo|pike|mews|quay|alley|ronda|paseo|camino|diagonal|quadra|beco|ул|os|pl|plass|plats|plein|kade|gate|vei|utca|năm|cad|sok|mah|hof|markt|ngach|nhanh|дом|пер|пл|пр)$/i
/** Street words that precede the name of the street. */
const BEFORE_NAME =
  /^(?:rue|chemin|impasse|allée|place|passage|route|quai|cours|sentier|faubourg|calle|c\/|avenida|avda|av\.?|plaza|pza|paseo|ps|camino|carretera|ctra|ronda|carrera|via|viale|v\.le|piazza|corso|largo|vicolo|rua|r\.|travessa|praça|alameda|estrada|rodovia|ulica|ul\.?|aleja|al\.?|plac|pl\.?|osiedle|os\.?|am|an der|auf der|im|zum|zur|unter den|улица|ул\.?|проспект|пр-т|переулок|пер\.?|вул\.?|вулиця|просп\.?|пров\.?|شارع|طريق|جادة|ถนน|ซอย|đường|phố|jalan|jl\.?|jln|gang|gg|lorong|bulevardul|strada|str\.?|calea)$/i

/** Street words that precede or follow the name. */
const EITHER_SIDE =
  /^(?:улиц[аеу]|ул\.?|проспекте?|пр-т|переулок|пер\.?|вул\.?|вулиця|просп\.?|пров\.?|проезд|шоссе|ulica|plac|aleja|strada)$/i

/** English street words that follow the name. A house number precedes both. */
const ENGLISH_LAST =
  /^(?:close|crescent|cres|way|parkway|highway|drive|court|lane|road|grove|gardens|mews|walk|row|hill|rise|trail|alley|loop|turnpike|freeway|esplanade|parade|view|heights|park|square|circle|green)$/i
/** Words before a number that counts something: `Step 2`, `Phase 1`, `Top 10`. */
const COUNTED =
  /(?:phase|step|take|top|version|chapter|level|task|figure|week|option|season|question|part|round|stage|row|gate|seat|bay|sector|episode|game|table|day|tier|page|slide|item|tabelle|schritt|runde|punkt|etappe|stufe|kapitel|tag|woche|frage|folie|seite|fase|paso|nivel|capitulo|capítulo|semana|pregunta|étape|niveau|chapitre|question|passo|livello|capitolo|settimana|domanda|stap|week|vraag|krok|etap|шаг|этап|глава|неделя)[ \t]$/i
/** Capital words in front of "drive", "way", "place" and the like that make it something else. */
const THINGS =
  /^(?:google|hard|usb|flash|thumb|pen|test|cloud|one|best|easy|only|right|wrong|star|click|factor|day|hour|minute|angry|supreme|safe|empty|road|search|other|own|last|next)$/i

/** Returns the street and house number around the street word between `start` and `end`, in either order. */
export function findStreet(text: string, start: number, end: number): Stretch | undefined {
  const word = text.slice(start, end)
  // `SQ1024` is a code.
  if (isTalk(word) || (isDigit(text.charCodeAt(end)) && isAlphanumeric(text.charCodeAt(end - 1)))) return
  const isBehindNumber = hasDigit(text, wordsBefore(text, start), start)
  // `SQ 378` is a flight, not a square.
  if (!isBehindNumber && /^[A-Z]{2}$/.test(word)) return
  if (!isBehindNumber && !hasDigit(text, end, end + REACH)) return
  const before = readBefore(text, start)
  const first = isBehindNumber ? numberFirst(text, before, word, start, end) : undefined
  if (first) return first
  const behind = readBehind(text, end)
  return numberThenName(text, before, behind, word) ?? numberLast(before, behind, word, start)
}

/** Tells whether a lower-case word often has other meanings than a street, and does not begin the name of one. */
function isTalk(word: string): boolean {
  return !/^[\p{Lu}\p{Lo}]/u.test(word) && ORDINARY.test(word) && !BEFORE_NAME.test(word)
}

/** Finds `12 Maple Street`, `221b baker street`. */
function numberFirst(
  text: string,
  before: Piece[],
  word: string,
  start: number,
  end: number,
): Stretch | undefined {
  const names = trailing(
    before,
    (piece) => piece.kind === 'capital' || (piece.kind === 'number' && /(?:st|nd|rd|th)$/.test(piece.word)),
    4,
  )
  const number = before.at(-1 - names)
  const isCapital = /^\p{Lu}/u.test(word)
  const name = before.at(-names)
  if (number && COUNTED.test(text.slice(Math.max(0, number.start - 12), number.start))) return
  if (name && names > 0 && number?.kind === 'number' && !name.isParted) {
    if (ENGLISH_LAST.test(word) && THINGS.test((before.at(-1) as Piece).word)) return
    // `2027 La via è chiusa`, `3. The Golden Gate` are no addresses.
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

/** Words that begin a sentence, and units: `256 GB Wall Street`. */
const SENTENCE_STARTS = /^(?:the|die|das|der|het|den|det|[KMGT]B|MP|AM|PM)$/i
const ARTICLES = /^(?:la|le|les|el|il|lo|a|o|as|os|de|een|en|ett|un|una|une|uma|ein|eine)$/i

/** Finds `12 rue de la Paix`, `25 شارع التحرير`, `12 đường Lê Lợi`. */
function numberThenName(text: string, before: Piece[], behind: Piece[], word: string): Stretch | undefined {
  const last = before.at(-1)
  const number = isHouse(last)
    ? last
    : last && AFTER_NUMBER.has(last.word) && isHouse(before.at(-2))
      ? before.at(-2)
      : undefined
  if (!number || (ORDINARY.test(word) && !BEFORE_NAME.test(word))) return
  // `© 2017-2022 R. Thomas` is no address.
  if (word.length < 3 && /^(?:19|20)\d\d$/.test(number.word)) return
  if (COUNTED.test(text.slice(Math.max(0, number.start - 12), number.start))) return
  const name = nameLength(behind)
  if (name === 0) return
  const mark = before.at(-2)
  const start =
    mark && mark !== number && NUMBER_MARKS.has(mark.word) && number.start - mark.end < 3
      ? mark.start
      : number.start
  return { start, end: trimmed(text, (behind[name - 1] as Piece).end) }
}

/** Finds `Calle Mayor 12`, `ул. Ленина, д. 5`, `Goethe Straße 12`, `Atatürk Caddesi No: 12`. */
function numberLast(before: Piece[], behind: Piece[], word: string, start: number): Stretch | undefined {
  if (/^[A-Z]{2}$/.test(word) || ENGLISH_LAST.test(word)) return
  const isCapital = /^[\p{Lu}\p{Lo}]/u.test(word)
  const direct = houseNumberAt(behind, 0)
  if (direct >= 0 && (!BEFORE_NAME.test(word) || EITHER_SIDE.test(word))) {
    const names = trailing(before, (piece) => piece.kind === 'capital' || piece.kind === 'caseless', 3)
    const first = before.at(-names)
    if (names > 0 && first && (isCapital || !ORDINARY.test(word)))
      return { start: first.start, end: (behind[direct] as Piece).end }
  }
  if (/^(?:via|gang)$/.test(word)) return
  // `Gate 5 Close 3`, `Platz 3 Berlin`: only the name of a street that follows its word begins with a number.
  const name = BEFORE_NAME.test(word) || behind[0]?.kind !== 'number' ? nameLength(behind) : 0
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

/** Returns the number of pieces that belong to the name of the street. */
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

/**
 * Returns the index of the house number that begins at `at`, skipping a mark such as `nº` or `д.`; -1 if there is none.
 */
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
