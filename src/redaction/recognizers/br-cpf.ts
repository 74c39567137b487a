import { digitAt, isUniform } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** CPF: two mod 11 check digits. */
export const brCpf: Recognizer = {
  type: 'BR_CPF',
  label: 'Brazilian CPF',
  example: '529.982.247-25',
  isIdentity: true,
  context: ['cpf*', 'cadastro de pessoa*'],
  numbers: [
    {
      shapes: ['3.3.3-2', '3-3-3-2', '3 3 3 2', '3.3.3.2', '3 3 3-2', '3.3.3/2'],
      judge: (digits) => (passes(digits) ? 'alone' : undefined),
    },
    { shapes: ['11', '9-2'], judge: (digits) => (passes(digits) ? 'checked' : undefined) },
  ],
  examples: ['CPF «529.982.247-25»', 'cpf: «52998224725»', 'o meu é «529.982.247-25», ok?'],
  counterExamples: ['CPF 529.982.247-26', 'pedido 52998224725'],
}

function passes(digits: string): boolean {
  return (
    !isUniform(digits) &&
    checkDigit(digits, 9) === digitAt(digits, 9) &&
    checkDigit(digits, 10) === digitAt(digits, 10)
  )
}

function checkDigit(digits: string, length: number): number {
  let sum = 0
  for (let at = 0; at < length; at++) sum += digitAt(digits, at) * (length + 1 - at)
  return ((sum * 10) % 11) % 10
}
