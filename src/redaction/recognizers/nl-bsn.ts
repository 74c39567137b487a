import { isUniform, weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** Burgerservicenummer: the eleven-test. */
export const nlBsn: Recognizer = {
  type: 'NL_BSN',
  label: 'Dutch citizen service number',
  example: '111222333',
  isIdentity: true,
  context: ['bsn*', 'burgerservice*', 'sofi*', 'citizen service*'],
  numbers: [
    {
      shapes: ['9', '4.2.3', '4 2 3', '3 3 3', '3.3.3', '2 3 2 2', '4-2-3'],
      judge: (digits) => (passes(digits) ? 'context' : undefined),
    },
    { shapes: ['8'], judge: (digits) => (passes(`0${digits}`) ? 'context' : undefined) },
  ],
  examples: ['BSN «111222333»', 'mijn burgerservicenummer is «1112.22.333»'],
  counterExamples: ['BSN 111222334', '111222333'],
}

function passes(digits: string): boolean {
  return weigh(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0 && !isUniform(digits)
}
