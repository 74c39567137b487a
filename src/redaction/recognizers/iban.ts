import { isAlphanumeric } from '../engine/characters.ts'
import { mod97 } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

const TYPE = 'IBAN_CODE'

/** Lengths by country, from SWIFT's IBAN registry; 0 for two letters that are not a country with IBANs. */
const LENGTHS = new Uint8Array(32 * 32)
const COUNTRIES =
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
for (const entry of COUNTRIES.split(' ')) LENGTHS[countryOf(entry, 0)] = Number(entry.slice(2))
const LONGEST = 34

/**
 * IBANs with their country's length and mod 97 (ISO 13616). Near a word, also those in which a character is wrong, missing
 * or too many.
 */
export const iban: Recognizer = {
  type: TYPE,
  label: 'IBAN',
  example: 'DE89 3704 0044 0532 0130 00',
  context: ['iban*', 'konto*', 'account*', 'compte', 'cuenta', 'conto', 'rekening*', 'hesap*', 'счет*'],
  look(page, token) {
    const lead = page.tokenLetters(token)
    if (lead > 2 || lead === 1) return
    const { text } = page
    let start = page.tokenStart(token)
    if (lead === 0) {
      if (page.tokenEnd(token) - start < 2) return
      start -= text.charCodeAt(start - 1) === 32 ? 3 : 2
      if (!isLetter(text.charCodeAt(start)) || !isLetter(text.charCodeAt(start + 1))) return
    }
    const length = LENGTHS[countryOf(text, start)] as number
    if (length === 0) return
    const end = endOf(text, start, length)
    if (end > 0) return { start, end, strength: 'alone' }
    const near = nearEndOf(text, start, length)
    if (near < 0 || page.distance(TYPE, start, near) === Infinity) return
    // More than the word speaks for it: the country and the length.
    return { start, end: near, strength: 'checked' }
  },
  examples: [
    'IBAN «DE89 3704 0044 0532 0130 00»',
    '«GB29NWBK60161331926819»',
    'iban «fr14 2004 1010 0505 0001 3m02 606»',
    '«NL91-ABNA-0417-1643-00»',
    'IBAN：«ＤＥ８９３７０４００４４０５３２０１３０００»',
    '«DE 89 3704 0044 0532 0130 00»',
    'IBAN «DE89 3704 0044 0532 0130 01» is refused',
    'IBAN: «DE8937040044O532013000»',
    'IBAN «DE 89 3704 0044 0532 0130 0», right?',
    'iban «gb29 nwbk 6016 1331 9268 199»',
    'IBAN: «LU28 0019 4006 4475 00000»',
  ],
  counterExamples: [
    'DE89 3704 0044 0532 0130 01',
    'IBAN XX89 3704 0044 0532 0130 00',
    'the IBAN DE12 is a code',
    'IBAN DE89 3704 0044',
    'account DE12 of 2024-05-03 12:00 and 17',
  ],
}

function isLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122
}

/** Returns the index of the two letters at `start` among all pairs of letters, ignoring case. */
function countryOf(text: string, start: number): number {
  return (text.charCodeAt(start) & 31) * 32 + (text.charCodeAt(start + 1) & 31)
}

/**
 * Returns the end of the code that begins at `start`, if it has this many characters and a valid check; otherwise -1.
 */
function endOf(text: string, start: number, length: number): number {
  const limit = Math.min(text.length, start + LONGEST + 12)
  let count = 0
  let at = start
  for (; at < limit && count < length; at++) {
    const code = text.charCodeAt(at)
    if (isAlphanumeric(code)) CODE[count++] = code
    else if ((code !== 32 && code !== 45 && code !== 46) || !isAlphanumeric(text.charCodeAt(at + 1)))
      return -1
  }
  if (count < length || isAlphanumeric(text.charCodeAt(at))) return -1
  return mod97(CODE, length) === 1 ? at : -1
}

/** The code that is currently being read. */
const CODE = new Uint8Array(LONGEST)

/** A group of a code: one with a digit, or the letters of a bank. */
const GROUP = /[ .-]?((?=[a-z]{0,33}\d)[a-z\d]{1,34}|[a-z]{4}(?![a-z\d]))/iy

/** Returns the end of the groups at `start` that have this many characters, or one more or less; otherwise -1. */
function nearEndOf(text: string, start: number, length: number): number {
  let end = -1
  let count = 2
  for (let at = start + count; count < length; at = GROUP.lastIndex) {
    GROUP.lastIndex = at
    count += GROUP.exec(text)?.[1]?.length ?? LONGEST
    if (Math.abs(count - length) <= 1) end = GROUP.lastIndex
  }
  return end
}
