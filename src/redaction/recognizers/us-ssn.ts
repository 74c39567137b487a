import type { Page } from '../engine/page.ts'
import type { Candidate, Recognizer } from '../engine/recognizer.ts'

/** Social Security numbers that the Social Security Administration assigns: no area 000, 666 or 900 and above. */
export const usSsn: Recognizer = {
  type: 'US_SSN',
  label: 'US Social Security number',
  example: '536-90-4399',
  isIdentity: true,
  context: [
    'ssn*',
    'social security*',
    'social',
    'soc sec',
    'seguro social',
    'ss number',
    'ss#',
    'social sec',
    'soc. sec*',
    's.s.n',
  ],
  numbers: [
    { shapes: ['3-2-4'], judge: (digits) => (isAssigned(digits) ? 'alone' : undefined) },
    { shapes: ['3 2 4', '3.2.4', '3/2/4'], judge: (digits) => (isAssigned(digits) ? 'checked' : undefined) },
    { shapes: ['9'], judge: (digits) => (isAssigned(digits) ? 'context' : undefined) },
  ],
  look: lookForAnswer,
  examples: [
    'My SSN is «536-90-4399».',
    'social security number «536904399»',
    'ssn: «536 90 4399»',
    '«219-09-9999»',
    'Here it is:\n«536904399»\nthanks',
  ],
  counterExamples: [
    '000-12-3456',
    '666-12-3456',
    'order 536904399',
    'SKU 123-45-67890',
    '536904399\n536904400',
    'order:\n536904399',
  ],
}

function isAssigned(digits: string): boolean {
  const area = digits.slice(0, 3)
  return (
    area !== '000' &&
    area !== '666' &&
    area < '900' &&
    digits.slice(3, 5) !== '00' &&
    digits.slice(5) !== '0000'
  )
}

const LONGEST_LINE = 40

/**
 * Finds nine digits on a line of their own, which is how people answer when asked for the number. Among other lines of
 * digits, they are part of a list.
 */
function lookForAnswer(page: Page, token: number): Candidate | undefined {
  const start = page.tokenStart(token)
  const end = page.tokenEnd(token)
  if (end - start !== 9 || !page.isNumber(token) || !isAssigned(page.text.slice(start, end))) return
  const before = page.text.slice(Math.max(0, start - LONGEST_LINE), start)
  const behind = page.text.slice(end, end + LONGEST_LINE)
  const isAlone = /(?:^|\n)[^\S\n]*$/.test(before) && /^[^\S\n]*\.?[^\S\n]*(?:\n|$)/.test(behind)
  const isListed = /(?:^|\n)[\d\s]*\d\s*\n\s*$/.test(before) || /^\s*\n\s*\d+\s*(?:\n|$)/.test(behind)
  return isAlone && !isListed ? { start, end, strength: 'checked' } : undefined
}
