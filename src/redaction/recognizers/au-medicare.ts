import { digitAt, weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** Medicare card numbers, mod 10, with or without the individual's digit. */
export const auMedicare: Recognizer = {
  type: 'AU_MEDICARE',
  label: 'Australian Medicare number',
  example: '2123 45670 1',
  context: ['medicare*'],
  numbers: [
    {
      shapes: ['4 5 1', '4-5-1', '4 5 1/1', '4-5-1-1'],
      judge: (digits) => (passes(digits) ? 'checked' : undefined),
    },
    { shapes: ['10', '11'], judge: (digits) => (passes(digits) ? 'context' : undefined) },
  ],
  examples: ['Medicare «2123 45670 1»', 'medicare card number «2123456701»'],
  counterExamples: ['Medicare 2123 45671 1', 'serial 2123 45670 1'],
}

function passes(digits: string): boolean {
  const first = digitAt(digits, 0)
  return first >= 2 && first <= 6 && weigh(digits, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === digitAt(digits, 8)
}
