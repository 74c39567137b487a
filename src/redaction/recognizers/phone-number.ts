import { isAlphanumeric, isDigit } from '../engine/characters.ts'
import { weigh } from '../engine/check-digits.ts'
import type { Strength } from '../engine/finding.ts'
import type { Page, Reach } from '../engine/page.ts'
import type { Candidate, Recognizer } from '../engine/recognizer.ts'
import { EXTENSION_WORDS, findExtension } from './phone-extension.ts'
import { type Groups, gather, joint } from './phone-groups.ts'
import { NATIONAL_LAYOUTS } from './phone-layouts.ts'
import { fitInternational, isNationalWithZero } from './phone-plans.ts'
import { PHONE_WORDS } from './phone-words.ts'

const TYPE = 'PHONE_NUMBER'
const FEWEST = 7
const MOST = 15

/** Any number with an area code in brackets. */
const BRACKETED = /^(?:1[ .-]?)?\(\d{2,5}\)[ .-]?\d{2,5}(?:[ .-]?\d{2,4}){0,3}$/
const DATE =
  /^(?:\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})(?![./-]?\d)|(?:19|20)\d\d([./-])\d{1,2}\2\d{1,2}(?!\d))/

/** Coordinates, numbers with thousands separators, versions of browsers, and milliseconds since 1970. */
const DECIMAL = /^\d{1,3}(?:\.\d{4,}|(?:\.\d{3}){2,}|\.0\.\d+\.\d+)$|^1[4-9]\d{11}$/
/** Versions with a date: `1.47.0 / 2021-04-01`. */
const RELEASE = /^\d+\.\d+\.\d+ |(?:19|20)\d\d-[01]\d-[0-3]\d/

/**
 * Numbers with `+` or `00` in any plan of the world, numbers in national layouts, and any number that a word calls a
 * phone number.
 */
export const phoneNumber: Recognizer = {
  type: TYPE,
  label: 'Phone number',
  example: '+44 20 7946 0958',
  context: PHONE_WORDS,
  numbers: NATIONAL_LAYOUTS,
  look,
  phrases: { phoneExtension: EXTENSION_WORDS },
  find(page) {
    const words = page.phrases('phoneExtension')
    for (let at = 0; at < words.length; at += 2) {
      const found = findExtension(page, words[at] as number, words[at + 1] as number)
      if (found) page.add(TYPE, found.start, found.end, 'checked')
    }
  },
  examples: [
    'call «+1 415 555 0132» now',
    'Tel. «+49 (0)30 901820»',
    'ring «020 7946 0958» please',
    'numéro : «06 12 34 56 78»',
    '«(415) 555-0132 ext. 12» is my desk',
    'my number is «5550132»',
    '電話は«０３－１２３４－５６７８»です',
    'мой телефон «8 (912) 345-67-89»',
    '手机«13812345678»',
    '«0044 20 7946 0958»',
    'llámame al «612 345 678»',
    'Mobil «0171/1234567»',
    'ligue para «(11) 98765-4321»',
    '«(+44) 20 7946 0958»',
    'Oficina: «987 805 786 ext. 221»',
    'Zentrale «+49 89 123456-216»',
    '请打«9127 0286»联系我',
    'mobile «07.56.89.82.03»',
    'whatsapp «+52 1 55 1234 5678»',
    'Telefon «+41-78-647-41-09-174»',
    'मेरा नंबर «9876543210» है',
  ],
  counterExamples: [
    'order number 4155550132',
    'ISBN 978-3-16-148410-0',
    'on 2024-01-15 10:30',
    'from 01.02.2023 to 03.04.2024',
    'population 612 345 678',
    '$ 1 234 567 890',
    'tracking 1Z999AA10123456784',
    'build 2024.10.15.1234',
    'the years 2019-2024',
    'a grid of 1000000 x 20',
    'the interno 5 of 2024',
    '1700000000',
    'recognizes text/yaml\n\n1.47.0 / 2021-04-01',
    'call the function print(123456789)',
    'call me at 27.278618, 32.361282 on the map',
    'call to {"created":1587174544620}',
  ],
}

function look(page: Page, token: number): Candidate | undefined {
  if (!page.isNumber(token)) return
  const { text } = page
  let start = page.tokenStart(token)
  const end = page.tokenEnd(token)
  if (end - start > MOST + 4 || (end - start < FEWEST && !goesOnBehind(page, token))) return
  const before = text.charCodeAt(start - 1)
  const isPlus = before === 43 || (before === 40 && text.charCodeAt(start - 2) === 43)
  if (!isPlus && (start < page.triedUntil || goesOnBefore(text, start))) return
  const isZero = text.charCodeAt(start) === 48
  if (
    !isPlus &&
    !isZero &&
    before !== 40 &&
    !text.startsWith('011', start) &&
    page.distance(TYPE, start, end, OVER_NUMBERS) === Number.POSITIVE_INFINITY
  )
    return
  const groups = gather(page, token)
  const last = groups.digits.at(-1) as string
  if (last.length < FEWEST) return
  if (isPlus || /^00[1-9]|^011[1-9]/.test(last)) {
    if (isPlus) start -= before === 40 || text.charCodeAt(start - 2) === 40 ? 2 : 1
    if (isPlus && isAlphanumeric(text.charCodeAt(start - 1))) return
    const found = findInternational(groups, isPlus ? 0 : last.startsWith('011') ? 3 : 2, isPlus)
    if (found) {
      // A numbering plan determines where the number ends, however its groups are joined.
      const isWhole = found.strength === 'alone' || !text.slice(start, found.end).includes('-')
      return { start, end: isWhole ? extensionEnd(text, found.end) : found.end, strength: found.strength }
    }
    if (isPlus) return isNear(page, start, groups.ends.at(-1) as number) ? wholeOf(groups, start) : undefined
  }
  if (before === 40 && groups.hasBrackets) start--
  const found = findNational(page, groups, start)
  // A run with more groups than any number is a list or a table. Its middle is not examined again.
  if (!found && groups.isCut) page.triedUntil = groups.ends.at(-1) as number
  if (!found) return
  const isWhole = !text.slice(start, found.end).includes('-')
  return { start, end: isWhole ? extensionEnd(text, found.end) : found.end, strength: found.strength }
}

