import { passesLuhn } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** Social Insurance numbers with their Luhn digit. */
export const caSin: Recognizer = {
  type: 'CA_SIN',
  label: 'Canadian Social Insurance number',
  example: '046 454 286',
  isIdentity: true,
  context: ['sin', 's.i.n', 'sin number', 'social insurance*', 'assurance sociale', 'nas'],
  numbers: [
    { shapes: ['3 3 3', '3-3-3'], judge: (digits) => (passes(digits) ? 'checked' : undefined) },
    { shapes: ['9'], judge: (digits) => (passes(digits) ? 'context' : undefined) },
  ],
  examples: ['SIN «046-454-286»', 'mon NAS est «046 454 286»', 'my SIN is «046454286»'],
  counterExamples: ['SIN 046-454-287', 'parcel 046 454 286'],
}

function passes(digits: string): boolean {
  return passesLuhn(digits) && !digits.startsWith('8') && !digits.startsWith('000')
}
