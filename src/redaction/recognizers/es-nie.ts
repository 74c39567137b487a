import type { Recognizer } from '../engine/recognizer.ts'

const LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** NIE: like a DNI, with X, Y or Z as the first character. */
export const esNie: Recognizer = {
  type: 'ES_NIE',
  label: 'Spanish NIE',
  example: 'X1234567L',
  isIdentity: true,
  context: ['nie', 'extranjero*', 'n.i.e*'],
  codes: [
    { letters: [1], digits: [7], pattern: /[XYZ]\d{7}[- ]?[A-Z](?![A-Za-z0-9])/iy, judge },
    {
      letters: [0],
      digits: [7],
      before: 2,
      pattern: /(?<=(?:^|[^A-Za-z0-9])[XYZ][- ])\d{7}[- ]?[A-Z](?![A-Za-z0-9])/iy,
      judge,
    },
    {
      letters: [0],
      digits: [1],
      before: 2,
      pattern: /(?<=(?:^|[^A-Za-z0-9])[XYZ][- ])\d[. ]\d{3}[. ]\d{3}[- ]?[A-Z](?![A-Za-z0-9])/iy,
      judge,
    },
  ],
  examples: ['NIE «X1234567L»', 'mi NIE: «X-1234567-L»'],
  counterExamples: ['NIE X1234567M', 'factura X1234567L'],
}

function judge(code: string): 'checked' | undefined {
  const plain = code.replace(/[ .-]/g, '').toUpperCase()
  const number = Number('XYZ'.indexOf(plain.charAt(0)) + plain.slice(1, -1))
  return LETTERS.charAt(number % 23) === plain.slice(-1) ? 'checked' : undefined
}