/** Returns all groups of a number with a plus, for a plan that is no longer in use. */
function wholeOf(groups: Groups, start: number): Candidate | undefined {
  const digits = (groups.digits.at(-1) as string).length
  return digits <= MOST ? { start, end: groups.ends.at(-1) as number, strength: 'context' } : undefined
}

/** The reach for words after a number. They stand behind the last of its groups. */
const OVER_NUMBERS: Reach = { before: 48, behind: 48, isOverNumbers: true }

function isNear(page: Page, start: number, end: number): boolean {
  return page.distance(TYPE, start, end) !== Number.POSITIVE_INFINITY
}

/** Tells whether another group of digits precedes, joined by more than a space. */
function goesOnBefore(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1)
  return (
    (before === 45 || before === 46 || before === 47 || before === 44) && isDigit(text.charCodeAt(start - 2))
  )
}

/** Tells whether another group of digits follows that may belong to the same number. */
function goesOnBehind(page: Page, token: number): boolean {
  return token + 1 < page.tokenCount && joint(page.text, page.tokenEnd(token), page.tokenStart(token + 1)) > 0
}

function findInternational(
  groups: Groups,
  skip: number,
  isPlus: boolean,
): { end: number; strength: Strength } | undefined {
  let possible: { end: number; strength: Strength } | undefined
  for (let at = groups.ends.length - 1; at >= 0; at--) {
    const digits = (groups.digits[at] as string).slice(skip)
    if (digits.length > MOST || digits.length < FEWEST) continue
    const fit = fitInternational(digits)
    const end = groups.ends[at] as number
    if (fit === 'valid') return { end, strength: isPlus || at > 0 ? 'alone' : 'checked' }
    if (fit === 'possible' && isPlus) possible ??= { end, strength: 'checked' }
  }
  return possible
}

function findNational(
  page: Page,
  groups: Groups,
  start: number,
): { end: number; strength: Strength } | undefined {
  const { text } = page
  const follows = text.charCodeAt(start - 1) === 32 && isDigit(text.charCodeAt(start - 2))
  const all = text.slice(start, groups.ends.at(-1))
  if (DATE.test(all) || RELEASE.test(all) || DECIMAL.test(all) || isBook(all)) return
  for (let at = groups.ends.length - 1; at >= 0; at--) {
    const digits = groups.digits[at] as string
    if (digits.length < 8 || digits.length > 12) continue
    const end = groups.ends[at] as number
    const raw = all.slice(0, end - start)
    const hasLayout = digits.startsWith('0')
      ? isZeroLayout(digits, raw)
      : groups.hasBrackets && BRACKETED.test(raw)
    if (hasLayout && !(follows && !raw.includes('-'))) return { end, strength: 'checked' }
  }
  if (!isNear(page, start, groups.ends.at(-1) as number)) return
  for (let at = groups.ends.length - 1; at >= 0; at--) {
    const digits = groups.digits[at] as string
    const end = groups.ends[at] as number
    const lastGroup = digits.length - (at > 0 ? (groups.digits[at - 1] as string).length : 0)
    if (digits.length >= FEWEST && digits.length <= 13 && lastGroup > 1) return { end, strength: 'context' }
  }
  return
}

/** Tells whether a number is an ISBN in the layout of books. */
function isBook(raw: string): boolean {
  if (!/^(?:97[89][ -]?)?\d{1,5}([ -]?)\d{1,7}\1\d{1,7}\1\d$/.test(raw)) return false
  const digits = raw.replace(/[ -]/g, '')
  if (digits.length === 13) return weigh(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0
  return (
    /^\d{1,5}-\d+-\d+-\d$/.test(raw) &&
    digits.length === 10 &&
    weigh(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
  )
}

function isZeroLayout(digits: string, raw: string): boolean {
  if (digits.length < 9 || digits.charCodeAt(1) === 48 || !isNationalWithZero(digits)) return false
  if (raw.length > digits.length) return !/^0\d{0,2}[.]/.test(raw) || /^0\d(?:\.\d\d){4}$/.test(raw)
  return /^0(?:[4-9]|1[05-7])\d{8,9}$/.test(digits)
}

/** Returns the end of an extension of one to four digits after a hyphen; without one, the end of the number. */
function extensionEnd(text: string, end: number): number {
  DIRECT_DIAL.lastIndex = end
  return DIRECT_DIAL.test(text) ? DIRECT_DIAL.lastIndex : end
}

const DIRECT_DIAL = /-\d{1,4}(?![\d-]|\.\d)/y
