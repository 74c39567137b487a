import { isUniform, weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** Tax file numbers of nine digits, mod 11. */
export const auTfn: Recognizer = {
  type: 'AU_TFN',
  label: 'Australian tax file number',
  example: '123 456 782',
  isIdentity: true,
  context: ['tfn', 'tax file number*', 'tax file'],
  numbers: [
    { shapes: ['3 3 3', '3-3-3'], judge: (digits) => (passes(digits) ? 'checked' : undefined) },
    { shapes: ['9'], judge: (digits) => (passes(digits) ? 'context' : undefined) },
  ],
  examples: ['TFN «123 456 782»', 'my tax file number is «123456782»'],
  counterExamples: ['TFN 123 456 783', 'invoice 123 456 782'],
}

function passes(digits: string): boolean {
  return weigh(digits, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0 && !isUniform(digits)
}
