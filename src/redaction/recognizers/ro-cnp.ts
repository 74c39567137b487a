import { digitAt, isDate, weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** Cod numeric personal: sex and century, birth date, county, order and a check digit mod 11. */
export const roCnp: Recognizer = {
  type: 'RO_CNP',
  label: 'Romanian personal numeric code',
  example: '1800101221144',
  isIdentity: true,
  context: ['cnp*', 'cod numeric personal', 'codul numeric personal'],
  numbers: [
    { shapes: ['13', '1 6 6', '1 2 2 2 2 3 1'], judge: (digits) => (passes(digits) ? 'checked' : undefined) },
  ],
  examples: ['CNP «1800101221144»'],
  counterExamples: ['CNP 1800101221145'],
}

function passes(digits: string): boolean {
  const rest = weigh(digits, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11
  const isBorn = isDate(Number(digits.slice(1, 3)), Number(digits.slice(3, 5)), Number(digits.slice(5, 7)))
  return digitAt(digits, 0) > 0 && isBorn && (rest === 10 ? 1 : rest) === digitAt(digits, 12)
}
