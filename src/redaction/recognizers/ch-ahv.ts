import { digitAt, weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** AHV numbers: an EAN-13 under the prefix 756. */
export const chAhv: Recognizer = {
  type: 'CH_AHV',
  label: 'Swiss AHV number',
  example: '756.9217.0769.85',
  isIdentity: true,
  context: ['ahv*', 'avs', 'oasi', 'sozialversicherungsnummer*'],
  numbers: [
    { shapes: ['3.4.4.2', '3 4 4 2', '3-4-4-2'], judge: (digits) => (passes(digits) ? 'alone' : undefined) },
    { shapes: ['13'], judge: (digits) => (passes(digits) ? 'checked' : undefined) },
  ],
  examples: ['AHV «756.9217.0769.85»', 'AHV-Nummer «7569217076985»'],
  counterExamples: ['AHV 756.9217.0769.86', '755.9217.0769.85'],
}

function passes(digits: string): boolean {
  const sum = weigh(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3])
  return digits.startsWith('756') && (10 - (sum % 10)) % 10 === digitAt(digits, 12)
}
