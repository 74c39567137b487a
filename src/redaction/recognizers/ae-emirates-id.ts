import { passesLuhn } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** Emirates ID: 784, year of birth, seven digits and a Luhn digit. */
export const aeEmiratesId: Recognizer = {
  type: 'AE_EMIRATES_ID',
  label: 'Emirates ID number',
  example: '784-1979-1234567-1',
  isIdentity: true,
  context: ['emirates id*', 'الهوية الإماراتية', 'هوية'],
  numbers: [
    { shapes: ['3-4-7-1', '3 4 7 1'], judge: (digits) => (isIssued(digits) ? 'alone' : undefined) },
    {
      shapes: ['15'],
      judge: (digits) => (isIssued(digits) ? (passesLuhn(digits) ? 'checked' : 'context') : undefined),
    },
  ],
  examples: ['Emirates ID «784-1979-1234567-1»', 'emirates id: «784197912345671»'],
  counterExamples: ['order 784197912345672', '785-1979-1234567-1'],
}

function isIssued(digits: string): boolean {
  return /^784(?:19|20)/.test(digits)
}
