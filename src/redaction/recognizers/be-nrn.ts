import type { Recognizer } from '../engine/recognizer.ts'

/**
 * Rijksregisternummer: birth date, order and 97 minus the remainder. For people born since 2000, a 2 is put in front
 * for the calculation.
 */
export const beNrn: Recognizer = {
  type: 'BE_NATIONAL_NUMBER',
  label: 'Belgian national register number',
  example: '85.07.30-033.28',
  isIdentity: true,
  context: [
    'rijksregister*',
    'registre national',
    'nationaal nummer',
    'numero national',
    'niss',
    'insz',
    'nrn',
  ],
  numbers: [
    {
      shapes: ['2.2.2-3.2', '2.2.2-3-2', '2.2.2.3.2', '2 2 2 3 2', '2-2-2-3-2', '6 3 2', '6-3-2'],
      judge: (digits) => (passes(digits) ? 'alone' : undefined),
    },
    { shapes: ['11'], judge: (digits) => (passes(digits) ? 'checked' : undefined) },
  ],
  examples: ['rijksregisternummer «85.07.30-033.28»', 'NISS «85073003328»'],
  counterExamples: ['rijksregisternummer 85.07.30-033.29'],
}

function passes(digits: string): boolean {
  const month = Number(digits.slice(2, 4)) % 20
  const number = Number(digits.slice(0, 9))
  const check = Number(digits.slice(9))
  return month <= 12 && (97 - (number % 97) === check || 97 - ((2_000_000_000 + number) % 97) === check)
}
