import type { Recognizer } from '../engine/recognizer.ts'

const VALUES = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ'

/** CURP: letters of the name, birth date, sex, state, consonants and a check digit mod 10. */
export const mxCurp: Recognizer = {
  type: 'MX_CURP',
  label: 'Mexican CURP',
  example: 'HEGG560427MVZRRL04',
  isIdentity: true,
  context: ['curp*', 'clave unica*'],
  codes: [
    {
      letters: [4],
      digits: [6],
      pattern: /[A-Z]{4}\d\d[01]\d[0-3]\d[HMX][A-Z]{2}[B-DF-HJ-NP-TV-Z]{3}[A-Z\d]\d(?![A-Za-z0-9])/iy,
      judge: (code) => (passes(code.toUpperCase()) ? 'alone' : 'context'),
    },
  ],
  examples: ['mi CURP es «HEGG560427MVZRRL04»', '«HEGG560427MVZRRL04»'],
  counterExamples: ['HEGG561327MVZRRL0'],
}

function passes(code: string): boolean {
  let sum = 0
  for (let at = 0; at < 17; at++) sum += VALUES.indexOf(code.charAt(at)) * (18 - at)
  return (10 - (sum % 10)) % 10 === Number(code.charAt(17))
}
