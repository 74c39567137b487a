import { digitAt, isUniform, weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

const WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]

/** CNPJ: two mod 11 check digits. */
export const brCnpj: Recognizer = {
  type: 'BR_CNPJ',
  label: 'Brazilian CNPJ',
  example: '11.222.333/0001-81',
  context: ['cnpj*'],
  numbers: [
    {
      shapes: ['2.3.3/4-2', '2 3 3 4 2', '2.3.3.4-2', '2 3 3/4-2', '2-3-3-4-2'],
      judge: (digits) => (passes(digits) ? 'alone' : undefined),
    },
    { shapes: ['14', '8/4-2', '12-2'], judge: (digits) => (passes(digits) ? 'checked' : undefined) },
  ],
  examples: ['CNPJ «11.222.333/0001-81»', 'cnpj «11222333000181»'],
  counterExamples: ['CNPJ 11.222.333/0001-82', 'pedido 11222333000181'],
}

function passes(digits: string): boolean {
  const first = weigh(digits, WEIGHTS.slice(1)) % 11
  const second = weigh(digits, WEIGHTS) % 11
  const isFirst = digitAt(digits, 12) === (first < 2 ? 0 : 11 - first)
  return isFirst && digitAt(digits, 13) === (second < 2 ? 0 : 11 - second) && !isUniform(digits)
}
