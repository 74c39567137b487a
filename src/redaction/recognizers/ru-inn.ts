import { digitAt, weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** ИНН: ten digits for companies, twelve for people, with one and two check digits. */
export const ruInn: Recognizer = {
  type: 'RU_INN',
  label: 'Russian taxpayer number',
  example: '500100732259',
  isIdentity: true,
  context: ['инн', 'inn'],
  numbers: [
    { shapes: ['12'], judge: (digits) => (passesTwelve(digits) ? 'checked' : undefined) },
    {
      shapes: ['10'],
      judge: (digits) => (check(digits, [2, 4, 10, 3, 5, 9, 4, 6, 8]) ? 'context' : undefined),
    },
  ],
  examples: ['ИНН «500100732259»', 'инн: «7830002293»'],
  counterExamples: ['ИНН 500100732258', 'заказ 500100732259'],
}

function passesTwelve(digits: string): boolean {
  return check(digits, [7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) && check(digits, [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8])
}

function check(digits: string, weights: number[]): boolean {
  return (weigh(digits, weights) % 11) % 10 === digitAt(digits, weights.length)
}
