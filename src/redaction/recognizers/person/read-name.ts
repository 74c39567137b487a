import { CLASS, isCapital, isDigit, LETTER, UNSPACED } from '../../engine/characters.ts'
import { step } from '../../engine/step.ts'
import { GIVEN_NAMES, NO_NAMES, NO_SMALL_NAMES, plain } from './lists.ts'
import { readHan, readHangul, readJapanese, readThai } from './read-unspaced.ts'

const LONGEST = 60
const MOST_WORDS = 5

/** A word with a capital, including `O'Brien`, `Jean-Pierre` and the initial `J.` */
const CAPITAL_WORD = /\p{Lu}[\p{L}\p{M}]*(?:['-]\p{L}[\p{L}\p{M}]*)*/uy
const INITIAL = /\p{Lu}\.(?=[ -]?\p{Lu}| (?:(?:de|van|von|der|den|da|di|del|la|le|ten|ter) ){1,2}\p{Lu})/uy
/** The last initial after a family name: `Морозова С. В.` */
const LAST_INITIAL = /\p{Lu}\.(?=[^\S\n]*(?:$|[\n,;]))/uy
const PARTICLES =
  /(?:(?:De|Da|Di|Du|Del|Della|Van|Von|Der|La|Le|El|Al|Dos|Dal|Lo|Ten|Ter|St|de|da|do|dos|das|del|della|di|du|des|la|le|les|van|von|der|den|het|ter|ten|te|zu|zum|af|av|bin|bint|ibn|binti|al|el|y|e|'t|d'|of) ){1,3}(?=\p{Lu})|(?:d'|al-|el-|l')(?=\p{Lu})/uy
const SMALL_PARTICLES =
  /(?:(?:de|del|da|do|dos|das|di|van|von|der|den|la|las|los|al|el|bin) ){1,3}(?=\p{Ll})/uy
const SMALL_WORD = /\p{Ll}[\p{L}\p{M}]*(?:['-]\p{L}[\p{L}\p{M}]*)*/uy
/** Words in letters without capitals, Georgian ones, which have them for headings alone, too. */
const CASELESS_WORD = /[\p{Lo}\p{M}\u10d0-\u10ff]{2,20}/uy
/** Letters that only Vietnamese has. With one of them, a short word may be a name that it is not in other languages. */
const VIETNAMESE = /[ăđơưĂĐƠƯ\u1ea0-\u1ef9]/
const HAS_CAPITAL = /\p{Lu}/u

/** A name in a text: its position, its number of words, and true if its first word is a frequent given name. */
export interface Name {
  start: number
  end: number
  words: number
  isGiven: boolean
}

/** Reads the name that begins at `start`, if there is one: by its capitals, or by the rules of its script. */
export function readName(text: string, start: number): Name | undefined {
  const code = text.charCodeAt(start)
  if (CLASS[code] === UNSPACED) return readUnspaced(text, start)
  if (CLASS[code] !== LETTER) return
  if (HAS_CAPITAL.test(text.charAt(particlesEnd(text, start)))) return readCapitalized(text, start)
  return isCaseless(text, start) ? readCaseless(text, start) : undefined
}

function readUnspaced(text: string, start: number): Name | undefined {
  const char = text.charAt(start)
  let end: number
  if (char >= '\u0e00' && char <= '\u0e7f') end = readThai(text, start)
  else if (char >= '\uac00' && char <= '\ud7af') end = readHangul(text, start)
  else end = readHan(text, start)
  return end > start ? { start, end, words: 2, isGiven: true } : undefined
}

/** Reads a name in Chinese characters or kana in a Japanese sentence, up to the word after it. */
export function readJapaneseName(text: string, start: number): Name | undefined {
  const end = readJapanese(text, start)
  return end > start ? { start, end, words: 2, isGiven: true } : undefined
}

function readCapitalized(text: string, start: number): Name | undefined {
  let at = particlesEnd(text, start)
  let end = start
  let words = 0
  let isGiven = false
  while (words < MOST_WORDS && at - start < LONGEST) {
    const initial = initialEnd(text, at, words)
    const next = initial > at ? initial : step(CAPITAL_WORD, text, at)
    if (next === at || isOfCode(text, next)) break
    const word = plain(text.slice(at, next))
    if (initial === at && NO_NAMES.has(word) && !isVietnameseName(text, start, next, word)) break
    if (isIdentifier(text, at, next)) break
    if (words === 0) isGiven = isGivenName(word)
    words++
    end = next
    if (text.charAt(next) !== ' ') break
    at = particlesEnd(text, next + 1)
  }
  return words > 0 ? { start, end, words, isGiven } : undefined
}

/** Tells whether a word has inner capitals as names in programs do, unlike `McDonald` or `DeLuca`. */
function isIdentifier(text: string, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at++) {
    if (isCapital(text.charCodeAt(at)) && !isCapital(text.charCodeAt(at - 1))) {
      return CLASS[text.charCodeAt(at - 1)] === LETTER && !NAME_PREFIX.test(text.slice(start, at))
    }
  }
  return false
}

const NAME_PREFIX = /^(?:M[ac]c?|Fitz|D[aei]|Du|Del|Della|L[aei]|Van|Von|Ap|Al|El|Abd?|Abdul|Mac)$/

/** Tells whether a word continues as a code does: `INV-2024`. */
function isOfCode(text: string, end: number): boolean {
  return isDigit(text.charCodeAt(end)) || (text.charCodeAt(end) === 45 && isDigit(text.charCodeAt(end + 1)))
}

/** Returns the end of the particles at `at`; `at` if there are none. */
function particlesEnd(text: string, at: number): number {
  return PARTICLE_STARTS.has(text.charCodeAt(at)) ? step(PARTICLES, text, at) : at
}

const PARTICLE_STARTS = new Set(Array.from("DVLEATSdvlatzbeyohi'", (char) => char.charCodeAt(0)))

/** Returns the end of the initial at `at`; `at` if there is none. */
function initialEnd(text: string, at: number, words: number): number {
  if (text.charCodeAt(at + 1) !== 46) return at
  const end = step(INITIAL, text, at)
  return end === at && words > 0 ? step(LAST_INITIAL, text, at) : end
}

/** Tells whether a word is a Vietnamese name. `Mai` is a month in German, and a name in Vietnamese texts. */
function isVietnameseName(text: string, start: number, end: number, word: string): boolean {
  const written = text.slice(start, end)
  if (VIETNAMESE.test(written) || VIETNAMESE_SURNAMES.has(written)) return true
  return GIVEN_NAMES.has(word) && VIETNAMESE.test(text.slice(Math.max(0, start - NEAR), end + NEAR))
}

/** Surnames that, without their diacritics, are words in other languages. */
const VIETNAMESE_SURNAMES = new Set(['Lê', 'Võ', 'Ngô', 'Hà', 'Tô', 'Lã', 'Ôn', 'Mã'])
const NEAR = 24

/** Tells whether a word, or the part before its hyphen, is a frequent given name. */
function isGivenName(word: string): boolean {
  const hyphen = word.indexOf('-')
  return GIVEN_NAMES.has(word) || (hyphen > 0 && GIVEN_NAMES.has(word.slice(0, hyphen)))
}

/** Reads one or two lower-case words, as people write names in chats. Used only after unambiguous phrases. */
export function readSmallName(text: string, start: number): Name | undefined {
  const first = step(SMALL_WORD, text, start)
  const word = plain(text.slice(start, first))
  if (word.length < 2 || NO_SMALL_NAMES.has(word)) return
  const isGiven = GIVEN_NAMES.has(word)
  let name: Name | undefined
  for (let words = 1, end = first; ; words++) {
    if (closesName(text, end) || (words === 1 && isGiven)) name = { start, end, words, isGiven }
    if (words === MOST_SMALL_WORDS || text.charAt(end) !== ' ') return name
    const from = step(SMALL_PARTICLES, text, end + 1)
    const next = step(SMALL_WORD, text, from)
    const other = plain(text.slice(from, next))
    if (other.length < 2 || NO_SMALL_NAMES.has(other)) return name
    end = next
  }
}

const MOST_SMALL_WORDS = 3

function closesName(text: string, end: number): boolean {
  return /^(?:$|[.,;:!?\n)"-]| (?:and|und|et|y|e|en|i|och|ve|и|dan|va|from|aus|de|da|van)\s)/.test(
    text.slice(end, end + 6),
  )
}

const CASELESS_STOPS = new Set(
  'أنا من في هل عندي لدي هنا رقم رقمي كيف متى أود أريد اريد أحتاج احتاج اتصل هاتفي بريدي على إلى عن مع هذا هذه التي الذي كان يمكن أرجو ارجو شكرا مرحبا بخصوص طلبت اطلب لكن أو ثم هو هي عنواني عمري سيدي سيدتي المحترم المحترمة المحترمين يوم أمس اليوم غدا العميل العملاء الجميع الكرام فريق الفريق الدعم בבקשה אני של את על עם זה יש לי תודה है हैं हूँ हूं और का की के को से में मैं मुझे मेरा मेरी मेरे यह वह था थी पर या लेकिन ने नाम फोन नंबर पता बोल जी महोदय महोदया सर मैडम ग्राहक टीम सभी कृपया आप आपका क्या कब कैसे कहाँ'.split(
    ' ',
  ),
)
/** Words that must be followed by another word of the name. */
const CASELESS_JOINTS = new Set('عبد أبو ابو بن ابن بنت آل أم ام بو'.split(' '))

function isCaseless(text: string, start: number): boolean {
  return step(CASELESS_WORD, text, start) > start
}

/** Reads up to three words of a script without capitals, before one that continues the sentence. */
function readCaseless(text: string, start: number): Name | undefined {
  let end = start
  let words = 0
  let isGiven = false
  for (let at = start; words < 3; at = end + 1) {
    const next = step(CASELESS_WORD, text, at)
    if (next === at) break
    const word = text.slice(at, next)
    if (words === 0) isGiven ||= GIVEN_NAMES.has(plain(word)) || CASELESS_JOINTS.has(word)
    if (CASELESS_STOPS.has(word) || (words > 0 && word.charAt(0) === 'و' && word.length > 3)) break
    if (words === 2 && !word.startsWith('ال') && !/[\u0900-\u097f]/.test(word)) break
    end = next
    if (!CASELESS_JOINTS.has(word)) words++
    if (text.charAt(next) !== ' ') break
  }
  return words > 0 ? { start, end, words, isGiven } : undefined
}
