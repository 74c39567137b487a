import type { Recognizer } from '../engine/recognizer.ts'

/** СНИЛС: nine digits and their weighted sum mod 101. */
export const ruSnils: Recognizer = {
  type: 'RU_SNILS',
  label: 'Russian SNILS',
  example: '112-233-445 95',
  isIdentity: true,
  context: ['снилс*', 'snils', 'пенсионн*'],
  numbers: [
    { shapes: ['3-3-3 2', '3-3-3-2', '3 3 3 2'], judge: (digits) => (passes(digits) ? 'alone' : undefined) },
    { shapes: ['11'], judge: (digits) => (passes(digits) ? 'checked' : undefined) },
  ],
  examples: ['СНИЛС «112-233-445 95»', 'мой снилс «11223344595»'],
  counterExamples: ['СНИЛС 112-233-445 96', 'заказ 11223344595'],
}

function passes(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < 9; at++) sum += Number(digits.charAt(at)) * (9 - at)
  return (sum % 101) % 100 === Number(digits.slice(9))
}
