import { beginsDate } from '../engine/dates.ts'
import type { Page } from '../engine/page.ts'

const MOST_DIGITS = 19
const MOST_GROUPS = 8

/** Groups of digits that may form one phone number. */
export interface Groups {
  /** All digits up to the end of each group. */
  digits: string[]
  ends: number[]
  hasBrackets: boolean
  /** True if there are more groups than a number can have. */
  isCut: boolean
}

/** Returns the groups of digits from a token on, joined as in phone numbers. Leaves out a trunk zero in brackets. */
export function gather(page: Page, first: number): Groups {
  const { text } = page
  let all = ''
  const groups: Groups = { digits: [], ends: [], hasBrackets: false, isCut: false }
  for (let token = first; token < page.tokenCount; token++) {
    const start = page.tokenStart(token)
    const end = page.tokenEnd(token)
    if (token > first) {
      const gap = joint(text, page.tokenEnd(token - 1), start)
      if (gap === 0 || !page.isNumber(token)) break
      const isSpaced = text.charCodeAt(start - 1) === 32
      if (isSpaced && (beginsDate(text, start) || isYear(text, all, start, end))) break
      if (gap === BRACKET) groups.hasBrackets = true
    }
    if (groups.ends.length === MOST_GROUPS || all.length + end - start > MOST_DIGITS) {
      groups.isCut = true
      break
    }
    const isTrunkZero =
      end - start === 1 && text[start] === '0' && text[start - 1] === '(' && text[end] === ')'
    if (!isTrunkZero || token === first) all += text.slice(start, end)
    groups.digits.push(all)
    groups.ends.push(text[end] === ')' && text[start - 1] === '(' && !isTrunkZero ? end + 1 : end)
  }
  return groups
}

/** Tells whether a group is a year behind a number that is whole without it. */
function isYear(text: string, digits: string, start: number, end: number): boolean {
  return (
    digits.length >= WHOLE &&
    /^(?:19|20)\d\d$/.test(text.slice(start, end)) &&
    !/ /.test(text.slice(start - 6, start - 1))
  )
}

/** The least number of digits of a phone number without an area code. */
const WHOLE = 7
const SEPARATOR = 1
const BRACKET = 2

/**
 * Returns the joint between two groups: a separator or a closing bracket; 0 for anything that phone numbers do not use.
 */
export function joint(text: string, end: number, start: number): number {
  if (start - end > 3) return 0
  let kind = SEPARATOR
  let marks = 0
  for (let at = end; at < start; at++) {
    const code = text.charCodeAt(at)
    if (code === 41) kind = BRACKET
    else if (code === 45 || code === 46 || code === 47) marks++
    else if (code !== 32 && code !== 40) return 0
  }
  return marks > 1 ? 0 : kind
}
