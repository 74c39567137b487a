import { digitAt, isUniform, weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** Individual numbers: twelve digits, the last a check digit mod 11. */
export const jpMyNumber: Recognizer = {
  type: 'JP_MY_NUMBER',
  label: 'Japanese individual number',
  example: '1234 5678 9018',
  isIdentity: true,
  context: ['マイナンバー', '個人番号', 'my number', 'mynumber'],
  numbers: [
    { shapes: ['4 4 4', '4-4-4'], judge: (digits) => (passes(digits) ? 'checked' : undefined) },
    { shapes: ['12'], judge: (digits) => (passes(digits) ? 'context' : undefined) },
  ],
  examples: ['マイナンバーは«123456789018»です', 'マイナンバー：«１２３４－５６７８－９０１８»'],
  counterExamples: ['マイナンバー 123456789017', '注文番号 1234 5678 9018'],
}

function passes(digits: string): boolean {
  const rest = weigh(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11
  return (rest <= 1 ? 0 : 11 - rest) === digitAt(digits, 11) && !isUniform(digits)
}
