import { digitAt, weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** Sozialversicherungsnummer: three digits, a check digit mod 11, and the birth date. */
export const atSvnr: Recognizer = {
  type: 'AT_SOCIAL_SECURITY',
  label: 'Austrian social insurance number',
  example: '1237 010180',
  isIdentity: true,
  context: ['sozialversicherung*', 'svnr*', 'sv-nummer*', 'sv-nr*', 'versicherungsnummer*'],
  numbers: [
    { shapes: ['4 6', '4-6', '4/6'], judge: (digits) => (passes(digits) ? 'checked' : undefined) },
    { shapes: ['10'], judge: (digits) => (passes(digits) ? 'context' : undefined) },
  ],
  examples: ['SVNR «1237 010180»', 'Sozialversicherungsnummer: «1237010180»'],
  counterExamples: ['SVNR 1238 010180'],
}

function passes(digits: string): boolean {
  const sum = weigh(digits, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6])
  return digitAt(digits, 0) > 0 && sum % 11 === digitAt(digits, 3) && Number(digits.slice(6, 8)) <= 15
}
