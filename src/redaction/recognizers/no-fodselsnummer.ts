import { digitAt, weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** Fødselsnummer and D-nummer: two check digits mod 11. */
export const noFodselsnummer: Recognizer = {
  type: 'NO_FODSELSNUMMER',
  label: 'Norwegian birth number',
  example: '150780 10085',
  isIdentity: true,
  context: ['fodselsnummer*', 'personnummer*', 'fnr', 'd-nummer*'],
  numbers: [{ shapes: ['11', '6 5', '6-5'], judge: (digits) => (passes(digits) ? 'checked' : undefined) }],
  examples: ['fødselsnummer «15078010085»'],
  counterExamples: ['fødselsnummer 15078010084', 'ordrenummer 15078010085'],
}

function passes(digits: string): boolean {
  const first = (11 - (weigh(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11)) % 11
  const second = (11 - (weigh(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11
  const day = Number(digits.slice(0, 2)) % 40
  const month = Number(digits.slice(2, 4)) % 40
  const isBorn = day >= 1 && day <= 31 && month >= 1 && month <= 12
  return isBorn && first === digitAt(digits, 9) && second === digitAt(digits, 10)
}
