import { digitAt, isDate, weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/**
 * Resident registration numbers. Those issued since October 2020 have no check digit, so the date and the sex digit
 * must suffice.
 */
export const krRrn: Recognizer = {
  type: 'KR_RRN',
  label: 'Korean resident registration number',
  example: '900101-1234568',
  isIdentity: true,
  context: ['주민등록*', '주민번호', '외국인등록*', 'rrn', 'resident registration*'],
  numbers: [
    { shapes: ['6-7', '6 7'], judge: (digits) => (isBorn(digits) ? 'alone' : undefined) },
    {
      shapes: ['13'],
      judge: (digits) => (isBorn(digits) ? (passes(digits) ? 'checked' : 'context') : undefined),
    },
  ],
  examples: [
    '주민등록번호는 «900101-1234568»입니다',
    '주민번호 «9001011234568»',
    '«850230-2345678»'.replace('0230', '0228'),
  ],
  counterExamples: ['901301-1234568', '주문 9001011234568'],
}

function isBorn(digits: string): boolean {
  const sex = digitAt(digits, 6)
  return (
    sex >= 1 &&
    sex <= 8 &&
    isDate(Number(digits.slice(0, 2)), Number(digits.slice(2, 4)), Number(digits.slice(4, 6)))
  )
}

function passes(digits: string): boolean {
  const rest = (11 - (weigh(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10
  return rest === digitAt(digits, 12) || (rest + 2) % 10 === digitAt(digits, 12)
}
