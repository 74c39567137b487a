import { isDate } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** CPR numbers: birth date and four digits; since 2007 without a check digit. */
export const dkCpr: Recognizer = {
  type: 'DK_CPR',
  label: 'Danish CPR number',
  example: '070761-4285',
  isIdentity: true,
  context: ['cpr*', 'personnummer*'],
  numbers: [
    { shapes: ['6-4'], judge: (digits) => (isBorn(digits) ? 'checked' : undefined) },
    { shapes: ['10', '6 4'], judge: (digits) => (isBorn(digits) ? 'context' : undefined) },
  ],
  examples: ['CPR «070761-4285»', 'mit CPR-nummer er «0707614285»'],
  counterExamples: ['CPR 320761-4285', 'ordre 070761-4285'],
}

function isBorn(digits: string): boolean {
  return isDate(Number(digits.slice(4, 6)), Number(digits.slice(2, 4)), Number(digits.slice(0, 2)))
}
