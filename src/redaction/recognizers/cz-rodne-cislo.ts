import { isDate } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** Czech and Slovak birth numbers: women's months plus 50, divisible by 11. */
export const czRodneCislo: Recognizer = {
  type: 'CZ_BIRTH_NUMBER',
  label: 'Czech or Slovak birth number',
  example: '736028/5163',
  isIdentity: true,
  context: ['rodne cislo*', 'rodneho cisla', 'r.c', 'rc'],
  numbers: [
    { shapes: ['6/4'], judge: (digits) => (passes(digits) ? 'alone' : undefined) },
    { shapes: ['10', '6-4', '6 4'], judge: (digits) => (passes(digits) ? 'context' : undefined) },
    { shapes: ['6/3'], judge: () => 'context' },
  ],
  examples: ['rodné číslo «736028/5163»', 'RČ: «7360285163»'],
  counterExamples: ['rodné číslo 736028/5164'],
}

function passes(digits: string): boolean {
  const month = Number(digits.slice(2, 4)) % 50
  const isBorn = isDate(
    Number(digits.slice(0, 2)),
    month > 20 ? month - 20 : month,
    Number(digits.slice(4, 6)),
  )
  return (
    isBorn && (Number(digits) % 11 === 0 || (Number(digits.slice(0, 9)) % 11 === 10 && digits.endsWith('0')))
  )
}
