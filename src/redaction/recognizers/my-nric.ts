import { isDate } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** MyKad numbers: birth date, place of birth and four digits. */
export const myNric: Recognizer = {
  type: 'MY_NRIC',
  label: 'Malaysian identity card number',
  example: '900101-14-1234',
  isIdentity: true,
  context: ['mykad*', 'ic number*', 'ic no*', 'kad pengenalan', 'nric', 'no ic'],
  numbers: [
    { shapes: ['6-2-4'], judge: (digits) => (isBorn(digits) ? 'alone' : undefined) },
    { shapes: ['12', '6 2 4'], judge: (digits) => (isBorn(digits) ? 'context' : undefined) },
  ],
  examples: ['IC number «900101-14-1234»', 'no IC «900101141234»'],
  counterExamples: ['901301-14-1234', 'order 900101141234'],
}

function isBorn(digits: string): boolean {
  return isDate(Number(digits.slice(0, 2)), Number(digits.slice(2, 4)), Number(digits.slice(4, 6)))
}
