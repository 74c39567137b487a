import { digitAt, weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** Número de identificação fiscal: nine digits, mod 11. */
export const ptNif: Recognizer = {
  type: 'PT_NIF',
  label: 'Portuguese tax identification number',
  example: '501442600',
  isIdentity: true,
  context: ['nif*', 'contribuinte', 'numero fiscal', 'identificacao fiscal'],
  numbers: [
    { shapes: ['9', '3 3 3', '3-3-3', '3.3.3'], judge: (digits) => (passes(digits) ? 'context' : undefined) },
  ],
  examples: ['NIF «501442600»', 'contribuinte n.º «501 442 600»'],
  counterExamples: ['NIF 501442601', '501442600'],
}

function passes(digits: string): boolean {
  const rest = weigh(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11
  return digitAt(digits, 0) > 0 && (rest < 2 ? 0 : 11 - rest) === digitAt(digits, 8)
}
