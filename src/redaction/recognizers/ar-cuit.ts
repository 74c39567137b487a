import { digitAt, weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** CUIT and CUIL: kind, DNI and a check digit mod 11. */
export const arCuit: Recognizer = {
  type: 'AR_CUIT',
  label: 'Argentine CUIT or CUIL',
  example: '20-12345678-6',
  isIdentity: true,
  context: ['cuit*', 'cuil*', 'dni'],
  numbers: [
    { shapes: ['2-8-1', '2 8 1', '2.8.1'], judge: (digits) => (passes(digits) ? 'alone' : undefined) },
    { shapes: ['11'], judge: (digits) => (passes(digits) ? 'checked' : undefined) },
  ],
  examples: ['CUIT «20-12345678-6»', 'mi CUIL: «20123456786»'],
  counterExamples: ['CUIT 20-12345678-7'],
}

function passes(digits: string): boolean {
  if (!/^(?:2[03467]|3[034])/.test(digits)) return false
  const rest = weigh(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11
  return (11 - rest) % 11 === digitAt(digits, 10)
}
