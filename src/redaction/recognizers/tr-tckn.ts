import { digitAt, weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** T.C. kimlik numarası: two check digits. */
export const trTckn: Recognizer = {
  type: 'TR_TCKN',
  label: 'Turkish identity number',
  example: '10000000146',
  isIdentity: true,
  context: ['tc kimlik*', 't.c. kimlik*', 'tckn*', 'kimlik*', 't.c. no*', 'tc no*', 'vatandaslik*'],
  numbers: [
    { shapes: ['11', '3 3 3 2', '3-3-3-2'], judge: (digits) => (passes(digits) ? 'checked' : undefined) },
  ],
  examples: ['TC kimlik no «10000000146»', 'TCKN: «10000000146»'],
  counterExamples: ['TC kimlik no 10000000147', 'sipariş 10000000146'],
}

function passes(digits: string): boolean {
  if (digits.startsWith('0')) return false
  const tenth = ((weigh(digits, [7, -1, 7, -1, 7, -1, 7, -1, 7]) % 10) + 10) % 10
  const eleventh = weigh(digits, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]) % 10
  return tenth === digitAt(digits, 9) && eleventh === digitAt(digits, 10)
}
