import { isDate } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** Nomor induk kependudukan: place, birth date (women's days plus 40) and order. */
export const idNik: Recognizer = {
  type: 'ID_NIK',
  label: 'Indonesian identity number',
  example: '3171234501900001',
  isIdentity: true,
  context: ['nik', 'ktp', 'nomor induk*', 'e-ktp'],
  numbers: [
    {
      shapes: ['16', '4 4 4 4', '6 6 4', '6.6.4', '2.2.2.6.4'],
      judge: (digits) => (isBorn(digits) ? 'context' : undefined),
    },
  ],
  examples: ['NIK «3171234501900001»', 'nomor KTP saya «3171234501900001»'],
  counterExamples: ['3171234501900001', 'NIK 3171237501900001'],
}

function isBorn(digits: string): boolean {
  const day = Number(digits.slice(6, 8))
  const province = Number(digits.slice(0, 2))
  return (
    province >= 11 &&
    province <= 96 &&
    isDate(Number(digits.slice(10, 12)), Number(digits.slice(8, 10)), day > 40 ? day - 40 : day)
  )
}
