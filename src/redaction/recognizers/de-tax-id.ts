import { passesMod11And10 } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** Steueridentifikationsnummer: one digit twice or thrice among the first ten, check digit by ISO 7064 mod 11,10. */
export const deTaxId: Recognizer = {
  type: 'DE_TAX_ID',
  label: 'German tax identification number',
  example: '86 095 742 719',
  isIdentity: true,
  context: [
    'steuer-id*',
    'steuerid*',
    'steueridentifikation*',
    'steuer-identifikation*',
    'steuernummer*',
    'idnr',
    'id-nr',
    'tin',
    'tax id*',
    'identifikationsnummer*',
  ],
  numbers: [
    {
      shapes: ['2 3 3 3', '2-3-3-3', '2 3 3 3', '2/3/3/3'],
      judge: (digits) => (passes(digits) ? 'checked' : undefined),
    },
    { shapes: ['11'], judge: (digits) => (passes(digits) ? 'context' : undefined) },
  ],
  examples: ['Steuer-ID «86 095 742 719»', 'Meine Steuer-ID lautet «86095742719».'],
  counterExamples: ['Steuer-ID 86095742718', 'Bestellung 86095742719'],
}

function passes(digits: string): boolean {
  if (digits.startsWith('0') || !passesMod11And10(digits)) return false
  const distinct = new Set(digits.slice(0, 10)).size
  return distinct === 9 || distinct === 8
}
