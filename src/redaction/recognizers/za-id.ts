import { digitAt, isDate, passesLuhn } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** South African identity numbers: birth date, sequence, citizenship 0 to 2 and a Luhn digit. */
export const zaId: Recognizer = {
  type: 'ZA_ID',
  label: 'South African identity number',
  example: '8001015009087',
  isIdentity: true,
  context: ['south african id*', 'sa id*', 'rsa id*', 'id number*', 'id nommer*', 'identiteitsnommer*'],
  numbers: [
    {
      shapes: ['13', '6 4 3', '6 4 2 1', '6 4 1 1 1', '6-4-3', '6-4-2-1'],
      judge: (digits) => (passes(digits) ? 'checked' : undefined),
    },
  ],
  examples: ['SA ID «8001015009087»', 'my ID number is «800101 5009 087»'],
  counterExamples: ['SA ID 8001015009088', 'barcode 8001015009087'],
}

function passes(digits: string): boolean {
  if (digitAt(digits, 10) > 2 || !passesLuhn(digits)) return false
  return isDate(Number(digits.slice(0, 2)), Number(digits.slice(2, 4)), Number(digits.slice(4, 6)))
}
