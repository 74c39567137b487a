import { digitAt, isUniform, weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** NHS numbers with their mod 11 check digit, according to the NHS data dictionary. */
export const ukNhs: Recognizer = {
  type: 'UK_NHS',
  label: 'UK NHS number',
  example: '943 476 5919',
  context: ['nhs', 'nhs number*', 'nhs no', 'health service number'],
  numbers: [
    { shapes: ['3 3 4', '3-3-4'], judge: (digits) => (passes(digits) ? 'checked' : undefined) },
    { shapes: ['10'], judge: (digits) => (passes(digits) ? 'context' : undefined) },
  ],
  examples: ['NHS number «943 476 5919»', 'nhs no: «9434765919»'],
  counterExamples: ['NHS number 943 476 5918', 'the 9434765919th row'],
}

function passes(digits: string): boolean {
  const check = 11 - (weigh(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)
  return (check === 11 ? 0 : check) === digitAt(digits, 9) && !isUniform(digits)
}
