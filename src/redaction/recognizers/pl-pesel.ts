import { digitAt, isDate, weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** PESEL: birth date with the century in the month, and a mod 10 check digit. */
export const plPesel: Recognizer = {
  type: 'PL_PESEL',
  label: 'Polish PESEL',
  example: '44051401359',
  isIdentity: true,
  context: ['pesel*', 'numer ewidencyjny'],
  numbers: [{ shapes: ['11', '6 5', '6-5'], judge: (digits) => (passes(digits) ? 'checked' : undefined) }],
  examples: ['PESEL «44051401359»', 'mój pesel to «44051401359»'],
  counterExamples: ['PESEL 44051401358', 'faktura 44051401359'],
}

function passes(digits: string): boolean {
  const sum = weigh(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3])
  const month = Number(digits.slice(2, 4)) % 20
  return (
    (10 - (sum % 10)) % 10 === digitAt(digits, 10) &&
    isDate(Number(digits.slice(0, 2)), month, Number(digits.slice(4, 6)))
  )
}
