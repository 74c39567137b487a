import { weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

const LETTERS: Record<string, string> = {
  S: 'JZIHGFEDCBA',
  T: 'JZIHGFEDCBA',
  F: 'XWUTRQPNMLK',
  G: 'XWUTRQPNMLK',
  M: 'KLJNPQRTUWX',
}
const OFFSETS: Record<string, number> = { S: 0, T: 4, F: 0, G: 4, M: 3 }

/** NRIC and FIN: seven digits between two letters, the last a check letter. */
export const sgNricFin: Recognizer = {
  type: 'SG_NRIC_FIN',
  label: 'Singapore NRIC or FIN',
  example: 'S1234567D',
  isIdentity: true,
  context: ['nric*', 'fin', 'fin number', 'singpass', '身份证'],
  codes: [{ letters: [1], digits: [7], pattern: /[STFGM]\d{7}[A-Z](?![A-Za-z0-9])/iy, judge }],
  examples: ['NRIC «S1234567D»', 'my FIN: «F1234567N»'],
  counterExamples: ['NRIC S1234567E', 'serial S1234567D'],
}

function judge(code: string): 'checked' | undefined {
  const kind = code.charAt(0).toUpperCase()
  const sum = weigh(code.slice(1, 8), [2, 7, 6, 5, 4, 3, 2]) + (OFFSETS[kind] as number)
  const index = kind === 'M' ? 10 - (sum % 11) : sum % 11
  return (LETTERS[kind] as string).charAt(index) === code.slice(-1).toUpperCase() ? 'checked' : undefined
}
