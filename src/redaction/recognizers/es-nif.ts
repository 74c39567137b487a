import type { Recognizer } from '../engine/recognizer.ts'

const LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'
const SEPARATORS = /[ .-]/g

/** DNI: eight digits and the letter for their remainder by 23. */
export const esNif: Recognizer = {
  type: 'ES_NIF',
  label: 'Spanish DNI',
  example: '12345678Z',
  isIdentity: true,
  context: ['dni', 'nif', 'documento nacional*', 'd.n.i*'],
  codes: [
    { letters: [0], digits: [8], pattern: /\d{8}[- ]?[A-Z](?![A-Za-z0-9])/iy, judge },
    { letters: [0], digits: [2], pattern: /\d\d[. ]\d{3}[. ]\d{3}[- ]?[A-Z](?![A-Za-z0-9])/iy, judge },
    {
      letters: [0],
      digits: [7],
      pattern: /\d{7}[- ]?[A-Z](?![A-Za-z0-9])/iy,
      judge: (code) => (judge(code) ? 'context' : undefined),
    },
  ],
  examples: ['DNI «12345678Z»', 'mi dni es «12.345.678-Z»', '«12345678-Z»'],
  counterExamples: ['DNI 12345678A', 'pedido 12345678Z'],
}

function judge(code: string): 'checked' | undefined {
  const plain = code.replace(SEPARATORS, '')
  const isValid = LETTERS.charAt(Number(plain.slice(0, -1)) % 23) === plain.slice(-1).toUpperCase()
  return isValid ? 'checked' : undefined
}
