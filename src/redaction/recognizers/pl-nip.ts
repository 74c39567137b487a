import { digitAt, weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** NIP: ten digits, mod 11. */
export const plNip: Recognizer = {
  type: 'PL_NIP',
  label: 'Polish tax identification number',
  example: '123-456-32-18',
  isIdentity: true,
  context: ['nip', 'numer identyfikacji podatkowej'],
  numbers: [
    { shapes: ['3-3-2-2', '3-2-2-3'], judge: (digits) => (passes(digits) ? 'checked' : undefined) },
    { shapes: ['10', '3 3 2 2'], judge: (digits) => (passes(digits) ? 'context' : undefined) },
  ],
  examples: ['NIP «123-456-32-18»', 'nip: «1234563218»'],
  counterExamples: ['NIP 123-456-32-19', 'faktura 123-456-32-18'],
}

function passes(digits: string): boolean {
  return weigh(digits, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === digitAt(digits, 9)
}
